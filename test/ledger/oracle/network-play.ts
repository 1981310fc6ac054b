/**
 * Plays random commands at the doors of a network, predicts what becomes of each by the plain rules, and keeps what every door should
 * tell.
 */
import assert from "node:assert/strict";
import type { Result } from "../../../src/base/result.js";
import type { LedgerErrorData, ReassignmentSubmission } from "../../../src/ledger/index.js";
import { contractIdOf, drain, submission, type Step } from "../support.js";
import { DoorLog, type Move } from "./door-log.js";
import type { HostedNetwork } from "./hosting.js";
import { nodesOf, templates, type Contract, type Node, type UntoldNode } from "./play.js";
import type { Random } from "../../support/random.js";

/** Where a contract is; `target`: where it is on its way to. */
interface Placed {
  readonly contract: Contract;
  readonly synchronizer: number;
  readonly counter: number;
  readonly target: number | undefined;
  readonly isArchived: boolean;
}

interface UnderWay {
  readonly reassignmentId: string;
  readonly names: readonly string[];
  readonly source: number;
  readonly target: number;
  readonly by: string;
}

interface Command {
  readonly door: number;
  readonly actAs: readonly string[];
  readonly readers: readonly string[];
  readonly commandId: string;
  readonly workflowId: string;
  readonly userId: string;
}

/** Contracts that come to a transaction together. */
interface Batch {
  readonly by: string;
  readonly names: readonly string[];
}

/** What a command has to come to; `refusedLate`: once its contracts are where it has to be, so that a completion tells it. */
interface Prediction {
  readonly moves: readonly Batch[];
  readonly synchronizer?: number;
  readonly refused?: string;
  readonly refusedLate?: boolean;
}

/** What is moved together has the same. */
const stakeOf = ({ stakeholders, signatories }: Pick<Contract, "stakeholders" | "signatories">): string =>
  `${stakeholders.join()} ${signatories.join()}`;

export class NetworkPlay {
  readonly logs: readonly DoorLog[];
  readonly counts: Record<string, number> = {};
  readonly #placed = new Map<string, Placed>();
  readonly #contracts = new Map<string, Contract>();
  readonly #underWay: UnderWay[] = [];
  readonly #network: HostedNetwork;
  readonly #random: Random;
  #number = 0;

  constructor(network: HostedNetwork, random: Random) {
    this.#network = network;
    this.#random = random;
    this.logs = network.doors.map(
      (door, number) =>
        new DoorLog({ offset: door.ledgerEnd(), isHosted: (party, place) => network.hosting.get(party)![place]!.includes(number) }),
    );
  }

