import assert from "node:assert/strict";
import { test } from "node:test";
import { asyncApiDocument } from "../../src/api/asyncapi.js";
import { openApiDocument } from "../../src/api/ledger-openapi.js";
import { type AnyOperation, operationId } from "../../src/api/operation.js";
import { ledgerOperations } from "../../src/api/ledger/index.js";
import { type JsonSchema, type PublishedAsyncApi, publishedAsyncApi, publishedOpenApi, type PublishedOperation } from "./published.js";
import { differences as allDifferences } from "./schema-difference.js";

const ours = openApiDocument();
const ourSide = { schemas: ours.components.schemas as Readonly<Record<string, JsonSchema>> };

/** A decoded message is an object in every recorded answer; the published document calls it a text. */
const wronglyPublished = /\.valueDecoded type: published "string", ours undefined$/;
const differences = (...sides: Parameters<typeof allDifferences>): readonly string[] =>
  allDifferences(...sides).filter((difference) => !wronglyPublished.test(difference));

interface Entry {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: JsonSchema }[];
  readonly requestBody?: { readonly content: NonNullable<PublishedOperation["body"]> };
  readonly responses: Readonly<Record<string, { readonly content?: NonNullable<PublishedOperation["reply"]> }>>;
}

const published = Object.entries(publishedOpenApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const entryOf = (path: string, method: string): Entry => {
  const entry = ours.paths[path]?.[method];
  assert.ok(entry !== undefined, `${method} ${path} is not declared`);
  return entry as unknown as Entry;
};

test("documents: the registry and the published document hold the same 67 operations", () => {
  const ids = (names: readonly string[]): readonly string[] => [...names].sort();
  assert.equal(published.length, 67);
  assert.deepEqual(
    ids(Object.values<AnyOperation>(ledgerOperations).map((operation) => operationId(operation.route))),
    ids(published.map(({ operation }) => operation.operationId)),
  );
});

for (const { path, method, operation } of published) {
  test(`documents: ${method.toUpperCase()} ${path} is as published`, () => {
    const entry = entryOf(path, method);
    assert.equal(entry.operationId, operation.operationId);
    assert.equal(entry.deprecated ?? false, operation.deprecated ?? false);
    assert.deepEqual(parametersOf(entry.parameters ?? []), parametersOf(operation.parameters));
    assert.deepEqual(contentDifferences(operation.body, entry.requestBody?.content ?? null), []);
    assert.deepEqual(contentDifferences(operation.reply, entry.responses["200"]?.content ?? null), []);
    assert.deepEqual(Object.keys(entry.responses), ["200", "400", "default"]);
  });
}

const parametersOf = (parameters: PublishedOperation["parameters"]): readonly string[] =>
  parameters
    .map(({ name, in: place, required, schema }) => `${place} ${name} ${required} ${schema.type} ${schema.items?.type ?? ""}`)
    .sort();

function contentDifferences(wanted: PublishedOperation["body"], given: PublishedOperation["body"]): readonly string[] {
  assert.deepEqual(Object.keys(given ?? {}), Object.keys(wanted ?? {}), "content types");
  return Object.entries(wanted ?? {}).flatMap(([type, { schema }]) =>
    differences(schema, publishedOpenApi, given?.[type]?.schema ?? {}, ourSide),
  );
}

/** What of it refers to which component. */
function references(schema: JsonSchema, at = "$"): readonly string[] {
  const { $ref, allOf = [], oneOf = [], properties = {}, items, additionalProperties } = schema;
  return [
    ...($ref === undefined ? [] : [`${at} ${$ref.split("/").pop()}`]),
    ...[...allOf, ...oneOf].flatMap((part) => references(part, at)),
    ...Object.entries(properties).flatMap(([name, property]) => references(property, `${at}.${name}`)),
    ...(items === undefined ? [] : references(items, `${at}[]`)),
    ...(typeof additionalProperties === "object" ? references(additionalProperties, `${at}{}`) : []),
  ].sort();
}

const namedReferences = (schemas: Readonly<Record<string, JsonSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, references(schema)]));

test("documents: components have their published names, and refer to one another by them", () => {
  assert.deepEqual(namedReferences(ourSide.schemas), namedReferences(publishedOpenApi.schemas));
});

/** By what generators make and number names of: titles, fields and arms in their order, what a text or number is. */
const generatedFrom = ({ properties = {}, oneOf = [] }: JsonSchema): unknown => ({
  fields: Object.entries(properties).map(([name, { format }]) => [name, format]),
  arms: oneOf.map((arm) => Object.keys(arm.properties ?? {})),
});

for (const [kind, schemas, wanted] of [
  ["OpenAPI", () => ourSide.schemas, publishedOpenApi.schemas],
  ["AsyncAPI", () => asyncApiDocument().components.schemas as typeof ourSide.schemas, publishedAsyncApi.schemas],
] as const)
  test(`documents: code written for classes made of the published ${kind} document fits classes made of this one`, () => {
    const given = schemas();
    for (const [name, schema] of Object.entries(given)) {
      assert.deepEqual(generatedFrom(schema), generatedFrom(wanted[name] as JsonSchema), name);
      assert.equal(schema.title, name.replace(/\d+$/, ""));
    }
  });

