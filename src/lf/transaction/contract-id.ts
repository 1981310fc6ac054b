/**
 * Seeds and contract ids (Daml-LF contract id specification; Canton contract id version 12, and 10 and 11 for contracts
 * that come from elsewhere). A create first gets a local
 * id from its seed; once the transaction is whole, a suffix binds the id to the contract's contents and a salt.
 */
import { blocksOf, hmacLanes, type HmacLanes } from "../../base/hmac-lanes.js";
import { laneCount } from "../../base/sha256-lanes.js";
import { HmacSha256 } from "../../base/sha256.js";
import type { LedgerValue } from "../value/index.js";
import type { ValueType } from "../conversion/index.js";
import type { ContractInstance } from "./contract-instance.js";
import { type QualifiedName, writeContractHash } from "./hash.js";
import { HashWriter } from "./hash-writer.js";
import type { Party } from "./node.js";
import { untypedContractHash, type UntypedHashing } from "./untyped-hash.js";

const writer = new HashWriter();

export function transactionSeed(submissionSeed: Uint8Array, participantId: string, preparationTime: bigint): Uint8Array {
  return writer.reset().text(participantId).int64(preparationTime).hmac(new HmacSha256(submissionSeed));
}

/**
 * The seed of the action at `index` of a transaction or exercise, by its seed as a key; try scopes share the index of the exercise around
 * them.
 */
export function childSeed(seed: HmacSha256, index: number): Uint8Array {
  return writer.reset().int32(index).hmac(seed);
}

/** Hex of the 33-byte local V1 id; bytes 1..32 are the discriminator. `stakeholders` sorted. */
export function localContractId(createSeed: Uint8Array, preparationTime: bigint, stakeholders: readonly Party[]): string {
  return `00${writer.reset().int64(preparationTime).texts(stakeholders).hmacHex(createSeed)}`;
}

export interface NewContract {
  /** Of the exercise or transaction that creates it. */
  readonly seed: HmacSha256;
  /** Among the actions there. */
  readonly index: number;
  readonly stakeholders: readonly Party[];
}

/** Their local ids, in order; as by `childSeed` and `localContractId`, but four at a time, in half the time. */
export function localContractIds(contracts: readonly NewContract[], preparationTime: bigint): string[] {
  const lanes = contracts.length >= rowMin ? hmacLanes() : undefined;
  return lanes === undefined
    ? contracts.map((contract) => localIdOf(contract, preparationTime))
    : new LocalIds(lanes, preparationTime).of(contracts);
}

const localIdOf = ({ seed, index, stakeholders }: NewContract, preparationTime: bigint): string =>
  localContractId(childSeed(seed, index), preparationTime, stakeholders);

const localIdVersion = 0;
/** All lanes take their time, whether they are used or not. */
const rowMin = 3;

class LocalIds {
  readonly #ids: string[] = [];
  /** Begun in the first lanes, and the blocks that each takes. */
  readonly #row: NewContract[] = [];
  #blocks = 0;
  /** Of the last contract. */
  #content: Uint8Array | undefined;
  #stakeholders: readonly Party[] = [];

  constructor(
    readonly lanes: HmacLanes,
    readonly preparationTime: bigint,
  ) {}

  of(contracts: readonly NewContract[]): string[] {
    for (const contract of contracts) this.#add(contract);
    this.#finishRow();
    return this.#ids;
  }

  #add(contract: NewContract): void {
    const content = this.#contentOf(contract),
      blocks = blocksOf(content);
    if (this.#row.length === laneCount || blocks !== this.#blocks) this.#finishRow();
    if (blocks === undefined) {
      this.#ids.push(localIdOf(contract, this.preparationTime));
      return;
    }
    this.#blocks = blocks;
    this.lanes.begin(this.#row.length, contract.seed, contract.index, content);
    this.#row.push(contract);
  }

  /** The same object for neighbours with the same stakeholders: lanes that have it keep it. */
  #contentOf({ stakeholders }: NewContract): Uint8Array {
    if (this.#content === undefined || !sameTexts(stakeholders, this.#stakeholders)) {
      this.#content = Uint8Array.from(writer.reset().int64(this.preparationTime).texts(stakeholders).written);
      this.#stakeholders = stakeholders;
    }
    return this.#content;
  }

