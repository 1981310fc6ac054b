/**
 * Commands that want the same contract. In the reference it is locked from when one of them is on its way until its outcome is known, and
 * what comes meanwhile is refused for that, so that its sender tries again. Here outcomes are known within moments: what was recorded
 * after a command came was on its way beside it.
 */
import type { EngineRefusal } from "../interpretation/index.js";
import type { CommandSubmission } from "../intake/index.js";
import type { LedgerErrorData, Offset, Synchronizers } from "../model/index.js";
import type { PartyRegistry } from "../parties/index.js";
import { type ContractIndex, decodeInstance } from "../records/index.js";
import type { Tables } from "../../store/index.js";
import { isLocked, reportedBy, toldBy } from "./verdicts.js";

/** What the engine said of a submission that nobody had read before. */
export interface EarlierRefusal {
  readonly said: EngineRefusal;
  /** Up to where anybody may have been told of the ledger when it came. */
  readonly submittedAt: Offset;
}

interface Wanting {
  readonly submission: Pick<CommandSubmission, "actAs" | "readAs">;
  readonly submittedAt: Offset;
}
interface Known {
  readonly contracts: Pick<ContractIndex, "find">;
  readonly tables: Pick<Tables, "instances">;
  readonly parties: PartyRegistry;
  readonly participantId: string;
  readonly synchronizers: Synchronizers;
}

/** Of one that the engine did not find a contract for, which its readers could see before another took it. */
export function contentionOf(error: LedgerErrorData, { submission, submittedAt }: Wanting, known: Known): LedgerErrorData | undefined {
  const contractId = error.code === "CONTRACT_NOT_FOUND" ? error.resources?.[0]?.[1] : undefined,
    state = contractId === undefined ? undefined : known.contracts.find(contractId);
  if (state?.archived === undefined || state.archived.offset <= submittedAt) return undefined;
  const instance = known.tables.instances.read(state.activated);
  if (instance === undefined) return undefined; // it was pruned meanwhile
  const { stakeholders } = decodeInstance(instance, state.activated),
    isSeer = (party: string): boolean => stakeholders.includes(known.parties.get(party)?.number ?? -1);
  return [...submission.actAs, ...submission.readAs].some(isSeer)
    ? toldBy(known.synchronizers.at(state.synchronizer), reportedBy(known.participantId, isLocked(contractId!)))
    : undefined;
}
