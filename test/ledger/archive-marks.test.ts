import assert from "node:assert/strict";
import { it } from "node:test";
import { archivedLater, encodeMark, PendingMarks } from "../../src/ledger/records/archive-marks.js";
import { Batch, RecordWriter, openStore, type Store, type EventPlace } from "../../src/store/index.js";
import { Random } from "../support/random.js";
import { count } from "../support/knobs.js";
import { temporaryFolder } from "../support/folders.js";

const seed = count("LEDGERLINE_SEED") ?? 191_900,
  range = { party: 3, template: 2 };

interface Archived extends EventPlace {
  readonly archivedOffset: number;
}

/** Contracts of one party, created over so many offsets; most live briefly, some long. */
async function store(
  folder: string,
  random: Random,
  offsets: number,
): Promise<{ readonly store: Store; readonly contracts: readonly Archived[] }> {
  const opened = await openStore({ folder }),
    batch = new Batch(),
    marks = new PendingMarks(),
    writer = new RecordWriter();
  const contracts: Archived[] = [];
  for (let offset = 1; offset < offsets; offset += 1 + random.below(40)) {
    for (let nodeId = 0; nodeId < 1 + random.below(3); nodeId++)
      contracts.push({ offset, nodeId, archivedOffset: offset + 1 + random.below(random.chance(0.1) ? offsets : 50) });
  }
  for (const contract of [...contracts].sort((a, b) => a.archivedOffset - b.archivedOffset)) {
    batch.put(opened.tables.archived, { ...range, ...contract });
    marks.set(range, contract.offset, contract.archivedOffset);
  }
  // Neighbours in the index must not be found.
  for (const other of [
    { party: 3, template: 1 },
    { party: 3, template: 3 },
    { party: 2, template: 2 },
    { party: 4, template: 2 },
  ]) {
    batch.put(opened.tables.archived, { ...other, offset: 5, nodeId: 0, archivedOffset: offsets });
    marks.set(other, 5, offsets);
  }
  for (const { key, archivedOffset } of marks) batch.put(opened.tables.archiveMarks, key, encodeMark(writer, archivedOffset));
  await batch.flush();
  return { store: opened, contracts };
}

for (const offsets of [300, 5_000, 200_000]) {
  it(`contracts archived later are found in order, in pieces of any size, over ${offsets} offsets (seed ${seed})`, async (t) => {
    const random = new Random(seed),
      { store: opened, contracts } = await store(temporaryFolder(), random, offsets);
    t.after(() => opened.close());
    for (let round = 0; round < 12; round++) {
      const activeAt = random.below(offsets),
        expected = contracts
          .filter((one) => one.offset <= activeAt && one.archivedOffset > activeAt)
          .map(({ offset, nodeId }) => ({ offset, nodeId }));
      const found: EventPlace[] = [],
        limit = 1 + random.below(100),
        entriesMax = 1 + random.below(round % 2 === 0 ? 200 : 20_000);
      for (let from: EventPlace | undefined = { offset: 0, nodeId: 0 }; from !== undefined;) {
        const { places, searchedTo } = archivedLater(opened.tables, { range, from, activeAt, limit, entriesMax });
        assert.ok(places.length <= limit);
        found.push(...places);
        from = searchedTo && { offset: searchedTo.offset, nodeId: searchedTo.nodeId + 1 };
      }
      assert.deepEqual(found, expected, `active at ${activeAt}, pieces of ${limit} and ${entriesMax}`);
    }
  });
}
