import { KilledMoves } from "../../crash/killed-moves.js";
import type { Scenario } from "../scenario.js";

export const killedMoves: Scenario = {
  name: "killed-moves",
  unit: "kills",
  sizes: { test: 2, ci: 15, night: 2_000 },
  holds:
    "after a kill every contract that two participants move between two synchronizers is in one place, the same for both, and nothing acknowledged is lost",
  async run(play) {
    const moves = new KilledMoves(play.seed);
    play.after(() => moves.cleanUp());
    await moves.run(play.size, () => play.step());
    for (const [what, times] of Object.entries(moves.counts)) play.count(what, times);
  },
};
