/** Bodies that engine threads read: they come to what the API makes of them, or are left to it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readPlainSubmission } from "../../src/api/ledger/plain-submissions.js";
import { commandOperations } from "../../src/api/ledger/commands.js";
import { submissionOf } from "../../src/api/ledger/submissions.js";
import { Turns } from "../../src/base/turns.js";
import { Random } from "../support/random.js";

const command = { CreateCommand: { templateId: "#p:M:T", createArguments: { owner: "alice", ä: [1, null, '\\" \n'] } } };
const exercise = { ExerciseCommand: { templateId: "#p:M:T", contractId: "00ab", choice: "C", choiceArgument: {} } };
const least = { commands: [command], commandId: "c", actAs: ["alice"] };
const caller = { userId: undefined, identityProviderId: "", rights: undefined } as never,
  trace = { traceId: "", context: { traceparent: null, tracestate: null } };

const bytesOf = (body: unknown): Uint8Array => Buffer.from(typeof body === "string" ? body : JSON.stringify(body));

async function readByApi(body: unknown, wrapped: boolean) {
  const operation = wrapped ? commandOperations.submitAndWaitForTransaction : commandOperations.submitAndWait;
  const decoded = await operation.body.decode(bytesOf(body), new Turns(10));
  if (decoded.error !== undefined) return undefined;
  const { value, apart } = decoded.ok;
  const submission = submissionOf(
    "commands" in value && !Array.isArray(value.commands) ? (value.commands as never) : (value as never),
    apart,
    caller,
    trace,
  );
  return submission.error === undefined ? submission.ok : undefined;
}

/** Who names none gets one. */
const isMadeUp = (submissionId: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(submissionId);

async function isTheSame(body: unknown, wrapped = false): Promise<boolean> {
  const plain = readPlainSubmission(bytesOf(body));
  if (plain === undefined) return false;
  assert.equal(plain.beside !== "", wrapped, "the form is told");
  const read = await readByApi(body, wrapped);
  assert.ok(read, `what the API refuses is not plain: ${JSON.stringify(body)}`);
  const { commands, submissionId, beside: _, ...same } = plain;
  assert.deepEqual(commands, JSON.parse(read.commands));
  assert.equal(submissionId, isMadeUp(read.submissionId) ? "" : read.submissionId);
  for (const [name, value] of Object.entries(same)) assert.deepEqual(value, read[name as keyof typeof read], name);
  assert.deepEqual(
    [read.disclosedContracts, read.minLedgerTimeAbs, read.minLedgerTimeRel, read.synchronizerId, read.packageIdSelectionPreference],
    [[], undefined, undefined, "", []],
  );
  return true;
}

describe("plain submissions", () => {
  it("are those that say what each has to", async () => {
    const full = {
      userId: "u",
      submissionId: "s",
      workflowId: "w",
      readAs: ["bob"],
      deduplicationPeriod: { Empty: {} },
      synchronizerId: "",
    };
    const nothing = {
      disclosedContracts: [],
      prefetchContractKeys: [],
      packageIdSelectionPreference: [],
      userId: null,
      minLedgerTimeAbs: null,
    };
    const period = { deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 5 } } } };
    for (const more of [{}, full, nothing, period, { commands: [command, exercise] }]) {
      const body = { ...least, ...more };
      assert.ok(await isTheSame(body), JSON.stringify(body));
      for (const format of [{}, { transactionFormat: null }, { transactionFormat: transactionFormat }])
        assert.ok(await isTheSame({ commands: body, ...format }, true));
    }
  });

  it("are not those that say more, or are wrong", () => {
    for (const more of [
      { minLedgerTimeAbs: "2026-01-01T00:00:00Z" },
      { minLedgerTimeRel: { seconds: 1 } },
      { synchronizerId: "s::1220" },
      { packageIdSelectionPreference: ["p"] },
      { disclosedContracts: [{ createdEventBlob: "" }] },
      { prefetchContractKeys: [{}] },
      { tapsMaxPasses: 1 },
      { deduplicationPeriod: { DeduplicationOffset: { value: 3 } } },
      { deduplicationPeriod: { DeduplicationDuration: { value: { seconds: -1 } } } },
      { deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 100_000_000_000 } } } },
      { commands: [{ CreateCommand: { templateId: "T" } }] },
      { commands: [{ Other: {} }] },
      { commands: {} },
      { commandId: 1 },
      { actAs: "alice" },
    ])
      assert.equal(readPlainSubmission(bytesOf({ ...least, ...more })), undefined, JSON.stringify(more));
    for (const body of ["", "{", "[]", "null", '"x"', "{}", '{"commands":[]}'])
      assert.equal(readPlainSubmission(bytesOf(body)), undefined, body);
    assert.equal(readPlainSubmission(bytesOf({ commands: least, transactionFormat: { eventFormat: 3 } })), undefined);
  });

  it("whatever is done to a body, it is read as the API reads it or not at all", async () => {
    const random = new Random(20261123),
      pieces = [
        '"',
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\\",
        "\\u12",
        "null",
        '"commands":[],',
        '"actAs":[],',
        "1e400",
        "\xff",
        "0".repeat(60),
        "ä",
      ];
    const bodies = [
      JSON.stringify(least),
      JSON.stringify({ commands: least, transactionFormat }),
      JSON.stringify({ ...least, userId: "u", readAs: [] }),
    ];
    let read = 0;
    for (let round = 0; round < 4_000; round++) {
      const original = random.one(bodies),
        at = random.below(original.length + 1),
        to = random.chance(0.6) ? at : Math.min(original.length, at + random.below(6));
      const body = original.slice(0, at) + (random.chance(0.8) ? random.one(pieces) : "") + original.slice(to);
      if (await isTheSame(body, original === bodies[1])) read++;
    }
    assert.ok(read > 40, `${read} were read`);
  });
});

const transactionFormat = {
  transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
  eventFormat: { filtersByParty: { alice: { cumulative: [] } }, verbose: false },
};
