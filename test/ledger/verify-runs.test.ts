/** What verification finds in the runs of contracts. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { verifyLedger } from "../../src/ledger/index.js";
import { ContractIndex, settledContractsKey } from "../../src/ledger/records/index.js";
import { encodeSettled, PieceWriter, type RunList } from "../../src/ledger/runs/index.js";
import { Batch, filtersFrom, RecordWriter, seal, sealBytes, openStore, type Tables } from "../../src/store/index.js";
import { pieceOf, smallRuns } from "./run-pieces.js";
import { closeFixture, startLedger, submission, success } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

/** A ledger at rest whose contracts are in several runs. */
async function ledgerAtRest(t: Parameters<typeof startLedger>[0]): Promise<string> {
  const fixture = await startLedger(t, { unsettledMax: 64, runSizes: smallRuns }),
    { alice } = fixture.parties as { alice: string };
  const submit = async (steps: object[]): Promise<void> => {
    success(await fixture.ledger.submit(submission([alice], steps)));
  };
  for (let n = 0; n < 120; n++) {
    await submit(Array.from({ length: 4 }, (_, index) => ({ create: `r${n}-${index}`, signatories: [alice] })));
    if (n % 3 === 0) await submit([{ exercise: `r${n}-0`, by: [alice] }]);
  }
  await closeFixture(fixture);
  return fixture.folder;
}

async function textAfter(folder: string, write: (batch: Batch, tables: Tables, list: RunList) => void): Promise<string> {
  const copy = join(temporaryFolder(), "copy");
  cpSync(folder, copy, { recursive: true });
  const store = await openStore({ folder: copy }),
    batch = new Batch();
  write(batch, store.tables, new ContractIndex(store.tables).runs.list);
  await batch.flush();
  await store.close();
  return (await verifyLedger(copy)).text;
}

const withList = (batch: Batch, tables: Tables, list: RunList): void =>
  batch.put(
    tables.state,
    settledContractsKey,
    encodeSettled(new RecordWriter(), { offset: new ContractIndex(tables).settledTo, runs: list }),
  );

describe("verify finds in runs of contracts", () => {
  let folder = "";
  const later: (() => unknown)[] = [];
  before(async () => {
    folder = await ledgerAtRest({ after: (task) => void later.push(task as () => unknown) });
    const { sound, text } = await verifyLedger(folder);
    assert.ok(sound, text);
  });

  after(async () => {
    for (const task of later.reverse()) await task();
  });

  it("a bucket that is missing, by what it should have had", async () => {
    const text = await textAfter(folder, (batch, { contractRuns }, { runs }) =>
      batch.remove(
        contractRuns,
        contractRuns.keys({ start: { run: runs[0]!.number, part: 0 }, end: { run: runs[0]!.number + 1, part: 0 } })[0]!,
      ),
    );
    assert.match(text, /contracts, run \d+: it has \d+ entries of \d+ bytes, not/);
    assert.match(text, /index contracts: \w+ is missing/);
  });

  it("a filter that is missing, and one that does not know what is there", async () => {
    const key = (list: RunList, piece: number) => ({ run: list.runs[0]!.number, part: filtersFrom + piece });
    const without = await textAfter(folder, (batch, { contractRuns }, list) => batch.remove(contractRuns, key(list, 1)));
    assert.match(without, /contracts, run \d+: filter 1 is missing/);
    const other = await textAfter(folder, (batch, { contractRuns }, list) =>
      batch.put(contractRuns, key(list, 0), contractRuns.read(key(list, 1))!),
    );
    assert.match(other, /contracts, run \d+: its filter does not know \w+/);
  });

  it("a bucket that is not as it was written", async () => {
    const text = await textAfter(folder, (batch, { contractRuns }, { runs: [run] }) => {
      const [key] = contractRuns.keys({ start: { run: run!.number, part: 0 }, end: { run: run!.number, part: filtersFrom } }),
        damaged = contractRuns.read(key!)!;
      damaged[20]! ^= 1;
      batch.put(contractRuns, key!, damaged);
    });
    assert.match(text, /table contractRuns, run \d+, part \d+: the record is damaged/);
  });

  it("a contract that is in another bucket than the one where it is looked for", async () => {
    const text = await textAfter(folder, (batch, { contractRuns }, { runs: [run] }) => {
      const [one, other] = contractRuns.keys({ start: { run: run!.number, part: 0 }, end: { run: run!.number, part: filtersFrom } }),
        record = contractRuns.read(one!)!;
      batch.put(contractRuns, one!, contractRuns.read(other!)!);
      batch.put(contractRuns, other!, record);
    });
    assert.match(text, /contracts, run \d+: \w+ is in bucket \d+, where nobody looks for it/);
  });

  it("contracts that are not in order, or twice in a bucket", async () => {
    const text = await textAfter(folder, (batch, { contractRuns }, { runs: [run] }) => {
      const [key] = contractRuns.keys({ start: { run: run!.number, part: 0 }, end: { run: run!.number, part: filtersFrom } }),
        record = contractRuns.read(key!)!;
      batch.put(contractRuns, key!, seal(Buffer.concat([record, record.subarray(sealBytes)]), 1));
    });
    assert.match(text, /contracts, run \d+: \w+ is not in order in bucket/);
  });

  it("a run that is listed and has nothing, one that is there and not listed, and a list with other counts", async () => {
    const gone = await textAfter(folder, (batch, tables, list) => {
      const run = { ...list.runs.at(-1)!, number: list.next };
      withList(batch, tables, { ...list, next: list.next + 1, runs: [...list.runs, run] });
    });
    assert.match(gone, /contracts, run \d+: filter 0 is missing/);
    const unlisted = await textAfter(folder, (batch, tables, list) => {
      const piece = new PieceWriter({ number: list.next, buckets: 1, bucketsPerPiece: 1 }, 0, new RecordWriter()).finish();
      for (const { part, record } of piece.records) batch.insert(tables.contractRuns, { run: list.next, part }, record);
    });
    assert.match(unlisted, /contracts, run \d+: it is not listed, but parts of it are there/);
    const counted = await textAfter(folder, (batch, tables, list) => {
      const [first, ...others] = list.runs;
      withList(batch, tables, { ...list, runs: [{ ...first!, entries: first!.entries + 1 }, ...others] });
    });
    assert.match(counted, /contracts, run \d+: it has \d+ entries/);
  });

  it("a contract that nothing tells of", async () => {
    const text = await textAfter(folder, (batch, tables, list) => {
      const { runs } = new ContractIndex(tables),
        { value } = [...runs.entries()][0]!,
        stray = `00${"ab".repeat(68)}`,
        shape = { number: list.next, buckets: 1, bucketsPerPiece: 1 };
      const { records, entries, bytes } = pieceOf(shape, runs.kind, [{ key: stray, value }]);
      for (const { part, record } of records) batch.insert(tables.contractRuns, { run: list.next, part }, record);
      const run = { ...shape, level: 0, to: list.runs.at(-1)!.to, entries, bytes };
      withList(batch, tables, { ...list, next: list.next + 1, runs: [...list.runs, run] });
    });
    assert.match(text, /index contracts: 00(ab)+ stands for nothing/);
  });
});
