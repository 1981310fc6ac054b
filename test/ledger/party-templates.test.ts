/** Of many templates, readers go through the ranges of those that they have. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { limits } from "../../src/config.js";
import { PartyTemplates, rangesHeld } from "../../src/ledger/reading/party-templates.js";
import { anyTemplate } from "../../src/ledger/records/index.js";
import {
  activeContracts,
  drain,
  packageId,
  packagePayload,
  startLedger,
  submission,
  success,
  summaryOf,
  updates,
  viewsOf,
  wildcard,
  type Fixture,
} from "./support.js";

const many = 3 * limits.namedTemplatesMin,
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

/** How many ranges of the indexes are gone through meanwhile. */
async function rangesDuring<T>({ store }: Fixture, work: () => Promise<T>): Promise<{ readonly ranges: number; readonly read: T }> {
  const { active, updateIndex } = store.tables,
    { keys } = active,
    { entries } = updateIndex;
  let ranges = 0;
  active.keys = (range) => {
    ranges++;
    return keys.call(active, range);
  };
  updateIndex.entries = (range) => {
    ranges++;
    return entries.call(updateIndex, range);
  };
  try {
    return { read: await work(), ranges };
  } finally {
    Object.assign(active, { keys });
    Object.assign(updateIndex, { entries });
  }
}

const templateOf = ({ templateId }: { readonly templateId: string }): string => templateId.split(":").slice(1).join(":");

describe("templates of parties", () => {
  it("who asks for an interface goes through the templates that he has, not through all that implement it", async (t) => {
    const fixture = await withMany(t),
      { ledger, alice, bob } = fixture;
    await activeContracts(ledger, viewsOf(alice)); // from now on it is known what she has
    const { read, ranges } = await rangesDuring(fixture, () => activeContracts(ledger, viewsOf(alice)));
    assert.deepEqual(read.map(templateOf), ["M:T5", "M:T30"]);
    assert.equal(ranges, 2);
    assert.equal((await activeContracts(ledger, viewsOf(bob))).length, many);
  });

  it("so of updates, however many there are", async (t) => {
    const fixture = await withMany(t),
      { ledger, alice, bob } = fixture;
    for (let n = 0; n < many; n++)
      success(
        await ledger.submit(submission([bob], [{ create: `more ${n}`, template: "M:T0", signatories: [bob] }], { commandId: `m${n}` })),
      );
    const list = (party: string): Promise<unknown[]> =>
      drain(
        ledger.openUpdates({
          beginExclusive: 0,
          endInclusive: ledger.ledgerEnd(),
          format: updates(viewsOf(party)),
          form: "update",
          descending: false,
        }),
      );
    await list(alice);
    const { read, ranges } = await rangesDuring(fixture, () => list(alice));
    assert.equal(read.length, 2);
    assert.ok(ranges <= 2, `${ranges} ranges`);
    assert.equal((await list(bob)).length, 1 + many);
  });

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

  it("where few are asked for, their ranges are gone through as they are; all of a party's are one range", () => {
    const named = (party: number, count: number): { party: number; template: number }[] =>
      Array.from({ length: count }, (_, n) => ({ party, template: n + 1 }));
    const asked: number[] = [],
      held = rangesHeld([...named(1, 3), ...named(2, many), { party: 2, template: anyTemplate }], (party) => {
        asked.push(party);
        return new Set([2, many + 1]);
      });
    assert.deepEqual(held, [...named(1, 3), { party: 2, template: 2 }, { party: 2, template: anyTemplate }]);
    assert.deepEqual(asked, [2]);
  });
});
