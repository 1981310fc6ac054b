import { compareVisibility, formatsEach } from "../../ledger/oracle/comparison.js";
import { Cleanups, type Scenario } from "../scenario.js";

export const visibility: Scenario = {
  name: "visibility", unit: "ledgers", sizes: { test: 25, ci: 150, night: 30_000 },
  holds: "every read operation gives a reader what the plain rules of projection give, no more and no less",
  run: (play) => play.cases(async (seed) => {
    const cleanups = new Cleanups();
    try {
      play.count("transactions", await compareVisibility(cleanups, seed));
      play.count("event formats", formatsEach);
    } finally {
      await cleanups.cleanUp();
    }
  }),
};
