/**
 * Which contracts and keys the running transaction may still use.
 *
 * A contract is *local* when this transaction created it, an *input* when the transaction used one of the ledger. In mode
 * NoKey a rolled-back scope gives back what it created and archived; in mode NUCK such a scope is fatal. What
 * was learnt of the ledger (inputs, answers to key queries) outlives every rollback.
 */
import { assert } from "../../base/assert.js";
import { type DefinitionId, showId } from "../ast.js";
import { fatal } from "../errors.js";
import { type NodeId, isSuffixed } from "../transaction/index.js";
import type { LedgerValue, ContractId } from "../value/index.js";
import type { RawCreate, RawExercise } from "./raw-node.js";

/** A key of a package name: contracts of every version of the package share it. `templateId` is the asking template. */
export interface GlobalKey {
  readonly templateId: DefinitionId;
  readonly packageName: string;
  readonly key: LedgerValue;
  readonly hash: string;
}

export const keyDetail = (key: GlobalKey) => ({
  templateId: showId(key.templateId),
  packageName: key.packageName,
  key: key.key,
  hash: key.hash,
});

export type ContractStatus =
  { readonly kind: "usable" } | { readonly kind: "consumed"; readonly by: NodeId } | { readonly kind: "rolledBack" };

type CreateEffect = Pick<RawCreate, "kind" | "contractId" | "info">;
/** Of a consuming choice. */
type ArchiveEffect = Pick<RawExercise, "kind" | "nodeId" | "start">;
type Effect = CreateEffect | ArchiveEffect;

export interface KeyAnswer {
  readonly contractIds: readonly string[];
  readonly exhaustive: boolean;
}
/** What the run learnt of a key on the ledger; a commit must find the same. */
export interface KeyInput extends KeyAnswer {
  readonly key: GlobalKey;
}

/** Contract ids with a key on the ledger, in the order in which a query gives them. */
export type KeySource = (keyHash: string) => Iterator<string>;

interface KeyRecord {
  readonly key: GlobalKey;
  readonly queriedByKey: string[];
  /** Read from the ledger but not needed yet. */
  unread: string[];
  readonly onlyQueriedById: Set<string>;
  source: Iterator<string> | undefined;
  /** The ledger has no more contracts of this key. */
  finished: boolean;
}

/** A place in the run to which a scope may roll back. */
export type Mark = number;

const usable: ContractStatus = { kind: "usable" };
const noKeyInputs: readonly KeyInput[] = [];

export class ContractState {
  readonly #mode: "NUCK" | "NoKey";
  // Most transactions need few of these, so each is made when it is.
  /** Contracts that this transaction created, but for the newest, whose ids nobody asked for yet. */
  #local: Set<string> | undefined;
  #newest: ContractId[] = [];
  /** Contracts that it may use no more: archived by a node, or created in a scope that was rolled back. */
  #gone: Map<string, NodeId | "rolledBack"> | undefined;
  readonly #inputs = new Set<string>();
  #localKeys: Map<string, string[]> | undefined; // newest first
  #keys: Map<string, KeyRecord> | undefined;
  readonly #effects: Effect[] = [];

  constructor(mode: "NUCK" | "NoKey") {
    this.#mode = mode;
  }

  status(contractId: string): ContractStatus {
    const by = this.#gone?.get(contractId);
    if (by === undefined) return usable;
    return by === "rolledBack" ? { kind: "rolledBack" } : { kind: "consumed", by };
  }

