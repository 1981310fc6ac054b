/**
 * Power that goes at any moment. What a node really wrote, synced and answered is recorded (`strace`); then its files, the ledger's and the
 * journal, are built as a disk could have them at any point of that: all that was synced before, of the rest any part, torn between
 * sectors. Each such ledger has to open, be sound, and hold every command that had been answered by then.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { verifyLedger } from "../../../src/ledger/index.js";
import { checkFile, dataFile, journalFile, openStore } from "../../../src/store/index.js";
import { createAsset, prepare } from "../../crash/load.js";
import { Random } from "../../support/random.js";
import { Client, tested } from "../../support/node-process.js";
import { CannotPlay, type Play, type Scenario } from "../scenario.js";

const fileNames = [dataFile, journalFile] as const;
type FileName = (typeof fileNames)[number];

/** In the order in which they were done. */
type Deed =
  | { readonly kind: "write"; readonly file: FileName; readonly at: number; readonly bytes: Buffer; readonly isSynchronous: boolean }
  | { readonly kind: "truncate"; readonly file: FileName; readonly bytes: number }
  | { readonly kind: "sync"; readonly file: FileName }
  /** The offsets of commands that were acknowledged. */
  | { readonly kind: "answer"; readonly offsets: readonly number[] };

const commands = 120,
  lanes = 4,
  sectorBytes = 512,
  traced = "openat,lseek,pwrite64,write,writev,pwritev,fdatasync,fsync,ftruncate,sendto,sendmsg";

/** Runs a node under `strace` and writes to it. */
async function record(folder: string): Promise<readonly Deed[]> {
  const data = join(folder, "data"),
    trace = join(folder, "trace");
  if (spawnSync("strace", ["-o", "/dev/null", "true"]).status !== 0) throw new CannotPlay("no strace can be run here");
  const program = [tested.file, ...tested.args, "start", "--port", "0", "--log-level", "warn", "--workers", "1", "--data", data];
  const child = spawn(
    "strace",
    ["-f", "-y", "-xx", "-s", "8388608", "-e", `trace=${traced}`, "-e", "signal=none", "-o", trace, ...program],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const exited = once(child, "exit"),
    [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const client = new Client(Number(/:(\d+)$/.exec(line)![1]), lanes),
    party = await prepare(client);
  for (let command = 0; command < commands; command += lanes) {
    const replies = await Promise.all(Array.from({ length: lanes }, (_, lane) => createAsset(client, party, `power-${command + lane}`)));
    for (const { status, text } of replies) assert.equal(status, 200, text);
  }
  const { offset } = (await client.get("/v2/state/ledger-end")).json() as { offset: number };
  assert.equal((await client.post("/admin/prune", { pruneUpTo: offset >> 1 })).status, 200);
  client.close();
  process.kill(nodeBelow(child.pid!), "SIGTERM");
  await exited;
  return deedsOf(readFileSync(trace, "latin1"));
}

/** The process that `strace` runs. */
const nodeBelow = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]);

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll("\\x", ""), "hex");
const strings = (text: string): Buffer[] => [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => bytesOf(hex!));

