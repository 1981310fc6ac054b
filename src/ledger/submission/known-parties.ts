/** Who submits a transaction, and whoever is told of it, has to be known. */
import { FirstOf } from "../../base/first-of.js";
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { CommandSubmission } from "../intake/index.js";
import type { InterpretedTransaction } from "../interpretation/index.js";
import { ledgerError, type LedgerErrorData, namedElsewhere, type Party, type Synchronizers, unknownInformees } from "../model/index.js";
import type { PartyRegistry } from "../parties/index.js";
import { isStep } from "../records/index.js";
import { foreignSubmitters } from "./routing.js";

type Acting = Pick<CommandSubmission, "actAs">;

interface Knowing {
  readonly parties: PartyRegistry;
}

/** As in Canton packages are chosen for whoever acts first, on the synchronizer that is named, before anything runs. */
export function firstSubmitterProblem(
  { actAs, synchronizerId }: Pick<CommandSubmission, "actAs" | "synchronizerId">,
  context: Knowing & { readonly synchronizers: Synchronizers },
): LedgerErrorData | undefined {
  const [first] = actAs as [Party];
  return (
    submittersProblem({ actAs: [first] }, context)
    ?? namedElsewhere(synchronizerId, context.parties.get(first)!.hostedOn, context.synchronizers)
  );
}

/** They have to be known, and this node has to submit for them. */
export const submittersProblem = ({ actAs }: Acting, context: Knowing): LedgerErrorData | undefined =>
  unknownSubmittersProblem(actAs, context) ?? foreignSubmittersProblem(actAs, context);

export function unknownSubmittersProblem(actAs: readonly Party[], { parties }: Knowing): LedgerErrorData | undefined {
  const unknown = actAs.filter((party) => !parties.get(party));
  if (unknown.length === 0) return undefined;
  return ledgerError("UNKNOWN_SUBMITTERS", `This node does not know the parties ${unknown.join(", ")}, which submit the transaction.`, {
    context: { unknownSubmitters: `Set(${unknown.join(", ")})` },
  });
}

export function foreignSubmittersProblem(actAs: readonly Party[], { parties }: Knowing): LedgerErrorData | undefined {
  const isForeign = actAs.some((party) => {
    const known = parties.get(party)!;
    return !known.isLocal || known.isExternal;
  });
  return isForeign ? foreignSubmitters(actAs) : undefined;
}

/** Of a transaction that comes as events; there may be many. */
export const informeesOf = (transaction: InterpretedTransaction, turns: Turns): Promise<ReadonlySet<Party>> =>
  turns.through(findInformees(transaction));

function* findInformees({ events, untold }: InterpretedTransaction): Steps<ReadonlySet<Party>> {
  const informees = new Set(untold.map(({ party }) => party));
  for (let index = 0; index < events.length; index++) {
    if (isStep(index)) yield;
    for (const party of events[index]!.witnesses) informees.add(party);
  }
  return informees;
}

/** Whoever is informed of it, or has a stake in what it uses, has to be known. */
export async function unknownPartiesProblem(
  transaction: InterpretedTransaction,
  { parties, turns }: Knowing & { readonly turns: Turns },
): Promise<LedgerErrorData | undefined> {
  const unknown = await turns.through(findUnknown(transaction, parties));
  if (unknown.size === 0) return undefined;
  const first = new FirstOf<string>(limits.errorCauseCharsMax, (a, b) => (a < b ? -1 : 1)); // an answer has no room for more
  for (const party of unknown) first.add(party);
  return unknownInformees(first.all());
}

function* findUnknown({ events, untold }: InterpretedTransaction, parties: PartyRegistry): Steps<ReadonlySet<Party>> {
  const unknown = new Set(untold.flatMap(({ party }) => (parties.get(party) ? [] : [party])));
  let looked = 0;
  for (const { witnesses, stakeholders } of events)
    for (const party of witnesses === stakeholders ? witnesses : [...witnesses, ...stakeholders]) {
      if (isStep(looked++)) yield; // one event may have any number of them
      if (!parties.get(party)) unknown.add(party);
    }
  return unknown;
}
