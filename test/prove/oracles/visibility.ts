import { compareVisibility, formatsEach } from "../../ledger/oracle/comparison.js";
import { compareNetwork, formatsEachDoor } from "../../ledger/oracle/network-comparison.js";
import { Cleanups, type Scenario } from "../scenario.js";

export const visibility: Scenario = {
  name: "visibility",
  unit: "ledgers",
  sizes: { test: 25, ci: 150, night: 30_000 },
  holds: "every read operation gives a reader what the plain rules of projection give, no more and no less",
  run: (play) =>
    play.cases(async (seed) => {
      const cleanups = new Cleanups();
      try {
        play.count("transactions", await compareVisibility(cleanups, seed));
        play.count("event formats", formatsEach);
      } finally {
        await cleanups.cleanUp();
      }
    }),
};

export const networkVisibility: Scenario = {
  name: "network-visibility",
  unit: "networks",
  sizes: { test: 8, ci: 100, night: 10_000 },
  holds: "of three participants on two synchronizers each tells what those see whom it hosts, wherever contracts move, and nothing else",
  run: (play) =>
    play.cases(async (seed) => {
      const cleanups = new Cleanups();
      try {
        for (const [what, times] of Object.entries(await compareNetwork(cleanups, seed))) play.count(what, times);
        play.count("event formats", 3 * (formatsEachDoor + 1));
      } finally {
        await cleanups.cleanUp();
      }
    }),
};