function deedsOf(trace: string): Deed[] {
  const deeds: Deed[] = [],
    begun = new Map<string, string>(),
    positions = new Map<string, number>(),
    synchronous = new Set<string>();
  for (const line of trace.split("\n")) {
    const [, thread = "", text = ""] = /^(\d+)\s+(.*)$/s.exec(line) ?? [];
    if (text.endsWith("<unfinished ...>")) {
      begun.set(thread, text.slice(0, -"<unfinished ...>".length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(text),
      call = resumed ? `${begun.get(thread) ?? ""}${resumed[1]}` : text;
    const deed = deedOf(call, positions, synchronous);
    if (deed !== undefined) deeds.push(deed);
  }
  return deeds;
}

const calls = /^(\w+)\((?:(\d+)<([^>]*)>)?(.*)\) += (-?\d+)/s;

function deedOf(call: string, positions: Map<string, number>, synchronous: Set<string>): Deed | undefined {
  const [, name, descriptor = "", shownPath = "", rest = "", result = ""] = calls.exec(call) ?? [];
  if (name === "openat") {
    const opened = /= (\d+)</.exec(call)?.[1];
    if (opened !== undefined) {
      positions.set(opened, 0);
      if (call.includes("O_DSYNC")) synchronous.add(opened);
      else synchronous.delete(opened);
    }
    return undefined;
  }
  const path = /^(?:\\x)/.test(shownPath) ? bytesOf(shownPath).toString() : shownPath;
  if (name === "sendto" || name === "sendmsg" || (path.startsWith("socket") && (name === "write" || name === "writev"))) {
    const offsets = [
      ...Buffer.concat(strings(rest))
        .toString("latin1")
        .matchAll(/"completionOffset":(\d+)/g),
    ].map(([, offset]) => Number(offset));
    return offsets.length > 0 ? { kind: "answer", offsets } : undefined;
  }
  const file = fileNames.find((known) => path.endsWith(`/${known}`));
  if (file === undefined || Number(result) < 0) return undefined;
  const isSynchronous = synchronous.has(descriptor);
  switch (name) {
    case "lseek":
      positions.set(descriptor, Number(result));
      return undefined;
    case "pwrite64":
    case "pwritev": {
      const bytes = Buffer.concat(strings(rest)).subarray(0, Number(result));
      return { kind: "write", file, at: Number(/, (\d+)\s*$/.exec(rest)![1]), bytes, isSynchronous };
    }
    case "write":
    case "writev": {
      const at = positions.get(descriptor) ?? 0,
        bytes = Buffer.concat(strings(rest)).subarray(0, Number(result));
      positions.set(descriptor, at + bytes.length);
      return { kind: "write", file, at, bytes, isSynchronous };
    }
    case "ftruncate":
      return { kind: "truncate", file, bytes: Number(/, (\d+)\s*$/.exec(rest)![1]) };
    case "fdatasync":
    case "fsync":
      return { kind: "sync", file };
    default:
      return undefined;
  }
}

class Disk {
  #bytes = Buffer.alloc(0);
  get bytes(): Buffer {
    return this.#bytes;
  }
  write(at: number, bytes: Uint8Array): void {
    if (at + bytes.length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(at + bytes.length - this.#bytes.length)]);
    this.#bytes.set(bytes, at);
  }
  truncate(bytes: number): void {
    this.#bytes =
      bytes <= this.#bytes.length ? this.#bytes.subarray(0, bytes) : Buffer.concat([this.#bytes, Buffer.alloc(bytes - this.#bytes.length)]);
  }
  apply(deed: Deed): void {
    if (deed.kind === "write") this.write(deed.at, deed.bytes);
    if (deed.kind === "truncate") this.truncate(deed.bytes);
  }
}

/** A file as a disk could have it when the power goes before deed `end`. */
function diskAt(deeds: readonly Deed[], end: number, file: FileName, random: Random): Buffer {
  const lastSync = deeds.slice(0, end).findLastIndex((deed) => deed.kind === "sync" && deed.file === file),
    disk = new Disk();
  for (const [index, deed] of deeds.slice(0, end).entries()) {
    if (deed.kind === "answer" || deed.file !== file) continue;
    const isDurable = index < lastSync || (deed.kind === "write" && deed.isSynchronous);
    if (isDurable || deed.kind !== "write") disk.apply(deed);
    else if (random.chance(0.6)) for (const [at, sector] of sectorsOf(deed)) if (random.chance(0.8)) disk.write(at, sector);
  }
  // That which was on its way when it happened, in part.
  const torn = deeds[end];
  if (torn?.kind === "write" && torn.file === file)
    for (const [at, sector] of sectorsOf(torn)) if (random.chance(0.5)) disk.write(at, sector);
  return disk.bytes;
}

/** What a disk writes at once. */
function* sectorsOf({ at, bytes }: Extract<Deed, { kind: "write" }>): Generator<readonly [at: number, sector: Buffer]> {
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + sectorBytes - ((at + from) % sectorBytes));
    yield [at + from, bytes.subarray(from, to)];
    from = to;
  }
}

async function open(play: Play, deeds: readonly Deed[], folder: string, seed: number): Promise<void> {
  const random = new Random(seed),
    firstAnswer = deeds.findIndex(({ kind }) => kind === "answer");
  const end = random.chance(0.1) ? random.below(deeds.length) : firstAnswer + random.below(deeds.length - firstAnswer);
  const acknowledged = Math.max(0, ...deeds.slice(0, end).flatMap((deed) => (deed.kind === "answer" ? deed.offsets : [])));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const bytes = diskAt(deeds, end, dataFile, random),
    journal = diskAt(deeds, end, journalFile, random);
  writeFileSync(join(folder, dataFile), bytes, { mode: 0o600 });
  if (journal.length > 0) writeFileSync(join(folder, journalFile), journal, { mode: 0o600 });
  const checked = bytes.length === 0 ? undefined : checkFile(folder)?.error?.text;
  if (checked !== undefined && acknowledged === 0) return play.count("not there yet, and told"); // the file was just being made
  assert.equal(checked, undefined, `before deed ${end}, a ${deeds[end]?.kind}`);
  const inFile = acknowledged > 0 ? await endOf(folder, true) : 0,
    found = await endOf(folder, false);
  assert.ok(found >= acknowledged, `up to ${acknowledged} was acknowledged before deed ${end}, but the ledger ends at ${found}`);
  if (inFile < acknowledged) play.count("opened with what the journal had");
  const { sound, text } = await verifyLedger(folder);
  assert.ok(sound, text);
  play.count("opened");
  play.most("bytes of the file", bytes.length);
}

async function endOf(folder: string, readOnly: boolean): Promise<number> {
  const store = await openStore({ folder, readOnly });
  try {
    return store.tables.completions.keys({ start: 2 ** 48 - 1, end: 0, limit: 1, reverse: true })[0] ?? 0;
  } finally {
    await store.close();
  }
}

export const powerLoss: Scenario = {
  name: "power-loss",
  unit: "states of the disk",
  sizes: { test: 20, ci: 300, night: 50_000 },
  holds: "whatever a disk has of what was written when the power goes, the file opens, is sound, and has all that was acknowledged",
  async run(play) {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-power-"));
    play.after(() => rmSync(folder, { recursive: true, force: true }));
    const deeds = await record(folder),
      answers = deeds.flatMap((deed) => (deed.kind === "answer" ? deed.offsets : []));
    assert.equal(answers.length, commands, "each answer is in the trace");
    play.count("writes", deeds.filter(({ kind }) => kind === "write").length);
    play.count("syncs", deeds.filter(({ kind }) => kind === "sync").length);
    await play.cases((seed) => open(play, deeds, join(folder, "state"), seed));
  },
};
