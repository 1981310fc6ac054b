import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { fromArchiveError, fromEngineError } from "../../src/ledger/index.js";
import type { EngineError } from "../../src/lf/errors.js";
import { encodeValue } from "../../src/lf/wire/index.js";

const lookup = (class_: string, reference: string, more: object = {}): EngineError =>
  ({ phase: "lookup", class: class_, message: "unknown", reference, ...more }) as EngineError;
const preprocessing = (more: object): EngineError =>
  ({ phase: "preprocessing", class: "InvalidArgument", message: "wrong", ...more }) as EngineError;
const shown = (error: EngineError) => {
  const { code, origin, resources } = fromEngineError(error);
  return [code, origin, resources];
};

describe("engine errors", () => {
  const packageId = "ab".repeat(32);
  const cases: readonly (readonly [
    title: string,
    error: EngineError,
    code: string,
    origin: string | undefined,
    resources: readonly (readonly [string, string])[],
  ])[] = [
    [
      "a missing package names the template that needs it",
      lookup("MissingPackage", packageId, { neededFor: `${packageId}:M:Asset` }),
      "TEMPLATES_OR_INTERFACES_NOT_FOUND",
      "routing",
      [["TEMPLATE_ID", `${packageId}:M:Asset`]],
    ],
    [
      "creating an interface is a wrong argument, not a missing template",
      lookup("MissingTemplate", `${packageId}:M:Holding`, { isInterface: true }),
      "INVALID_ARGUMENT",
      "json",
      [],
    ],
    ["an unknown choice is found while routing", lookup("MissingChoice", `${packageId}:M:Asset:Nope`), "INVALID_ARGUMENT", "routing", []],
    [
      "a choice without a name is no JSON of a command",
      lookup("MissingChoice", `${packageId}:M:Asset:`, { choice: "" }),
      "INVALID_ARGUMENT",
      "json",
      [],
    ],
    [
      "nor is one that cannot be named so",
      lookup("MissingChoice", `${packageId}:M:Asset:a.b`, { choice: "a.b" }),
      "INVALID_ARGUMENT",
      "json",
      [],
    ],
    ["nor is such a template", lookup("MissingTemplate", `${packageId}:M:As set`), "INVALID_ARGUMENT", "json", []],
    [
      "nor such a template of a missing package",
      lookup("MissingPackage", packageId, { neededFor: `${packageId}:M.:Asset` }),
      "INVALID_ARGUMENT",
      "json",
      [],
    ],
    [
      "a missing template is not found where something is created",
      lookup("MissingTemplate", `${packageId}:M:Nope`),
      "TEMPLATES_OR_INTERFACES_NOT_FOUND",
      "routing",
      [["TEMPLATE_ID", `${packageId}:M:Nope`]],
    ],
    [
      "and a wrong argument where it is exercised",
      lookup("MissingTemplateOrInterface", `${packageId}:M:Nope`, { choice: "Archive" }),
      "INVALID_ARGUMENT",
      "routing",
      [],
    ],
    ["also by key", lookup("MissingTemplate", `${packageId}:K:Nope`, { choice: "Archive" }), "INVALID_ARGUMENT", "routing", []],
    [
      "JSON that is not that of a type is an error of the JSON layer",
      preprocessing({ code: "INVALID_ARGUMENT", origin: "json" }),
      "INVALID_ARGUMENT",
      "json",
      [],
    ],
    ["a text that is no value is an error of the request", preprocessing({ code: "INVALID_ARGUMENT" }), "INVALID_ARGUMENT", undefined, []],
    ["a value that the engine refuses has a code of its own", preprocessing({}), "COMMAND_PREPROCESSING_FAILED", undefined, []],
    [
      "a contract id that is none is an error of its field",
      preprocessing({ code: "INVALID_FIELD", field: "contract_id" }),
      "INVALID_FIELD",
      undefined,
      [],
    ],
  ];
  for (const [title, error, code, origin, resources] of cases) it(title, () => assert.deepEqual(shown(error), [code, origin, resources]));

  it("a missing field is named in the context too", () => {
    assert.deepEqual(fromEngineError(preprocessing({ code: "MISSING_FIELD", field: "contract_id" })).context, {
      field_name: "contract_id",
    });
  });

  it("a key that was not found is shown as the bytes of its value", () => {
    const key = {
      templateId: `${packageId}:K:Person`,
      packageName: "ref-keyed",
      key: { kind: "party", value: "ext" } as const,
      hash: "00",
    };
    const { resources } = fromEngineError({ phase: "interpretation", class: "ContractKeyNotFound", message: "none", detail: { key } });
    assert.deepEqual(resources, [
      ["TEMPLATE_ID", `${packageId}:K:Person`],
      ["CONTRACT_KEY", Buffer.from("\x3a\x03ext").toString("base64")],
      ["PACKAGE_NAME", "ref-keyed"],
    ]);
  });

  it("of a key that is large the beginning is shown", () => {
    for (const chars of [3_000, limits.errorDetailCharsMax, 100_000]) {
      const value = "x".repeat(chars),
        key = { templateId: "T", packageName: "p", key: { kind: "text", value } as const, hash: "00" };
      const { resources } = fromEngineError({ phase: "interpretation", class: "ContractKeyNotFound", message: "none", detail: { key } });
      const encoded = Buffer.from(encodeValue(key.key)).toString("base64");
      assert.equal(
        resources[1]![1],
        encoded.length <= limits.errorDetailCharsMax ? encoded : `${encoded.slice(0, limits.errorDetailCharsMax)}...`,
      );
    }
  });

  it("a contract whose metadata changed is told with what they were and are, and what it lacks of a key as NULL", () => {
    const key = { templateId: "src", packageName: "old", key: { kind: "party", value: "ext" } as const, hash: "00" },
      contract = { coid: "00ab", srcTemplateId: "src", dstTemplateId: "dst", srcPackageName: "old", dstPackageName: "new" };
    const { resources } = fromEngineError({
      phase: "interpretation",
      class: "Upgrade.ValidationFailed",
      message: "changed",
      detail: {
        error: {
          class: "ValidationFailed",
          ...contract,
          originalSignatories: ["alice", "bob"],
          originalObservers: [],
          originalKeyOpt: { globalKey: key, maintainers: ["alice"] },
          recomputedSignatories: ["bob"],
          recomputedObservers: ["carol"],
          recomputedKeyOpt: null,
          msg: "changed",
        },
      },
    });
    assert.deepEqual(resources.slice(5), [
      ["PARTIES", "alice,bob"],
      ["PARTIES", ""],
      ["NULLABLE_CONTRACT_KEY", Buffer.from("\x3a\x03ext").toString("base64")],
      ["NULLABLE_PACKAGE_NAME", "old"],
      ["NULLABLE_PARTIES", "alice"],
      ["PARTIES", "bob"],
      ["PARTIES", "carol"],
      ["NULLABLE_CONTRACT_KEY", "NULL"],
      ["NULLABLE_PACKAGE_NAME", "NULL"],
      ["NULLABLE_PARTIES", "NULL"],
    ]);
  });

  it("arguments that cannot be brought to another type are told with their contract, or NULL where they are of none", () => {
    const createArg = { kind: "party", value: "ext" } as const,
      encodedArg = Buffer.from("\x3a\x03ext").toString("base64");
    for (const coid of ["00ab", null]) {
      const { resources } = fromEngineError({
        phase: "interpretation",
        class: "Upgrade.TranslationFailed.InvalidValue",
        message: "no",
        detail: {
          error: {
            class: "TranslationFailed",
            coid,
            srcTemplateId: "src",
            dstTemplateId: "dst",
            createArg,
            error: { class: "InvalidValue", value: createArg, message: "no" },
          },
        },
      });
      assert.deepEqual(resources, [
        ["NULLABLE_CONTRACT_ID", coid ?? "NULL"],
        ["TEMPLATE_ID", "src"],
        ["TEMPLATE_ID", "dst"],
        ["CONTRACT_ARG", encodedArg],
      ]);
    }
  });

  it("what Canton takes for a fault of its own is refused with what it was", () => {
    const { code, category, cause } = fromEngineError({
      phase: "interpretation",
      class: "Internal",
      message: "invalid code point 0xd800.",
      detail: {},
    });
    assert.deepEqual(
      [code, category, cause],
      ["DAML_INTERPRETER_INVALID_ARGUMENT", 8, "Interpretation error: Error: invalid code point 0xd800."],
    );
  });

  it("what a model adds to its failure is bounded, and never costs what the node says itself", () => {
    const failure = (metadata: readonly (readonly [string, string])[]): EngineError => ({
      phase: "interpretation",
      class: "FailureStatus",
      message: "no",
      detail: { errorId: "my-error", failureCategory: 9, errorMessage: "no", metadata },
      exerciseTrace: "here",
    });
    assert.deepEqual(
      fromEngineError(
        failure([
          ["a", "1"],
          ["error_id", "forged"],
        ]),
      ).context,
      { a: "1", error_id: "my-error", exercise_trace: "here" },
    );
    for (const [count, chars] of [
      [200_000, 10],
      [90, 1_000_000],
    ] as const) {
      const { context } = fromEngineError(failure(Array.from({ length: count }, (_, index) => [`k${index}`, "x".repeat(chars)])));
      assert.ok(JSON.stringify(context).length < 2 * limits.errorContextCharsMax, `${count} entries`);
      assert.deepEqual([context["error_id"], context["exercise_trace"]], ["my-error", "here"]);
    }
  });

  it("of a model's metadata a key keeps what gRPC allows of it, and nothing that is empty is told", () => {
    const told = (errorId: string, metadata: readonly (readonly [string, string])[]): unknown =>
      fromEngineError({
        phase: "interpretation",
        class: "FailureStatus",
        message: "no",
        detail: { errorId, failureCategory: 9, errorMessage: "no", metadata },
      }).context;
    const given = [
      ["a.b/c d", "dotted"],
      ["(x)_-9", "kept"],
      ["k".repeat(70), "long"],
      ["empty", ""],
      ["", "no key"],
      ["\u00e9.", "nothing left"],
      ["error id!", "another"],
      ["error_id!", "forged"],
    ] as const;
    const kept = { abcd: "dotted", "(x)_-9": "kept", ["k".repeat(63)]: "long", errorid: "another" };
    assert.deepEqual(told("my-error", given), { ...kept, error_id: "my-error" });
    assert.deepEqual(told("", [["a", "1"]]), { a: "1" });
  });

  it("errors of archives say of what kind they are, and in their context what is wrong", () => {
    const told = (
      code: "DAR_PARSE_ERROR" | "INVALID_ZIP_ENTRY" | "ZIP_BOMB" | "ALLOWED_LANGUAGE_VERSIONS",
      details?: Record<string, string>,
    ) => {
      const { cause, context } = fromArchiveError({ phase: "archive", code, class: "", message: "why", ...(details && { details }) });
      return [cause, context];
    };
    assert.deepEqual(told("DAR_PARSE_ERROR"), ["Failed to parse the dar file content.", { reason: "why" }]);
    assert.deepEqual(told("ZIP_BOMB"), ["Dar zip file seems to be a zip bomb.", { msg: "why" }]);
    assert.deepEqual(told("INVALID_ZIP_ENTRY", { name: "a" }), ["Dar zip file is corrupt", { name: "a" }]);
    assert.deepEqual(told("ALLOWED_LANGUAGE_VERSIONS", { packageId: "p" }), ["why", { packageId: "p" }]);
  });

  it("errors of archives do not say whether the answer is definite", () => {
    assert.equal(fromArchiveError({ phase: "archive", code: "INVALID_DAR", class: "InvalidDar", message: "no" }).definiteAnswer, undefined);
  });
});
