/**
 * Plays the 292 recorded requests about two synchronizers and three participants against three doors of one process, and holds the
 * answers against the reference's: status, codes, categories and entries of errors, all of what is answered otherwise, but for ids, offsets
 * and times. What of the recorded answers is left out is listed with its reason, and nothing else may differ. The last ones wait for
 * a minute to pass and are only played with LEDGERLINE_RECORDED=1; with 0 nothing is.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { text } from "../support/knobs.js";
import { startNodeProcess } from "../support/node-process.js";
import { repositoryRoot } from "../support/paths.js";
import { packagesOfTheReference } from "./recorded-exceptions.js";
import { temporaryFolder } from "../support/folders.js";

const golden = join(repositoryRoot(), "../shared/golden");
const skip = !existsSync(join(golden, "reassign"))
  ? "the recorded answers are not beside the repository"
  : text("LEDGERLINE_RECORDED") === "0"
    ? "switched off by LEDGERLINE_RECORDED=0"
    : false;
const isWhole = text("LEDGERLINE_RECORDED") === "1",
  automaticMs = isWhole ? 75_000 : 1;

interface Exchange {
  readonly name: string;
  readonly response: { readonly status: number; readonly body?: unknown; readonly frames?: unknown };
}

/** Ours carry more transactions in a window of offsets, as offsets have no gaps: what the reference has comes first. */
const windows = /^(ws-updates|updates-(both|only|reassignments|flats|trees))/;
/** A part of a recorded answer that is not held against ours; the rest of the answer is. */
interface Exception {
  readonly why: string;
  /** Leaves that part out of both, by what was recorded. */
  without(recorded: unknown, ours: unknown): readonly [recorded: unknown, ours: unknown];
}
/** Of an error all but its code, and what follows from that. */
const withoutUserId: Exception = {
  why: "without tokens a missing user id is named as a missing field, not as a token",
  without: (recorded, ours) => {
    assert.deepEqual([codeOf(recorded), codeOf(ours)], ["INVALID_TOKEN", "MISSING_FIELD"]);
    return [
      { ...(recorded as object), code: undefined },
      { ...withoutEntries(ours, "field_name"), code: undefined },
    ];
  },
};
const withoutEntries = (error: unknown, ...names: readonly string[]): object => {
  const { context = {} } = error as WireError;
  return { ...(error as object), context: Object.fromEntries(Object.entries(context).filter(([name]) => !names.includes(name))) };
};
const codeOf = (error: unknown): unknown => (error as WireError).code;

/** By the name of the exchange. */
const exceptions: Readonly<Record<string, Exception>> = {
  "no-user-id": withoutUserId,
  "missing-commands": withoutUserId,
  "missing-fields": withoutUserId,
  "async-missing": withoutUserId,
  "assign-by-signatory-after-observer": {
    why: "here a participant alone finds what a reassignment is refused for, and does not say who it was in the name of",
    without: (recorded, ours) => [withoutEntries(recorded, "confirming_parties", "reported_by_participant_id"), ours],
  },
  "vetting-update-2-dry": {
    why: "the reference's node has vetted three packages of its own; packages are a set",
    without: (recorded, ours) => [vettedPackages(recorded), vettedPackages(ours)],
  },
  "acs-end": {
    why: "the reference joins contracts on their way with unassignments by their places in two lists, which differ behind a contract that a command named twice: these entries tell of the unassignment of another contract",
    without: withoutStrangeUnassignments,
  },
  "completions-all": {
    why: "which of several participants assigns what nobody did is up to chance, and it alone tells of that; in the record another one did so once, and a completion tells that this one failed",
    without: (recorded, ours) => [withoutAttempts(recorded), withoutAttempts(ours)],
  },
};

interface Completed {
  readonly completionResponse: { readonly Completion?: { readonly value: { readonly submissionId: string } } };
}
/** Nobody submitted what a participant tried by itself. */
const withoutAttempts = (completions: unknown): unknown =>
  (completions as readonly Completed[]).filter(({ completionResponse }) => completionResponse.Completion?.value.submissionId !== "");

type Vetted = Readonly<Record<string, { readonly packages: readonly { readonly packageId: string }[] }>>;
const vettedPackages = (answer: unknown): unknown =>
  Object.entries(answer as Vetted).map(([key, value]) => [
    key,
    {
      ...value,
      packages: value.packages
        .filter(({ packageId }) => !packagesOfTheReference.includes(packageId))
        .sort((a, b) => (a.packageId < b.packageId ? -1 : 1)),
    },
  ]);

