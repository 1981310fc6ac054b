/** Plays random transactions on a ledger and remembers what was accepted, in terms of its own. */
import { packageId, submission, type Fixture, type Step } from "../support.js";
import type { Random } from "../../support/random.js";

export interface Contract {
  readonly name: string;
  readonly template: string;
  readonly signatories: readonly string[];
  readonly observers: readonly string[];
  readonly stakeholders: readonly string[];
  readonly createdAt: number;
  readonly nodeId: number;
  archivedAt: number | undefined;
}

/** A node of a transaction that somebody may see. */
export interface Node {
  readonly nodeId: number;
  readonly contract: Contract;
  readonly witnesses: ReadonlySet<string>;
  /** Whom it informs by itself. */
  readonly informees: ReadonlySet<string>;
  /** Number of the node that it is nested in. */
  readonly above: number | undefined;
  readonly exercise:
    { readonly by: readonly string[]; readonly consuming: boolean; readonly choice: string; lastDescendant: number } | undefined;
  /** Whether it begins or ends the contract's time among the active ones. */
  changesActive: boolean;
}

export interface Transaction {
  readonly offset: number;
  readonly updateId: string;
  readonly commandId: string;
  readonly workflowId: string;
  readonly submitters: readonly string[];
  readonly nodes: readonly Node[];
}

export const templates = ["M:Asset", "M:Other", "M:Keyed"] as const;
/** Uploaded, but nobody makes a contract of it. */
export const unmadeTemplate = "M:Unmade";
/** One of a template with contracts, one of a template without, one that no template implements. */
export const interfaces = ["M:Holding", "M:Promise", "M:Bare"] as const;
export const interfaceOf: Readonly<Record<string, string | undefined>> = {
  "M:Asset": `${packageId}:M:Holding`,
  [unmadeTemplate]: `${packageId}:M:Promise`,
};

export class Play {
  readonly transactions: Transaction[] = [];
  readonly contracts = new Map<string, Contract>();
  readonly rejected: number[] = [];
  #number = 0;

  constructor(
    private readonly fixture: Fixture,
    private readonly random: Random,
    private readonly parties: readonly string[],
  ) {}

  async run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) await this.#submit();
  }

  async #submit(): Promise<void> {
    const used = new Set<string>(),
      steps: Step[] = [];
    for (let count = 1 + this.random.below(4); count > 0; count--) steps.push(this.#step(used, 0));
    const submitters = this.random.several(this.parties),
      workflowId = this.random.chance(0.3) ? `flow-${this.#number}` : "";
    const sent = submission(submitters, steps, { workflowId });
    const settled = await this.fixture.ledger.submit(sent);
    if (settled.error !== undefined) throw new Error(`a valid transaction was refused: ${settled.error.code}`);
    const { completionOffset: offset, updateId } = settled.ok;
    this.transactions.push({
      offset,
      updateId,
      commandId: sent.commandId,
      workflowId,
      submitters,
      nodes: nodesOf(steps, offset, this.contracts),
    });
    if (this.random.chance(0.1)) {
      const again = await this.fixture.ledger.submit(sent);
      if (again.error?.code !== "DUPLICATE_COMMAND") throw new Error("a repeated command was not refused");
      this.rejected.push(this.fixture.ledger.ledgerEnd());
    }
  }

  /** `used`: contracts that the transaction has archived or made. */
  #step(used: Set<string>, depth: number): Step {
    const { random } = this,
      active = [...this.contracts.values()].filter(({ name, archivedAt }) => archivedAt === undefined && !used.has(name));
    const target = active.length > 0 && random.chance(0.55) ? random.one(active) : undefined;
    if (target === undefined) return this.#create();
    if (random.chance(0.1)) return { fetch: target.name };
    const consuming = random.chance(0.6);
    if (consuming) used.add(target.name);
    const children = depth < 2 && random.chance(0.5) ? Array.from({ length: 1 + random.below(3) }, () => this.#step(used, depth + 1)) : [];
    // Some contracts come and go in one transaction.
    const made = children.find((child) => "create" in child);
    if (made && "create" in made && random.chance(0.3))
      children.push({ exercise: made.create, by: random.several(this.parties), choice: "Brief" });
    return { exercise: target.name, by: random.several(this.parties), consuming, choice: consuming ? "Spend" : "Look", children };
  }

  #create(): Step {
    const signatories = this.random.several(this.parties),
      observers = this.random.some(
        this.parties.filter((party) => !signatories.includes(party)),
        0.3,
      );
    return { create: `contract ${this.#number++}`, template: this.random.one(templates), signatories, observers };
  }
}

/** A node without an event. */
export interface UntoldNode {
  readonly nodeId: number;
  readonly witnesses: ReadonlySet<string>;
}

/**
 * Informees of a create are its stakeholders, of a consuming exercise those and the actors, of another the signatories and the actors; who
 * sees a node sees all below it.
 */
export function nodesOf(steps: readonly Step[], offset: number, contracts: Map<string, Contract>, untold: UntoldNode[] = []): Node[] {
  const nodes: Node[] = [],
    made = new Set<string>();
  let next = 0;
  const visit = (step: Step, seen: ReadonlySet<string>, above: number | undefined): void => {
    const nodeId = next++;
    if ("create" in step) {
      const signatories = [...step.signatories].sort(),
        observers = [...(step.observers ?? [])].sort(),
        stakeholders = [...signatories, ...observers].sort();
      const contract: Contract = {
        name: step.create,
        template: step.template!,
        signatories,
        observers,
        stakeholders,
        createdAt: offset,
        nodeId,
        archivedAt: undefined,
      };
      contracts.set(step.create, contract);
      made.add(step.create);
      const told = { witnesses: new Set([...stakeholders, ...seen]), informees: new Set(stakeholders), above };
      nodes.push({ nodeId, contract, ...told, exercise: undefined, changesActive: true });
    } else if ("exercise" in step) {
      const contract = contracts.get(step.exercise)!,
        consuming = step.consuming ?? true;
      const informees = new Set([...(consuming ? contract.stakeholders : contract.signatories), ...step.by]),
        witnesses = new Set([...informees, ...seen]);
      const exercise = { by: step.by, consuming, choice: step.choice!, lastDescendant: nodeId };
      nodes.push({ nodeId, contract, witnesses, informees, above, exercise, changesActive: consuming && !made.has(contract.name) });
      for (const child of step.children ?? []) visit(child, witnesses, nodeId);
      exercise.lastDescendant = next - 1;
      if (consuming) contract.archivedAt = offset;
    } else untold.push({ nodeId, witnesses: seen });
  };
  for (const step of steps) visit(step, new Set(), undefined);
  for (const node of nodes) if (!node.exercise && node.contract.archivedAt === offset) node.changesActive = false;
  return nodes;
}
