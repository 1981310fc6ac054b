import assert from "node:assert/strict";
import { test } from "node:test";
import { FatalError, isOfFamily } from "../../../src/lf/errors.js";
import { authorizeCreate, authorizeExercise, authorizeFetch, authorizeQueryByKey } from "../../../src/lf/interpret/authorization.js";

const scope = (...authorizers: string[]) => ({ nodeId: 4, authorizers, templateId: { packageId: "p", module: "M", name: "T" } });

function failureOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof FatalError && error.error.phase === "interpretation" && isOfFamily(error.error, "FailedAuthorization"));
    assert.equal(error.error.detail.nid, 4);
    return error.error.class.replace("FailedAuthorization.", "");
  }
}

const cases: readonly { readonly name: string; readonly check: () => void; readonly failure: string | undefined }[] = [
  {
    name: "a create needs every signatory",
    check: () => authorizeCreate(scope("a"), ["a", "b"], undefined),
    failure: "CreateMissingAuthorization",
  },
  {
    name: "a create with all signatories passes",
    check: () => authorizeCreate(scope("a", "b", "c"), ["a", "b"], undefined),
    failure: undefined,
  },
  { name: "a create needs a signatory at all", check: () => authorizeCreate(scope("a"), [], undefined), failure: "NoSignatories" },
  {
    name: "key maintainers must be signatories",
    check: () => authorizeCreate(scope("a"), ["a"], ["b"]),
    failure: "MaintainersNotSubsetOfSignatories",
  },
  { name: "a fetch needs one stakeholder", check: () => authorizeFetch(scope("c"), ["a", "b"]), failure: "FetchMissingAuthorization" },
  { name: "a fetch by an observer passes", check: () => authorizeFetch(scope("b"), ["a", "b"]), failure: undefined },
  {
    name: "a key query needs every maintainer",
    check: () => authorizeQueryByKey(scope("a"), ["a", "b"]),
    failure: "LookupByKeyMissingAuthorization",
  },
  { name: "an exercise needs controllers", check: () => authorizeExercise(scope("a"), "C", [], undefined), failure: "NoControllers" },
  { name: "explicit authorizers may not be empty", check: () => authorizeExercise(scope("a"), "C", ["a"], []), failure: "NoAuthorizers" },
  {
    name: "an exercise needs every controller",
    check: () => authorizeExercise(scope("a"), "C", ["a", "b"], undefined),
    failure: "ExerciseMissingAuthorization",
  },
  {
    name: "an exercise needs its explicit authorizers too",
    check: () => authorizeExercise(scope("a"), "C", ["a"], ["b"]),
    failure: "ExerciseMissingAuthorization",
  },
];

for (const { name, check, failure } of cases) test(`authorization: ${name}`, () => assert.equal(failureOf(check), failure));
