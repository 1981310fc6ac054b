/** Readers that fall behind: nothing is kept for them, nothing is lost to them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { Channel, create, eventFormat, World, type Json } from "./world.js";
import { storyDar, storyTemplate } from "./story-model.js";

const readers = 50,
  updates = 1_000,
  textChars = 1_500;
/** What one reader may cost while it stands still; the bound of a stream's own buffer is a quarter of it. */
const bytesEachMax = 1024 * 1024;

let world: World, alice: string;
before(async () => {
  world = await World.start([storyDar]);
  alice = await world.party("alice");
});
after(() => world.stop());

const residentBytes = (): number => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${world.node.child.pid}/status`, "utf8"))![1]);
const note = (index: number): Json =>
  create(storyTemplate("Note"), { owner: alice, reader: alice, text: `${index} ${"x".repeat(textChars)}` });

it(
  `${readers} readers that stand still while ${updates} updates come cost a bounded memory, and then get every one in order`,
  { skip: process.platform !== "linux" && "memory is read from /proc" },
  async (t) => {
    const request = {
      beginExclusive: await world.ledgerEnd(),
      updateFormat: {
        includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: eventFormat({ parties: [alice] }) },
      },
    };
    const channels = await Promise.all(Array.from({ length: readers }, () => Channel.open(world.node.port, "/v2/updates", request)));
    for (const { socket } of channels) socket.pause();
    const idle = residentBytes();
    const offsets: number[] = [];
    for (let index = 0; index < updates; index += 50) {
      const replies = await Promise.all(Array.from({ length: 50 }, (_, one) => world.submit([alice], [note(index + one)])));
      for (const reply of replies) offsets.push(reply.json().completionOffset);
    }
    const growth = residentBytes() - idle;
    t.diagnostic(
      `${(growth / 2 ** 20).toFixed(1)} MiB more while ${readers} readers were ${updates} updates of ${textChars} characters behind`,
    );
    assert.ok(growth < readers * bytesEachMax + 256 * 1024 * 1024, `${growth} bytes`);
    for (const { socket } of channels) socket.resume();
    const expected = offsets.sort((a, b) => a - b),
      last = expected[expected.length - 1];
    for (const channel of channels) {
      await channel.until((element) => element.update.Transaction?.value.offset === last);
      assert.deepEqual(
        channel.elements.flatMap((element) => (element.update.Transaction ? [element.update.Transaction.value.offset] : [])),
        expected,
      );
      await channel.close();
    }
  },
);
