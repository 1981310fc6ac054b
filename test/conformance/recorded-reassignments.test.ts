/**
 * Plays the 292 recorded requests about two synchronizers and three participants against three doors of one process, and holds the
 * answers against the reference's: status, codes and categories of errors, all of what is answered otherwise, but for ids, offsets
 * and times. What differs is listed with its reason, and nothing else may. The last ones wait for a minute to pass and are only
 * played with LEDGERLINE_RECORDED=1; with 0 nothing is.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { text } from "../support/knobs.js";
import { startNodeProcess } from "../support/node-process.js";
import { repositoryRoot } from "../support/paths.js";

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

const userIdReason = "without tokens a missing user id is named as a missing field, not as a token";
/** Ours carry more transactions in a window of offsets, as offsets have no gaps: what the reference has comes first. */
const windows = /^(ws-updates|updates-(both|only|reassignments|flats|trees))/;
/** By the name of the exchange. */
const reasons: Readonly<Record<string, string>> = {
  "no-user-id": userIdReason,
  "missing-commands": userIdReason,
  "missing-fields": userIdReason,
  "async-missing": userIdReason,
  "vetting-update-2-dry": "the reference's node has packages of its own",
  "acs-end":
    "the reference tells of a contract that a command named twice by the second event, and of one unassignment by a template that is not its contract's",
  "completions-all": "one command more was accepted, see versions-create-new-field-free",
  "versions-create-new-field-free": "a command that names no synchronizer is read with the packages of the one where it runs",
};
/** Every participant that sees both ends assigns what nobody did: for whom it is done is up to which of them comes first. */
const submittedByChance = new Set(["automatic-assign-result"]),
  submitter = /"submitter":"[^"]*"/g;
/** They need the minute of exclusivity to be over. */
const late = /^(automatic-assign-result|.*-late-.*|late-.*|assign-by-signatory-after-exclusivity)$/;

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
}

/** Of an error what a program goes by. */
function core({ response: { status, body, frames } }: Exchange): unknown {
  if (status >= 400 && typeof body === "object") {
    const { code, errorCategory, grpcCodeValue, retryInfo } = body as WireError;
    return { status, code, errorCategory, grpcCodeValue, isRetried: retryInfo != null };
  }
  return { status, body: comparable(frames ?? body) };
}

function isEqual(name: string, expected: Exchange, actual: Exchange): boolean {
  const [wanted, got] = [expected, actual].map(({ response: { body, frames } }) => frames ?? body);
  if (!windows.test(name) || !Array.isArray(wanted) || !Array.isArray(got))
    return textOf(name, core(expected)) === textOf(name, core(actual));
  const longer = withoutCheckpoints(got),
    part = withoutCheckpoints(wanted),
    same = name.endsWith("descending") ? longer.slice(-part.length) : longer.slice(0, part.length);
  return JSON.stringify(comparable(same)) === JSON.stringify(comparable(part));
}

const textOf = (name: string, answer: unknown): string =>
  submittedByChance.has(name) ? JSON.stringify(answer).replace(submitter, "") : JSON.stringify(answer);

test(
  "recorded reassignments: three participants on two synchronizers answer like the reference's",
  { skip, timeout: 300_000 },
  async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-reassignments-")),
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
    const different = played.filter((name) => !actual.has(name) || !isEqual(name, expected.get(name)!, actual.get(name)!));
    context.diagnostic(
      `${played.length} answers: ${played.length - different.length} equal, ${different.length} with a reason; ${expected.size - played.length} wait for a minute and were left out`,
    );
    for (const name of different)
      if (reasons[name] === undefined)
        context.diagnostic(
          `${name}: ${JSON.stringify(core(expected.get(name)!)).slice(0, 1500)}\n   ${actual.has(name) ? JSON.stringify(core(actual.get(name)!)).slice(0, 1500) : "missing"}`,
        );
    assert.deepEqual(
      different.filter((name) => reasons[name] === undefined),
      [],
      "nothing differs without a reason",
    );
    assert.deepEqual(
      Object.keys(reasons).filter((name) => !different.includes(name)),
      [],
      "no reason is needless",
    );
  },
);
