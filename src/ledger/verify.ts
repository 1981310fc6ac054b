/** Checks a ledger at rest: every record's checksum, the order of offsets, and every index against what it is an index of. */
import { createHash } from "node:crypto";
import { Store, type EventPlace, type Tables } from "../store/index.js";
import { decodeCompletion } from "./completion-record.js";
import { decodeContractState, decodeInstance, decodeKeyed, type StoredInstance } from "./contract-record.js";
import { decodeExternalParty } from "./external/external-parties.js";
import { anyParty } from "./filters.js";
import { PackageRegistry, decodePayload } from "./package-registry.js";
import { PartyRegistry } from "./party-registry.js";
import { TemplateNames } from "./template-names.js";
import { decodeUpdate } from "./update-record.js";

export interface VerifyReport {
  readonly sound: boolean;
  /** One line per finding, at most `findingsMax`, and a last line with counts. */
  readonly text: string;
}

const findingsMax = 50;

export async function verifyLedger(folder: string): Promise<VerifyReport> {
  const store = await Store.open({ folder, readOnly: true });
  try {
    return new Verification(store.tables).run();
  } finally {
    await store.close();
  }
}

type Check = (verification: Verification) => void;

class Verification {
  readonly #findings: string[] = [];
  #found = 0;
  readonly #counts = new Map<string, number>();
  constructor(readonly tables: Tables) {}

  run(): VerifyReport {
    for (const check of checks) this.attempt("ledger", () => check(this));
    const counts = [...this.#counts].map(([what, count]) => `${count} ${what}`).join(", ");
    const verdict = this.#found === 0 ? `The ledger is sound: ${counts}.` : `The ledger is damaged: ${this.#found} findings; ${counts}.`;
    return { sound: this.#found === 0, text: [...this.#findings, verdict].join("\n") };
  }

  count(what: string, more = 1): void { this.#counts.set(what, (this.#counts.get(what) ?? 0) + more); }

  find(text: string): void {
    this.#found++;
    if (this.#findings.length < findingsMax) this.#findings.push(text);
  }

  /** A record that does not decode is a finding, not the end of the check. */
  attempt<T>(what: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.find(`${what}: ${(error as Error).message}`);
      return undefined;
    }
  }
}

const placeText = ({ offset, nodeId }: EventPlace): string => `${offset}/${nodeId}`;

const checks: readonly Check[] = [
  function registries(verification) {
    const { tables } = verification;
    verification.count("parties", PartyRegistry.read(tables).sorted().length);
    TemplateNames.read(tables);
    verification.count("packages", PackageRegistry.read(tables).ids().length);
  },

  /** A party signs for itself exactly when it was onboarded with its keys. */
  function externalParties(verification) {
    const { tables } = verification, parties = PartyRegistry.read(tables), onboarded = new Set<string>();
    for (const { key, value } of tables.externalParties.all()) {
      const external = verification.attempt(`external party ${key}`, () => decodeExternalParty(key, value));
      if (external?.isOnboarded !== true) continue;
      onboarded.add(key);
      if (parties.get(key)?.isExternal !== true) verification.find(`external party ${key}: onboarded, but no party of the ledger`);
    }
    for (const party of parties.sorted()) if (parties.get(party)?.isExternal === true && !onboarded.has(party)) verification.find(`party ${party}: external, but without keys`);
  },

  function packagePayloads(verification) {
    for (const { key, value } of verification.tables.packagePayloads.all()) {
      const payload = verification.attempt(`package ${key}`, () => decodePayload(value));
      if (payload && createHash("sha256").update(payload).digest("hex") !== key) verification.find(`package ${key}: its bytes have another hash`);
    }
  },

  /** Every offset from the first to the last has an update, a completion, or both. */
  function offsets(verification) {
    const { tables } = verification;
    const seen = new Set<number>();
    for (const { key, value } of tables.updates.all()) {
      seen.add(key);
      verification.count("updates");
      verification.attempt(`update ${key}`, () => decodeUpdate(value, key));
    }
    for (const { key, value } of tables.completions.all()) {
      seen.add(key);
      verification.count("completions");
      verification.attempt(`completion ${key}`, () => decodeCompletion(value, key));
    }
    for (let offset = 1; offset <= seen.size; offset++) if (!seen.has(offset)) verification.find(`offset ${offset} is missing`);
  },

  /** The indexes of active and archived contracts hold exactly what the contracts' own records say. */
  function contracts(verification) {
    const { tables } = verification;
    const active = new Set<string>(), archived = new Set<string>(), keyed = new Set<string>();
    for (const { key: contractId, value } of tables.contracts.all()) {
      verification.count("contracts");
      const state = verification.attempt(`contract ${contractId}`, () => decodeContractState(value));
      const instance = state && readInstance(verification, contractId, state.created);
      if (!state || !instance) continue;
      for (const party of [anyParty, ...instance.stakeholders]) {
        const place = `${party}/${instance.template}/${placeText(state.created)}`;
        if (state.archived) archived.add(`${place}/${state.archived.offset}`);
        else active.add(place);
      }
      if (!state.archived && state.keyHash !== "") keyed.add(`${state.keyHash}/${placeText(state.created)}`);
    }
    compare(verification, "active", active, tables.active.all(), ({ key }) => `${key.party}/${key.template}/${placeText(key)}`);
    compare(verification, "archived", archived, tables.archived.all(), ({ key }) => `${key.party}/${key.template}/${placeText(key)}/${key.archivedOffset}`);
    compare(verification, "activeKeys", keyed, tables.activeKeys.all(), ({ key, value }) => {
      verification.attempt(`key ${key.keyHash}`, () => decodeKeyed(value));
      return `${key.keyHash}/${placeText(key)}`;
    });
  },
];

function readInstance(verification: Verification, contractId: string, place: EventPlace): StoredInstance | undefined {
  const record = verification.tables.instances.read(place);
  if (!record) {
    verification.find(`contract ${contractId}: there is no instance at ${placeText(place)}`);
    return undefined;
  }
  const instance = verification.attempt(`instance ${placeText(place)}`, () => decodeInstance(record));
  if (instance && instance.contractId !== contractId) verification.find(`contract ${contractId}: the instance at ${placeText(place)} is that of ${instance.contractId}`);
  return instance;
}

function compare<E>(verification: Verification, index: string, expected: Set<string>, entries: Iterable<E>, keyOf: (entry: E) => string): void {
  for (const entry of entries) {
    const key = keyOf(entry);
    if (!expected.delete(key)) verification.find(`index ${index}: ${key} stands for no contract`);
  }
  for (const missing of expected) verification.find(`index ${index}: ${missing} is missing`);
}
