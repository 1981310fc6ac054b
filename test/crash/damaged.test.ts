/** A ledger whose file was damaged at rest is not served: nobody gets less than there is, and the program says what is wrong where. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { proves } from "../prove/as-test.js";
import { damage, runProgram, startDamaged } from "../prove/real/damage.js";
import { eventually } from "../http/harness.js";
import { Client } from "../support/node-process.js";
import { sampleLedger, writeDamaged, type Read, type SampleLedger } from "./damaged-ledger.js";
import { temporaryFolder } from "../support/folders.js";

proves(damage);

describe("damage", { timeout: 300_000 }, () => {
  const root = temporaryFolder("damaged");
  const source = join(root, "source");
  let sample: SampleLedger;
  before(async () => {
    sample = await sampleLedger(source);
  });

  it("neither pruning nor a backup touches one, and both say why", async () => {
    const folder = join(root, "half"),
      copy = join(root, "half-copy"),
      file = sample.versions.at(-1)!;
    writeDamaged(source, folder, Buffer.from(file.subarray(0, file.length >> 1)));
    for (const command of [
      ["prune", "5", "--data", folder],
      ["backup", copy, "--data", folder],
    ]) {
      const { code, output } = await runProgram(command);
      assert.equal(code, 3, output);
      assert.match(output, /^\S+data\.mdb is damaged.*\.\n$/);
    }
    assert.deepEqual(
      readdirSync(root).filter((name) => name.startsWith("half-copy")),
      [],
    );
  });

  for (const [what, loses] of [
    ["empty", (file: string): void => truncateSync(file)],
    ["not there", (file: string): void => rmSync(file)],
  ] as const)
    it(`a file that is ${what}, though something was written to it, is no new ledger`, async () => {
      const folder = join(root, what);
      writeDamaged(source, folder, sample.versions.at(-1)!);
      loses(join(folder, "data.mdb"));
      for (const command of [["verify"], ["prune", "5"], ["backup", `${folder}-copy`], startDamaged.slice(0, -1)]) {
        const { code, output } = await runProgram([...command, "--data", folder]);
        assert.equal(code, 3, `${command[0]}: ${output}`);
        assert.match(output, new RegExp(`data\\.mdb is damaged: it is ${what}, but commit \\d+ was written to it\\.`));
      }
    });

  it("a file to which nothing was ever written is no ledger to read, and a new one to start", async () => {
    const folder = join(root, "begun");
    mkdirSync(folder);
    writeFileSync(join(folder, "data.mdb"), "");
    const verified = await runProgram(["verify", "--data", folder]);
    assert.deepEqual([verified.code, verified.output], [1, `There is no ledger in ${folder}.\n`]);
    assert.equal((await runProgram([...startDamaged, folder], async () => undefined)).code, 0);
  });

  it("an engine thread that is to use a damaged contract stops the node, which names the place", async () => {
    const withBlobs = ({ path, body }: Read): boolean => path.endsWith("/active-contracts") && JSON.stringify(body).includes(`Blob":true`);
    const active = sample.reads.findIndex(withBlobs);
    const event = JSON.parse(sample.answers[active]!)[0].contractEntry.JsActiveContract.createdEvent;
    const file = Buffer.from(sample.versions.at(-1)!),
      folder = join(root, "instance");
    const at = file.lastIndexOf(Buffer.from(event.createdEventBlob, "base64"));
    assert.ok(at > 0, "the contract is in the file");
    file[at + 40]! ^= 1;
    writeDamaged(source, folder, file);
    let answer: string | undefined;
    const {
      templateId,
      contractId,
      createArgument: { owner },
    } = event;
    const discard = { ExerciseCommand: { templateId, contractId, choice: "Discard", choiceArgument: {} } };
    const { code, output } = await runProgram([...startDamaged, folder], async (port) => {
      const client = new Client(port, 1),
        command = { commands: [discard], commandId: "use", userId: "tester", actAs: [owner] };
      answer = (await client.post("/v2/commands/submit-and-wait", command).catch(() => undefined))?.text;
      await eventually("it stops by itself", () =>
        client.get("/livez").then(
          () => false,
          () => true,
        ),
      );
      client.close();
    });
    assert.equal(code, 70, `${answer}\n${output}`);
    assert.match(output, new RegExp(`damaged: table instances, offset ${event.offset}, nodeId ${event.nodeId}: `));
  });
});