interface OnItsWay {
  readonly createdEvent: { readonly contractId: string };
  readonly unassignedEvent: { readonly contractId: string };
}
interface AcsEntry {
  readonly contractEntry: { readonly JsIncompleteUnassigned?: OnItsWay };
}
const isStrange = ({ contractEntry: { JsIncompleteUnassigned: entry } }: AcsEntry): boolean =>
  entry !== undefined && entry.createdEvent.contractId !== entry.unassignedEvent.contractId;
/** Of entries that were recorded with the unassignment of another contract, the contract is compared; ours are never such. */
function withoutStrangeUnassignments(recorded: unknown, ours: unknown): readonly [unknown, unknown] {
  assert.deepEqual((ours as readonly AcsEntry[]).filter(isStrange), []);
  const strange = (recorded as readonly AcsEntry[]).map(isStrange);
  return [recorded, ours].map((entries) =>
    (entries as readonly AcsEntry[]).map((entry, index) =>
      strange[index] === true ? { ...entry.contractEntry.JsIncompleteUnassigned, unassignedEvent: undefined } : entry,
    ),
  ) as [unknown, unknown];
}
const withBody = (exchange: Exchange, body: unknown): Exchange => ({ ...exchange, response: { ...exchange.response, body } });

/** Equal, but for what the exception leaves out. */
function isExcused(name: string, expected: Exchange, actual: Exchange): boolean {
  const [recorded, ours] = exceptions[name]!.without(expected.response.body, actual.response.body);
  return isEqual(name, withBody(expected, recorded), withBody(actual, ours));
}
/** Every participant that sees both ends assigns what nobody did: for whom it is done is up to which of them comes first. */
const submittedByChance = new Set(["automatic-assign-result"]),
  submitter = /"(submitter|commandId|paidTrafficCost)":("[^"]*"|null|0)/g;
const withoutSubmitter = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer).replace(submitter, '"$1":""'));
/** They need the minute of exclusivity to be over, or tell of those that do. */
const late = /^(automatic-assign-result|.*-late-.*|late-.*|assign-by-signatory-after-exclusivity|completions-all)$/;

const readAll = (folder: string): Map<string, Exchange> =>
  new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .sort()
      .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Exchange)
      .map((exchange) => [exchange.name, exchange]),
  );

const offsetKeys = /^(offset|activeAtOffset|lowestPageOffsetExclusive|highestPageOffsetInclusive|topologySerial|resourceVersion)$/;
const opaqueKeys =
  /^(traceContext|streamContinuationToken|nextPageToken|createdEventBlob|preparedTransaction|preparedTransactionHash|contractKeyHash|topologyTransactions|multiHash|costEstimation|updateId|submissionId)$/;
const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
  hashes = /[0-9a-f]{64,}/g;

const withoutCheckpoints = (elements: readonly unknown[]): readonly unknown[] =>
  elements.filter((element) => !JSON.stringify(element).includes(`"OffsetCheckpoint"`));

/** With names for what differs from run to run, in the order in which an exchange has them. */
function comparable(value: unknown): unknown {
  const names = new Map<string, string>();
  const named = (id: string): string => {
    if (!names.has(id)) names.set(id, `<${names.size}>`);
    return names.get(id)!;
  };
  const visit = (one: unknown, key: string): unknown => {
    if (opaqueKeys.test(key)) return one === null || one === "" ? one : "opaque";
    if (offsetKeys.test(key)) return "offset";
    if (typeof one === "string") return one.replace(times, "time").replace(hashes, named);
    if (Array.isArray(one)) return withoutCheckpoints(one).map((element) => visit(element, ""));
    if (typeof one !== "object" || one === null) return one;
    // The rest is prose.
    if (key === "status" && (one as { readonly code?: number }).code !== 0) return (one as { readonly code?: number }).code;
    return Object.fromEntries(
      Object.entries(one)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, inner]) => [name, visit(inner, name)]),
    );
  };
  return visit(value, "");
}

