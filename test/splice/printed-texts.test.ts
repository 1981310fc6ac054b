/** What is printed ahead: the same as what is printed for who asks, whatever happens to their files. */
import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs/promises";
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { GrowingBytes } from "../../src/base/growing-bytes.js";
import { ok } from "../../src/base/result.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { findHolding, Holders, writeAsEvent, writeHolding, type LentTexts } from "../../src/splice/printed/index.js";
import { PrintedDamaged, PrintedSegment } from "../../src/splice/printed/segment.js";
import { PrintedTexts } from "../../src/splice/printed/printed-texts.js";
import { temporaryFolder } from "../support/folders.js";

/** A log in which every third offset has no outcome. */
class Log {
  end = 0;
  pruned = 0;
  /** How often something was printed. */
  printed = 0;
  /** What has to be waited for. */
  printing: ((wanted: AbortSignal) => Promise<void>) | undefined;
  /** What the history is about; another one went another way. */
  branch = "a";

  text(offset: number): string {
    return JSON.stringify({ offset, branch: this.branch, text: "ü,".repeat(offset % 7) });
  }
  offsetsBehind(begin: number, limit = Infinity, to = this.end): number[] {
    const found: number[] = [];
    for (let offset = begin + 1; offset <= to && found.length < limit; offset++) if (offset % 3 !== 0) found.push(offset);
    return found;
  }
  textsBehind(begin: number, limit: number): string {
    return this.offsetsBehind(begin, limit)
      .map((offset) => this.text(offset))
      .join(",");
  }

  open(folder: string, version = "1"): PrintedTexts {
    return new PrintedTexts({
      folder,
      version,
      warn: (message) => this.warnings.push(message),
      turns: new Turns(limits.turnMs),
      ledger: {
        participantId: "p::1",
        synchronizerId: "s::1",
        ledgerEnd: () => this.end,
        prunedOffsets: () => ({ participantPrunedUpToInclusive: this.pruned, allDivulgedContractsPrunedUpToInclusive: this.pruned }),
        waitBehind: (_, timeoutMs, signal) => pause(timeoutMs, undefined, { signal, ref: false }).catch(() => undefined),
      },
      print: async ({ after, to }, _, wanted) => {
        await this.printing?.(wanted);
        const offsets = this.offsetsBehind(after, Infinity, to);
        this.printed += offsets.length;
        return ok(offsets.map((offset) => ({ offset, text: Buffer.from(this.text(offset)) })));
      },
    });
  }
  readonly warnings: string[] = [];
}

interface Printing {
  readonly log: Log;
  readonly folder: string;
  open(version?: string): PrintedTexts;
}

function printing(t: TestContext): Printing {
  const path = temporaryFolder(),
    opened: PrintedTexts[] = [],
    log = new Log(),
    folder = join(path, "scan-printed", "p");
  t.after(async () => {
    for (const events of opened) await events.close();
  });
  return {
    log,
    folder,
    open: (version) => {
      const events = log.open(folder, version);
      opened.push(events);
      return events;
    },
  };
}

const page = async (events: PrintedTexts, after: number, limit: number, dso = "dso"): Promise<string | undefined> =>
  textsOf(await events.page(after, dso, limit))?.join(",");

/** Copies them and gives their memory back. */
function textsOf(lent: LentTexts | undefined): readonly string[] | undefined {
  const texts = lent?.texts.map((bytes) => bytes.toString());
  lent?.release();
  return texts;
}

async function samePages(events: PrintedTexts, log: Log): Promise<void> {
  for (const [after, limit] of [
    [0, 1],
    [0, 7],
    [1, 2],
    [2, 2],
    [3, 1_000],
    [50, 40],
    [log.end - 1, 5],
    [log.end, 5],
  ] as const)
    assert.equal(await page(events, after, limit), log.textsBehind(after, limit), `${limit} behind ${after}`);
}

