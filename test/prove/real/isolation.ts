import { Isolation } from "../../main/isolation.js";
import type { Scenario } from "../scenario.js";

export const isolation: Scenario = {
  name: "isolation",
  unit: "of each operation",
  sizes: { test: 10, ci: 60, night: 5_000 },
  holds: "whatever one participant is asked with the ids of another, it tells nothing of it, and answers as to ids that nobody has",
  async run(play) {
    const doors = await Isolation.begin(play);
    await play.cases((seed) => doors.round(seed));
    await doors.rest();
    await doors.end();
    for (const [what, times] of Object.entries(doors.counts)) play.count(what, times);
  },
};
