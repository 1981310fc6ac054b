/** Of many templates, readers go through the ranges of those that they have. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { limits } from "../../src/config.js";
import { PartyTemplates } from "../../src/ledger/reading/party-templates.js";
import {
  activeContracts,
  packageId,
  packagePayload,
  startLedger,
  submission,
  success,
  summaryOf,
  viewsOf,
  wildcard,
  type Fixture,
} from "./support.js";

const many = 48,
  templates = Array.from({ length: many }, (_, n) => `M:T${n}`);

/** All templates implement one interface; bob has contracts of all, alice of two. */
async function withMany(t: TestContext): Promise<Fixture & { readonly alice: string; readonly bob: string }> {
  const implemented = Object.fromEntries(templates.map((template) => [template, [`${packageId}:M:Holding`]])),
    summary = summaryOf({ templates, implements: implemented });
  const fixture = await startLedger(t, { builtInPackages: async () => [{ summary, payload: packagePayload }] }),
    { alice, bob } = fixture.parties as { readonly alice: string; readonly bob: string };
  const creates = templates.map((template) => ({ create: `of ${template}`, template, signatories: [bob] }));
  success(await fixture.ledger.submit(submission([bob], creates)));
  for (const template of ["M:T5", "M:T30"])
    success(await fixture.ledger.submit(submission([alice], [{ create: `alice's ${template}`, template, signatories: [alice] }])));
  await fixture.store.caughtUp();
  return { ...fixture, alice, bob };
}

/** How many ranges of the index are gone through meanwhile. */
async function rangesDuring<T>({ store }: Fixture, work: () => Promise<T>): Promise<{ readonly ranges: number; readonly read: T }> {
  const { active } = store.tables,
    { keys } = active;
  let ranges = 0;
  active.keys = (range) => {
    ranges++;
    return keys.call(active, range);
  };
  try {
    return { read: await work(), ranges };
  } finally {
    Object.assign(active, { keys });
  }
}

const templateOf = ({ templateId }: { readonly templateId: string }): string => templateId.split(":").slice(1).join(":");

describe("templates of parties", () => {
  it("what a commit adds is found by who asked before, whether he names templates or not", async (t) => {
    const { ledger, alice } = await withMany(t);
    const told = async (): Promise<string[][]> =>
      Promise.all([viewsOf(alice), wildcard(alice)].map(async (format) => (await activeContracts(ledger, format)).map(templateOf)));
    assert.deepEqual(await told(), [
      ["M:T5", "M:T30"],
      ["M:T5", "M:T30"],
    ]);
    success(await ledger.submit(submission([alice], [{ create: "one more", template: "M:T17", signatories: [alice] }])));
    assert.deepEqual(await told(), [
      ["M:T5", "M:T30", "M:T17"],
      ["M:T5", "M:T30", "M:T17"],
    ]);
  });

  it("a party's are looked for once", async (t) => {
    const fixture = await withMany(t),
      { ledger, alice, bob } = fixture;
    await activeContracts(ledger, wildcard(alice));
    success(await ledger.submit(submission([bob], [{ create: "bob's", template: "M:T1", signatories: [bob] }])));
    const { ranges } = await rangesDuring(fixture, () => activeContracts(ledger, wildcard(alice)));
    assert.equal(ranges, 2);
  });

  it("are forgotten where they are too many, and found again", () => {
    const looked: number[] = [],
      half = Array.from({ length: limits.partyTemplatesKeptMax / 2 }, (_, n) => n + 1),
      known = new PartyTemplates((party) => {
        looked.push(party);
        return half;
      });
    for (const party of [1, 1, 2, 2, 1]) assert.equal(known.of(party).size, half.length);
    known.add(1, half.length + 1);
    known.add(2, half.length + 1);
    assert.deepEqual([known.of(1).has(half.length + 1), known.of(2).has(half.length + 1)], [true, false]);
    assert.deepEqual(looked, [1, 2, 1, 2]);
  });
});