  /** In order of first use. */
  get inputs(): readonly string[] {
    return [...this.#inputs];
  }

  get keyInputs(): readonly KeyInput[] {
    if (this.#keys === undefined) return noKeyInputs;
    return [...this.#keys.values()]
      .filter((record) => record.queriedByKey.length > 0 || record.finished)
      .map((record) => ({ key: record.key, contractIds: record.queriedByKey, exhaustive: record.finished }));
  }

  create(effect: CreateEffect): void {
    const {
        contractId,
        info: { key },
      } = effect,
      keyHash = key?.hash;
    this.#newest.push(contractId);
    if (keyHash !== undefined) this.#setLocalKeys(keyHash, [contractId.hex, ...this.#withLocalKey(keyHash)]);
    this.#effects.push(effect);
  }

  #withLocalKey(keyHash: string): readonly string[] {
    return this.#localKeys?.get(keyHash) ?? [];
  }
  #setLocalKeys(keyHash: string, contractIds: string[]): void {
    (this.#localKeys ??= new Map()).set(keyHash, contractIds);
  }

  #isLocal(contractId: string): boolean {
    if (this.#newest.length > 0 && !isSuffixed(contractId)) {
      this.#local ??= new Set();
      for (const { hex } of this.#newest) this.#local.add(hex);
      this.#newest = [];
    }
    return this.#local?.has(contractId) === true;
  }

  /** A use of a contract by its id. Contracts met after their key was read to the end contradict what was read. */
  useById(contractId: string, key: GlobalKey | undefined): void {
    if (this.#isLocal(contractId)) return;
    if (key !== undefined && !this.#inputs.has(contractId)) {
      const record = this.#record(key);
      if (record.finished) throw inconsistentKey(key);
      record.onlyQueriedById.add(contractId);
    }
    this.#inputs.add(contractId);
  }

  archive(effect: ArchiveEffect): void {
    this.#end(effect.start.contractId, effect.nodeId);
    this.#effects.push(effect);
  }

  #end(contractId: string, by: NodeId | "rolledBack"): void {
    (this.#gone ??= new Map()).set(contractId, by);
  }

  mark(): Mark {
    return this.#effects.length;
  }

  rollBackTo(mark: Mark): void {
    if (this.#effects.length === mark) return;
    if (this.#mode === "NUCK") throw effectfulRollback(this.#effects.slice(mark));
    while (this.#effects.length > mark) this.#undo(this.#effects.pop());
  }

  #undo(effect: Effect | undefined): void {
    assert(effect !== undefined, "an effect after the mark");
    if (effect.kind === "exercise") {
      this.#gone?.delete(effect.start.contractId);
      return;
    }
    this.#end(effect.contractId.hex, "rolledBack");
    const keyHash = effect.info.key?.hash;
    if (keyHash !== undefined) this.#setLocalKeys(keyHash, this.#withLocalKey(keyHash).slice(1));
  }

  /** The first `count` active contracts with a key: local ones newest first, then the ledger's. */
  queryByKey(key: GlobalKey, count: number, source: KeySource): KeyAnswer {
    const record = this.#record(key);
    const found = [...this.#withLocalKey(key.hash), ...record.queriedByKey].filter((id) => !this.#isGone(id)).slice(0, count);
    while (found.length < count) {
      const next = record.unread.shift();
      if (next !== undefined) this.#takeCandidate(record, next, found);
      else if (record.finished) break;
      else this.#readMore(record, count - found.length, source);
    }
    if (found.length < count && record.onlyQueriedById.size > 0) throw inconsistentKey(key);
    return { contractIds: found, exhaustive: found.length < count };
  }

  #takeCandidate(record: KeyRecord, contractId: string, found: string[]): void {
    if (this.#inputs.has(contractId) && !record.onlyQueriedById.has(contractId)) return;
    this.#inputs.add(contractId);
    record.queriedByKey.push(contractId);
    record.onlyQueriedById.delete(contractId);
    if (!this.#isGone(contractId)) found.push(contractId);
  }

  /** A source that gives fewer than asked for has come to its end. */
  #readMore(record: KeyRecord, count: number, source: KeySource): void {
    record.source ??= source(record.key.hash);
    for (let i = 0; i < count; i += 1) {
      const next = record.source.next();
      if (next.done === true) {
        record.finished = true;
        return;
      }
      record.unread.push(next.value);
    }
  }

  #isGone(contractId: string): boolean {
    return this.#gone?.has(contractId) === true;
  }

  #record(key: GlobalKey): KeyRecord {
    this.#keys ??= new Map();
    let record = this.#keys.get(key.hash);
    if (record === undefined) {
      record = { key, queriedByKey: [], unread: [], onlyQueriedById: new Set(), source: undefined, finished: false };
      this.#keys.set(key.hash, record);
    }
    return record;
  }
}

const inconsistentKey = (key: GlobalKey) =>
  fatal("InconsistentContractKey", `the contracts with a key of ${showId(key.templateId)} are not those that an earlier query gave`, {
    key: keyDetail(key),
  });

/** What was consumed is told before what was created, as by the reference (which has more than four in no order). */
function effectfulRollback(effects: readonly Effect[]) {
  const consumedFirst = effects.toSorted((a, b) => Number(a.kind === "create") - Number(b.kind === "create"));
  const nodes = consumedFirst.map((effect) => {
    if (effect.kind === "create")
      return { class: "Create" as const, coid: effect.contractId.hex, templateId: showId(effect.info.templateId) };
    const { contractId, info, choice, byKey } = effect.start;
    return { class: "Exercise" as const, coid: contractId, templateId: showId(info.templateId), choiceId: choice, byKey };
  });
  const first = nodes[0];
  return fatal(
    "EffectfulRollback",
    `an exception would roll back ${first?.class ?? "a node"} of ${first?.templateId ?? "a contract"}; this synchronizer does not allow it`,
    { nodes },
  );
}
