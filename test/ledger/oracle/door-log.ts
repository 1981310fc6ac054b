/**
 * What one participant of a network has to tell, kept in the plainest form: it is told what happened, and takes the parts that those see
 * whom it hosts.
 */
import type { EventFormatRequest } from "../../../src/ledger/index.js";
import { contractIdOf, packageId, packageName } from "../support.js";
import type { Contract, Node, Transaction, UntoldNode } from "./play.js";
import { asked, created, project, wantedOf, type Json, type Shape } from "./projection.js";

interface Door {
  /** Of its ledger when it begins. */
  readonly offset: number;
  isHosted(party: string, place: number): boolean;
}

interface Told {
  readonly actAs: readonly string[];
  readonly commandId: string;
  readonly workflowId: string;
  readonly isSubmitter: boolean;
}

export interface TransactionTold extends Told {
  readonly updateId: string;
  readonly synchronizer: number;
  readonly nodes: readonly Node[];
  readonly untold: readonly UntoldNode[];
}

export interface Move extends Told {
  readonly submitter: string;
  readonly reassignmentId: string;
  readonly source: number;
  readonly target: number;
  /** `counter`: of the reassignment. */
  readonly contracts: readonly { readonly contract: Contract; readonly counter: number }[];
}

interface Completion {
  readonly offset: number;
  readonly updateId: string;
  readonly commandId: string;
  readonly actAs: readonly string[];
}

/** From a create or an assignment to what ends it. */
interface Activation {
  readonly contract: Contract;
  readonly workflowId: string;
  readonly synchronizer: number;
  readonly counter: number;
  ended: number | undefined;
}

interface Unassigned {
  readonly move: Move;
  readonly contract: Contract;
  readonly counter: number;
  readonly offset: number;
  readonly nodeId: number;
  readonly isFollowed: boolean;
}

interface InFlight {
  readonly activation: Activation;
  readonly event: Unassigned;
  ended: number | undefined;
}

interface ReassignmentUpdate {
  readonly offset: number;
  readonly updateId: string;
  readonly move: Move;
  readonly synchronizer: number;
  readonly unassigned: readonly Unassigned[];
  readonly assigned: readonly { readonly contract: Contract; readonly counter: number }[];
}

type Update =
  | { readonly transaction: Transaction; readonly synchronizer: number; readonly reassignment?: never }
  | { readonly transaction?: never; readonly reassignment: ReassignmentUpdate };

export class DoorLog {
  readonly updates: Update[] = [];
  readonly completions: Completion[] = [];
  readonly #door: Door;
  readonly #created = new Map<
    string,
    {
      readonly contract: Contract;
      readonly synchronizer: number;
      readonly wasActive: boolean;
      archived: { readonly transaction: Transaction; readonly node: Node } | undefined;
    }
  >();
  readonly #activations: Activation[] = [];
  readonly #inFlight: InFlight[] = [];
  readonly #left = new Set<string>();
  #end: number;

  constructor(door: Door) {
    this.#door = door;
    this.#end = door.offset;
  }

  get end(): number {
    return this.#end;
  }
  get transactions(): readonly Transaction[] {
    return this.updates.flatMap(({ transaction }) => transaction ?? []);
  }
  offsetOf({ transaction, reassignment }: Update): number {
    return (transaction ?? reassignment).offset;
  }

  #isHosted(parties: Iterable<string>, place: number): boolean {
    return [...parties].some((party) => this.#door.isHosted(party, place));
  }

