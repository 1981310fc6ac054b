/** Names of a network that has many, on contracts that are made up as they are gone through. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AnsEntries, type AnsEntriesContext } from "../../src/splice/ans-entries.js";
import { success } from "../ledger/support.js";

const dso = "DSO::1220",
  now = 1_767_225_600_500_000n; // 2026-01-01T00:00:00.5Z

interface Entry {
  readonly name: string;
  readonly user?: string;
  readonly expiresAt?: string;
}

function entriesOf(count: number, entryAt: (index: number) => Entry): AnsEntries {
  const each = (_dso: string, _template: object, visit: (contract: object) => void): Promise<void> => {
    for (let index = 0; index < count; index++) {
      const payload = { dso, user: "user::1220", url: "", description: "", expiresAt: "2030-01-01T00:00:00Z", ...entryAt(index) };
      visit({ contractId: `00${index}`, payload });
    }
    return Promise.resolve();
  };
  const network = {
    each,
    dso: () => Promise.resolve({ ok: dso }),
    dsoRules: () => Promise.resolve({ payload: { svs: [["sv::1220", { name: "Super-1" }]] } }),
  };
  const of = async (_dso: string, [name]: readonly string[]): Promise<readonly object[]> => {
    const found: object[] = [];
    await each(dso, {}, (contract) => {
      if ((contract as { readonly payload: Entry }).payload.name === name) found.push(contract);
    });
    return found;
  };
  const context = { ledger: { nowMicros: () => now }, network, byName: { of }, nameAcronym: "ans" };
  return new AnsEntries(context as unknown as AnsEntriesContext);
}

test("a page of names has those that come first in their order, of one name the oldest first, and keeps no others", async () => {
  const entries = entriesOf(20_000, (index) => ({ name: `name-${String((index * 7_919) % 10_000).padStart(5, "0")}` })),
    page = success(await entries.page("name-", 3));
  assert.deepEqual(
    page.map(({ name, contract_id }) => [name, contract_id]),
    [
      ["name-00000", "000"],
      ["name-00000", "0010000"],
      ["name-00001", page[2]!.contract_id],
    ],
  );
  assert.equal(success(await entries.ofName("name-00000")).contract_id, "000");
  assert.deepEqual(
    success(await entries.page("", 1_000)).map(({ name }) => name),
    Array.from({ length: 1_000 }, (_, index) => `name-${String(index >> 1).padStart(5, "0")}`),
  );
});

test("names of operators come behind all others, where there is room", async () => {
  const entries = entriesOf(2, (index) => ({ name: `zoe-${index}` }));
  const names = async (prefix: string, size: number) => success(await entries.page(prefix, size)).map(({ name }) => name);
  assert.deepEqual(await names("", 10), ["zoe-0", "zoe-1", "dso.ans", "super-1.sv.ans"]);
  assert.deepEqual([await names("", 3), await names("s", 3)], [["zoe-0", "zoe-1", "dso.ans"], ["super-1.sv.ans"]]);
});

test("a name is there until it expires, however many digits its time has", async () => {
  const times = [
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.499999Z",
    "2026-01-01T00:00:00.5Z",
    "2026-01-01T00:00:00.500001Z",
    "2026-01-01T00:00:01Z",
  ];
  const entries = entriesOf(times.length, (index) => ({ name: `name-${index}`, expiresAt: times[index]! }));
  assert.deepEqual(
    success(await entries.page("name", 10)).map(({ expires_at }) => expires_at),
    times.slice(2),
  );
});
