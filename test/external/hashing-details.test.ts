/** How a prepared transaction was hashed, told step by step. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFailure } from "../../src/base/result.js";
import {
  describeHash,
  hashPrepared,
  readMetadata,
  readTransaction,
  splitPrepared,
  type HashingScheme,
  type PreparedTransaction,
} from "../../src/lf/interactive/index.js";
import { create, darOf, World } from "../scenarios/world.js";
import { testData } from "../support/paths.js";
import { execute, ExternalParty, prepare, succeeded } from "./external-world.js";

interface Sample {
  readonly name: string;
  readonly preparedTransaction: string;
  readonly scheme: HashingScheme;
  /** Base64 of what the reference wanted signed. */
  readonly hash: string;
}

/** Prepared transactions of the reference node. */
const samples = (JSON.parse(readFileSync(testData("interactive", "prepared.json"), "utf8")) as { readonly good: readonly Sample[] }).good;
const manyChars = 1_000_000;

function opened({ name, preparedTransaction }: Sample): PreparedTransaction {
  const parts = splitPrepared(Buffer.from(preparedTransaction, "base64"));
  assert.ok(!isFailure(parts), name);
  const transaction = readTransaction(parts.ok.transaction!),
    metadata = readMetadata(parts.ok.metadata!);
  assert.ok(!isFailure(transaction) && !isFailure(metadata), name);
  return { transaction: transaction.ok, metadata: metadata.ok };
}

const sha256 = (pieces: readonly Buffer[]): Buffer => createHash("sha256").update(Buffer.concat(pieces)).digest();

/** What the lines say was hashed, by which they prove themselves: what is moved in is what the next hash further out is of. */
function hashOfLines(text: string): string {
  const levels: Buffer[][] = [[]];
  for (const line of text.trimEnd().split("\n")) {
    const [step, spaces, hex] = /^( *)(?:'([0-9a-f]*)' )?# /.exec(line) ?? [],
      level = (spaces ?? "").length / 2;
    if (step === undefined) continue; // of a text that has lines itself
    assert.ok(level <= levels.length, "each hash has its steps one level further in");
    if (level === levels.length) levels.push([]);
    else if (level === levels.length - 2) assert.equal(hex, sha256(levels.pop()!).toString("hex"), line);
    assert.equal(level, levels.length - 1);
    if (hex !== undefined) levels[level]!.push(Buffer.from(hex, "hex"));
  }
  assert.equal(levels.length, 1);
  return sha256(levels[0]!).toString("base64");
}

test("hashing details: what the lines tell, hashed again level by level, is the hash that the reference wanted signed", () => {
  assert.ok(samples.some(({ name }) => name.includes("rollback")) && samples.some(({ name }) => name.includes("key")));
  for (const sample of samples) {
    const text = describeHash(opened(sample), sample.scheme, manyChars);
    assert.ok(text !== undefined, sample.name);
    assert.equal(hashOfLines(text), sample.hash, sample.name);
  }
});

