/** The documents of the token standard's servers are made from the same declarations as their routes, and are as published. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { registryDocument } from "../../src/api/registry/openapi.js";
import type { AnyOperation } from "../../src/api/operation.js";
import { registryOperations } from "../../src/api/registry/operations.js";
import { scanOperations } from "../../src/api/scan/operations.js";
import { isImplemented } from "../../src/api/splice/unimplemented.js";
import { svOperations, validatorOperations } from "../../src/api/validator/operations.js";
import { scanDocument } from "../../src/api/scan/openapi.js";
import { validatorDocument } from "../../src/api/validator/openapi.js";
import { svDocument } from "../../src/api/validator/sv-openapi.js";
import { isPublishedAtHand, operationDifferences, operationsOf, published, type Document } from "./splice-documents.js";
import { notServed } from "./splice-not-served.js";

const operationsOfSurface: Readonly<Record<string, Readonly<Record<string, AnyOperation>>>> = {
  registry: registryOperations,
  scan: scanOperations,
  validator: validatorOperations,
  sv: svOperations,
};
/** Those that answer 201. */
const created: ReadonlySet<string> = new Set(["POST /v0/admin/sv/votes"]);
const surfaces = {
  registry: {
    ours: registryDocument(),
    published: ["token-metadata", "transfer-instruction", "allocation-instruction", "allocation"],
    versions: ["-v1", "-v2"],
  },
  scan: { ours: scanDocument(), published: ["scan"], versions: [""] },
  validator: {
    ours: validatorDocument(),
    published: ["scan-proxy", "validator-internal", "wallet-internal", "wallet-external", "ans-external"],
    versions: [""],
  },
  sv: { ours: svDocument(), published: ["sv-internal"], versions: [""] },
};

for (const [surface, { ours, published: names, versions }] of Object.entries(surfaces)) {
  const document = ours as unknown as Document,
    operations = new Map(operationsOf(document));
  describe(`documents of splice: ${surface}`, () => {
    it("every reference resolves, each operation has an answer and a failure of one field", () => {
      assert.ok(operations.size >= 6, `${operations.size} operations`);
      const referred = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/([^"]+)/g)].map((match) => match[1]!);
      assert.deepEqual(
        referred.filter((name) => document.components.schemas[name] === undefined),
        [],
      );
      for (const [route, { responses }] of operations)
        assert.deepEqual(Object.keys(responses), [created.has(route) ? "201" : "200", "400", "default"], route);
      assert.deepEqual(document.components.schemas["ErrorResponse"]?.required, ["error"]);
    });

    it("what is published and not there answers 501, and nothing else does", () => {
      const missing = Object.values(operationsOfSurface[surface] ?? {})
        .filter((operation) => !isImplemented(operation))
        .map(({ route }) => route);
      assert.deepEqual([...missing].sort(), [...(notServed[surface] ?? [])].sort());
    });

    it(
      "what is published to answer without a body has no JSON to answer",
      { skip: isPublishedAtHand ? false : "the published documents are not at hand" },
      () => {
        const bodiless = names
          .flatMap((name) => versions.map((version) => `${name}${version}`))
          .filter((name) => name !== "token-metadata-v2")
          .flatMap((name) => operationsOf(published(name)))
          .filter(([, { responses }]) => responses["200"] !== undefined && responses["200"].content === undefined)
          .map(([route]) => route);
        assert.ok(bodiless.length > 0 || surface === "registry");
        assert.deepEqual(
          bodiless.filter(
            (route) =>
              !notServed[surface]?.includes(route) && operations.get(route)?.responses["200"]?.content?.["application/json"] !== undefined,
          ),
          [],
        );
      },
    );

    it(
      "paths, methods, required fields and enumerations are as published",
      { skip: isPublishedAtHand ? false : "the published documents are not at hand" },
      () => {
        const documents = names
          .flatMap((name) => versions.map((version) => `${name}${version}`))
          .filter((name) => name !== "token-metadata-v2")
          .map(published);
        const wanted = documents.flatMap((each) => operationsOf(each).map(([route, operation]) => ({ each, route, operation })));
        const differences = wanted.flatMap(({ each, route, operation }) => {
          const own = operations.get(route);
          return own ? operationDifferences(operation, each, own, document).map((difference) => `${route}: ${difference}`) : [];
        });
        assert.deepEqual(differences, []);
        assert.deepEqual(
          wanted.map(({ route }) => route).filter((route) => !operations.has(route)),
          notServed[surface] ?? [],
        );
      },
    );
  });
}
