/**
 * The transaction under construction: a tree of nodes, grown depth first.
 *
 * A *context* is an open exercise, an open try scope, or the root. Seeds count the action children of the enclosing
 * exercise (or root): a try scope shares its parent's count and a rollback does not reset it. Node ids handed
 * out here number nodes and try scopes as they are opened; they appear in errors only, the finished transaction is
 * numbered afresh.
 */
import { assert } from "../../base/assert.js";
import type { DefinitionId, PackageId } from "../ast.js";
import type { NodeId, QueryByKeyNode } from "../transaction/index.js";
import type { LedgerValue, ContractId } from "../value/index.js";
import { authorizeCreate, authorizeExercise, authorizeFetch, authorizeQueryByKey } from "./authorization.js";
import type { ContractInfo } from "./contract-info.js";
import type { ContractState, GlobalKey, Mark } from "./contract-state.js";
import { limitExceeded } from "./limits.js";
import { NewIds } from "./new-ids.js";
import { normalizeRollbacks } from "./normalize-rollbacks.js";
import { type PartySet, union } from "./parties.js";
import type { ExerciseStart, RawAction, RawCreate, RawExercise, RawNode } from "./raw-node.js";
import { Seed, type TransactionSeed } from "./seed.js";

export type { ExerciseStart, RawNode } from "./raw-node.js";

interface Context {
  readonly kind: "root" | "exercise" | "try";
  readonly parent: Context | undefined;
  readonly children: RawNode[];
  readonly authorizers: PartySet;
  readonly exercise: RawExercise | undefined;
  /** Of the enclosing exercise, or the transaction. */
  readonly seed: Seed;
  nextActionIndex: number;
}

/** An exercise that has not ended. */
export interface OpenExercise {
  readonly nodeId: NodeId;
  readonly definition: DefinitionId;
  readonly choice: string;
  readonly contractId: string;
}

/** An open try scope. */
export interface TryScope {
  readonly context: Context;
  readonly mark: Mark;
}

export interface PartialTransactionOptions {
  readonly submitters: PartySet;
  readonly seed: TransactionSeed;
  readonly preparationTime: bigint;
  readonly nodesMax: number;
}

export class PartialTransaction {
  readonly #options: PartialTransactionOptions;
  readonly #state: ContractState;
  readonly #root: Context;
  readonly #newIds: NewIds;
  #context: Context;
  #nextNodeId = 0;
  #hasRollbacks = false;
  /** Of the templates and interfaces of all nodes. */
  readonly #packages = new Set<PackageId>();

