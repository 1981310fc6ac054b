import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandSubmission } from "../../src/ledger/index.js";
import { areAside, failure, packageId, startLedger, submission, success } from "./support.js";

describe("submission fields", () => {
  it("each wrong field has its code, and nothing is recorded", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const end = ledger.ledgerEnd();
    const blob = { contractId: "", templateId: "", createdEventBlob: new Uint8Array(0), synchronizerId: "" };
    const byName = JSON.stringify([{ CreateCommand: { templateId: "#test-model:M:Asset", createArguments: {} } }]);
    const afterDaml = 253_402_300_800_000_000n;
    const cases: [Partial<CommandSubmission>, string, string?][] = [
      [{ actAs: [] }, "MISSING_FIELD", "act_as/actAs"],
      [{ commandId: "" }, "MISSING_FIELD", "command_id"],
      [{ commandCount: 0 }, "MISSING_FIELD", "commands"],
      [{ userId: "" }, "MISSING_FIELD", "user_id"],
      [{ userId: "bad user !" }, "INVALID_FIELD"],
      [{ commandId: "é" }, "INVALID_FIELD"],
      [{ commandId: "x".repeat(256) }, "INVALID_FIELD"],
      [{ submissionId: "é" }, "INVALID_FIELD"],
      [{ workflowId: "!" }, "INVALID_ARGUMENT"],
      [{ readAs: ["!"] }, "INVALID_ARGUMENT"],
      [{ actAs: ["!"], commandId: "" }, "INVALID_ARGUMENT"],
      [{ actAs: [alice, "!"], commandId: "" }, "MISSING_FIELD", "command_id"],
      [{ actAs: ["ghost::1220aa"] }, "UNKNOWN_SUBMITTERS"],
      [{ actAs: ["ghost::1220aa", alice], commands: byName }, "UNKNOWN_INFORMEES"],
      [{ actAs: ["ghost::1220aa"], commands: `[{"CreateCommand":{"templateId":"#name:M:T"}}]` }, "PACKAGE_NAMES_NOT_FOUND"],
      [{ synchronizerId: "bad" }, "INVALID_FIELD"],
      [{ synchronizerId: `other::1220${"ab".repeat(32)}` }, "INVALID_PRESCRIBED_SYNCHRONIZER_ID"],
      [{ minLedgerTimeAbs: 1n, minLedgerTimeRel: 1n }, "INVALID_ARGUMENT"],
      [{ minLedgerTimeRel: -1n }, "INVALID_FIELD"],
      [{ minLedgerTimeAbs: afterDaml }, "INVALID_ARGUMENT"],
      [{ minLedgerTimeRel: afterDaml }, "INVALID_ARGUMENT"],
      [{ minLedgerTimeRel: 10n ** 24n }, "INVALID_ARGUMENT"],
      [{ deduplication: { kind: "offset", offset: -1 } }, "NEGATIVE_OFFSET"],
      [{ deduplication: { kind: "duration", seconds: -1, nanos: 0 } }, "INVALID_FIELD"],
      // what stands beside a command is nobody's
      [{ commandId: "", commands: `[{"CreateCommand":{"templateId":"${packageId}:M:T"},"note":null}]` }, "MISSING_FIELD", "command_id"],
      // in many commands nobody looks for names of packages once another field is wrong
      [{ commandId: "", commands: `[{"CreateCommand":{"templateId":"#name:M:T"}}]` }, "PACKAGE_NAMES_NOT_FOUND"],
      [{ commandId: "", commands: `[{"CreateCommand":{"templateId":"#name:M:T"}}]`.padEnd(300_000) }, "MISSING_FIELD", "command_id"],
      [{ packageIdSelectionPreference: ["ab".repeat(32)], commands: byName }, "JSON_API_PACKAGE_SELECTION_FAILED"],
      [{ packageIdSelectionPreference: ["ab".repeat(32)] }, "INVALID_ARGUMENT"],
      [{ packageIdSelectionPreference: ["no id!"] }, "INVALID_ARGUMENT"],
      [{ packageIdSelectionPreference: [packageId, packageId] }, "INVALID_ARGUMENT"],
      [
        { packageIdSelectionPreference: [packageId, packageId], disclosedContracts: [blob] },
        "MISSING_FIELD",
        "DisclosedContract.createdEventBlob",
      ],
      [{ disclosedContracts: [blob] }, "MISSING_FIELD", "DisclosedContract.createdEventBlob"],
      [{ disclosedContracts: [{ ...blob, createdEventBlob: Buffer.from("x"), contractId: "zz" }] }, "INVALID_FIELD"],
      [{ disclosedContracts: [{ ...blob, createdEventBlob: Buffer.from("x"), templateId: "#name:M:T" }] }, "INVALID_FIELD"],
      [{ disclosedContracts: [{ ...blob, createdEventBlob: Buffer.from("x"), templateId: ":M:T" }] }, "MISSING_FIELD", "package_id"],
      [{ disclosedContracts: [{ ...blob, createdEventBlob: Buffer.from("x"), templateId: "::T" }] }, "INVALID_FIELD"],
      [{ selectionPassesMax: 0 }, "INVALID_ARGUMENT"],
      [{ selectionPassesMax: 0, disclosedContracts: [blob] }, "MISSING_FIELD", "DisclosedContract.createdEventBlob"],
    ];
    const unnamed = new Set([
      "UNKNOWN_SUBMITTERS",
      "UNKNOWN_INFORMEES",
      "INVALID_PRESCRIBED_SYNCHRONIZER_ID",
      "JSON_API_PACKAGE_SELECTION_FAILED",
      "PACKAGE_NAMES_NOT_FOUND",
    ]);
    for (const [change, code, field] of cases) {
      const error = failure(await ledger.submit(submission([alice], [{ create: "never", signatories: [alice] }], change)));
      assert.deepEqual([error.code, error.context["field_name"]], [code, field], JSON.stringify(Object.keys(change)));
      assert.equal(
        error.correlationId === undefined,
        unnamed.has(code)
          || field === "act_as/actAs"
          || field === "user_id"
          || change.actAs?.[0] === "!"
          || change.packageIdSelectionPreference?.[0] === "no id!",
        `${code} and its submission`,
      );
    }
    assert.equal(ledger.ledgerEnd(), end);
  });

  it("packages that commands name are looked for before what is wrong about other fields is told", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const named = (...packages: readonly string[]): string =>
      JSON.stringify(packages.map((name) => ({ CreateCommand: { templateId: `${name}:M:Asset`, createArguments: {} } })));
    const known = "#test-model",
      nowhere = `other::1220${"ab".repeat(32)}`,
      unknownId = "ab".repeat(32);
    const cases: [Partial<CommandSubmission>, string, RegExp?][] = [
      [{ commands: named(known), commandId: "" }, "MISSING_FIELD", /command_id/],
      [{ commands: named(known, "no id!"), commandId: "" }, "INVALID_ARGUMENT", /formats: .* Package ID "no id!"/],
      [{ commands: named("#nobody", "#no name!"), commandId: "" }, "INVALID_ARGUMENT", /formats: .* Package Name "no name!"/],
      [{ commands: named("#nobody", known, "#none"), commandId: "" }, "PACKAGE_NAMES_NOT_FOUND", /\[nobody, none\]/],
      [{ commands: named("#nobody"), userId: "bad user !" }, "PACKAGE_NAMES_NOT_FOUND"],
      [{ commands: named("#nobody"), synchronizerId: nowhere }, "PACKAGE_NAMES_NOT_FOUND"],
      [
        { commands: named("#nobody"), packageIdSelectionPreference: [unknownId] },
        "JSON_API_PACKAGE_SELECTION_FAILED",
        /^Package-id abababababab\.\.\. not/,
      ],
      [{ commands: named(known), synchronizerId: "bad", commandId: "" }, "INVALID_FIELD", /synchronizer_id/],
      [{ commands: named(known), synchronizerId: nowhere, commandId: "" }, "INVALID_PRESCRIBED_SYNCHRONIZER_ID"],
      [{ commands: named(packageId), synchronizerId: nowhere, commandId: "" }, "MISSING_FIELD", /command_id/],
      [{ commands: named(packageId), synchronizerId: nowhere, selectionPassesMax: 0 }, "INVALID_ARGUMENT", /taps_max_passes/],
      [{ commands: named(known), actAs: ["ghost::1220aa"], commandId: "" }, "UNKNOWN_INFORMEES"],
      [{ commands: named(packageId), actAs: ["ghost::1220aa"], commandId: "" }, "MISSING_FIELD", /command_id/],
    ];
    for (const [change, code, cause = /./] of cases) {
      const error = failure(await ledger.submit(submission([alice], [{ create: "never", signatories: [alice] }], change)));
      assert.equal(error.code, code, JSON.stringify(change));
      assert.match(error.cause, cause);
    }
  });

  it("who acts beside the first is looked for once the commands ran, behind those whom they tell", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string },
      end = ledger.ledgerEnd(),
      beside = { actAs: [alice, "ghost::1220aa"] };
    for (const [observers, code, context] of [
      [["nobody::1220bb"], "UNKNOWN_INFORMEES", { unknownInformees: "Set(nobody::1220bb)" }],
      [[], "UNKNOWN_SUBMITTERS", {}],
    ] as const) {
      const made = { create: "a", signatories: [alice], observers },
        unknown = failure(await ledger.submit(submission([alice], [made], beside)));
      assert.deepEqual([unknown.code, unknown.context, unknown.correlationId], [code, context, undefined]);
    }
    assert.equal(failure(await ledger.submit(submission([alice], [{ error: "no" }], beside))).code, "INTERPRETATION_USER_ERROR");
    assert.equal(ledger.ledgerEnd(), end);
  });

  it("a ledger time long ago asks for nothing, and one that Daml cannot represent is told as it was asked for", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const asking = (minLedgerTimeAbs: bigint) =>
      ledger.submit(submission([alice], [{ create: "a", signatories: [alice] }], { minLedgerTimeAbs }));
    success(await asking(-(10n ** 20n)));
    const { cause } = failure(await asking(253_402_300_800_000_000n));
    assert.match(cause, /: Can not represent command ledger time \+10000-01-01T00:00:00Z as a Daml timestamp$/);
    const last = asking(253_402_300_799_999_999n);
    await areAside(ledger);
    clock.pass(253_402_300_799_999_999n - clock.now);
    success(await last);
  });

  it("readAs may name anyone, and an own synchronizer may be prescribed", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    success(
      await ledger.submit(
        submission([alice], [{ create: "a", signatories: [alice] }], { readAs: ["nobody here"], synchronizerId: ledger.synchronizerId }),
      ),
    );
  });
});
