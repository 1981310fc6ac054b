/** The digest of history: what the log holds is what was recorded, and copies of it are compared by a line. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { atOnce } from "../../src/base/steps.js";
import { Damage } from "../../src/base/damage.js";
import { limits } from "../../src/config.js";
import { digestOf, readHistoryEnd } from "../../src/ledger/commit/history.js";
import { verifyLedger } from "../../src/ledger/index.js";
import { Batch, seal, openStore, type Tables } from "../../src/store/index.js";
import { closeFixture, type Fixture, openFixture, startLedger, submission, success } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const zeros = "00".repeat(32);

async function fill({ ledger, parties }: Pick<Fixture, "ledger" | "parties">, count: number, name = "c"): Promise<number> {
  const alice = parties["alice"]!;
  for (let n = 0; n < count; n++) {
    const steps = [{ create: `${name}${n}`, signatories: [alice] }, ...(n % 3 === 2 ? [{ exercise: `${name}${n - 1}`, by: [alice] }] : [])];
    success(await ledger.submit(submission([alice], steps, { commandId: `${name}-${n}` })));
  }
  await ledger.submit(
    submission(
      [alice],
      [
        { exercise: `${name}1`, by: [alice] },
        { exercise: `${name}1`, by: [alice] },
      ],
    ),
  ); // a completion alone
  return ledger.ledgerEnd();
}

/** As the words of its definition say it. */
function plainDigest({ updates, completions }: Tables, from: number, before: string, to: number): string {
  let digest = before;
  for (let offset = from + 1; offset <= to; offset++) {
    const hash = createHash("sha256").update(digest, "hex"),
      number = Buffer.alloc(8),
      records = [updates.read(offset), completions.read(offset)];
    number.writeBigUInt64BE(BigInt(offset));
    hash.update(number.subarray(2));
    for (const record of records) {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(record?.length ?? 0);
      hash.update(length);
    }
    for (const record of records) if (record) hash.update(record);
    digest = hash.digest("hex");
  }
  return digest;
}

const toldBy = (text: string): RegExpMatchArray => {
  const told = /^The ledger is sound: .*\. History behind offset (\d+), up to (\d+): SHA-256 ([0-9a-f]{64})\.$/.exec(text);
  assert.ok(told, text);
  return told;
};

async function proved(folder: string): Promise<{ readonly from: number; readonly to: number; readonly digest: string }> {
  const { sound, text } = await verifyLedger(folder);
  assert.ok(sound, text);
  const [, from, to, digest] = toldBy(text);
  return { from: Number(from), to: Number(to), digest: digest! };
}

/** The command id in the update and in the completion of an offset, with checksums that fit, as whoever knows the format can do it. */
async function forge(folder: string, offset: number): Promise<void> {
  const store = await openStore({ folder }),
    batch = new Batch();
  for (const table of [store.tables.updates, store.tables.completions]) {
    const record = table.read(offset);
    if (!record) continue;
    const at = record.indexOf(`"commandId":"c-`);
    assert.ok(at > 0, "it tells the command id");
    record.write("x", at + `"commandId":"`.length, "latin1");
    batch.put(table, offset, seal(record, record[0]!));
  }
  await batch.flush();
  await store.close();
}

async function ledgerAtRest(t: TestContext, count: number): Promise<{ folder: string; end: number }> {
  const fixture = await startLedger(t),
    end = await fill(fixture, count);
  await closeFixture(fixture);
  return { folder: fixture.folder, end };
}

describe("history", () => {
  it("the digest is that of its definition, of small records and of large ones", async (t) => {
    const fixture = await startLedger(t),
      end = await fill(fixture, 5),
      { tables } = fixture.store;
    assert.deepEqual(readHistoryEnd(tables), { offset: end, digest: plainDigest(tables, 0, zeros, end) });
    const update = Buffer.alloc(limits.historyStepBytes * 2 + 5, 7),
      completion = Buffer.from("end"),
      lengths = Buffer.from("000000000009" + update.length.toString(16).padStart(8, "0") + "00000003", "hex");
    assert.equal(
      atOnce(digestOf(zeros, { offset: 9, update, completion })),
      createHash("sha256").update(Buffer.alloc(32)).update(lengths).update(update).update(completion).digest("hex"),
    );
  });

  it("verify tells one line, the same for a copy, behind restarts, and however much of it was pruned", async (t) => {
    const { folder, end } = await ledgerAtRest(t, 7),
      before = await proved(folder);
    assert.deepEqual([before.from, before.to], [0, end]);
    const copy = join(temporaryFolder(), "copy");
    cpSync(folder, copy, { recursive: true });
    const again = await openFixture(copy);
    success(await again.ledger.prune(end - 2));
    await closeFixture(again);
    const after = await proved(copy);
    assert.deepEqual(after, { from: end - 2, to: end, digest: before.digest });
  });

  it("what comes behind pruning is proved from there, across restarts", async (t) => {
    const fixture = await startLedger(t);
    await fill(fixture, 4);
    const at = fixture.ledger.ledgerEnd();
    success(await fixture.ledger.prune(at - 3));
    const end = await fill(fixture, limits.historyPointOffsets + 5, "d");
    await closeFixture(fixture);
    const { from, to, digest } = await proved(fixture.folder);
    assert.deepEqual([from, to], [at - 3, end]);
    const again = await openFixture(fixture.folder, { clock: fixture.clock });
    assert.deepEqual([...again.store.tables.history.keys({ start: 0, end })], [at - 3, at, at + limits.historyPointOffsets]);
    const next = await fill({ ...again, parties: fixture.parties }, 3, "e");
    await closeFixture(again);
    const later = await proved(fixture.folder);
    assert.deepEqual([later.from, later.to], [at - 3, next]);
    assert.notEqual(later.digest, digest);
  });

  it("a record that was exchanged, checksum and sums included, is found by verify, and by a start where it is among the last", async (t) => {
    const { folder, end } = await ledgerAtRest(t, 7),
      offset = end - 3;
    await forge(folder, offset);
    const { sound, text } = await verifyLedger(folder);
    assert.equal(sound, false);
    assert.match(text, new RegExp(`^history ${end}: what the log holds behind offset 0 is not what was recorded$`, "m"));
    await assert.rejects(openFixture(folder), (error) => error instanceof Damage && error.message.includes("is not what was recorded"));
  });
});
