/** A disk that refuses to write although it has room: here a bound on how long the files of a process may be. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../../src/config.js";
import { reserveFile } from "../../src/store/index.js";
import { create, World, type Json } from "../scenarios/world.js";
import { storyDar, storyTemplate } from "../scenarios/story-model.js";
import { temporaryFolder } from "../support/folders.js";

const note = storyTemplate("Note"),
  skip = spawnSync("prlimit", ["--version"]).status === 0 ? false : "there is no prlimit here";
const noteOf = (party: string, chars: number): Json => ({ owner: party, reader: party, text: "x".repeat(chars) });

function dataFolder(): string {
  const folder = temporaryFolder("refused-writes");
  return join(folder, "data");
}

async function start(t: TestContext, dars: readonly Uint8Array[], data: string): Promise<World> {
  const world = await World.start(dars, ["--data", data]);
  t.after(() => world.node.stop("SIGKILL"));
  return world;
}

/** Resolves once room is set aside for what is acknowledged ahead of the file: before, nothing is. */
async function reserveOf(data: string): Promise<void> {
  const bytes = (): number => statSync(join(data, reserveFile), { throwIfNoEntry: false })?.size ?? 0;
  while (bytes() < limits.reserveBytesMin) await sleep(20);
  await sleep(500); // that it is known
}

/** `bytes`: of each file that the node writes, "unlimited" without a bound. */
function bound({ node }: World, bytes: number | "unlimited"): void {
  assert.equal(spawnSync("prlimit", ["--pid", String(node.child.pid), `--fsize=${bytes}:`]).status, 0);
}

test(
  "refused writes: a disk that takes the journal and not the file stops the node, which has all at its next start",
  { skip },
  async (t) => {
    const data = dataFolder(),
      world = await start(t, [storyDar], data),
      party = await world.party("alice");
    await reserveOf(data);
    bound(world, limits.journalBytes);
    const submit = () => world.submit([party], [create(note, noteOf(party, 3_000))]).catch(() => undefined);
    let acknowledged = 0;
    for (let reply = await submit(); reply?.status === 200; reply = await submit()) acknowledged = reply.json().completionOffset;
    assert.equal(await world.node.stop(), 71, world.node.stderr());
    assert.match(world.node.stderr(), /^The ledger in \S+ cannot be written any more: journal: .* The node stops; .* goes on with all /m);
    assert.doesNotMatch(world.node.stderr(), /damaged|backup/);
    const again = await start(t, [], data);
    assert.equal(await again.ledgerEnd(), acknowledged);
    await again.stop();
  },
);
