/** Commands of a participant, also those that were signed elsewhere, and moves of contracts. */
import { setMaxListeners } from "node:events";
import { Executions, prepare } from "../external/index.js";
import type { Ledger } from "../ledger.js";
import type { Party } from "../model/index.js";
import { AutomaticAssignments, InFlight, Reassignments, Submissions, toldLate, UnreadSubmissions } from "../submission/index.js";
import { hostingOnSynchronizer } from "./hosting.js";
import type { Opening } from "./member.js";
import type { Keeping } from "./open-keeping.js";

export interface OpenSubmission {
  readonly ledger: Pick<
    Ledger,
    "admit" | "submit" | "submitUnread" | "submitAsync" | "reassign" | "reassignAsync" | "impediment" | "nowMicros" | "interactive"
  >;
  commandsInFlight(): number;
  /** What is on its way between synchronizers goes on by itself. */
  begin(): void;
  /** Nothing begins by itself any more, and commands that wait for their ledger time end. */
  close(): Promise<void>;
}

export function openSubmission({ member, network, others }: Opening, { acceptances, pruning }: Keeping): OpenSubmission {
  const { tables, committer, ledgerEnd, contracts, parties, packages, externalParties, templates, synchronizers, interpreter } = member,
    { clock, impediments, log, turns, options } = network,
    { participantId, participantName } = member.identity;
  const closing = new AbortController(),
    inFlight = new InFlight();
  setMaxListeners(0, closing.signal); // one for each command that waits
  const reassigningContext = {
    others,
    participantId,
    participantName,
    tables,
    contracts,
    committer,
    parties,
    packages,
    synchronizers,
    acceptances,
    templates,
    clock,
    impediments,
    inFlight,
    turns,
    log,
    hostingOf: (party: Party, synchronizer: number) => hostingOnSynchronizer(network.members, party, synchronizer),
  };
  const automatic = new AutomaticAssignments(reassigningContext),
    reassignments = new Reassignments(reassigningContext, (id) => {
      for (const each of network.automaticAssignments) each.hear(id);
    });
  network.automaticAssignments.add(automatic);
  const submissionContext = {
    ...reassigningContext,
    self: member,
    ledgerEnd,
    interpreter,
    reassignments,
    closing: closing.signal,
    pruning,
    moverOf: reassignments.moverOf.bind(reassignments),
    signatoriesOf: reassignments.signatoriesOf.bind(reassignments),
  };
  const submissions = new Submissions(submissionContext),
    unreadSubmissions = new UnreadSubmissions(submissionContext),
    executions = new Executions({ ...submissionContext, externalParties, signedUnderWay: network.signedUnderWay });
  return {
    ledger: {
      admit: (signal) => inFlight.admit(signal),
      submit: (submission, admission, refusal, telling = toldLate) => submissions.submit(submission, admission, refusal, telling),
      submitUnread: (unread, admission) => unreadSubmissions.submit(unread, admission),
      submitAsync: (submission, admission) => submissions.submitAsync(submission, admission),
      reassign: (submission, admission) => reassignments.submit(submission, admission),
      reassignAsync: (submission, admission) => reassignments.submitAsync(submission, admission),
      impediment: () => impediments.text(),
      nowMicros: () => clock.nowMicros(),
      interactive: {
        prepare: (preparation) => prepare(preparation, { ...submissionContext, verboseHashing: options.verboseHashing === true }),
        execute: (execution, admission, telling = toldLate) => executions.execute(execution, admission, telling),
        executeAsync: (execution, admission) => executions.executeAsync(execution, admission),
      },
    },
    commandsInFlight: () => inFlight.underWay,
    begin: () => automatic.begin(reassignments),
    close: () => {
      closing.abort();
      return automatic.close();
    },
  };
}
