/** Streams of those who wait for what seldom comes, beside others who are busy: they stay, cost little, and are told at once. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { storyDar, storyTemplate } from "../../scenarios/story-model.js";
import { acsDelta, Channel, eventFormat, World, type Json } from "../../scenarios/world.js";
import type { Play, Scenario } from "../scenario.js";

const note = storyTemplate("Note"),
  openedAtOnce = 50,
  commandsPerSecond = 100,
  seconds = { few: 3, many: 20 },
  many = 1_000;
/** Of the node, for each stream, and beside all of them for the commands. */
const bytesPerStreamMax = 40 * 1024,
  bytesBesideMax = 64 * 1024 * 1024;

async function play(play: Play): Promise<void> {
  const world = await World.start([storyDar], ["--memory"]);
  play.after(() => world.node.stop("SIGKILL"));
  const [waiting, busy] = (await world.parties("waiting", "busy")) as readonly [string, string];
  const channels: Channel[] = [];
  play.after(() => channels.forEach((channel) => channel.socket.terminate()));
  await send(world, busy, seconds.few); // what is compiled and cached by commands is not the streams'
  const alone = bytesOf(world),
    quick = await send(world, busy, seconds.few);
  const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties: [waiting] }) } };
  while (channels.length < play.size) {
    const opened = Array.from({ length: Math.min(openedAtOnce, play.size - channels.length) }, () =>
      Channel.open(world.node.port, "/v2/updates", { beginExclusive: 0, updateFormat }),
    );
    channels.push(...(await Promise.all(opened)));
  }
  const beside = await send(world, busy, play.size < many ? seconds.few : seconds.many),
    more = bytesOf(world) - alone;
  const { offset } = await world.create([waiting], note, { owner: waiting, reader: waiting, text: "at last" }),
    from = performance.now();
  const lags = await Promise.all(
    channels.map(async (channel) => {
      await channel.until(({ update }) => update?.Transaction?.value.offset === offset);
      play.step();
      return performance.now() - from;
    }),
  );
  for (const channel of channels) {
    const transactions = channel.elements.filter(({ update }: Json) => update?.Transaction !== undefined);
    assert.equal(transactions.length, 1, "a stream got what it had not asked for, or the same twice (I11)");
  }
  play.count("streams", channels.length);
  play.count("commands beside them", beside.length);
  play.notes.push(
    `${(more / channels.length / 1024).toFixed(0)} KiB a stream; commands took ${tail(quick)} ms (99 of 100) without them, ${tail(beside)} with them; all were told within ${Math.max(...lags).toFixed(0)} ms`,
  );
  assert.ok(more <= bytesBesideMax + bytesPerStreamMax * channels.length, `${more} bytes for ${channels.length} streams`);
  await world.stop();
}

/** At a steady pace; how long each took, in milliseconds. */
async function send(world: World, party: string, duration: number): Promise<readonly number[]> {
  const began = performance.now(),
    sent: Promise<number>[] = [];
  for (let index = 0; index < duration * commandsPerSecond; index++) {
    await sleep(Math.max(0, began + (index * 1_000) / commandsPerSecond - performance.now()));
    sent.push(one(world, party));
  }
  return Promise.all(sent);
}

async function one(world: World, party: string): Promise<number> {
  const from = performance.now();
  await world.create([party], note, { owner: party, reader: party, text: "busy" });
  return performance.now() - from;
}

const tail = (times: readonly number[]): string => [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!.toFixed(0);

const bytesOf = ({ node }: World): number =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${node.child.pid}/status`, "utf8"))![1]) * 1_024;

export const idleStreams: Scenario = {
  name: "idle-streams",
  unit: "streams",
  sizes: { test: 60, ci: 2_000, night: 10_000 },
  holds: "streams that wait stay open beside others' commands, cost little, and are told of the first thing they asked for, once",
  run: play,
};