  #finishRow(): void {
    const row = this.#row;
    const ids =
      row.length >= rowMin
        ? this.lanes.finish(localIdVersion, { count: row.length, blocks: this.#blocks })
        : row.map((contract) => localIdOf(contract, this.preparationTime));
    for (const id of ids) this.#ids.push(id);
    row.length = 0;
  }
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}

export interface SuffixInput {
  readonly localId: string; // hex, 33 bytes
  readonly packageName: string;
  readonly template: QualifiedName;
  readonly type: ValueType;
  readonly argument: LedgerValue; // every contract id in it already has its suffix
  readonly signatories: readonly Party[];
  readonly stakeholders: readonly Party[];
  readonly key: { readonly hash: string; readonly maintainers: readonly Party[] } | undefined;
  readonly createdAt: bigint;
  readonly salt: Uint8Array;
}

/** Suffix: contract id version 12, then the multihash header of a SHA-256, then the unicum. */
const suffixPrefix = "ca121220";
const v1Prefix = "00";
const localHexLength = 66;
const unicumAt = localHexLength + suffixPrefix.length,
  fullHexLength = unicumAt + 64;

/** The full id (69 bytes, hex) of contract id version 12. */
export function suffixContractId(input: SuffixInput): string {
  writeMetadata(writer.reset().int32(unicumPurpose).bytes(input.salt), input);
  writeContractHash(writer, input);
  return `${input.localId}${suffixPrefix}${writer.sha256Hex()}`;
}

/** A unicum is the hash of this, of the salt, of the metadata and of the argument's hash, which each version of a suffix has of its own. */
const unicumPurpose = 29;

function writeMetadata(
  out: HashWriter,
  { signatories, stakeholders, key, createdAt }: Pick<SuffixInput, "signatories" | "stakeholders" | "key" | "createdAt">,
): void {
  writeInstant(out, createdAt);
  out.sizedTexts(signatories).sizedTexts(difference(stakeholders, signatories));
  if (key === undefined) out.byte(0).int32(1).byte(0);
  else
    out
      .byte(1)
      .hex(key.hash)
      .sized((sized) => sized.byte(1).texts(key.maintainers));
}

const difference = (parties: readonly Party[], excluded: readonly Party[]): readonly Party[] =>
  parties === excluded ? [] : parties.filter((party) => !excluded.includes(party));

/** Seconds and nanoseconds. Numbers are exact for 285 years around 1970, and much faster than integers of any size. */
function writeInstant(out: HashWriter, micros: bigint): void {
  const number = Number(micros);
  if (!Number.isSafeInteger(number)) {
    const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
    out.int64((micros - fraction) / 1_000_000n).int32(Number(fraction) * 1000);
    return;
  }
  const seconds = Math.floor(number / 1e6);
  out
    .int32(Math.floor(seconds / 2 ** 32))
    .int32(seconds | 0)
    .int32((number - seconds * 1e6) * 1000);
}

/** A salt of 32 bytes in the reference's versioned wrapper: message version 30, algorithm HMAC-SHA256. */
const saltHead = Buffer.from("0a260a2408011220", "hex");
const saltTail = Buffer.from("101e", "hex");
const saltBytes = 32;

export function authenticationData(salt: Uint8Array): Uint8Array {
  const data = new Uint8Array(saltHead.length + salt.length + saltTail.length);
  put(data, saltHead, 0);
  put(data, salt, saltHead.length);
  put(data, saltTail, saltHead.length + salt.length);
  return data;
}

/** A call into native code costs more than few bytes do. */
function put(data: Uint8Array, part: Uint8Array, at: number): void {
  for (let i = 0; i < part.length; i++) data[at + i] = part[i]!;
}

const saltEnd = saltHead.length + saltBytes;

const hasSalt = (data: Uint8Array): boolean =>
  data.length === saltEnd + saltTail.length && holds(data, saltHead, 0) && holds(data, saltTail, saltEnd);

function holds(data: Uint8Array, part: Uint8Array, at: number): boolean {
  for (let i = 0; i < part.length; i++) if (data[at + i] !== part[i]) return false;
  return true;
}

/** Recomputes the suffix of a typed id from the parts of its contract; `argument` is the re-typed one when the contract was upgraded. */
export function matchesTypedId(instance: ContractInstance, type: ValueType, argument: LedgerValue): boolean {
  const { packageName, templateId: template } = instance;
  if (!hasUnicum(instance)) return false;
  writeSaltAndMetadata(instance);
  writeContractHash(writer, { packageName, template, type, argument });
  return instance.contractId.slice(unicumAt) === writer.sha256Hex();
}

const hasUnicum = ({ contractId, authenticationData }: ContractInstance): boolean =>
  contractId.length === fullHexLength && contractId.startsWith(v1Prefix) && hasSalt(authenticationData);

const writeSaltAndMetadata = (instance: ContractInstance): void =>
  writeMetadata(writer.reset().int32(unicumPurpose).part(instance.authenticationData, saltHead.length, saltEnd), instance);

/** Reference: CantonContractIdVersion. Ids of the second form authenticate nothing there either. */
const untypedSuffixes: readonly { readonly prefix: string; readonly hashing: UntypedHashing }[] = [
  { prefix: "ca10", hashing: "legacy" },
  { prefix: "ca11", hashing: "upgradeFriendly" },
];
const multihashOfSha256 = "1220";

/** How the argument of a contract is hashed into its id. `unknown`: in no way that could be checked. */
export type Hashing = "typed" | UntypedHashing | "unknown";

export function hashingOf(contractId: string): Hashing {
  if (contractId.startsWith(suffixPrefix, localHexLength)) return "typed";
  return untypedSuffixes.find(({ prefix }) => contractId.startsWith(prefix + multihashOfSha256, localHexLength))?.hashing ?? "unknown";
}

/** Contracts whose id holds a hash without types are checked as they were stored, before they are used as anything. */
export function matchesUntypedId(instance: ContractInstance, hashing: UntypedHashing): boolean {
  const { packageName, templateId, argument } = instance;
  if (!hasUnicum(instance)) return false;
  const argumentHash = untypedContractHash(hashing, packageName, templateId, argument);
  writeSaltAndMetadata(instance);
  return instance.contractId.slice(unicumAt) === writer.bytes(argumentHash).sha256Hex();
}
