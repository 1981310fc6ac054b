import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFailure, ok, type Result } from "../../src/base/result.js";
import {
  encodePrepared,
  hashPrepared,
  readMetadata,
  readTransaction,
  splitPrepared,
  type HashingScheme,
  type PreparedFailure,
  type PreparedTransaction,
} from "../../src/lf/interactive/index.js";
import { testData } from "../support/paths.js";
import { drawFrom } from "../support/random.js";

interface Sample {
  readonly name: string;
  readonly preparedTransaction: string;
}
interface Hashed extends Sample {
  readonly scheme: HashingScheme;
  readonly hash: string;
}

/** Prepared transactions of the reference node, with the hashes that it wanted signed. */
const samples = JSON.parse(readFileSync(testData("interactive", "prepared.json"), "utf8")) as {
  readonly good: readonly Hashed[];
  readonly changed: readonly Hashed[];
  readonly refused: readonly (Sample & { readonly code: string })[];
  readonly unchanged: readonly Sample[];
};

function open({ preparedTransaction }: Sample): Result<PreparedTransaction, PreparedFailure> {
  const parts = splitPrepared(Buffer.from(preparedTransaction, "base64"));
  if (isFailure(parts)) return parts;
  const metadata = readMetadata(parts.ok.metadata ?? new Uint8Array(0));
  if (isFailure(metadata)) return metadata;
  const transaction = readTransaction(parts.ok.transaction ?? new Uint8Array(0));
  return isFailure(transaction) ? transaction : ok({ transaction: transaction.ok, metadata: metadata.ok });
}

const opened = (sample: Sample): PreparedTransaction => {
  const prepared = open(sample);
  assert.ok(!isFailure(prepared), sample.name);
  return prepared.ok;
};
const hashOf = (prepared: PreparedTransaction, scheme: HashingScheme): string => {
  const hash = hashPrepared(prepared, scheme);
  assert.ok(!isFailure(hash));
  return Buffer.from(hash.ok).toString("base64");
};

test("prepared hash: every recorded transaction gives the recorded hash, by both schemes", () => {
  assert.deepEqual([...new Set(samples.good.map(({ scheme }) => scheme))].sort(), ["V2", "V3"]);
  for (const sample of samples.good) assert.equal(hashOf(opened(sample), sample.scheme), sample.hash, sample.name);
});

test("prepared hash: written again, every recorded transaction has the same bytes", () => {
  for (const sample of samples.good)
    assert.equal(Buffer.from(encodePrepared(opened(sample))).toString("base64"), sample.preparedTransaction, sample.name);
});

test("prepared hash: changed transactions give the hashes that the reference asks for instead", () => {
  for (const sample of samples.changed) assert.equal(hashOf(opened(sample), sample.scheme), sample.hash, sample.name);
});

test("prepared hash: the order of nodes and parties, doubled and unknown fields do not count", () => {
  for (const sample of samples.unchanged) {
    const prepared = opened(sample),
      again = opened({ name: sample.name, preparedTransaction: Buffer.from(encodePrepared(prepared)).toString("base64") });
    assert.equal(hashOf(prepared, "V2"), hashOf(again, "V2"), sample.name);
  }
});

test("prepared hash: what says something impossible is refused, and what is no protobuf is told apart", () => {
  const kinds = { FAILED_TO_EXECUTE_TRANSACTION: "content", MISSING_FIELD: "missing", INVALID_ARGUMENT: "malformed" } as const;
  for (const sample of samples.refused) {
    const prepared = open(sample);
    assert.ok(isFailure(prepared), sample.name);
    assert.equal(prepared.error.kind, kinds[sample.code as keyof typeof kinds], sample.name);
  }
});

test("prepared hash: scheme V2 does not cover contract keys", () => {
  const keyed = samples.good.find(({ name }) => name.endsWith("key-create"));
  assert.ok(keyed);
  assert.match(hashPrepared(opened(keyed), "V2").error?.message ?? "", /V2 does not cover/);
});

test("prepared hash: any change of a field that is signed changes the hash", () => {
  const [sample] = samples.good;
  const prepared = opened(sample!),
    before = hashOf(prepared, "V3"),
    { metadata, transaction } = prepared;
  const changed: readonly PreparedTransaction[] = [
    { transaction, metadata: { ...metadata, commandId: "other" } },
    { transaction, metadata: { ...metadata, mediatorGroup: 1 } },
    { transaction, metadata: { ...metadata, maxRecordTime: 1n } },
    { transaction, metadata: { ...metadata, minLedgerTime: 1n } },
    { transaction, metadata: { ...metadata, preparationTime: metadata.preparationTime + 1n } },
    { transaction, metadata: { ...metadata, actAs: [] } },
    { transaction: { ...transaction, nodeSeeds: new Map([[0, new Uint8Array(32)]]) }, metadata },
  ];
  for (const other of changed) assert.notEqual(hashOf(other, "V3"), before);
});

test("prepared hash: a tree with a circle or a gap cannot be hashed", () => {
  const [sample] = samples.good.filter(({ name }) => name.endsWith("chain"));
  const { transaction, metadata } = opened(sample!),
    root = transaction.nodes.get(transaction.roots[0]!);
  assert.ok(root?.kind === "exercise");
  const circle = {
    ...transaction,
    nodes: new Map(transaction.nodes).set(transaction.roots[0]!, { ...root, children: [...transaction.roots] }),
  };
  assert.match(hashPrepared({ transaction: circle, metadata }, "V2").error?.message ?? "", /below itself/);
  const gap = { ...transaction, roots: [999] };
  assert.match(hashPrepared({ transaction: gap, metadata }, "V2").error?.message ?? "", /missing/);
});

test("prepared hash: whatever happens to its bytes, a transaction is read or refused, never a crash", () => {
  const next = drawFrom(7);
  for (let round = 0; round < 3000; round++) {
    const sample = samples.good[next(samples.good.length)]!,
      bytes = Buffer.from(sample.preparedTransaction, "base64");
    for (let change = next(4); change >= 0; change--) bytes[next(bytes.length)] = next(256);
    const changed = {
        name: `round ${round}`,
        preparedTransaction: bytes.subarray(0, next(8) === 0 ? next(bytes.length) : bytes.length).toString("base64"),
      },
      prepared = open(changed);
    if (!isFailure(prepared)) for (const scheme of ["V2", "V3"] as const) hashPrepared(prepared.ok, scheme);
  }
});
