/**
 * How much of its best does a node still get done when far more clients ask than it has places for commands? Every client asks
 * again as soon as it is answered, also after a refusal: nobody is kinder to the node than that.
 */
import type { BenchCase, BenchRow } from "./support/bench.js";
import { create, startBenchLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";

interface Size {
  readonly few: number;
  readonly many: readonly number[];
  readonly requests: number;
  readonly rounds: number;
}

export const overload: BenchCase<Size> = {
  name: "overload",
  smoke: { few: 4, many: [300], requests: 600, rounds: 1 },
  full: { few: 64, many: [1_300, 3_000], requests: 24_000, rounds: 3 },
  async run({ few, many, requests, rounds, pace }) {
    const ledger = await startBenchLedger();
    try {
      await commandsPerSecond(ledger, few, requests);
      const measured = new Map<number, Figures[]>([few, ...many].map((connections) => [connections, []]));
      for (let round = 0; round < rounds; round++)
        for (const [connections, figures] of measured) {
          pace.look();
          figures.push(await commandsPerSecond(ledger, connections, requests));
        }
      const best = median(measured.get(few)!).value;
      return [...measured].map(([connections, figures]): BenchRow => {
        const { value, refused } = median(figures),
          row = { case: `${connections} clients`, value, unit: "/s", note: `${refused} of ${requests} refused` };
        return connections === few ? row : { ...row, ceiling: { value: best, ratio: value / best } };
      });
    } finally {
      await ledger.stop();
    }
  },
};

interface Figures {
  readonly value: number;
  readonly refused: number;
}

const median = (figures: readonly Figures[]): Figures => [...figures].sort((a, b) => a.value - b.value)[Math.floor(figures.length / 2)]!;

let commands = 0;

/** Of those that were accepted. */
async function commandsPerSecond({ node, party }: BenchLedger, connections: number, requests: number): Promise<Figures> {
  const next = (): Buffer => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(party, `overload-${++commands}`)));
  const { failures, seconds } = await runLoad({ port: node.port, connections, requests, next });
  return { value: (requests - failures) / seconds, refused: failures };
}