test("printed texts: pages of any size are those of the log, across offsets without one, and each is printed once", async (t) => {
  const { log, folder, open } = printing(t),
    events = open();
  assert.equal(await page(events, 0, 10), "");
  log.end = 100;
  await samePages(events, log);
  assert.equal(log.printed, log.offsetsBehind(0).length);
  log.end = 130;
  assert.equal(await page(events, 90, 1_000), log.textsBehind(90, 1_000), "the newest too");
  assert.equal(log.printed, log.offsetsBehind(0).length);
  assert.deepEqual(readdirSync(folder).sort(), ["0.index", "0.text", "identity.json"]);
});

test("printed texts: another start of the node goes on with them, by itself and without printing them again", async (t) => {
  const { log, open } = printing(t),
    before = open();
  log.end = 40;
  await samePages(before, log);
  await before.close();
  assert.equal(await before.page(0, "dso", 5), undefined, "closed it answers nothing");
  log.printed = 0;
  log.end = 45;
  const events = open();
  await events.resume();
  for (let looks = 0; events.offset < log.end && looks < 200; looks++) await pause(20);
  assert.equal(events.offset, 45);
  const { printed } = log;
  assert.ok(
    printed < log.offsetsBehind(0).length + limits.scanPrintedStepOffsets,
    `${printed} were printed: the last few to compare them, and the new ones`,
  );
  await samePages(events, log);
  assert.equal(log.printed, printed);
});

test("printed texts: who asks for the newest gets it, also while more is printed at the same moment", async (t) => {
  const { log, open } = printing(t),
    events = open();
  for (let looks = 0; looks < 300; looks++) {
    const newest = (log.end += 2),
      asked = page(events, Math.max(0, newest - 3), 10);
    if (looks % 2 === 0) log.end++;
    assert.ok((await asked)!.includes(log.text(log.offsetsBehind(0, Infinity, newest).at(-1)!)), `behind ${newest - 3}`);
    if (looks % 3 === 0) await pause(1);
  }
});

