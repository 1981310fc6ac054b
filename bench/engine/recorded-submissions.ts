/**
 * The recorded cases on public packages: the steps of a recorded scenario make the contracts, the steps that were timed are
 * submitted again and again instead.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../../src/base/assert.js";
import { parseTimestamp } from "../../src/lf/value/time.js";
import type { EngineCase } from "./figures.js";
import { BenchLedger, type JsonCommand } from "./ledger.js";
import { darPackages } from "./packages.js";
import { tradingApp } from "./trading-app.js";

interface RecordedStep {
  readonly step: string;
  readonly actAs?: readonly string[];
  readonly readAs?: readonly string[];
  readonly ledgerTime?: string;
  readonly commands?: readonly Readonly<Record<string, Omit<JsonCommand, "kind">>>[];
  readonly names?: readonly (string | null)[];
  readonly disclosed?: readonly string[];
  readonly commit?: boolean;
  readonly error?: unknown;
}
interface RecordedScenario {
  readonly dars: readonly { readonly dar: string }[];
  readonly steps: readonly RecordedStep[];
}

/** Steps by the name under which they were timed. */
const timed: ReadonlyMap<string, string> = new Map([
  ["create AmuletRules", "amulet: create AmuletRules"],
  ["tap alice again", "amulet: tap"],
  ["transfer alice to bob", "amulet: transfer 1 input 1 output"],
  ["transfer two inputs two outputs", "amulet: transfer 2 inputs 2 outputs"],
  ["two step transfer via token standard", "amulet: token standard two step transfer"],
]);

const tradingAppDar = "splice-token-test-trading-app-1.0.0";

export function* recordedSubmissions({
  dars,
  recordings,
}: {
  readonly dars: string;
  readonly recordings: string;
}): IterableIterator<EngineCase> {
  const scenarios = JSON.parse(
    readFileSync(join(recordings, "real", "scenarios", "amulet-nuck.json"), "utf8"),
  ) as readonly RecordedScenario[];
  const {
    dars: [{ dar } = assert(false, "a DAR") as never],
    steps,
  } = scenarios[0]!;
  const ledger = new BenchLedger(darPackages(join(dars, `${dar}.dar`), join(dars, `${tradingAppDar}.dar`)));
  const names = new Map<string, string>();
  for (const step of steps) {
    if (step.error !== undefined || step.commands === undefined) continue;
    const { actAs = [], readAs = [], commands, disclosed } = withNames(step, names);
    const circumstances = {
      readAs,
      disclosed: disclosed ?? [],
      ...(step.ledgerTime === undefined ? {} : { ledgerTime: parseTimestamp(step.ledgerTime)! }),
    };
    const read = commands!.map((command) => Object.entries(command).map(([kind, body]) => ({ kind, ...body }) as JsonCommand)[0]!);
    const name = timed.get(step.step);
    if (name !== undefined) yield ledger.submission(name, actAs, read, circumstances);
    if (step.commit === false) continue;
    const created = ledger.commit(actAs, read, circumstances);
    (step.names ?? []).forEach((each, index) => {
      if (each !== null) names.set(each, created[index]!);
    });
  }
  const contract = (name: string): string => names.get(name) ?? (assert(false, `the recording names ${name}`) as never);
  yield tradingApp(ledger, {
    rules: contract("rules"),
    external: contract("ext"),
    round: contract("r0"),
    holdings: [contract("a2"), contract("b1")],
  });
}

/** `$name` stands for a contract of an earlier step. */
const withNames = (step: RecordedStep, names: ReadonlyMap<string, string>): RecordedStep =>
  JSON.parse(JSON.stringify(step), (_, value: unknown) =>
    typeof value === "string" && value.startsWith("$") ? (names.get(value.slice(1)) ?? value) : value,
  ) as RecordedStep;
