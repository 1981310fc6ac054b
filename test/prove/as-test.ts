/** A scenario in its small size as a test among the others. */
import { test } from "node:test";
import { CannotPlay, playScenario, type Scenario } from "./scenario.js";

/** Tests run with the same seed everywhere; other seeds are what `npm run prove` is for. */
export const testSeed = 20_261_122;

const timeoutMs = 300_000;

export function proves(scenario: Scenario): void {
  const { name, holds, sizes, unit } = scenario;
  test(`${name}: ${holds} (${sizes.test} ${unit})`, { timeout: timeoutMs }, async (t) => {
    try {
      const { counts, notes } = await playScenario({ scenario, seed: testSeed, size: sizes.test });
      t.diagnostic(
        Object.entries(counts)
          .map(([what, times]) => `${times} ${what}`)
          .join(", "),
      );
      for (const note of notes) t.diagnostic(note);
    } catch (error) {
      if (!(error instanceof CannotPlay)) throw error;
      t.skip(error.message);
    }
  });
}
