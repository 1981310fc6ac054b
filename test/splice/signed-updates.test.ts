/** Updates that an external party signed are found by the hash that it signed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { execute, ExternalParty, prepare, succeeded } from "../external/external-world.js";
import { create, World } from "../scenarios/world.js";
import type { ElementWriter } from "../../src/base/element-writer.js";
import { isFailure, ok } from "../../src/base/result.js";
import { sha256Hex } from "../../src/base/sha256.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { SignedTransactions, type SignedTransactionsContext } from "../../src/splice/history/signed-transactions.js";
import { amuletDar } from "./stand-in-model.js";
import { names } from "./stand-in-world.js";

test("updates by hash: of a transaction that the DSO sees and somebody signed, also where others came between; any other hash is not found", async () => {
  const world = await World.start([amuletDar("0.1.22")]);
  try {
    const dso = await ExternalParty.onboard(world, "dso"),
      [venue] = await world.parties("venue");
    const at = async (hash: string): Promise<{ status: number; body: any }> => {
      const { status, json } = await world.client.get(`/api/scan/v2/updates/hash/${hash}`);
      return { status, body: json() };
    };
    for (const number of [0, 1]) {
      await world.create([venue!], names.featured, { dso: venue, provider: venue });
      const prepared = await prepare(
        world,
        [dso],
        [create(names.rules, { dso: dso.party, configSchedule: String(number), isDevNet: true })],
      );
      const { updateId } = succeeded(await execute(world, prepared, [dso]));
      const hash = Buffer.from(prepared.preparedTransactionHash, "base64").toString("hex"),
        { status, body } = await at(hash);
      assert.deepEqual([status, body.update_id, body.external_transaction_hash], [200, updateId, hash]);
      assert.deepEqual((await at(hash.toUpperCase())).body, body, "in capitals, too");
      const byId = (await world.client.get(`/api/scan/v2/updates/${updateId}`)).json();
      assert.deepEqual(byId.events_by_id, body.events_by_id);
      assert.ok(!("external_transaction_hash" in byId), "by its id it is told of transactions from 2030 on only");
      const first = (await world.client.get(`/api/scan/v0/updates/${updateId}`)).json(),
        page = (await world.client.post("/api/scan/v0/updates", { page_size: 1000 })).json().transactions;
      assert.equal(first.external_transaction_hash, hash, "the first release tells it always");
      assert.deepEqual(page.at(-1), first);
    }
    assert.deepEqual(await at("00"), { status: 404, body: { error: "Transaction with hash 00 not found" } });
  } finally {
    await world.stop();
  }
});

const hashAt = (offset: number): string => sha256Hex(`signed ${offset}`);

/** A log of transactions, of which every other one was signed. */
function logOf(count: number) {
  let read = 0;
  const text = (offset: number): string =>
    JSON.stringify({ updateId: `1220${offset}`, offset, externalTransactionHash: offset % 2 === 0 ? hashAt(offset) : null, events: [] });
  const cursorOf = (beginExclusive: number, endInclusive: number) => {
    let next = beginExclusive + 1;
    return {
      get ended() {
        return next > endInclusive;
      },
      failure: undefined,
      close: () => {},
      read: async (max: number, out: ElementWriter) => {
        let written = 0;
        for (; written < max && next <= endInclusive; written++, read++, next++) {
          out.begin();
          out.text(`{"update":{"Transaction":{"value":${text(next)}}}}`);
          out.end();
        }
        return written;
      },
    };
  };
  return {
    get read() {
      return read;
    },
    ledger: {
      ledgerEnd: () => count,
      prunedOffsets: () => ({ participantPrunedUpToInclusive: 0, allDivulgedContractsPrunedUpToInclusive: 0 }),
      openUpdates: ({ beginExclusive, endInclusive }: { beginExclusive: number; endInclusive: number }) =>
        ok(cursorOf(beginExclusive, endInclusive)),
      readUpdate: async ({ by }: { by: { offset: number } }) => ok(text(by.offset)),
    } as unknown as SignedTransactionsContext["ledger"],
  };
}

test("updates by hash: the log is read once; what a bound forgot is searched for, and found", async () => {
  const count = 270_000,
    log = logOf(count),
    signed = new SignedTransactions({ ledger: log.ledger, turns: new Turns(limits.turnMs) }, 65_536);
  const offsetOf = async (hash: string): Promise<number | undefined> => {
    const found = await signed.offsetOf(hash);
    assert.ok(!isFailure(found));
    return found.ok;
  };
  assert.equal(await offsetOf(hashAt(count)), count);
  assert.equal(log.read, count);
  assert.equal(await offsetOf(hashAt(count - 5_000)), count - 5_000);
  assert.equal(log.read, count, "what is kept is found without the log");
  assert.equal(await offsetOf(hashAt(1_000)), 1_000);
  const searched = log.read - count;
  assert.ok(searched > 0 && searched <= 2_000, `${searched} transactions were searched`);
  assert.equal(await offsetOf(hashAt(count + 2)), undefined);
  assert.equal(await offsetOf("no hash"), undefined);
});
