/** Which names the name service gives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { entryProblem } from "../../src/splice/name-service.js";

test("names: small letters, digits, dashes and the suffix, with addresses of the web and descriptions of a bounded length", () => {
  const entry = { name: "alice_1-a.unverified.ans", url: "https://alice.example/x", description: "d".repeat(140) };
  for (const good of [entry, { ...entry, url: "" }, { ...entry, name: `${"a".repeat(45)}.unverified.ans` }])
    assert.equal(entryProblem(good), undefined);
  for (const name of [
    "alice",
    ".unverified.ans",
    "Alice.unverified.ans",
    "a.b.unverified.ans",
    "alice.unverified.ansx",
    `${"a".repeat(46)}.unverified.ans`,
    "a.unverified.ans\n",
  ])
    assert.match(entryProblem({ ...entry, name }) ?? "", /^entry name \(/, name);
  for (const url of ["alice.example", "ftp://alice.example", "//alice", `https://a.example/${"a".repeat(255)}`])
    assert.match(entryProblem({ ...entry, url }) ?? "", /^entry url \(/, url);
  assert.match(entryProblem({ ...entry, description: "d".repeat(141) }) ?? "", /^entry description \(/);
});