  get names(): readonly string[] {
    return [...this.#contracts.keys()];
  }

  async run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const dice = this.#random.next();
      if (dice < 0.6) await this.#transact();
      else if (dice < 0.8) await this.#unassign();
      else await this.#assign();
      for (const [number, log] of this.logs.entries())
        assert.equal(this.#network.doors[number]!.ledgerEnd(), log.end, `the end of door ${number}`);
    }
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  #hosts(party: string, place: number): readonly number[] {
    return this.#network.hosting.get(party)![place]!;
  }
  #isKnown(party: string, place: number): boolean {
    return this.#hosts(party, place).length > 0;
  }
  #isHostedAt(door: number, parties: readonly string[], place: number): boolean {
    return parties.some((party) => this.#hosts(party, place).includes(door));
  }
  #partiesOn(place: number): string[] {
    return [...this.#network.hosting.keys()].filter((party) => this.#isKnown(party, place));
  }

  #active(wanted: (placed: Placed) => boolean = () => true): Placed[] {
    return [...this.#placed.values()].filter((placed) => !placed.isArchived && wanted(placed));
  }

  // Transactions

  async #transact(): Promise<void> {
    const random = this.#random,
      door = random.below(this.#network.doors.length),
      aim = random.one(this.#network.connected[door]!);
    const own = this.#network.submitters[door]!.filter((party) => this.#isKnown(party, aim));
    if (own.length === 0) return;
    const free = this.#partiesOn(aim).filter((party) => this.#canMove({ stakeholders: [party], signatories: [party] }, 0, 1)),
      parties = free.length > 0 && random.chance(0.6) ? free : this.#partiesOn(aim),
      used = new Set<string>(),
      steps = Array.from({ length: 1 + random.below(3) }, () => this.#step({ door, aim, parties, used, depth: 0 }));
    const actAs = random.several(own).sort(),
      prescribed = random.chance(0.3) ? random.one(this.#network.connected[door]!) : undefined;
    const readAs = random.some(own, 0.3),
      readers = [...new Set([...actAs, ...readAs])].sort();
    const sent = submission(actAs, steps, {
      readAs,
      workflowId: random.chance(0.3) ? `flow-${this.#number}` : "",
      synchronizerId: prescribed === undefined ? "" : this.#network.synchronizers[prescribed]!,
    });
    const command: Command = { door, actAs, readers, commandId: sent.commandId, workflowId: sent.workflowId, userId: sent.userId },
      made = new Map(this.#contracts);
    const untold: UntoldNode[] = [],
      nodes = nodesOf(steps, 1, made, untold),
      expected = this.#predict(command, nodes, inputsOf(steps), prescribed);
    const settled = await this.#network.doors[door]!.submit(sent);
    if (expected.refused !== undefined) {
      this.#isRefused(settled, expected.refused);
      this.#count(`refused: ${expected.refused}`);
      await this.#recordMoves(command, expected);
      if (expected.refusedLate) this.logs[door]!.addRejection(command);
      for (const { contract, exercise } of nodes) if (exercise?.consuming) contract.archivedAt = undefined;
      return;
    }
    await this.#recordMoves(command, expected);
    if (settled.error !== undefined)
      throw new Error(
        `a valid transaction was refused: ${settled.error.code}: ${settled.error.cause} ${JSON.stringify(settled.error.context)}`,
      );
    for (const [name, contract] of made) this.#contracts.set(name, contract);
    const { updateId, completionOffset } = settled.ok,
      synchronizer = expected.synchronizer!;
    for (const [number, log] of this.logs.entries())
      log.addTransaction({ ...command, isSubmitter: number === door, updateId, synchronizer, nodes, untold });
    assert.equal(completionOffset, this.logs[door]!.end, "the completion's offset");
    for (const { contract, exercise } of nodes) {
      const isArchived = contract.archivedAt !== undefined;
      if (!exercise) this.#placed.set(contract.name, { contract, synchronizer, counter: 0, target: undefined, isArchived });
      else if (exercise.consuming) this.#placed.set(contract.name, { ...this.#placed.get(contract.name)!, isArchived });
    }
    this.#count("transactions");
    if (this.#random.chance(0.08)) await this.#repeat(sent, command);
  }

  async #repeat(sent: ReturnType<typeof submission>, command: Command): Promise<void> {
    this.#isRefused(await this.#network.doors[command.door]!.submit(sent), "DUPLICATE_COMMAND");
    this.logs[command.door]!.addRejection(command);
  }

  #isRefused(settled: Result<unknown, LedgerErrorData>, code: string): void {
    assert.equal(
      settled.error?.code,
      code,
      settled.error === undefined ? `accepted, though it is to be refused: ${code}` : settled.error.cause,
    );
  }

  #step(at: {
    readonly door: number;
    readonly aim: number;
    readonly parties: readonly string[];
    readonly used: Set<string>;
    readonly depth: number;
  }): Step {
    const random = this.#random,
      { aim, parties, used, depth } = at;
    const near = random.chance(0.85),
      targets = this.#active(
        ({ contract: { name, stakeholders }, synchronizer, target }) =>
          !used.has(name)
          && (near
            ? target === undefined && stakeholders.every((party) => parties.includes(party))
            : synchronizer === aim || random.chance(0.3)),
      );
    if (targets.length === 0 || random.chance(0.45)) {
      const signatories = random.several(parties),
        observers = random.some(
          parties.filter((party) => !signatories.includes(party)),
          0.25,
        );
      return { create: `contract ${this.#number++}`, template: random.one(templates), signatories, observers };
    }
    const {
      contract: { name },
    } = random.one(targets);
    if (random.chance(0.1)) return { fetch: name };
    const consuming = random.chance(0.5);
    if (consuming) used.add(name);
    const children =
      depth < 2 && random.chance(0.4) ? Array.from({ length: 1 + random.below(2) }, () => this.#step({ ...at, depth: depth + 1 })) : [];
    const made = children.find((child) => "create" in child);
    if (made && "create" in made && random.chance(0.3))
      children.push({ exercise: made.create, by: random.several(parties), choice: "Brief" });
    return { exercise: name, by: random.several(parties), consuming, choice: consuming ? "Spend" : "Look", children };
  }

  #predict(
    { door, actAs, readers }: Command,
    nodes: readonly Node[],
    names: readonly string[],
    prescribed: number | undefined,
  ): Prediction {
    const refused = (code: string): Prediction => ({ moves: [], refused: code }),
      connected = this.#network.connected[door]!,
      log = this.logs[door]!;
    if (prescribed !== undefined && !this.#isKnown(actAs[0]!, prescribed)) return refused("INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    const told = new Set(nodes.flatMap(({ witnesses, contract }) => [...witnesses, ...contract.stakeholders]));
    if ([...told].some((party) => !connected.some((place) => this.#isKnown(party, place)))) return refused("UNKNOWN_INFORMEES");
    const inputs = names.map((name) => this.#placed.get(name)!),
      known = inputs.filter(({ contract: { name } }) => log.isActive(name));
    const informees = [...nodes.flatMap(({ witnesses }) => [...witnesses]), ...known.flatMap(({ contract }) => contract.signatories)];
    const placesOf = (parties: readonly string[]): number[] =>
      connected.filter((place) => parties.every((party) => this.#isKnown(party, place)));
    const [ofSubmitters, ofInformees] = [placesOf(actAs), placesOf(informees)];
    const common = ofInformees.filter((place) => ofSubmitters.includes(place)),
      isLost = names.some((name) => log.hasLeft(name));
    const reached = (place: number): boolean =>
      known.every((placed) => placed.synchronizer === place || this.#moverOf(door, placed, place, readers) !== undefined);
    // The packages are not named, so they are chosen again, for those of who acts who are told: what stands against that comes first.
    const refusedAtLast = (code: string): Prediction => {
      if (placesOf(actAs.filter((party) => informees.includes(party))).length === 0) return refused("SUBMITTERS_NOT_ACTIVE");
      if (ofInformees.length === 0) return refused("INFORMEES_NOT_ACTIVE");
      if (prescribed !== undefined && !ofInformees.includes(prescribed)) return refused("INVALID_PRESCRIBED_SYNCHRONIZER_ID");
      if (isLost) return refused("UNKNOWN_CONTRACT_SYNCHRONIZERS");
      return refused((prescribed === undefined ? ofInformees : [prescribed]).some(reached) ? code : "NO_SYNCHRONIZER_FOR_SUBMISSION");
    };
    if (isLost) return refusedAtLast("UNKNOWN_CONTRACT_SYNCHRONIZERS");
    if (ofSubmitters.length === 0) return refusedAtLast("SUBMITTERS_NOT_ACTIVE");
    if (ofInformees.length === 0) return refusedAtLast("INFORMEES_NOT_ACTIVE");
    if (common.length === 0) return refusedAtLast("NO_COMMON_SYNCHRONIZER");
    const places = new Set(known.map(({ synchronizer }) => synchronizer)),
      hasMoves =
        places.size > 1 || [...places].some((place) => (prescribed === undefined ? !ofInformees.includes(place) : place !== prescribed));
    const [bound] = prescribed === undefined ? (hasMoves ? [] : places) : [prescribed];
    if (bound !== undefined && !common.includes(bound)) return refusedAtLast("INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    if (hasMoves && known.some(({ contract }) => !contract.stakeholders.some((party) => readers.includes(party))))
      return refusedAtLast("SUBMITTER_ALWAYS_STAKEHOLDER");
    const routes = (bound === undefined ? common : [bound])
      .filter(reached)
      .map((place) => ({ place, moved: known.filter(({ synchronizer }) => synchronizer !== place) }));
    if (routes.length === 0)
      return refusedAtLast(prescribed === undefined ? "NO_SYNCHRONIZER_FOR_SUBMISSION" : "AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED");
    const fewest = Math.min(...routes.map(({ moved }) => moved.length)),
      { place, moved } = routes.find((route) => route.moved.length === fewest)!,
      moves: { by: string; names: string[]; stakeholders: string }[] = [];
    for (const placed of moved) {
      const by = this.#moverOf(door, placed, place, readers)!,
        stakeholders = stakeOf(placed.contract),
        batch = moves.find((one) => one.by === by && one.stakeholders === stakeholders);
      if (batch) batch.names.push(placed.contract.name);
      else moves.push({ by, stakeholders, names: [placed.contract.name] });
    }
    // What was disclosed is looked for where the transaction is.
    const isElsewhere = inputs.some((input) => !known.includes(input) && (input.target !== undefined || input.synchronizer !== place));
    return isElsewhere
      ? { moves, synchronizer: place, refused: "LOCAL_VERDICT_INACTIVE_CONTRACTS", refusedLate: true }
      : { moves, synchronizer: place };
  }

  #moverOf(door: number, { contract, synchronizer }: Placed, target: number, readers: readonly string[]): string | undefined {
    if (!this.#canMove(contract, synchronizer, target)) return undefined;
    return readers.find(
      (party) => contract.stakeholders.includes(party) && [synchronizer, target].every((place) => this.#hosts(party, place).includes(door)),
    );
  }

  /** Each stakeholder has somebody who sees both ends, a signatory as many who confirm as it asks for at each. */
  #canMove({ stakeholders, signatories }: Pick<Contract, "stakeholders" | "signatories">, source: number, target: number): boolean {
    const bothOf = (party: string): readonly number[] =>
      this.#hosts(party, source).filter((door) => this.#hosts(party, target).includes(door));
    const isConfirmed = (party: string, place: number): boolean => {
      const { doors, threshold } = this.#network.confirming.get(party)![place]!;
      return doors.filter((door) => bothOf(party).includes(door)).length >= threshold;
    };
    return (
      stakeholders.every((party) => bothOf(party).length > 0)
      && signatories.every((party) => isConfirmed(party, source) && isConfirmed(party, target))
    );
  }

  // Reassignments

  /** Contracts that came to a transaction were unassigned and assigned by two updates; their ids are the ledger's to choose. */
  async #recordMoves(command: Command, { moves }: Prediction): Promise<void> {
    if (moves.length === 0) return;
    const { door, userId, readers: parties } = command,
      read = await drain(this.#network.doors[door]!.openCompletions({ userId, parties, beginExclusive: this.logs[door]!.end }));
    const completions: readonly { readonly updateId: string }[] = read.flatMap(
      ({ completionResponse: { Completion } }) => Completion?.value ?? [],
    );
    for (const [index, { by: submitter, names }] of moves.entries()) {
      const [unassigned, assigned] = completions.slice(2 * index, 2 * index + 2),
        { synchronizer: source } = this.#placed.get(names[0]!)!;
      const { reassignmentId } = await this.#readUnassigned(command.door, unassigned!.updateId, [submitter]);
      const move = { ...command, submitter, workflowId: "", actAs: [submitter], reassignmentId, names, source, target: 1 - source };
      this.#recordUnassigned(move, unassigned!.updateId);
      this.#recordAssigned(move, assigned!.updateId);
      this.#count("moves by themselves");
    }
  }

  async #readUnassigned(door: number, updateId: string, parties: readonly string[]): Promise<{ readonly reassignmentId: string }> {
    const eventFormat = {
      filtersByParty: Object.fromEntries(parties.map((party) => [party, { cumulative: [] }])),
      filtersForAnyParty: undefined,
      verbose: true,
    };
    const read = await this.#network.doors[door]!.readUpdate({
      by: { updateId },
      form: "update",
      format: { includeTransactions: undefined, includeReassignments: eventFormat, includeTopologyEvents: undefined },
    });
    if (read.error !== undefined) throw new Error(`a reassignment is not found: ${read.error.code}`);
    return JSON.parse(read.ok).Reassignment.value.events[0].JsUnassignedEvent.value;
  }

  #recordUnassigned(
    { door, ...move }: Omit<Move, "contracts" | "isSubmitter"> & Command & { readonly names: readonly string[] },
    updateId: string,
  ): void {
    const placed = move.names.map((name) => this.#placed.get(name)!),
      contracts = placed.map(({ contract, counter }) => ({ contract, counter: counter + 1 }));
    for (const [number, log] of this.logs.entries()) log.addUnassignment({ ...move, isSubmitter: number === door, contracts }, updateId);
    for (const one of placed) this.#placed.set(one.contract.name, { ...one, counter: one.counter + 1, target: move.target });
  }

  #recordAssigned(
    { door, ...move }: Omit<Move, "contracts" | "isSubmitter"> & Command & { readonly names: readonly string[] },
    updateId: string,
  ): void {
    const placed = move.names.map((name) => this.#placed.get(name)!),
      contracts = placed.map(({ contract, counter }) => ({ contract, counter }));
    for (const [number, log] of this.logs.entries()) log.addAssignment({ ...move, isSubmitter: number === door, contracts }, updateId);
    for (const one of placed) this.#placed.set(one.contract.name, { ...one, synchronizer: move.target, target: undefined });
  }

  #submission(submitter: string, commands: ReassignmentSubmission["commands"]): ReassignmentSubmission {
    const number = this.#number++;
    return {
      userId: "user",
      commandId: `reassign-${number}`,
      submissionId: `submission-${number}`,
      workflowId: number % 3 === 0 ? `flow-${number}` : "",
      submitter,
      trace: { traceparent: null, tracestate: null },
      commands,
    };
  }

  async #unassign(): Promise<void> {
    const random = this.#random,
      all = [...this.#placed.values()].filter(({ isArchived }) => !isArchived || random.chance(0.1));
    if (all.length === 0) return;
    const first = random.one(all),
      {
        contract: { stakeholders },
      } = first,
      stake = stakeOf(first.contract),
      source = random.chance(0.95) ? first.synchronizer : 1 - first.synchronizer,
      target = 1 - source;
    const batch = random.chance(0.4)
      ? random.some(
          all.filter(
            (other) =>
              other.contract.name !== first.contract.name && stakeOf(other.contract) === stake && other.synchronizer === first.synchronizer,
          ),
          0.8,
        )
      : [];
    const placed = [first, ...batch],
      able = this.#network.submitters.flatMap((own, number) => (own.some((party) => stakeholders.includes(party)) ? [number] : []));
    const door = able.length > 0 && random.chance(0.9) ? random.one(able) : random.below(this.#network.doors.length),
      own = this.#network.submitters[door]!;
    const concerned = own.filter((party) => stakeholders.includes(party)),
      submitter = random.one(concerned.length > 0 && random.chance(0.95) ? concerned : own);
    const isFit =
      this.#network.connected[door]!.length === 2
      && placed.every(({ synchronizer, target: onTheWay, isArchived }) => synchronizer === source && onTheWay === undefined && !isArchived)
      && stakeholders.includes(submitter)
      && this.#isKnown(submitter, source)
      && placed.every(({ contract }) => this.#canMove(contract, source, target));
    const [from, to] = [this.#network.synchronizers[source]!, this.#network.synchronizers[target]!];
    const sent = this.#submission(
      submitter,
      placed.map(({ contract: { name } }) => ({ kind: "unassign", contractId: contractIdOf(name), source: from, target: to })),
    );
    const settled = await this.#network.doors[door]!.reassign(sent);
    if (!isFit) {
      this.#isRefused(settled, "INVALID_ARGUMENT");
      this.#count("refused unassignments");
      return;
    }
    if (settled.error !== undefined) throw new Error(`a valid unassignment was refused: ${settled.error.cause}`);
    const { updateId } = settled.ok,
      { reassignmentId } = await this.#readUnassigned(door, updateId, [submitter]);
    const { commandId, workflowId, userId } = sent,
      names = placed.map(({ contract: { name } }) => name);
    this.#recordUnassigned(
      { door, actAs: [submitter], readers: [submitter], submitter, commandId, workflowId, userId, reassignmentId, names, source, target },
      updateId,
    );
    this.#underWay.push({ reassignmentId, names, source, target, by: submitter });
    this.#count("unassignments");
  }

  async #assign(): Promise<void> {
    const random = this.#random;
    if (this.#underWay.length === 0) return;
    const reassignment = random.one(this.#underWay),
      { reassignmentId, names, source, target, by } = reassignment,
      {
        contract: { stakeholders },
      } = this.#placed.get(names[0]!)!;
    const itsDoor = this.#network.submitters.findIndex((own) => own.includes(by)),
      door = random.chance(0.7) ? itsDoor : random.below(this.#network.doors.length);
    const own = this.#network.submitters[door]!,
      submitter = own.includes(by) && random.chance(0.9) ? by : random.one(own);
    // Only who hosts one of them at both ends can know that it is under way.
    const isFollowed =
      this.#network.connected[door]!.length === 2
      && stakeholders.some((party) => [source, target].every((place) => this.#isHostedAt(door, [party], place)));
    const sent = this.#submission(submitter, [
      { kind: "assign", reassignmentId, source: this.#network.synchronizers[source]!, target: this.#network.synchronizers[target]! },
    ]);
    const settled = await this.#network.doors[door]!.reassign(sent);
    if (!isFollowed || !stakeholders.includes(submitter) || !this.#isKnown(submitter, target)) {
      this.#isRefused(settled, "INVALID_ARGUMENT");
      return;
    }
    const { commandId, workflowId, userId } = sent,
      command: Command = { door, actAs: [submitter], readers: [submitter], commandId, workflowId, userId };
    if (submitter !== by) {
      this.#isRefused(settled, "REASSIGNMENT_VALIDATION_FAILED");
      this.logs[door]!.addRejection(command);
      return;
    }
    if (settled.error !== undefined) throw new Error(`a valid assignment was refused: ${settled.error.cause}`);
    this.#recordAssigned({ ...command, submitter, reassignmentId, names, source, target }, settled.ok.updateId);
    this.#underWay.splice(this.#underWay.indexOf(reassignment), 1);
    this.#count("assignments");
  }
}

/** Contracts that a transaction uses and does not make, in the order of their first use. */
function inputsOf(steps: readonly Step[]): readonly string[] {
  const made = new Set<string>(),
    inputs = new Set<string>();
  const visit = (step: Step): void => {
    if ("create" in step) made.add(step.create);
    else if ("fetch" in step) {
      if (!made.has(step.fetch)) inputs.add(step.fetch);
    } else if ("exercise" in step) {
      if (!made.has(step.exercise)) inputs.add(step.exercise);
      for (const child of step.children ?? []) visit(child);
    }
  };
  for (const step of steps) visit(step);
  return [...inputs];
}
