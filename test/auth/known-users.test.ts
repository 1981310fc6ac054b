/** What authentication asks of administration and what administration tells: declared apart, as neither imports the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KnownUser, Rights } from "../../src/auth/index.js";
import type { KnownUser as TellingUser } from "../../src/ledger/admin/index.js";
import { type RightsSummary, summarise } from "../../src/ledger/admin/rights.js";
import { noRights } from "../../src/auth/index.js";

/** A right that only one of them knows does not compile. */
type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;
const areSame: readonly [Same<Rights, RightsSummary>, Same<KnownUser, TellingUser>] = [true, true];

test("rights: those that administration tells are those that authentication asks for, of nobody none", () => {
  assert.deepEqual(areSame, [true, true]);
  assert.deepEqual(summarise([], ""), noRights);
});