test("hashing details: each step is told as the reference tells it, parties, ids and values with what they are", () => {
  const sample = samples.find(({ name }) => name === "v2-ed25519-create-all-types")!,
    told = describeHash(opened(sample), "V2", manyChars)!;
  const head = `'00000030' # Hash Purpose
'02' # 02 (Hashing Scheme Version)
  '00000030' # Hash Purpose
  # Serialization Version
  '00000003' # 3 (int)
  '322e31' # 2.1 (string)
  # Root Nodes
  '00000001' # 1 (int)
    '01' # 01 (Node Encoding Version)
    # Create Node
    # Node Version
    '00000003' # 3 (int)
    '322e31' # 2.1 (string)
    '00' # Create Node Tag
    # Node Seed
    '01' # Some
    'ef899be98cc54da963014b2a983a8b050452f0186fa47ff5b7867b2691ce4be7' # node seed
    # Contract Id
    '00000021' # 33 (int)
    '001e2c7e9ae6618e46982b63bd3eaa60fd5ead6a5ae52805b9669ee82b841512e1' # 001e2c7e9ae6618e46982b63bd3eaa60fd5ead6a5ae52805b9669ee82b841512e1 (contractId)
    # Package Name
    '00000009' # 9 (int)
    '7265662d6d6f64656c' # ref-model (string)
    # Template Id
`;
  assert.equal(told.slice(0, head.length), head);
  const values = `    '03' # Numeric Type Tag
    '0000001d' # 29 (int)
    '2d31323334353637383930313233343536372e31323334353637383931' # -12345678901234567.1234567891 (numeric)
|    '07' # Text Type Tag
    '00000011' # 17 (int)
    '7ac3bc7269636820f09f9880200a227122' # zürich 😀\u0020
    "q" (string)
|    '01' # Bool Type Tag
    '01' # true (bool)
|    '05' # Date Type Tag
    '00002acc' # 10956 (int)
|    '04' # Timestamp Type Tag
    '000612847caa6614' # 1709210096789012 (long)
|    '09' # Optional Type Tag
    '01' # Some
    '09' # Optional Type Tag
    '00' # None
|    '0a' # List Type Tag
    '00000003' # 3 (int)
    '02' # Int64 Type Tag
    '0000000000000001' # 1 (long)
|    '0b' # TextMap Type Tag
    '00000002' # 2 (int)
    '00000001' # 1 (int)
    '61' # a (string)
|    '0f' # GenMap Type Tag
|    # Signatories
    '00000001' # 1 (int)
|' # (Hashed Root Node)
|' # Transaction
  '00000030' # Hash Purpose
  '01' # 01 (Metadata Encoding Version)
  # Act As Parties
|  # Min Time Boundary
  '00' # None
  # Max Time Boundary
  '00' # None
  # Preparation Time
`.split("|");
  let at = 0;
  for (const part of values) {
    const found = told.indexOf(part, at);
    assert.ok(found >= 0, part);
    at = found + part.length;
  }
});

test("hashing details: what is inside of a hash is moved in, children of nodes and contracts that are used", () => {
  const chain = samples.find(({ name }) => name === "v2-ed25519-chain")!,
    disclosed = samples.find(({ name }) => name === "v2-ed25519-disclosed")!;
  const told = describeHash(opened(chain), "V2", manyChars)!,
    used = describeHash(opened(disclosed), "V2", manyChars)!;
  assert.match(
    told,
    /\n {4}# Children\n {4}'0000000[1-9]' # [1-9] \(int\)\n {6}'01' # 01 \(Node Encoding Version\)\n {6}# [A-Z][a-z]+ Node\n/,
  );
  assert.match(told, /\n {4}'[0-9a-f]{64}' # \(Hashed Inner Node\)\n {2}'[0-9a-f]{64}' # \(Hashed Root Node\)\n/);
  assert.match(
    used,
    /\n {2}# Created At\n {2}'[0-9a-f]{16}' # [0-9]+ \(long\)\n {2}# Create Contract\n {4}'01' # 01 \(Node Encoding Version\)\n/,
  );
  assert.match(used, /\n {2}'[0-9a-f]{64}' # Disclosed Contract\n'[0-9a-f]{64}' # Metadata\n$/);
});

test("hashing details: they are not told where they would be too long", () => {
  const sample = samples[0]!,
    prepared = opened(sample),
    { length } = describeHash(prepared, sample.scheme, manyChars)!;
  assert.equal(describeHash(prepared, sample.scheme, length)?.length, length);
  assert.equal(describeHash(prepared, sample.scheme, length - 1), undefined);
  assert.ok(!isFailure(hashPrepared(prepared, sample.scheme)), "the hash is there all the same");
});

test("hashing details: a node tells them where it was started so and a request asks, and says that it does not otherwise", async (t) => {
  for (const [args, isTold] of [
    [["--memory", "--verbose-hashing"], true],
    [["--memory"], false],
  ] as const) {
    const world = await World.start([darOf("canton", "model1.dar")], args);
    t.after(() => world.stop());
    const holder = await ExternalParty.onboard(world, "holder"),
      creates = [create("#ref-model:M:Asset", { issuer: holder.party, owner: holder.party, name: "gold", amount: "1" })];
    const asked = await prepare(world, [holder], creates, { verboseHashing: true }),
      unasked = await prepare(world, [holder], creates);
    assert.equal(unasked.hashingDetails, null);
    if (isTold) assert.equal(hashOfLines(asked.hashingDetails!), asked.preparedTransactionHash);
    else
      assert.equal(
        asked.hashingDetails,
        "Verbose hashing is disabled on this participant. Contact the node administrator for more details.",
      );
    succeeded(await execute(world, asked, [holder]));
  }
});
