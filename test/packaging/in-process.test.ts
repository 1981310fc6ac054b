import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { queryObjects } from "node:v8";
import { runInNewContext } from "node:vm";
import { Service } from "../../src/http/service.js";
import inProcess, { faceFor } from "../../src/packaging/in-process.js";
import { Table } from "../../src/store/index.js";
import { eventually } from "../http/harness.js";
import { testData } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

/** Collects garbage first. */
const alive = (kind: new (...from: never[]) => object): number => queryObjects(kind as never) as unknown as number;

async function startAndStop(): Promise<void> {
  const ledger = await inProcess.startLedgerline({ memory: true, dars: [testData("quickstart.dar")] });
  await ledger.allocateParty("alice");
  assert.match(await (await fetch(`${ledger.url}/metrics`)).text(), /^ledgerline_ready 1$/m);
  assert.ok(alive(Service) > 0 && alive(Table) > 0, "what is counted is there while it runs");
  await ledger.stop();
}

test("in process: of nodes that were stopped nothing stays in memory", async () => {
  for (let node = 0; node < 2; node++) await startAndStop();
  await eventually("no services and no tables are left", () => alive(Service) + alive(Table) === 0);
});

test("in process: who asks a node that was stopped is told that it was", async () => {
  const ledger = await inProcess.startLedgerline({ memory: true });
  await ledger.stop();
  await assert.rejects(
    ledger.allocateParty("late"),
    /The party late was not allocated: .*The node was stopped; nothing of this request was recorded/,
  );
  await assert.rejects(ledger.uploadDar(testData("quickstart.dar")), {
    code: "SERVICE_NOT_RUNNING",
    message: /quickstart\.dar was refused: .*The node was stopped; nothing of this request was recorded/,
  });
});

test("in process: on several synchronizers and participants a DAR is for all of them, and a party is where it is asked for", async () => {
  const ledger = await inProcess.startLedgerline({ flags: { synchronizers: "one,two", participant: ["south=0"] } });
  try {
    const [one, two] = ledger.synchronizerIds,
      [south] = ledger.otherParticipants;
    assert.deepEqual(
      [ledger.synchronizerIds.length, one!.split("::")[0], two!.split("::")[0], ledger.otherParticipants.length, south!.name],
      [2, "one", "two", 1, "south"],
    );
    const told = async (url: string, path: string, body?: object): Promise<any> =>
      (
        await fetch(
          `${url}${path}`,
          body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
        )
      ).json();
    assert.equal((await told(south!.url, "/v2/parties/participant-id")).participantId, south!.participantId);
    await ledger.uploadDar(testData("quickstart.dar"));
    for (const { url } of [ledger, south!]) {
      const { vettedPackages } = await told(url, "/v2/package-vetting/list", {
        packageMetadataFilter: { packageIds: [], packageNamePrefixes: ["ref-"] },
      });
      assert.deepEqual([...new Set(vettedPackages.map(({ synchronizerId }: any) => synchronizerId))].sort(), [one, two].sort());
    }
    const connected = async (party: string): Promise<readonly string[]> =>
      (await told(ledger.url, `/v2/state/connected-synchronizers?party=${encodeURIComponent(party)}`)).connectedSynchronizers.map(
        ({ synchronizerId }: any) => synchronizerId,
      );
    assert.deepEqual(await connected(await ledger.allocateParty("alice")), [one]);
    assert.deepEqual(await connected(await ledger.allocateParty("bob", { synchronizerId: two! })), [two]);
    await assert.rejects(ledger.allocateParty("carol", { synchronizerId: "three::1220" }), inProcess.LedgerlineError);
  } finally {
    await ledger.stop();
  }
});

