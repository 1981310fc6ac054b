/** Puts one participant of a network together. */
import { stackOf } from "../../base/error-text.js";
import type { Log } from "../../base/log.js";
import { isFailure } from "../../base/result.js";
import type { Administration } from "../admin/index.js";
import type { Pruning } from "../keeping/index.js";
import type { Ledger } from "../ledger.js";
import { TokenKey } from "../model/index.js";
import type { Member, NetworkParts } from "./member.js";
import { openAdministration } from "./open-administration.js";
import { openKeeping } from "./open-keeping.js";
import { openPackages } from "./open-packages.js";
import { openReading } from "./open-reading.js";
import { openSubmission } from "./open-submission.js";
import { recordOnFirstStart } from "./record-on-first-start.js";

/** The ledger, and the administration of what is beside it. */
export type Participant = Ledger & { readonly administration: Administration; commandsInFlight(): number };

export interface OpenParticipant {
  readonly participant: Participant;
  /** Nothing begins by itself any more, and what waits is settled: the last that it commits. */
  settle(): Promise<void>;
}

export async function createParticipant(member: Member, network: NetworkParts): Promise<OpenParticipant> {
  const { identity, synchronizers } = member,
    opening = { member, network, others: network.members.neighboursOf(member), tokenKey: new TokenKey(identity.pageTokenKey) };
  const keeping = openKeeping(opening),
    reading = openReading(opening, keeping),
    submission = openSubmission(opening, keeping),
    packages = openPackages(opening),
    parties = await openAdministration(opening);
  await recordOnFirstStart(opening, { packages: packages.context, parties: parties.context });
  submission.begin();
  resumePruning(keeping.pruning, network.log);
  const participant: Participant = {
    participantName: identity.participantName,
    participantId: identity.participantId,
    synchronizerId: synchronizers.first.id,
    synchronizers: synchronizers.connected,
    allSynchronizers: synchronizers.all,
    administration: parties.administration,
    commandsInFlight: () => submission.commandsInFlight(),
    ...keeping.ledger,
    ...reading,
    ...submission.ledger,
    ...packages.ledger,
    ...parties.ledger,
    close: () => network.close(),
  };
  const settle = async (): Promise<void> => {
    try {
      await submission.close();
    } finally {
      await keeping.close();
    }
  };
  return { participant, settle };
}

/** What it cannot do now it does at the next start. */
function resumePruning(pruning: Pruning, log: Log): void {
  const notResumed = (reason: string): void => log.error("pruning could not go on", { reason });
  pruning.resume().then(
    (resumed) => {
      if (isFailure(resumed)) notResumed(resumed.error.cause);
    },
    (error: unknown) => notResumed(stackOf(error)),
  );
}
