import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EventFormatRequest } from "../../src/ledger/index.js";
import { Random } from "../support/random.js";
import {
  activeContracts,
  closeFixture,
  openFixture,
  startLedger,
  submission,
  success,
  transactions,
  wildcard,
  type Fixture,
  type Step,
} from "./support.js";
import { count } from "../support/knobs.js";

function random(seed: number): () => number {
  const generator = new Random(seed);
  return () => generator.next();
}

const seed = count("LEDGERLINE_SEED") ?? 20_261_121,
  rounds = count("LEDGERLINE_SIMULATIONS") ?? 60;

/** Random creates, archives, transients and races over four parties and three templates. */
async function play(fixture: Fixture, next: () => number): Promise<void> {
  const parties = Object.values(fixture.parties),
    names: string[] = [];
  const some = (): string[] => {
    const chosen = parties.filter(() => next() < 0.4);
    return chosen.length > 0 ? chosen : [parties[Math.floor(next() * parties.length)]!];
  };
  let number = 0;
  const create = (): Step => {
    const name = `s${number++}`;
    names.push(name);
    return { create: name, template: ["M:Asset", "M:Other", "M:Keyed"][Math.floor(next() * 3)]!, signatories: some(), observers: some() };
  };
  for (let round = 0; round < rounds; round++) {
    const submissions = Array.from({ length: 1 + Math.floor(next() * 4) }, () => {
      const known = [...names],
        steps: Step[] = [];
      for (let count = 1 + Math.floor(next() * 3); count > 0; count--) {
        const target = known[Math.floor(next() * known.length)];
        if (target === undefined || next() < 0.55) {
          const step = create();
          steps.push(step);
          if (next() < 0.15 && "create" in step) steps.push({ exercise: step.create, by: parties });
        } else steps.push({ exercise: target, by: some(), consuming: next() < 0.7, children: next() < 0.4 ? [create()] : [] });
      }
      return steps;
    });
    // A contract may be archived twice inside one script; such scripts are no valid transactions.
    const valid = submissions.filter((steps) => {
      const used = steps.flatMap((step) => ("exercise" in step ? [step.exercise] : []));
      return new Set(used).size === used.length;
    });
    await Promise.all(
      valid.map(async (steps) => {
        try {
          await fixture.ledger.submit(submission(parties, steps));
        } catch (error) {
          if (!String(error).includes("unknown contract")) throw error;
        }
      }),
    );
  }
}

/** The set of active contracts that the deltas up to an offset add up to. */
async function fold(fixture: Pick<Fixture, "ledger">, format: EventFormatRequest, end: number): Promise<string[]> {
  const active = new Set<string>();
  for (const transaction of end === 0 ? [] : await transactions(fixture.ledger, format, "acsDelta", { end })) {
    for (const event of transaction.events) {
      if (event.CreatedEvent) active.add(event.CreatedEvent.contractId);
      else assert.ok(active.delete(event.ArchivedEvent.contractId), "an archive follows its create");
    }
  }
  return [...active];
}

describe("simulation", () => {
  it(`active contracts at any offset are the deltas up to it added up, for random filters (seed ${seed})`, async (t) => {
    const fixture = await startLedger(t),
      next = random(seed);
    await play(fixture, next);
    const parties = Object.values(fixture.parties),
      end = fixture.ledger.ledgerEnd();
    assert.ok(end > rounds, "the play left something to look at");
    const template = (name: string) => ({
      cumulative: [{ kind: "template" as const, templateId: `#test-model:${name}`, includeCreatedEventBlob: false }],
    });
    const formats: EventFormatRequest[] = [
      ...parties.map((party) => wildcard(party)),
      wildcard(...parties.slice(0, 2)),
      { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: true },
      {
        filtersByParty: { [parties[0]!]: template("M:Other"), [parties[1]!]: { cumulative: [] } },
        filtersForAnyParty: undefined,
        verbose: true,
      },
      { filtersByParty: {}, filtersForAnyParty: template("M:Keyed"), verbose: true },
    ];
    for (const format of formats) {
      for (const offset of [0, end, ...Array.from({ length: 6 }, () => Math.floor(next() * end))]) {
        assert.deepEqual(
          (await activeContracts(fixture.ledger, format, offset)).map((one) => one.contractId),
          await fold(fixture, format, offset),
          `offset ${offset}, ${JSON.stringify(format)}`,
        );
      }
    }
  });

  it(`deltas are contained in ledger effects, and every offset has one place (seed ${seed})`, async (t) => {
    const fixture = await startLedger(t);
    await play(fixture, random(seed + 1));
    for (const party of Object.values(fixture.parties)) {
      const effects = new Map((await transactions(fixture.ledger, wildcard(party), "ledgerEffects")).map((one) => [one.offset, one]));
      for (const delta of await transactions(fixture.ledger, wildcard(party))) {
        const marked = effects
          .get(delta.offset)
          .events.map((event: Record<string, { nodeId: number; acsDelta: boolean }>) => Object.values(event)[0]!)
          .filter((event: { acsDelta: boolean }) => event.acsDelta);
        assert.deepEqual(
          delta.events.map((event: Record<string, { nodeId: number }>) => Object.values(event)[0]!.nodeId),
          marked.map((event: { nodeId: number }) => event.nodeId),
        );
      }
    }
  });

  it(`a restart changes no answer (seed ${seed})`, async (t) => {
    const fixture = await startLedger(t);
    await play(fixture, random(seed + 2));
    const parties = Object.values(fixture.parties),
      format = wildcard(...parties);
    const before = [await transactions(fixture.ledger, format, "ledgerEffects"), await activeContracts(fixture.ledger, format)];
    await closeFixture(fixture);
    const again = await openFixture(fixture.folder, { interpreter: fixture.interpreter, clock: fixture.clock });
    t.after(() => closeFixture(again));
    assert.deepEqual([await transactions(again.ledger, format, "ledgerEffects"), await activeContracts(again.ledger, format)], before);
    success(await again.ledger.submit(submission([parties[0]!], [{ create: "after restart", signatories: [parties[0]!] }])));
  });
});
