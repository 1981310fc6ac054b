/**
 * How many places a new member of each kind touches: the files that name most of the members there are, because such a list has to
 * grow with them. A file that names a few uses them.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ledgerOperations } from "../../src/api/ledger/index.js";
import { errorCodes } from "../../src/ledger/model/error-codes.js";
import { builtins } from "../../src/lf/builtins.js";
import { tableNames } from "../../src/store/tables.js";
import { repositoryRoot } from "../support/paths.js";

const source = join(repositoryRoot(), "src");
const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => ({ file, text: readFileSync(join(source, file), "utf8") }));
const share = 0.75;

const isNamed = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`).test(text);
const listsOf = (members: readonly string[]): string[] =>
  texts.filter(({ text }) => members.filter((name) => isNamed(text, name)).length >= share * members.length).map(({ file }) => file);
/** Of operations, which are declared in several files: those of the ledger API that hold the route. */
const naming = (route: string): string[] =>
  texts.filter(({ file, text }) => file.startsWith("api/ledger") && text.includes(`"${route}"`)).map(({ file }) => file);

const apis = ["ledgerApi", "nodeApi"],
  laterApis = ["scanApi", "registryApis", "validatorApis"];
const routes = Object.values(ledgerOperations).map(({ route }) => naming(route).length);

/** What each must touch at most, with what else of it is its own: the function, the helper, the fields that it has. */
const kinds: readonly (readonly [kind: string, places: readonly string[], expected: readonly string[], beside: string])[] = [
  ["a builtin", listsOf(Object.keys(builtins)), ["lf/builtins.ts"], "its helper in lf/runtime"],
  ["an error", listsOf(Object.keys(errorCodes)), ["ledger/model/error-codes.ts"], "where it is raised"],
  ["a table", listsOf(tableNames), ["store/tables.ts"], "who writes it, and of an index its rule in ledger/keeping/following.ts"],
  ["an API", listsOf(apis), ["api/own-apis.ts"], "its folder"],
  ["an API of the token standard", listsOf(laterApis), ["token-standard.ts"], "its folder"],
];

for (const [kind, places, expected, beside] of kinds) {
  test(`places: ${kind} is in ${expected.join(" and ")}`, (context) => {
    context.diagnostic(`${kind}: ${places.length} (${places.join(", ")}), beside ${beside}`);
    assert.deepEqual([...places].sort(), expected);
  });
}

test("places: an operation is declared once", (context) => {
  context.diagnostic(`an operation: ${Math.max(...routes)}, beside the function in ledger/ that does it`);
  assert.ok(routes.length >= 67);
  assert.deepEqual(
    routes.filter((count) => count !== 1),
    [],
  );
});
