import assert from "node:assert/strict";
import { test } from "node:test";
import { FatalError } from "../../../src/lf/errors.js";
import type { TemplateDefinition } from "../../../src/lf/interpret/definitions.js";
import { type SourceContract, useAs } from "../../../src/lf/interpret/upgrade-runtime.js";
import type { CompiledPackages } from "../../../src/lf/runtime/machine.js";
import { con, contractIdT, unitT, valueTypes } from "../value/types.js";

const templateId = { packageId: "p", module: "M", name: "T" };
const localId = `00${"ab".repeat(32)}`;

test("contracts of the ledger: one that mentions an id without suffix is refused before its template sees it", () => {
  const source = {
    contractId: `${localId}ca121220${"cd".repeat(32)}`,
    templateId,
    packageName: "pkg",
    signatories: ["a"],
    stakeholders: ["a"],
    key: undefined,
    argument: {
      kind: "record",
      fields: [
        { value: { kind: "contractId", hex: `${localId}ca12` } },
        { value: { kind: "optional", value: { kind: "contractId", hex: localId } } },
      ],
    },
    origin: { kind: "ledger", instance: {}, hashing: "typed" },
  } as unknown as SourceContract;
  const target = { id: templateId, type: valueTypes().of(con("Box", contractIdT(unitT))) } as TemplateDefinition;
  assert.throws(
    () => useAs({} as CompiledPackages, source, target),
    (error) =>
      error instanceof FatalError
      && error.error.phase === "interpretation"
      && error.error.class === "Upgrade.TranslationFailed.NonSuffixedV1ContractId",
  );
});
