/** The user by whom the validators of a LocalNet work, as one of the sites behind the first shows and takes it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../../src/base/result.js";
import { validatorUserDefault } from "../../src/config.js";
import type { Administration, UserFields, UserRecord } from "../../src/ledger/admin/index.js";
import { userAtSite } from "../../src/site-user.js";

const [first, own] = ["first::1220", "own::1220"],
  user = (id: string, primaryParty: string) => ({ id, primaryParty, identityProviderId: "" }) as UserRecord & UserFields;

/** Stored users by their ids; the site's operator is `operator`, the first site's `first-operator`. */
function site(parties: Readonly<Record<string, string>>) {
  const stored = { "first-operator": first, operator: own, [validatorUserDefault]: first, ...parties };
  const storedUser = (id: string) => user(id, (stored as Readonly<Record<string, string>>)[id] ?? ""),
    getUser = ({ userId }: { readonly userId: string }) => ok(storedUser(userId));
  const users = { getUser } as unknown as Pick<Administration, "getUser">,
    { shownUser, givenUser } = userAtSite(users, "operator", "first-operator");
  return {
    shown: (id: string) => shownUser(storedUser(id)).primaryParty,
    given: (id: string, primaryParty: string) => givenUser(user(id, primaryParty)).primaryParty,
  };
}

test("site user: it is shown with the party of the site's operator while it is stored with that of the first site's", () => {
  const { shown } = site({ alice: first });
  assert.equal(shown(validatorUserDefault), own);
  assert.deepEqual([shown("alice"), shown("operator"), shown("first-operator")], [first, own, first]);
  for (const stored of ["other::1220", ""]) assert.equal(site({ [validatorUserDefault]: stored }).shown(validatorUserDefault), stored);
  assert.equal(site({ operator: "" }).shown(validatorUserDefault), first, "an operator without a party");
  assert.equal(site({ "first-operator": "" }).shown(validatorUserDefault), first);
});

test("site user: what is given as it is shown is what is stored, and anything else is itself", () => {
  const { given } = site({});
  assert.equal(given(validatorUserDefault, own), first);
  for (const other of [first, "other::1220", ""]) assert.equal(given(validatorUserDefault, other), other);
  assert.equal(given("operator", own), own);
  const changed = site({ [validatorUserDefault]: "other::1220" });
  assert.equal(changed.given(validatorUserDefault, own), own, "where it is shown with another");
});
