/** Between a commit that the tables show and the ledger's end that is told lies a moment in which readers come. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Machine } from "../prove/simulation/machine.js";
import { Random } from "../support/random.js";
import { activeContracts, submission, success, wildcard } from "./support.js";

const rounds = 40;

test("active contracts: at the ledger's end there are also those that a commit archives which is not told yet", async () => {
  const machine = new Machine(new Random(7));
  let looked = 0;
  await machine.simulate(async () => {
    await machine.start();
    await machine.ask(async (ledger) => {
      const { party } = success(
        await ledger.allocateParty({ hint: "alice", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }),
      );
      for (let round = 0; round < rounds; round++) {
        success(await ledger.submit(submission([party], [{ create: `note ${round}`, signatories: [party] }])));
        const [note] = await activeContracts(ledger, wildcard(party)),
          end = ledger.ledgerEnd(),
          { commits } = machine.file;
        const archived = ledger.submit(submission([party], [{ exercise: note.createArgument.name, by: [party] }]));
        while (machine.file.commits === commits) await machine.sleep(1);
        const active = await activeContracts(ledger, wildcard(party), end);
        if (ledger.ledgerEnd() === end) {
          looked++;
          assert.deepEqual(
            active.map(({ contractId }) => contractId),
            [note.contractId],
          );
        }
        success(await archived);
        assert.deepEqual(await activeContracts(ledger, wildcard(party)), []);
      }
    });
    await machine.stop();
  });
  assert.ok(looked > rounds / 2, `readers came ${looked} times`);
});
