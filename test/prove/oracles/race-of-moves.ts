import { RaceOfMoves } from "../../ledger/race-of-moves.js";
import type { Scenario } from "../scenario.js";

const lanes = 16;

export const raceOfMoves: Scenario = {
  name: "race-of-moves",
  unit: "contracts",
  sizes: { test: 200, ci: 2_000, night: 100_000 },
  holds:
    "of those that archive, unassign, assign or bring elsewhere one contract at two participants exactly one wins each time, and none is lost",
  async run(play) {
    const race = await RaceOfMoves.begin();
    play.after(() => race.cleanUp());
    await play.cases((seed) => race.race(seed), lanes);
    await race.end();
    for (const [what, times] of Object.entries(race.counts)) play.count(what, times);
  },
};
