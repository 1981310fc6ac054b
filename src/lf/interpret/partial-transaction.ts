/**
 * The transaction under construction: a tree of nodes, grown depth first.
 *
 * A *context* is an open exercise, an open try scope, or the root. Seeds count the action children of the enclosing
 * exercise (or root): a try scope shares its parent's count and a rollback does not reset it. Node ids handed
 * out here number nodes and try scopes as they are opened; they appear in errors only, the finished transaction is
 * numbered afresh.
 */
import { assert } from "../../base/assert.js";
import type { DefinitionId } from "../ast.js";
import { localContractId } from "../transaction/index.js";
import type { CreateNode, ExerciseNode, FetchNode, NodeId, QueryByKeyNode } from "../transaction/node.js";
import type { LedgerValue } from "../value/ledger-value.js";
import { authorizeCreate, authorizeExercise, authorizeFetch, authorizeQueryByKey } from "./authorization.js";
import type { ContractInfo } from "./contract-info.js";
import type { ContractState, GlobalKey, Mark } from "./contract-state.js";
import { limitExceeded } from "./limits.js";
import { normalizeRollbacks } from "./normalize-rollbacks.js";
import { intersection, type PartySet, union } from "./parties.js";
import { Seed } from "./seed.js";

export interface RawCreate { readonly kind: "create"; readonly node: CreateNode; readonly seed: Seed }
export interface RawFetch { readonly kind: "fetch"; readonly node: FetchNode }
export interface RawQueryByKey { readonly kind: "queryByKey"; readonly node: QueryByKeyNode }
export interface RawExercise {
  readonly kind: "exercise";
  /** Without its children; they and the result come when they are known. */
  readonly node: ExerciseNode;
  readonly seed: Seed;
  readonly children: RawNode[];
  result: LedgerValue | undefined;
}
export interface RawRollback { readonly kind: "rollback"; readonly children: readonly RawNode[] }
export type RawAction = RawCreate | RawFetch | RawQueryByKey | RawExercise;
export type RawNode = RawAction | RawRollback;

interface Context {
  readonly kind: "root" | "exercise" | "try";
  readonly parent: Context | undefined;
  readonly children: RawNode[];
  readonly authorizers: PartySet;
  /** Of an exercise. */
  readonly nodeId: NodeId | undefined;
  /** Of the enclosing exercise, or the transaction. */
  readonly seed: Seed;
  nextActionIndex: number;
}
/** An exercise that has not ended. */
export interface OpenExercise { readonly nodeId: NodeId; readonly definition: DefinitionId; readonly choice: string; readonly contractId: string }

/** An open try scope. */
export interface TryScope { readonly context: Context; readonly mark: Mark }

export interface ExerciseStart {
  readonly contractId: string;
  readonly info: ContractInfo;
  readonly interfaceId: DefinitionId | undefined;
  readonly choice: string;
  readonly consuming: boolean;
  readonly controllers: PartySet;
  readonly observers: PartySet;
  readonly authorizers: PartySet | undefined;
  readonly argument: LedgerValue;
  readonly byKey: boolean;
}

export interface PartialTransactionOptions {
  readonly submitters: PartySet;
  readonly transactionSeed: Uint8Array;
  readonly rootSeeds?: readonly Uint8Array[];
  readonly preparationTime: bigint;
  readonly nodesMax: number;
}

export class PartialTransaction {
  readonly #options: PartialTransactionOptions;
  readonly #state: ContractState;
  readonly #root: Context;
  #context: Context;
  #nextNodeId = 0;
  #hasRollbacks = false;

