/** A data folder that is taken from a node that runs. */
import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { create, World } from "../scenarios/world.js";
import { storyDar, storyTemplate } from "../scenarios/story-model.js";
import { temporaryFolder } from "../support/folders.js";

const note = storyTemplate("Note");

test("lost folder: a node whose folder is moved stops by itself and says so; what it acknowledged is in the folder that was moved", async (t) => {
  const parent = temporaryFolder("lost-folder"),
    [data, moved] = [join(parent, "data"), join(parent, "moved")];
  const world = await World.start([storyDar], ["--data", data]);
  t.after(() => world.node.stop("SIGKILL"));
  const party = await world.party("alice"),
    submit = () => world.submit([party], [create(note, { owner: party, reader: party, text: "x" })]).catch(() => undefined);
  let acknowledged = (await submit())!.json().completionOffset as number;
  renameSync(data, moved);
  for (let reply = await submit(); reply !== undefined; reply = await submit()) {
    if (reply.status === 200) acknowledged = reply.json().completionOffset;
    else assert.equal(reply.status, 503, reply.text);
  }
  assert.equal(await world.node.stop(), 70, world.node.stderr());
  assert.match(
    world.node.stderr(),
    /data\.mdb: it was removed or moved while it was open\. The node stops; start it where it is now, or put it back; /,
  );
  assert.doesNotMatch(world.node.stderr(), /\n {4}at /);
  const again = await World.start([], ["--data", moved]);
  t.after(() => again.node.stop("SIGKILL"));
  const end = await again.ledgerEnd();
  assert.ok(end === acknowledged || end === acknowledged + 1, `${end} is the end, ${acknowledged} was acknowledged`); // one may be without its answer
  await again.stop();
});
