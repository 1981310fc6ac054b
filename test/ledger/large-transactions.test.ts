/** A transaction with many events is put together over several turns of the event loop; its readers get what one turn would make of it. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import type { EventFormatRequest, Ledger } from "../../src/ledger/index.js";
import { Collector, failure, startLedger, type Step, submission, success, updates, viewsOf, wildcard, type Fixture } from "./support.js";

type Parties = { alice: string; bob: string; carol: string };
const stepEvents = limits.readStepEvents,
  creates = 3 * stepEvents,
  forms = ["update", "flat", "tree"] as const,
  shapes = ["acsDelta", "ledgerEffects"] as const;

const withBlobs: EventFormatRequest = {
  filtersByParty: {},
  filtersForAnyParty: { cumulative: [{ kind: "wildcard", includeCreatedEventBlob: true }] },
  verbose: true,
};

/** By alice: creates of which bob sees every other, exercises, and contracts that are gone with the transaction. */
function manySteps({ alice, bob }: Parties): Step[] {
  return Array.from({ length: creates }, (_, n): Step[] => [
    { create: `many ${n}`, signatories: [alice], observers: n % 2 === 0 ? [bob] : [] },
    ...(n % 5 === 0 ? [{ exercise: `many ${n}`, by: [alice], consuming: n % 10 === 0, choice: "Look" }] : []),
  ]).flat();
}

interface Large extends Fixture {
  /** Of the large transaction; there is a small one on either side. */
  readonly offset: number;
}

async function withLarge(t: TestContext, options: Parameters<typeof startLedger>[1] = {}): Promise<Large> {
  const fixture = await startLedger(t, options),
    { alice } = fixture.parties as Parties;
  const submit = async (steps: readonly Step[]): Promise<number> =>
    success(await fixture.ledger.submit(submission([alice], steps))).completionOffset;
  await submit([{ create: "before", signatories: [alice] }]);
  const offset = await submit(manySteps(fixture.parties as Parties));
  await submit([{ create: "after", signatories: [alice] }]);
  return { ...fixture, offset };
}

/** Gives the texts of all elements. */
async function listed(
  ledger: Ledger,
  request: Omit<Parameters<Ledger["openUpdates"]>[0], "beginExclusive" | "endInclusive">,
): Promise<string[]> {
  const cursor = success(ledger.openUpdates({ ...request, beginExclusive: 0, endInclusive: ledger.ledgerEnd() })),
    out = new Collector();
  while (!cursor.ended) await cursor.read(2, out);
  return out.elements;
}

/** All that a party may ask of the transaction and of what is around it. */
async function everything({ ledger, offset }: Large, eventFormat: EventFormatRequest): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const shape of shapes)
    for (const form of forms) {
      const request = { format: updates(eventFormat, shape), form };
      all.push(await listed(ledger, { ...request, descending: false }), await listed(ledger, { ...request, descending: true }));
      for (const emptyWhenHidden of [false, true]) {
        const asked = { ...request, by: { offset }, emptyWhenHidden },
          { ok: body, error } = await ledger.readUpdateAs(form === "update" ? form : "transaction", asked);
        all.push((await ledger.readUpdate(asked)).ok, body === undefined ? error?.code : Buffer.from(body as string).toString());
      }
    }
  return all;
}

async function inOneGo<T>(work: () => Promise<T>): Promise<T> {
  Object.assign(limits, { readStepEvents: Infinity });
  try {
    return await work();
  } finally {
    Object.assign(limits, { readStepEvents: stepEvents });
  }
}

describe("large transactions", () => {
  for (const [title, formatOf] of [
    ["who submitted it", ({ alice }: Parties) => wildcard(alice)],
    ["who sees some of it", ({ bob }: Parties) => wildcard(bob)],
    ["who sees nothing of it", ({ carol }: Parties) => wildcard(carol)],
    ["who asks for blobs", () => withBlobs],
    ["who asks for interface views", ({ alice }: Parties) => viewsOf(alice)],
  ] as const)
    it(`${title}: gets the same in turns as in one go, by itself and among others, in all forms`, async (t) => {
      const large = await withLarge(t, { turns: new Turns(0), readerTurns: new Turns(0) }),
        format = formatOf(large.parties as Parties);
      const whole = await inOneGo(() => everything(large, format));
      assert.deepEqual(await everything(large, format), whole);
    });

  it("others have their turn while one is read", async (t) => {
    const { ledger, parties, offset } = await withLarge(t, { turns: new Turns(0), readerTurns: new Turns(0) }),
      { alice } = parties as Parties;
    const read = (): Promise<unknown> => ledger.readUpdate({ by: { offset }, format: updates(wildcard(alice)), form: "update" }),
      inTurns = await turnsDuring(read),
      atOnce = await inOneGo(() => turnsDuring(read));
    assert.ok(inTurns >= (2 * creates) / stepEvents, `${inTurns} turns`);
    assert.ok(atOnce <= 1, `${atOnce} turns`);
  });

  for (const [title, formatOf] of [
    ["as it is", wildcard],
    ["with interface views", viewsOf],
  ] as const)
    it(`${title}: who finds no memory for what is before it, or for it, gets all of it later, in order`, async (t) => {
      const { ledger, parties, offset } = await withLarge(t),
        { alice } = parties as Parties,
        request = { format: updates(formatOf(alice)), form: "update", descending: false } as const,
        all = await listed(ledger, request);
      for (let refusals = 1; refusals <= 4; refusals++) {
        const out = new Refusing(refusals),
          cursor = success(ledger.openUpdates({ ...request, beginExclusive: 0, endInclusive: offset + 1 }));
        while (!cursor.ended) await cursor.read(10, out);
        assert.deepEqual(out.elements, all);
      }
    });

  it("whose reader leaves meanwhile: nothing of it is written", async (t) => {
    const { ledger, parties, offset } = await withLarge(t, { readerTurns: new Turns(0) }),
      { alice } = parties as Parties;
    const cursor = success(
        ledger.openUpdates({
          beginExclusive: offset - 1,
          endInclusive: offset,
          format: updates(wildcard(alice)),
          form: "update",
          descending: false,
        }),
      ),
      out = new Collector();
    const reading = cursor.read(10, out);
    await new Promise((resolve) => setImmediate(resolve));
    cursor.close();
    assert.deepEqual([await reading, out.elements], [0, []]);
  });

  it("that is pruned while its views are computed: it is not found", async (t) => {
    const { ledger, parties, offset, interpreter } = await withLarge(t),
      { alice } = parties as Parties;
    let asked = 0;
    interpreter.computeViews = async (requests) => {
      if (asked++ === 1) success(await ledger.prune(offset));
      return requests.map(() => ({ json: "{}" }));
    };
    const read = await ledger.readUpdate({ by: { offset }, format: updates(viewsOf(alice)), form: "update" });
    assert.deepEqual([failure(read).code, asked], ["UPDATE_NOT_FOUND", 2]);
  });
});

/** Has no memory for elements the first times that it is asked. */
class Refusing extends Collector {
  #refusals: number;
  constructor(refusals: number) {
    super();
    this.#refusals = refusals;
  }
  mayBegin(): boolean {
    return this.#refusals-- <= 0;
  }
}

/** Turns of the event loop that others have meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0,
    isDone = false;
  const count = (): void => {
    if (isDone) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}