  constructor(state: ContractState, options: PartialTransactionOptions) {
    this.#state = state;
    this.#options = options;
    this.#root = {
      kind: "root", parent: undefined, children: [], authorizers: options.submitters, nodeId: undefined,
      seed: Seed.ofTransaction(options.transactionSeed, options.rootSeeds), nextActionIndex: 0,
    };
    this.#context = this.#root;
  }

  /** The parties whose authority the code that runs now has. */
  get authorizers(): PartySet { return this.#context.authorizers; }

  create(info: ContractInfo): string {
    const nodeId = this.#takeNodeId();
    const seed = this.#nextSeed();
    const contractId = localContractId(seed.bytes, this.#options.preparationTime, info.stakeholders);
    const { templateId, packageName, argument, signatories, stakeholders, key, version } = info;
    authorizeCreate({ nodeId, templateId, authorizers: this.authorizers }, signatories, key?.maintainers);
    this.#state.create({ kind: "create", nodeId, contractId, templateId, keyHash: key?.hash });
    this.#addAction({ kind: "create", seed, node: { kind: "create", contractId, packageName, templateId, argument, signatories, stakeholders, key, version } });
    return contractId;
  }

  fetch(contractId: string, info: ContractInfo, use: { readonly byKey: boolean; readonly interfaceId: DefinitionId | undefined }): void {
    const nodeId = this.#takeNodeId();
    const { templateId, packageName, signatories, stakeholders, key, version } = info;
    if (!use.byKey) this.#state.useById(contractId, globalKeyOf(info));
    authorizeFetch({ nodeId, templateId, authorizers: this.authorizers }, stakeholders);
    const actingParties = intersection(stakeholders, this.authorizers);
    this.#addAction({ kind: "fetch", node: { kind: "fetch", contractId, packageName, templateId, actingParties, signatories, stakeholders, key, version, ...use } });
  }

  authorizeQueryByKey(key: GlobalKey, maintainers: PartySet): void {
    authorizeQueryByKey({ nodeId: this.#nextNodeId, templateId: key.templateId, authorizers: this.authorizers }, maintainers);
  }

  queryByKey(node: QueryByKeyNode): void {
    this.#takeNodeId();
    this.#addAction({ kind: "queryByKey", node });
  }

  /** The contract of a consuming choice is archived from here on, before the body runs. */
  beginExercise(start: ExerciseStart): void {
    const nodeId = this.#takeNodeId();
    const { contractId, info, choice, controllers, consuming, byKey } = start;
    const { templateId } = info;
    if (!byKey) this.#state.useById(contractId, globalKeyOf(info));
    if (consuming) this.#state.archive({ kind: "archive", nodeId, contractId, templateId, choice, byKey });
    authorizeExercise({ nodeId, templateId, authorizers: this.authorizers }, choice, controllers, start.authorizers);
    const exercise = this.#openExercise(start);
    this.#context = {
      kind: "exercise", parent: this.#context, children: exercise.children,
      authorizers: start.authorizers ?? union(controllers, info.signatories), nodeId,
      seed: exercise.seed, nextActionIndex: 0,
    };
  }

  /** Its place among the children of the parent is fixed now; the result is filled in when it ends. */
  #openExercise({ contractId, info, interfaceId, choice, consuming, controllers, observers, authorizers, argument, byKey }: ExerciseStart): RawExercise {
    const { packageName, templateId, signatories, stakeholders, key, version } = info;
    const exercise: RawExercise = {
      kind: "exercise", seed: this.#nextSeed(), children: [], result: undefined,
      node: {
        kind: "exercise", contractId, packageName, templateId, interfaceId, choice, consuming, actingParties: controllers,
        choiceObservers: observers, choiceAuthorizers: authorizers, argument, result: undefined, signatories, stakeholders, key, byKey, children: [], version,
      },
    };
    this.#addAction(exercise);
    return exercise;
  }

  endExercise(result: LedgerValue): void {
    const parent = this.#closeExercise();
    const exercise = parent.children.at(-1);
    assert(exercise?.kind === "exercise", "the open exercise is its parent's last child");
    exercise.result = result;
  }

  #closeExercise(): Context {
    const { kind, parent } = this.#context;
    assert(kind === "exercise" && parent !== undefined, "an exercise is open");
    this.#context = parent;
    return parent;
  }

  beginTry(): TryScope {
    this.#takeNodeId();
    const { authorizers, seed, nextActionIndex } = this.#context;
    this.#context = { kind: "try", parent: this.#context, children: [], authorizers, nodeId: undefined, seed, nextActionIndex };
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
    for (let context: Context | undefined = this.#context; context?.parent !== undefined; context = context.parent) {
      const { nodeId, parent } = context, exercise = parent.children.at(-1);
      if (nodeId === undefined || exercise?.kind !== "exercise") continue;
      const { interfaceId, templateId, choice, contractId } = exercise.node;
      yield { nodeId, definition: interfaceId ?? templateId, choice, contractId };
    }
  }

  /** Rollbacks are in normal form. */
  finish(): readonly RawNode[] {
    assert(this.#context === this.#root, "every exercise and try scope has ended");
    return this.#hasRollbacks ? normalizeRollbacks(this.#root.children) : this.#root.children;
  }

  #nextSeed(): Seed { return this.#context.seed.child(this.#context.nextActionIndex); }

  #addAction(node: RawAction): void {
    this.#context.children.push(node);
    this.#context.nextActionIndex += 1;
  }

  #takeNodeId(): NodeId {
    if (this.#nextNodeId >= this.#options.nodesMax) throw limitExceeded("transactionNodesMax", this.#options.nodesMax);
    return this.#nextNodeId++;
  }
}

export const globalKeyOf = ({ key, templateId, packageName }: ContractInfo): GlobalKey | undefined =>
  key === undefined ? undefined : { templateId, packageName, key: key.key, hash: key.hash };
