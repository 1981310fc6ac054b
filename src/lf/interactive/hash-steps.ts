/** What the hash that external parties sign is made of, step by step: the same description hashes it, and tells how it was hashed. */
import { limits } from "../../config.js";
import type { DefinitionId } from "../ast.js";
import { HashWriter } from "../transaction/index.js";

/** Each step puts down some bytes; what it is called counts for nothing in the hash. */
export interface HashSteps {
  /** What the next steps are about. */
  about(name: string): this;
  byte(value: number, what: string): this;
  bool(value: boolean): this;
  int32(value: number): this;
  int64(value: bigint): this;
  /** Its size in bytes, then its UTF-8. */
  text(value: string): this;
  /** As a text, of a decimal. */
  numeric(shown: string): this;
  /** Count and members; sets come sorted. */
  texts(values: readonly string[]): this;
  identifier(id: DefinitionId): this;
  /** `packageId:Module:Entity` */
  typeId(text: string): this;
  contractId(hex: string): this;
  /** Bytes of a size that is always the same, such as a hash. */
  bytes(value: Uint8Array, what: string): this;
}

export const addNone = (steps: HashSteps): void => void steps.byte(0, "None");
export const addSome = <S extends HashSteps>(steps: S): S => steps.byte(1, "Some");

export function definitionOf(typeId: string): DefinitionId {
  const [packageId, module, name] = typeId.split(":") as [string, string, string];
  return { packageId, module, name };
}

/** The few types of a transaction come again and again: put together once each. */
const knownIdentifiers = new Map<string, Uint8Array>();
const scratch = new HashWriter();

function identifierBytes(typeId: string): Uint8Array {
  const known = knownIdentifiers.get(typeId);
  if (known !== undefined) return known;
  const { packageId, module, name } = definitionOf(typeId);
  scratch.reset().text(packageId).qualifiedName({ module, name });
  const bytes = Uint8Array.from(scratch.written);
  if (knownIdentifiers.size >= limits.knownTypeIdsMax) knownIdentifiers.clear();
  knownIdentifiers.set(typeId, bytes);
  return bytes;
}

/** Steps whose bytes are hashed. */
export class HashedSteps implements HashSteps {
  readonly #out = new HashWriter();

  /** Who shares it begins with it: a hash before may have been left in the middle. */
  reset(): this {
    this.#out.reset();
    return this;
  }
  /** Of all steps since `reset`. */
  sha256(): Uint8Array {
    return this.#out.sha256();
  }

  about(): this {
    return this;
  }
  byte(value: number): this {
    this.#out.byte(value);
    return this;
  }
  bool(value: boolean): this {
    this.#out.byte(value ? 1 : 0);
    return this;
  }
  int32(value: number): this {
    this.#out.int32(value);
    return this;
  }
  int64(value: bigint): this {
    this.#out.int64(value);
    return this;
  }
  text(value: string): this {
    this.#out.text(value);
    return this;
  }
  numeric(shown: string): this {
    this.#out.text(shown);
    return this;
  }
  texts(values: readonly string[]): this {
    this.#out.texts(values);
    return this;
  }
  identifier(id: DefinitionId): this {
    this.#out.text(id.packageId).qualifiedName(id);
    return this;
  }
  typeId(text: string): this {
    this.#out.bytes(identifierBytes(text));
    return this;
  }
  contractId(hex: string): this {
    this.#out.int32(hex.length >>> 1).hex(hex);
    return this;
  }
  bytes(value: Uint8Array): this {
    this.#out.bytes(value);
    return this;
  }
}
