/**
 * Contracts that are to be moved, as the log has them. A client names as many as a request holds, and thousands may be of one large
 * update: each update is read once for all of them, in steps, and let go behind the last.
 */
import { groupBy } from "../../base/group-by.js";
import type { Steps } from "../../base/steps.js";
import type { EventPlace, Tables } from "../../store/index.js";
import {
  type ContractState,
  decodeInstance,
  decodeUpdate,
  type EventMarks,
  signatoriesIn,
  storedCreate,
  type TemplateNames,
  type UpdateMarks,
} from "../records/index.js";
import type { Party, StoredCreate } from "../model/index.js";
import type { PartyRegistry } from "../parties/index.js";
import { eventAt } from "../reading/index.js";

/** A contract that is to be moved, as it was found. */
export interface MovedContract {
  readonly contractId: string;
  readonly activated: EventPlace;
  /** Its created event, with the node id that it has in the reassignment. */
  readonly created: StoredCreate;
  readonly signatories: readonly Party[];
  readonly reassignmentCounter: number;
}

/** A contract and where it was when it was asked for. */
export interface KnownContract {
  readonly contractId: string;
  readonly state: ContractState;
}

interface LogContext {
  readonly tables: Tables;
  readonly templates: TemplateNames;
  readonly parties: PartyRegistry;
}

/** The node ids are those of the order. Undefined: what was archived and pruned between two steps. */
export function* findMoved(contracts: readonly KnownContract[], context: LogContext): Steps<readonly (MovedContract | undefined)[]> {
  const found: (MovedContract | undefined)[] = contracts.map(() => undefined);
  yield* throughActivations(contracts, context, (index, update, event) => {
    found[index] = movedContract(contracts[index]!, index, update, event, context);
  });
  return found;
}

/** By the contracts' ids; of what was archived and pruned between two steps there are none. */
export function* findSignatories(
  contracts: readonly KnownContract[],
  context: Pick<LogContext, "tables">,
): Steps<ReadonlyMap<string, readonly Party[]>> {
  const found = new Map<string, readonly Party[]>();
  yield* throughActivations(contracts, context, (index, update, event) => {
    found.set(contracts[index]!.contractId, signatoriesIn(update, event));
  });
  return found;
}

/** Visits the event that made each of them active, where it is still there. */
function* throughActivations(
  contracts: readonly KnownContract[],
  { tables }: Pick<LogContext, "tables">,
  visit: (index: number, update: UpdateMarks, event: EventMarks) => void,
): Steps<void> {
  for (const [offset, indexes] of groupBy(contracts.keys(), (index) => contracts[index]!.state.activated.offset)) {
    yield;
    const record = tables.updates.read(offset);
    if (record === undefined) continue;
    const update = decodeUpdate(record, offset);
    for (const index of indexes) {
      yield;
      const { activated } = contracts[index]!.state;
      if (tables.instances.has(activated)) visit(index, update, eventAt(update, activated.nodeId)); // both are pruned together
    }
  }
}

function movedContract(
  { contractId, state: { activated, keyHash, reassignmentCounter } }: KnownContract,
  nodeId: number,
  update: UpdateMarks,
  event: EventMarks,
  { tables, templates, parties }: LogContext,
): MovedContract {
  const instance = decodeInstance(tables.instances.read(activated)!, activated),
    packageName = templates.nameOf(instance.template).split(":")[0]!;
  const stakeholders = instance.stakeholders.map((number) => parties.byNumber(number).party);
  const created = storedCreate(update, event, { createdEventBlob: instance.instance, keyHash, packageName }, stakeholders, nodeId);
  return { contractId, activated, created, signatories: signatoriesIn(update, event), reassignmentCounter };
}
