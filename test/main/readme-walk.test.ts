/** The shell of the front page and of the page on clients, run as it is printed. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { test } from "node:test";
import { startNodeProcess } from "../support/node-process.js";
import { repositoryRoot } from "../support/paths.js";
import { atPort, codeBlock, firstTransaction } from "../support/readme.js";

const clientsPage = "src/api/README.md";
const hasShell = spawnSync("bash", ["-c", "curl --version"]).status === 0;
const options = { skip: hasShell ? false : "no bash or curl here", timeout: 300_000 };

async function withNode(flags: readonly string[], body: (port: number) => Promise<void>): Promise<void> {
  const node = await startNodeProcess(["--memory", ...flags]);
  try {
    await body(node.port);
  } finally {
    await node.stop();
  }
}

async function shell(code: string): Promise<string> {
  const child = spawn("bash", ["-eu", "-o", "pipefail", "-c", code], { cwd: repositoryRoot(), stdio: ["ignore", "pipe", "pipe"] });
  let out = "",
    err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const exit = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(exit, 0, err);
  return out;
}

test("README: the first transaction goes as it is printed, and can be followed", options, () =>
  withNode([], async (port) => {
    const out = await shell(firstTransaction(port));
    assert.doesNotMatch(out, /"errorCategory"|Invalid value/);
    assert.match(out, /"completionOffset":\d+/);
    assert.match(out, /"JsActiveContract":\{"createdEvent":\{[^]*"owner":"bob::/);
    assert.match(out, /"ExercisedEvent":\{[^]*"choice":"Transfer"/);
    const follow = atPort(codeBlock(clientsPage, "Clients", "js", "new WebSocket"), port).replace(
      "console.log(data)",
      "{ console.log(data); socket.close(); }",
    );
    assert.match(await shell(`node --input-type=module -e 'import { WebSocket } from "ws"; ${follow}'`), /^\{"update":\{"Transaction"/);
  }),
);

test("clients: the wallet SDK's user is made with a token that is signed by hand", options, async () => {
  const flags = codeBlock(clientsPage, "Clients", "sh", "npm start -- ").trim().split(" ").slice(3);
  await withNode(flags, async (port) => {
    const out = await shell(atPort(codeBlock(clientsPage, "Clients", "sh", "TOKEN="), port));
    assert.equal(JSON.parse(out).user.id, "ledger-api-user");
  });
});