test("in process: flags say what options may, and a LocalNet has its own ports; what is said twice is refused", async () => {
  const refusal = (options: Parameters<typeof inProcess.startLedgerline>[0]): Promise<string> =>
    inProcess.startLedgerline(options).then(
      async (ledger) => `started ${await ledger.stop()}`,
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const folder = temporaryFolder("in-process"),
    data = join(folder, "ledger");
  try {
    const ledger = await inProcess.startLedgerline({ flags: { "log-level": "silent", workers: 1, port: 0, data } });
    await ledger.stop();
    assert.ok(existsSync(data));
    assert.match(await refusal({ flags: { localnet: join(folder, "none") } }), /^LedgerlineError: .*none/);
    assert.doesNotMatch(await refusal({ flags: { localnet: join(folder, "none") } }), /has ports of its own/);
    assert.match(await refusal({ port: 1, flags: { localnet: folder } }), /^LedgerlineError: --localnet has ports of its own/);
    assert.equal(await refusal({ workers: 1, flags: { workers: 2 } }), "LedgerlineError: --workers is given twice.");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test(
  "in process: who cannot write to stderr goes on, also beside a ledger",
  { skip: !existsSync("/dev/full") && "no /dev/full here" },
  async () => {
    const full = openSync("/dev/full", "w"),
      program = `import inProcess from ${JSON.stringify(new URL("../../src/packaging/in-process.js", import.meta.url).href)};
      const ledger = await inProcess.startLedgerline();
      console.error("lost");
      await ledger.allocateParty("alice");
      await ledger.stop();`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["ignore", "ignore", full] });
    closeSync(full);
    assert.deepEqual(await once(child, "exit"), [0, null]);
  },
);

test("in process: options that are none, or of another kind, are refused by name", async () => {
  const refusal = (options: unknown): Promise<string> =>
    inProcess.startLedgerline(options as object).then(
      async (ledger) => `started ${await ledger.stop()}`,
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const wrong: readonly (readonly [options: unknown, sentence: RegExp])[] = [
    [null, /^LedgerlineError: The options of startLedgerline must be an object\.$/],
    [{ bogus: 1 }, /^LedgerlineError: There is no option bogus: options are memory, data, .*flags\.$/],
    [{ dars: "x.dar" }, /^LedgerlineError: The option dars must be a list, of files or their bytes\.$/],
    [{ dars: [5] }, /^LedgerlineError: The option dars must be a list/],
    [{ memory: "yes" }, /^LedgerlineError: The option memory must be true or false\.$/],
    [{ port: 99_999 }, /^LedgerlineError: port 99999: must be at most 65535\.$/],
    [{ flags: { port: 99_999 } }, /^LedgerlineError: --port 99999: must be at most 65535\.$/],
    [{ port: 1.5 }, /^LedgerlineError: The option port must be a whole number\.$/],
    [{ host: null }, /^LedgerlineError: The option host must be a text\.$/],
    [{ flags: [] }, /^LedgerlineError: The option flags must be an object with names of flags\.$/],
    [{ flags: { auth: false } }, /^LedgerlineError: The flag auth must be a text, a number, true or a list of texts\.$/],
    [{ flags: { help: true } }, /^LedgerlineError: --help starts no ledger\.$/],
    [{ flags: { prot: 1 } }, /^LedgerlineError: Unknown flag --prot=1\. Did you mean --port\?$/],
  ];
  for (const [options, sentence] of wrong) assert.match(await refusal(options), sentence);
  const ledger = await inProcess.startLedgerline({ data: undefined, flags: { auth: undefined } } as object);
  await assert.rejects(ledger.uploadDar(5 as never), { name: "LedgerlineError", message: "A DAR must be a file or its bytes." });
  const ofParties: readonly (readonly [given: readonly unknown[], message: string])[] = [
    [[5], "The hint of a party must be a text."],
    [[null], "The hint of a party must be a text."],
    [["q", null], "The options of allocateParty must be an object."],
    [["q", { synchronizer: "one" }], "There is no option synchronizer of allocateParty: options are synchronizerId."],
    [["q", { synchronizerId: 1 }], "The option synchronizerId must be a text."],
  ];
  for (const [given, message] of ofParties)
    await assert.rejects((ledger.allocateParty as (...of: readonly unknown[]) => Promise<string>)(...given), {
      name: "LedgerlineError",
      message,
    });
  await ledger.stop();
});

test("in process: in a realm of its own, as test runners have, what is thrown is an error of that realm", async () => {
  const theirs = runInNewContext("({ Error })") as { Error: ErrorConstructor };
  const { LedgerlineError, startLedgerline } = faceFor(theirs.Error);
  const isTheirs = (error: unknown): boolean =>
    error instanceof theirs.Error && error instanceof LedgerlineError && error.name === "LedgerlineError";
  await assert.rejects(startLedgerline({ port: 70_000 }), isTheirs);
  const ledger = await startLedgerline();
  await ledger.allocateParty("alice");
  await assert.rejects(ledger.allocateParty("alice"), (error: { code?: string }) => isTheirs(error) && error.code === "INVALID_ARGUMENT");
  await assert.rejects(ledger.uploadDar("none.dar"), isTheirs);
  await ledger.stop();
});

test("in process: a runtime that is not Node.js is told so before anything is opened", async (t) => {
  Object.defineProperty(process.versions, "bun", { value: "1.2.3", configurable: true });
  t.after(() => delete (process.versions as { bun?: string }).bun);
  await assert.rejects(inProcess.startLedgerline(), {
    name: "LedgerlineError",
    message: "Ledgerline needs Node.js, 20.15 or later; this is Bun 1.2.3.",
  });
});

test("in process: a ledger that is not in memory has to have a folder", async () => {
  await assert.rejects(
    inProcess.startLedgerline({ memory: false }),
    (error: Error) =>
      error instanceof inProcess.LedgerlineError
      && error.message === "A ledger that is not in memory needs data, the folder that it is kept in.",
  );
});
