import assert from "node:assert/strict";
import { test } from "node:test";
import { FatalError } from "../../../src/lf/errors.js";
import type { TemplateDefinition } from "../../../src/lf/interpret/definitions.js";
import { type SourceContract, useAs } from "../../../src/lf/interpret/upgrade-runtime.js";
import type { CompiledPackages } from "../../../src/lf/runtime/machine.js";

const templateId = { packageId: "p", module: "M", name: "T" };
const localId = `00${"ab".repeat(32)}`;

test("contracts of the ledger: one that mentions an id without suffix is refused before its template sees it", () => {
  const source = {
    contractId: `${localId}ca121220${"cd".repeat(32)}`, templateId, packageName: "pkg", signatories: ["a"], stakeholders: ["a"], key: undefined,
    argument: { kind: "record", fields: [{ value: { kind: "optional", value: { kind: "contractId", hex: localId } } }] },
    origin: { kind: "ledger", instance: {} },
  } as unknown as SourceContract;
  assert.throws(() => useAs({} as CompiledPackages, source, { id: templateId } as TemplateDefinition), (error) =>
    error instanceof FatalError && error.error.phase === "interpretation" && error.error.class === "Upgrade.TranslationFailed.NonSuffixedV1ContractId");
});