test("documents: of WebSockets nothing is said to be null, for which AsyncAPI's schemas have no such word", () => {
  assert.equal(JSON.stringify(asyncApiDocument()).includes("nullable"), false);
});

test("documents: of what is sent it is not said that it may be null, as published; of what only answers hold it is", () => {
  const reached = (schema: unknown, names = new Set<string>()): Set<string> => {
    for (const [, name] of JSON.stringify(schema ?? {}).matchAll(/#\/components\/schemas\/([^"]+)/g)) {
      if (names.has(name as string)) continue;
      names.add(name as string);
      reached(ourSide.schemas[name as string], names);
    }
    return names;
  };
  const sent = reached(published.map(({ path, method }) => entryOf(path, method).requestBody));
  assert.deepEqual(
    [...sent].filter((name) => JSON.stringify(ourSide.schemas[name]).includes('"nullable"')),
    [],
  );
  assert.deepEqual([sent.has("JsCommands"), ourSide.schemas["JsTransaction"]?.properties?.["traceContext"]?.nullable], [true, true]);
});

test("documents: the error body has the published fields", () => {
  const error = { $ref: "#/components/schemas/JsCantonError" };
  assert.deepEqual(differences(error, publishedOpenApi, error, ourSide), []);
});

test("documents: a package's answer says that its hash is in a header, and a resource of an error is a pair, as published", () => {
  const answer = entryOf("/v2/packages/{package-id}", "get").responses["200"] as { readonly headers?: unknown },
    { minItems, maxItems } = ourSide.schemas["Tuple2_String_String"] as { readonly minItems?: number; readonly maxItems?: number };
  assert.deepEqual(answer.headers, { "Canton-Package-Hash": { required: true, schema: { type: "string" } } });
  assert.deepEqual([minItems, maxItems], [2, 2]);
});

test("documents: every reference of the OpenAPI document resolves", () => {
  const names = [...JSON.stringify(ours).matchAll(/#\/components\/schemas\/([^"]+)/g)].map((match) => match[1] as string);
  assert.deepEqual(
    names.filter((name) => ours.components.schemas[name] === undefined),
    [],
  );
});

test("documents: each operation has a group and a summary, and each group is told of and used", () => {
  const entries = Object.values(ours.paths).flatMap((methods) => Object.values(methods)) as unknown as readonly {
    readonly tags: readonly string[];
    readonly summary: string;
    readonly operationId: string;
  }[];
  assert.deepEqual(
    entries.filter(({ tags, summary }) => tags.length !== 1 || !/^[A-Z].*[^.]$/.test(summary)).map(({ operationId: id }) => id),
    [],
  );
  assert.deepEqual(new Set(entries.flatMap(({ tags }) => tags)), new Set(ours.tags.map(({ name }) => name)));
});

test("documents: they say of whom they are, under which licence, and where it answers", () => {
  assert.deepEqual(
    [Object.keys(ours.info).sort(), ours.servers.map(({ url }) => url)],
    [["description", "license", "title", "version"], ["/"]],
  );
});

test("documents: null is allowed beside a type only, since it means nothing elsewhere", () => {
  const untyped: string[] = [];
  const look = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    if ("nullable" in value && !("type" in value)) untyped.push(at);
    for (const [key, inner] of Object.entries(value)) look(inner, `${at}.${key}`);
  };
  look(ours, "$");
  assert.deepEqual(untyped, []);
});

test("documents: six channels as published, with the published messages", () => {
  const { channels, components } = asyncApiDocument(),
    side = { schemas: components.schemas as Readonly<Record<string, JsonSchema>> };
  const spoken = (all: unknown): unknown =>
    Object.fromEntries(
      Object.entries(all as PublishedAsyncApi["channels"]).map(([path, { subscribe, publish }]) => [path, { subscribe, publish }]),
    );
  assert.deepEqual(spoken(channels), spoken(publishedAsyncApi.channels));
  assert.deepEqual(Object.keys(components.messages).sort(), Object.keys(publishedAsyncApi.messages).sort());
  for (const [name, { payload }] of Object.entries(publishedAsyncApi.messages)) {
    const given = components.messages[name] as unknown as PublishedAsyncApi["messages"][string];
    assert.deepEqual(given.payload, payload);
    assert.deepEqual(differences(payload, publishedAsyncApi, given.payload, side), [], name);
  }
});

test("documents: components of WebSockets have their published names, too", () => {
  const { Map_K_V: _unused, ...wanted } = publishedAsyncApi.schemas;
  assert.deepEqual(namedReferences(asyncApiDocument().components.schemas as typeof wanted), namedReferences(wanted));
});