interface WireError {
  readonly code?: unknown;
  readonly errorCategory?: unknown;
  readonly grpcCodeValue?: unknown;
  readonly retryInfo?: unknown;
  readonly traceId?: unknown;
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Of an error what a program goes by, and which entries its context has: those tell who made it, and of which request. */
function core({ name, response: { status, body, frames } }: Exchange): unknown {
  if (status >= 400 && typeof body === "object") {
    const { code, errorCategory, grpcCodeValue, retryInfo, traceId, context = {} } = body as WireError;
    return {
      status,
      code,
      errorCategory,
      grpcCodeValue,
      isRetried: retryInfo != null,
      isTraced: traceId != null,
      told: Object.keys(context).sort(),
    };
  }
  return { status, body: comparable(submittedByChance.has(name) ? withoutSubmitter(frames ?? body) : (frames ?? body)) };
}

function isEqual(name: string, expected: Exchange, actual: Exchange): boolean {
  const [wanted, got] = [expected, actual].map(({ response: { body, frames } }) => frames ?? body);
  if (!windows.test(name) || !Array.isArray(wanted) || !Array.isArray(got))
    return JSON.stringify(core(expected)) === JSON.stringify(core(actual));
  const longer = withoutCheckpoints(got),
    part = withoutCheckpoints(wanted),
    same = name.endsWith("descending") ? longer.slice(-part.length) : longer.slice(0, part.length);
  return JSON.stringify(comparable(same)) === JSON.stringify(comparable(part));
}

test(
  "recorded reassignments: three participants on two synchronizers answer like the reference's",
  { skip, timeout: 300_000 },
  async (context) => {
    const folder = temporaryFolder("reassignments"),
      out = join(folder, "out"),
      ports = join(folder, "ports");
    // The recorder looks for what is beside it; it takes `ws` from here.
    for (const part of ["auth", "canton"]) symlinkSync(join(golden, part), join(folder, part));
    mkdirSync(join(folder, "reassign"));
    writeFileSync(join(folder, "reassign", "reassign.mjs"), readFileSync(join(golden, "reassign", "reassign.mjs")));
    symlinkSync(join(repositoryRoot(), "node_modules"), join(folder, "node_modules"));
    const node = await startNodeProcess([
      "--memory",
      "--port-file",
      ports,
      "--participant-name",
      "sandbox",
      "--synchronizers",
      "synchronizer-1,synchronizer-2",
      "--participant",
      "pebblebox=0",
      "--participant",
      "sidebox=0@synchronizer-2",
    ]);
    try {
      const portOf = (name: string): string => new RegExp(`^${name}=(\\d+)$`, "m").exec(readFileSync(ports, "utf8"))![1]!;
      const run = readFileSync(join(golden, "reassign", "RUN"), "utf8").trim();
      const environment = {
        ...process.env,
        OUT: out,
        RUN: run,
        N1: String(node.port),
        N2: portOf("pebblebox"),
        N3: portOf("sidebox"),
        AUTO_MS: String(automaticMs),
      };
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ["--preserve-symlinks", "--preserve-symlinks-main", join(folder, "reassign", "reassign.mjs")],
        { cwd: join(folder, "reassign"), env: environment, encoding: "utf8", timeout: 280_000 },
      );
      assert.match(stdout, /recorded 292/, stderr);
    } finally {
      await node.stop();
    }
    const expected = readAll(join(golden, "reassign")),
      actual = readAll(out);
    rmSync(folder, { recursive: true });
    const played = [...expected.keys()].filter((name) => isWhole || !late.test(name));
    const different = played.filter((name) => !actual.has(name) || !isEqual(name, expected.get(name)!, actual.get(name)!)),
      unexcused = different.filter(
        (name) => exceptions[name] === undefined || !actual.has(name) || !isExcused(name, expected.get(name)!, actual.get(name)!),
      );
    context.diagnostic(
      `${played.length} answers: ${played.length - different.length} equal, ${different.length - unexcused.length} equal but for a part that is left out with a reason, ${unexcused.length} different; ${expected.size - played.length} wait for a minute and were left out`,
    );
    for (const name of unexcused)
      context.diagnostic(
        `${name}: ${JSON.stringify(core(expected.get(name)!)).slice(0, 1500)}\n   ${actual.has(name) ? JSON.stringify(core(actual.get(name)!)).slice(0, 1500) : "missing"}`,
      );
    assert.deepEqual(unexcused, [], "nothing differs without a reason");
    assert.deepEqual(
      Object.keys(exceptions).filter((name) => played.includes(name) && !different.includes(name)),
      [],
      "no exception is needless",
    );
  },
);
