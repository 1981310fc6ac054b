/**
 * Gives the contracts of a finished run their full ids.
 *
 * A suffix hashes the contract's argument, which may mention contracts created before: so contracts are taken in
 * pre-order and every id already known replaces its local form in what follows.
 */
import { assert } from "../../base/assert.js";
import { type ContractInstance, authenticationData, suffixContractId } from "../transaction/index.js";
import type { ValueType } from "../conversion/index.js";
import type { LedgerValue } from "../value/index.js";
import type { ContractInfo } from "./contract-info.js";
import type { ContractSalt } from "./submission.js";

export class Suffixes {
  readonly #salt: ContractSalt;
  readonly #createdAt: bigint;
  readonly #full = new Map<string, string>();

  constructor(salt: ContractSalt, createdAt: bigint) {
    this.#salt = salt;
    this.#createdAt = createdAt;
  }

  contractId(hex: string): string {
    return this.#full.get(hex) ?? hex;
  }

  /** The contract with its full id, in a form that can be stored. `type` is that of the argument. */
  create(localId: string, info: ContractInfo, type: ValueType): ContractInstance {
    const { packageName, templateId, signatories, stakeholders, key, version } = info;
    const argument = this.value(info.argument);
    const salt = this.#salt(discriminatorOf(localId));
    const contractId = suffixContractId({
      localId,
      packageName,
      template: templateId,
      type,
      argument,
      signatories,
      stakeholders,
      key: key && { hash: key.hash, maintainers: key.maintainers },
      createdAt: this.#createdAt,
      salt,
    });
    const before = this.#full.size;
    this.#full.set(localId, contractId);
    assert(this.#full.size > before, "a new contract has an id of its own");
    return {
      contractId,
      packageName,
      templateId,
      argument,
      signatories,
      stakeholders,
      key,
      createdAt: this.#createdAt,
      authenticationData: authenticationData(salt),
      version,
    };
  }

  /** The value itself when no local id is in it. */
  value(value: LedgerValue): LedgerValue {
    return this.#full.size === 0 ? value : this.#replace(value);
  }

  #replace(value: LedgerValue): LedgerValue {
    switch (value.kind) {
      case "contractId": {
        const hex = this.contractId(value.hex);
        return hex === value.hex ? value : { kind: "contractId", hex };
      }
      case "optional": {
        if (value.value === undefined) return value;
        const inner = this.#replace(value.value);
        return inner === value.value ? value : { kind: "optional", value: inner };
      }
      case "variant": {
        const inner = this.#replace(value.value);
        return inner === value.value ? value : { ...value, value: inner };
      }
      case "list": {
        const elements = mapShared(value.elements, (element) => this.#replace(element));
        return elements === value.elements ? value : { kind: "list", elements };
      }
      case "record": {
        const fields = mapShared(value.fields, (field) => {
          const inner = this.#replace(field.value);
          return inner === field.value ? field : { ...field, value: inner };
        });
        return fields === value.fields ? value : { ...value, fields };
      }
      case "textMap": {
        const entries = mapShared(value.entries, (entry) => {
          const item = this.#replace(entry[1]);
          return item === entry[1] ? entry : ([entry[0], item] as const);
        });
        return entries === value.entries ? value : { kind: "textMap", entries };
      }
      case "genMap": {
        const entries = mapShared(value.entries, (entry) => {
          const [key, item] = [this.#replace(entry[0]), this.#replace(entry[1])];
          return key === entry[0] && item === entry[1] ? entry : ([key, item] as const);
        });
        return entries === value.entries ? value : { kind: "genMap", entries };
      }
      default:
        return value;
    }
  }
}

/** The same array when no element changed: most values of a transaction mention no new contract. */
function mapShared<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let changed: T[] | undefined;
  items.forEach((item, i) => {
    const next = change(item);
    if (next !== item) (changed ??= [...items])[i] = next;
  });
  return changed ?? items;
}

/** A local id is its version byte and the 32 bytes of the discriminator. */
function discriminatorOf(localId: string): Uint8Array {
  const bytes = new Uint8Array(32);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (digit(localId.charCodeAt(2 * i + 2)) << 4) | digit(localId.charCodeAt(2 * i + 3));
  return bytes;
}

/** Of lower-case hex. */
const digit = (code: number): number => (code < 0x3a ? code - 0x30 : code - 0x57);