  constructor(state: ContractState, options: PartialTransactionOptions) {
    this.#state = state;
    this.#options = options;
    this.#newIds = new NewIds(options.preparationTime);
    this.#root = {
      kind: "root",
      parent: undefined,
      children: [],
      authorizers: options.submitters,
      exercise: undefined,
      seed: Seed.ofTransaction(options.seed),
      nextActionIndex: 0,
    };
    this.#context = this.#root;
  }

  /** The parties whose authority the code that runs now has. */
  get authorizers(): PartySet {
    return this.#context.authorizers;
  }

  get packages(): ReadonlySet<PackageId> {
    return this.#packages;
  }

  create(info: ContractInfo): ContractId {
    const nodeId = this.#takeNodeId();
    const { seed: parentSeed, nextActionIndex: index, authorizers } = this.#context;
    const contractId = this.#newIds.add(parentSeed, index, info.stakeholders);
    authorizeCreate({ nodeId, templateId: info.templateId, authorizers }, info.signatories, info.key?.maintainers);
    const node: RawCreate = { kind: "create", contractId, info, parentSeed, index };
    this.#state.create(node);
    this.#addAction(node, info.templateId);
    return contractId;
  }

  fetch(
    contractId: string,
    info: ContractInfo,
    { byKey, interfaceId }: { readonly byKey: boolean; readonly interfaceId: DefinitionId | undefined },
  ): void {
    const nodeId = this.#takeNodeId();
    const { templateId, stakeholders } = info;
    if (!byKey) this.#state.useById(contractId, globalKeyOf(info));
    const actingParties = authorizeFetch({ nodeId, templateId, authorizers: this.authorizers }, stakeholders);
    this.#addAction({ kind: "fetch", contractId, info, actingParties, byKey, interfaceId }, templateId, interfaceId);
  }

  authorizeQueryByKey(key: GlobalKey, maintainers: PartySet): void {
    authorizeQueryByKey({ nodeId: this.#nextNodeId, templateId: key.templateId, authorizers: this.authorizers }, maintainers);
  }

  queryByKey(node: QueryByKeyNode): void {
    this.#takeNodeId();
    this.#addAction({ kind: "queryByKey", node }, node.templateId);
  }

  /** The contract of a consuming choice is archived from here on, before the body runs. The place among the parent's children is fixed. */
  beginExercise(start: ExerciseStart): void {
    const nodeId = this.#takeNodeId();
    const { contractId, info, choice, controllers, consuming, byKey } = start;
    const { templateId } = info;
    if (!byKey) this.#state.useById(contractId, globalKeyOf(info));
    const parent = this.#context;
    const exercise: RawExercise = {
      kind: "exercise",
      nodeId,
      start,
      seed: parent.seed.child(parent.nextActionIndex),
      children: [],
      result: undefined,
    };
    if (consuming) this.#state.archive(exercise);
    authorizeExercise({ nodeId, templateId, authorizers: parent.authorizers }, choice, controllers, start.authorizers);
    this.#addAction(exercise, templateId, start.interfaceId);
    const authorizers = start.authorizers ?? union(controllers, info.signatories);
    this.#context = {
      kind: "exercise",
      parent,
      children: exercise.children,
      authorizers,
      exercise,
      seed: exercise.seed,
      nextActionIndex: 0,
    };
  }

  endExercise(result: LedgerValue): void {
    this.#closeExercise().result = result;
  }

  #closeExercise(): RawExercise {
    const { parent, exercise } = this.#context;
    assert(parent !== undefined && exercise !== undefined, "an exercise is open");
    this.#context = parent;
    return exercise;
  }

  beginTry(): TryScope {
    this.#takeNodeId();
    const { authorizers, seed, nextActionIndex } = this.#context;
    this.#context = { kind: "try", parent: this.#context, children: [], authorizers, exercise: undefined, seed, nextActionIndex };
    return { context: this.#context, mark: this.#state.mark() };
  }

  endTry(scope: TryScope): void {
    const parent = this.#closeTry(scope);
    for (const child of scope.context.children) parent.children.push(child);
  }

  /** Exercises left open inside the scope end without a result. */
  rollbackTry(scope: TryScope): void {
    while (this.#context !== scope.context) this.#closeExercise();
    this.#state.rollBackTo(scope.mark);
    this.#hasRollbacks = true;
    this.#closeTry(scope).children.push({ kind: "rollback", children: scope.context.children });
  }

  #closeTry(scope: TryScope): Context {
    const { parent } = scope.context;
    assert(this.#context === scope.context && parent !== undefined, "the scope is the innermost open context");
    parent.nextActionIndex = scope.context.nextActionIndex;
    this.#context = parent;
    return parent;
  }

  /** The innermost first. */
  *openExercises(): IterableIterator<OpenExercise> {
    for (let context: Context | undefined = this.#context; context !== undefined; context = context.parent) {
      if (context.exercise === undefined) continue;
      const {
        nodeId,
        start: { interfaceId, info, choice, contractId },
      } = context.exercise;
      yield { nodeId, definition: interfaceId ?? info.templateId, choice, contractId };
    }
  }

  /** Rollbacks are in normal form. */
  finish(): readonly RawNode[] {
    assert(this.#context === this.#root, "every exercise and try scope has ended");
    this.#newIds.resolve();
    return this.#hasRollbacks ? normalizeRollbacks(this.#root.children) : this.#root.children;
  }

  /** The nodes so far, of a run that failed: what is open ends here. Nothing may be added after it. */
  abandon(): readonly RawNode[] {
    for (let context = this.#context; context.parent !== undefined; context = context.parent) {
      if (context.kind === "try") for (const child of context.children) context.parent.children.push(child);
    }
    this.#context = this.#root;
    return this.#root.children;
  }

  #addAction(node: RawAction, templateId: DefinitionId, interfaceId?: DefinitionId): void {
    this.#context.children.push(node);
    this.#context.nextActionIndex += 1;
    this.#packages.add(templateId.packageId);
    if (interfaceId !== undefined) this.#packages.add(interfaceId.packageId);
  }

  #takeNodeId(): NodeId {
    if (this.#nextNodeId >= this.#options.nodesMax) throw limitExceeded("transactionNodesMax", this.#options.nodesMax);
    return this.#nextNodeId++;
  }
}

const globalKeyOf = ({ key, templateId, packageName }: ContractInfo): GlobalKey | undefined =>
  key === undefined ? undefined : { templateId, packageName, key: key.key, hash: key.hash };