  /** Whether it has a place for what is told. */
  #takes({ isSubmitter, actAs, commandId }: Told, updateId: string, isSeen: boolean): boolean {
    if (isSubmitter || isSeen) this.#end++;
    if (isSubmitter) this.completions.push({ offset: this.#end, updateId, commandId, actAs });
    return isSeen;
  }

  addRejection({ actAs, commandId }: Pick<Told, "actAs" | "commandId">): void {
    this.completions.push({ offset: ++this.#end, updateId: "", commandId, actAs });
  }

  addTransaction(told: TransactionTold): void {
    const { updateId, synchronizer, nodes, untold, workflowId, commandId, actAs, isSubmitter } = told,
      isSeen = ({ witnesses }: UntoldNode): boolean => isSubmitter || this.#isHosted(witnesses, synchronizer),
      seen = nodes.filter(isSeen);
    if (!this.#takes(told, updateId, seen.length > 0)) return;
    const offset = this.#end,
      isAll = seen.length === nodes.length,
      numbered = [...seen, ...untold.filter(isSeen)];
    const numberOf = (id: number): number => (isAll ? id : numbered.filter(({ nodeId }) => nodeId < id).length);
    const seenBy = new Map<number, ReadonlySet<string>>();
    for (const { nodeId, informees, above } of seen)
      seenBy.set(nodeId, new Set([...informees, ...((above === undefined ? undefined : seenBy.get(above)) ?? [])]));
    const local = seen.map((node): Node => {
      const { contract, exercise } = node,
        { stakeholders } = contract,
        nodeId = numberOf(node.nodeId);
      return {
        ...node,
        nodeId,
        contract: exercise ? contract : { ...contract, createdAt: offset, nodeId, archivedAt: undefined },
        exercise: exercise && { ...exercise, lastDescendant: numberOf(exercise.lastDescendant) },
        witnesses: seenBy.get(node.nodeId)!,
        changesActive: node.changesActive && this.#isHosted(stakeholders, synchronizer),
      };
    });
    const transaction: Transaction = {
      offset,
      updateId,
      workflowId,
      nodes: local,
      commandId: isSubmitter ? commandId : "",
      submitters: isSubmitter ? actAs : [],
    };
    this.updates.push({ transaction, synchronizer });
    for (const node of local) {
      const { contract } = node;
      if (!node.changesActive) {
        const end = local.find(({ contract: { name }, exercise }) => name === contract.name && exercise?.consuming === true);
        if (!node.exercise && end && this.#isHosted(contract.stakeholders, synchronizer))
          this.#created.set(contract.name, {
            contract,
            synchronizer,
            wasActive: false,
            archived: { transaction, node: { ...end, changesActive: true } },
          });
        continue;
      }
      if (!node.exercise) {
        this.#created.set(contract.name, { contract, synchronizer, wasActive: true, archived: undefined });
        this.#activations.push({ contract, workflowId, synchronizer, counter: 0, ended: undefined });
        continue;
      }
      this.#current(contract.name)!.ended = offset;
      const record = this.#created.get(contract.name);
      if (record) record.archived = { transaction, node };
    }
  }

  /** Whether a contract is active here. */
  isActive(name: string): boolean {
    return this.#current(name) !== undefined;
  }
  /** Whether it was unassigned, and did not come back. */
  hasLeft(name: string): boolean {
    return this.#left.has(name);
  }

  #current(name: string): Activation | undefined {
    return this.#activations.find(({ contract, ended }) => contract.name === name && ended === undefined);
  }

  addUnassignment(move: Move, updateId: string): void {
    const { source, target, contracts } = move,
      { stakeholders } = contracts[0]!.contract;
    if (!this.#takes(move, updateId, this.#isHosted(stakeholders, source))) return;
    const offset = this.#end,
      isFollowed = stakeholders.some((party) => [source, target].every((place) => this.#door.isHosted(party, place)));
    const unassigned = contracts.map(({ contract, counter }, nodeId): Unassigned => ({
      move,
      contract,
      counter,
      offset,
      nodeId,
      isFollowed,
    }));
    this.updates.push({ reassignment: { offset, updateId, move, synchronizer: source, unassigned, assigned: [] } });
    for (const event of unassigned) {
      const activation = this.#current(event.contract.name)!;
      activation.ended = offset;
      this.#left.add(event.contract.name);
      if (isFollowed) this.#inFlight.push({ activation, event, ended: undefined });
    }
  }

  addAssignment(move: Move, updateId: string): void {
    const { target, contracts, workflowId } = move;
    if (!this.#takes(move, updateId, this.#isHosted(contracts[0]!.contract.stakeholders, target))) return;
    const offset = this.#end,
      assigned = contracts.map(({ contract, counter }, nodeId) => ({ contract: { ...contract, createdAt: offset, nodeId }, counter }));
    this.updates.push({ reassignment: { offset, updateId, move, synchronizer: target, unassigned: [], assigned } });
    for (const { contract, counter } of assigned) {
      this.#activations.push({ contract, workflowId, synchronizer: target, counter, ended: undefined });
      this.#left.delete(contract.name);
    }
    for (const one of this.#inFlight) if (one.event.move.reassignmentId === move.reassignmentId) one.ended = offset;
  }

  // What readers get

  /** Undefined: the reader does not hear of it. */
  update(
    update: Update,
    transactions: EventFormatRequest | undefined,
    shape: Shape,
    reassignments: EventFormatRequest | undefined,
  ): Json | undefined {
    if (update.transaction) {
      const projected = transactions && project(update.transaction, transactions, shape);
      return projected && { Transaction: { ...projected, synchronizerId: update.synchronizer } };
    }
    const { offset, updateId, move, synchronizer, unassigned, assigned } = update.reassignment;
    if (!reassignments) return undefined;
    const events = [
      ...unassigned.flatMap((event) => this.#unassignedEvent(event, reassignments) ?? []),
      ...assigned.flatMap((event) => this.#assignedEvent(event, move, reassignments) ?? []),
    ];
    if (events.length === 0) return undefined;
    const isSubmitter = move.isSubmitter && asked(reassignments, [move.submitter]).length > 0;
    return {
      Reassignment: {
        updateId,
        offset,
        commandId: isSubmitter ? move.commandId : "",
        workflowId: move.workflowId,
        events,
        synchronizerId: synchronizer,
        paidTrafficCost: isSubmitter ? 0 : null,
      },
    };
  }

  #unassignedEvent(
    { move, contract: { name, template, stakeholders }, counter, offset, nodeId, isFollowed }: Unassigned,
    format: EventFormatRequest,
  ): Json | undefined {
    if (!wantedOf(format, template, stakeholders)) return undefined;
    const { reassignmentId, source, target, submitter } = move;
    return {
      JsUnassignedEvent: {
        value: {
          reassignmentId,
          contractId: contractIdOf(name),
          templateId: `${packageId}:${template}`,
          source,
          target,
          submitter,
          reassignmentCounter: counter,
          assignmentExclusivity: isFollowed,
          witnessParties: asked(format, stakeholders),
          packageName,
          offset,
          nodeId,
        },
      },
    };
  }

  #assignedEvent(
    { contract, counter }: { readonly contract: Contract; readonly counter: number },
    { source, target, reassignmentId, submitter }: Move,
    format: EventFormatRequest,
  ): Json | undefined {
    const wanted = wantedOf(format, contract.template, contract.stakeholders);
    return (
      wanted && {
        JsAssignmentEvent: {
          source,
          target,
          reassignmentId,
          submitter,
          reassignmentCounter: counter,
          createdEvent: created(contract, format, wanted, contract.stakeholders, true),
        },
      }
    );
  }

  /** What is active at an offset in the order in which it became so, then what is on its way. */
  entries(format: EventFormatRequest, offset: number): Json[] {
    const createdOf = ({ contract }: Activation): Json | undefined => {
      const wanted = wantedOf(format, contract.template, contract.stakeholders);
      return wanted && created(contract, format, wanted, contract.stakeholders, true);
    };
    const active = this.#activations
      .filter(({ contract, ended }) => contract.createdAt <= offset && (ended === undefined || ended > offset))
      .flatMap((activation) => {
        const { workflowId, synchronizer, counter } = activation,
          createdEvent = createdOf(activation);
        return createdEvent
          ? [
              {
                workflowId,
                contractEntry: { JsActiveContract: { createdEvent, synchronizerId: synchronizer, reassignmentCounter: counter } },
              },
            ]
          : [];
      });
    const onTheWay = this.#inFlight
      .filter(({ event, ended }) => event.offset <= offset && (ended === undefined || ended > offset))
      .flatMap(({ activation, event }) => {
        const createdEvent = createdOf(activation),
          unassigned = this.#unassignedEvent(event, format);
        return createdEvent
          ? [
              {
                workflowId: event.move.workflowId,
                contractEntry: {
                  JsIncompleteUnassigned: { createdEvent, unassignedEvent: (unassigned!["JsUnassignedEvent"] as Json)["value"] },
                },
              },
            ]
          : [];
      });
    return [...active, ...onTheWay];
  }

  /** The last offset at which nothing was on its way, behind which nothing has to be kept. */
  get safeToPrune(): readonly number[] {
    const isUnderWay = (offset: number): boolean =>
      this.#inFlight.some(({ event, ended }) => event.offset <= offset && (ended === undefined || ended > offset));
    return Array.from({ length: this.#end - 1 }, (_, index) => index + 1).filter((offset) => !isUnderWay(offset));
  }

  /** Undefined: not found, or not visible. */
  eventsOfContract(format: EventFormatRequest, name: string, prunedTo = 0): Json | undefined {
    const record = this.#created.get(name),
      wanted = record && wantedOf(format, record.contract.template, record.contract.stakeholders);
    if (!record || !wanted || this.#endOfCreated(record.contract) <= prunedTo) return undefined;
    const { contract, synchronizer, wasActive, archived } = record,
      createdEvent = created(contract, format, wanted, contract.stakeholders, wasActive);
    if (!archived) return { created: { createdEvent, synchronizerId: synchronizer }, archived: null };
    const { transaction, node } = archived,
      [event] = project({ ...transaction, nodes: [node] }, format, "acsDelta")!.events;
    return {
      created: { createdEvent, synchronizerId: synchronizer },
      archived: { archivedEvent: event!["ArchivedEvent"], synchronizerId: synchronizer },
    };
  }

  /** Of what the create made active, if it did. */
  #endOfCreated({ name, createdAt }: Contract): number {
    const activation = this.#activations.find(({ contract }) => contract.name === name && contract.createdAt === createdAt);
    return activation ? (activation.ended ?? Infinity) : createdAt;
  }

  /** Whether the door has ever known the contract: as one of those whom it hosts, or as one that they saw being made. */
  hasKnown(name: string): boolean {
    const isMade = ({ contract, exercise }: Node): boolean => exercise === undefined && contract.name === name;
    return this.transactions.some(({ nodes }) => nodes.some(isMade)) || this.#activations.some(({ contract }) => contract.name === name);
  }
}