test("printed texts: who asks while no more files can be opened does without them, and others have them afterwards", async (t) => {
  const { log, open } = printing(t),
    events = open();
  log.end = 30;
  await samePages(events, log);
  const refusing = t.mock.method(PrintedSegment.prototype, "read", () =>
    Promise.reject(Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" })),
  );
  for (const after of [0, 10, 20]) assert.equal(await page(events, after, 10), undefined);
  refusing.mock.restore();
  await samePages(events, log);
  assert.deepEqual(log.warnings, ["what Scan tells is printed for who asks: EMFILE: too many open files"]);
});

test("printed texts: a start that cannot open a file because many are open costs none of them", async (t) => {
  const { log, folder, open } = printing(t),
    before = open();
  log.end = 40;
  await samePages(before, log);
  await before.close();
  const files = readdirSync(folder);
  const refusal = (): Promise<never> => Promise.reject(Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" }));
  for (const refuse of [
    () => t.mock.method(fs, "readFile", refusal), // who it is of
    () => t.mock.method(fs, "readdir", refusal),
    () => t.mock.method(PrintedSegment, "open", refusal),
    () => t.mock.method(PrintedSegment.prototype, "read", refusal), // whether it is of this ledger
  ]) {
    const refusing = refuse();
    syncBuiltinESMExports();
    log.warnings.length = 0;
    const events = open();
    await events.resume();
    assert.equal(await page(events, 0, 10), undefined);
    assert.deepEqual(log.warnings, ["what Scan tells is printed for who asks: EMFILE: too many open files"]);
    refusing.mock.restore();
    syncBuiltinESMExports();
    assert.deepEqual(readdirSync(folder), files);
    log.printed = 0;
    await samePages(events, log);
    assert.ok(log.printed < log.offsetsBehind(0).length, "what was printed before is used");
    await events.close();
  }
});

test("printed texts: where another DSO's cannot be begun because many files are open, they are begun once files can be opened", async (t) => {
  const { log, open } = printing(t),
    events = open();
  log.end = 30;
  await samePages(events, log);
  const refusing = t.mock.method(fs, "mkdir", () =>
    Promise.reject(Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" })),
  );
  syncBuiltinESMExports();
  for (let times = 0; times < 2; times++) assert.equal(await page(events, 0, 10, "another"), undefined);
  refusing.mock.restore();
  syncBuiltinESMExports();
  assert.equal(await page(events, 0, 10, "another"), log.textsBehind(0, 10));
});

test("printed texts: nobody asked, nothing is printed", async (t) => {
  const { log, folder, open } = printing(t),
    events = open();
  log.end = 10;
  await events.resume();
  assert.deepEqual([existsSync(folder), events.offset, log.printed], [false, 0, 0]);
});

test("printed texts: another program, DSO or history, a file that is cut short or gone, and a byte that changed: all is printed anew", async (t) => {
  const { log, folder, open } = printing(t);
  log.end = 60;
  const restarted = async (change: () => void, version?: string): Promise<void> => {
    const before = open(version);
    await samePages(before, log);
    await before.close();
    change();
    log.printed = 0;
    const events = open(version);
    await page(events, 0, 5); // may find the damage
    await samePages(events, log);
    assert.ok(log.printed >= log.offsetsBehind(0).length, `${log.printed} were printed`);
    await events.close();
  };
  await restarted(() => {
    log.branch = "b";
  });
  await restarted(() => {
    log.end = 50;
  });
  await restarted(() => truncateSync(join(folder, "0.text"), 100));
  await restarted(() => writeFileSync(join(folder, "identity.json"), "{"));
  const flipBit = (name: string, at: number): void => {
    const file = join(folder, name),
      bytes = readFileSync(file);
    bytes[(at + bytes.length) % bytes.length]! ^= 1;
    writeFileSync(file, bytes);
  };
  for (const at of [5, -10, -5, -1]) await restarted(() => flipBit("0.index", at)); // of its first entry, and of its last
  await restarted(() => flipBit("0.text", 5));
  assert.match(log.warnings.join(), /the texts from byte 0 to \d+ of the segment of offset 0 are damaged/);
  const events = open("2");
  log.printed = 0;
  await samePages(events, log);
  assert.equal(log.printed, log.offsetsBehind(0).length);
  assert.equal(await page(events, 0, 5, "another"), log.textsBehind(0, 5));
  assert.equal(log.printed, 2 * log.offsetsBehind(0).length);
});

test("printed texts: what is pruned is gone from the files, and what is left is told", async (t) => {
  const { log, folder, open } = printing(t),
    events = open();
  log.end = 80;
  await samePages(events, log);
  log.pruned = 30;
  log.end = 90;
  assert.equal(await page(events, 30, 1_000), log.textsBehind(30, 1_000));
  assert.deepEqual(readdirSync(folder).sort(), ["30.index", "30.text", "identity.json"]);
  assert.equal(await events.page(20, "dso", 5), undefined);
});

test("printed texts: whoever closes waits for nothing that is printed, also where somebody asked for much of it", async (t) => {
  const { log, open } = printing(t),
    events = open();
  log.end = 3;
  assert.equal(await page(events, 0, 10), log.textsBehind(0, 10));
  let asked = 0;
  log.printing = async (wanted) => {
    asked++;
    await once(wanted, "abort");
    wanted.throwIfAborted();
  };
  log.end += 3 * limits.scanPrintedStepOffsets;
  const late = page(events, 0, 1_000);
  for (let looks = 0; asked === 0 && looks < 500; looks++) await pause(5);
  await events.close();
  assert.deepEqual([await late, asked, log.warnings], [undefined, 1, []]);
});

test("printed texts: who asks far behind what is printed is not kept waiting", async (t) => {
  const { log, open } = printing(t),
    events = open();
  log.end = 3 * limits.scanPrintedBehindMax;
  assert.equal(await events.page(log.end - 10, "dso", 5), undefined);
  for (let looks = 0; events.offset < log.end && looks < 500; looks++) await pause(20);
  assert.equal(await page(events, log.end - 10, 5), log.textsBehind(log.end - 10, 5));
});

test("printed texts: those of some offsets, near to each other and far apart, across segments, and not where one is not printed", async (t) => {
  const { log, open } = printing(t),
    events = open();
  log.end = 700;
  const at = async (offsets: readonly number[]): Promise<readonly string[] | undefined> =>
    (await events.at(offsets, "dso"))?.places.map(({ bytes, from, to }) => bytes.toString("utf8", from, to));
  assert.deepEqual(await at([]), []);
  for (const offsets of [[1, 2, 3, 4], [1, 100, 101, 400, 700], Array.from({ length: 700 }, (_, index) => index + 1)])
    assert.deepEqual(
      await at(offsets),
      offsets.map((offset) => (offset % 3 === 0 ? "" : log.text(offset))),
    );
  log.end = 720;
  assert.deepEqual(await at([719]), [log.text(719)]);
  log.pruned = 30;
  log.end = 730;
  assert.deepEqual(await at([40, 730]), [log.text(40), log.text(730)]);
  assert.equal(await at([30, 40]), undefined);
});

test("printed holdings: found by their nodes, told by their contract or as the event that created them", () => {
  const id = "1220".padEnd(68, "a"),
    holdings = [
      { nodeId: 0, holder: "alice::1", json: `{"created_in_update_id":"${id}","contract_id":"00"}` },
      { nodeId: 7, holder: "bob::1", json: `{"created_in_update_id":"${id}","note":"ü"}` },
    ];
  const printed = new GrowingBytes();
  printed.text("before");
  for (const holding of holdings) writeHolding(printed, holding);
  const bytes = printed.view(),
    text = { bytes, from: "before".length, to: bytes.length },
    many = Array.from({ length: 20 }, (_, index) => `carol::${index}`);
  for (const { nodeId, holder, json } of holdings) {
    const found = findHolding(text, nodeId)!,
      out = new GrowingBytes();
    assert.deepEqual(bytes.toString("utf8", found.from, found.to), json);
    for (const [names, isAmong] of [
      [[holder], true],
      [["alice::2", "bob::2", "bo", `${holder}1`], false],
      [[...many, holder], true],
      [many, false],
    ] as const)
      assert.equal(new Holders(new Set(names)).has(found), isAmong, `${holder} among ${names.length}`);
    writeAsEvent(out, nodeId, found);
    const { created_in_update_id: _, ...rest } = JSON.parse(json) as Record<string, string>;
    assert.deepEqual(JSON.parse(out.view().toString()), { event_type: "created_event", event_id: `#${id}:${nodeId}`, ...rest });
  }
  assert.deepEqual([findHolding(text, 3), findHolding({ bytes, from: 6, to: 6 }, 0)], [undefined, undefined]);
});

const entryBytes = 12;

test("segments of printed texts: a bit that changed in a text or in the index is noticed by who reads what it is of", async () => {
  const path = temporaryFolder(),
    texts = ["one", undefined, "three", "four", undefined, "six"].map((text) => text && Buffer.from(text));
  const written = await PrintedSegment.create(path, 10);
  await written.append(texts as (Buffer | undefined)[]);
  await written.close();
  const reopened = async (): Promise<PrintedSegment> => {
    const segment = await PrintedSegment.open(path, 10);
    if (segment === undefined) throw new PrintedDamaged("whoever opens it notices");
    return segment;
  };
  for (const file of ["10.text", "10.index"].map((name) => join(path, name))) {
    const bytes = readFileSync(file);
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(file, changed);
      const read = async (): Promise<void> => {
        const segment = await reopened();
        try {
          segment.readAt([11, 13, 14, 16], []);
        } finally {
          await segment.close();
        }
      };
      await assert.rejects(read, PrintedDamaged, `bit ${bit} of ${file}`);
      await assert.rejects(async () => (await reopened()).read(10, 9), PrintedDamaged, `bit ${bit} of ${file}`);
    }
    writeFileSync(file, bytes);
  }
});

test("segments of printed texts: read behind any offset, also by who opens them, and never with a text that was not written", async () => {
  const path = temporaryFolder(),
    texts = ["one", undefined, "three", undefined, undefined, "six"].map((text) => text && Buffer.from(text));
  const written = await PrintedSegment.create(path, 10);
  await written.append(texts.slice(0, 2) as (Buffer | undefined)[]);
  await written.append(texts.slice(2) as (Buffer | undefined)[]);
  const opened = (await PrintedSegment.open(path, 10))!;
  for (const segment of [written, opened]) {
    assert.deepEqual([segment.begin, segment.end, segment.bytes], [10, 16, "one,three,six,".length]);
    for (const [after, max, expected, last] of [
      [10, 9, "one,three,six", 16],
      [10, 1, "one", 11],
      [11, 1, "three", 13],
      [11, 2, "three,six", 16],
      [13, 9, "six", 16],
      [16, 9, "", 16],
    ] as const) {
      const run = await segment.read(after, max);
      assert.deepEqual([run.bytes.toString(), run.last], [expected, last], `${max} behind ${after}`);
    }
  }
  await opened.append([Buffer.from("seven")]);
  assert.equal((await opened.read(13, 9)).bytes.toString(), "six,seven");
  await written.close();
  await opened.close();
  truncateSync(join(path, "10.index"), 7 * entryBytes - 3);
  assert.equal((await PrintedSegment.open(path, 10))!.end, 16, "half an entry is none");
  writeFileSync(join(path, "10.text"), "one,threE,six,");
  await assert.rejects((await PrintedSegment.open(path, 10))!.read(10, 9), PrintedDamaged);
  truncateSync(join(path, "10.text"), 3);
  assert.equal(await PrintedSegment.open(path, 10), undefined);
  assert.equal(await PrintedSegment.open(path, 11), undefined);
});

test("printed texts: who reads while their beginning is removed gets all of them or none, and they go on", async (t) => {
  const folder = join(temporaryFolder(), "h"),
    text = Buffer.from("x".repeat(8_000)),
    warnings: string[] = [];
  let end = 2_000,
    pruned = 0,
    wake = (): void => undefined;
  const events = new PrintedTexts({
    folder,
    version: "1",
    warn: (message) => warnings.push(message),
    turns: new Turns(limits.turnMs),
    ledger: {
      participantId: "p::1",
      synchronizerId: "s::1",
      ledgerEnd: () => end,
      prunedOffsets: () => ({ participantPrunedUpToInclusive: pruned, allDivulgedContractsPrunedUpToInclusive: pruned }),
      waitBehind: (_, __, signal) =>
        new Promise((resolve) => {
          wake = () => resolve(undefined);
          signal.addEventListener("abort", () => resolve(undefined));
        }),
    },
    print: async ({ after, to }) => ok(Array.from({ length: to - after }, (_, index) => ({ offset: after + 1 + index, text }))),
  });
  t.after(() => events.close());
  const offsets = (): number[] => Array.from({ length: end - pruned }, (_, index) => pruned + 1 + index);
  const read = async (): Promise<number | undefined> => {
    const lent = await events.at(offsets(), "everybody");
    lent?.release();
    return lent?.places.length;
  };
  while ((await read()) === undefined) await pause(1);
  for (let round = 0; round < 30; round++) {
    const asked = end - pruned,
      reads = [read(), read(), read()];
    await pause(round % 4);
    pruned += 10;
    end += 10;
    wake();
    for (const places of await Promise.all(reads)) assert.ok(places === undefined || places === asked, `${places} of ${asked}`);
  }
  assert.deepEqual(warnings, []);
  let last: number | undefined;
  for (let tries = 0; tries < 1_000 && last === undefined; tries++) {
    last = await read();
    await pause(5);
  }
  assert.equal(last, 2_000, "they are printed again");
});
