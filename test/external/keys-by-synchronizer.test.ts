/** A party that signs for itself may have other keys on each synchronizer; those of the transaction's count. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { combinedHash } from "../../src/ledger/external/topology-hash.js";
import { create, darOf, type Json, World } from "../scenarios/world.js";
import { prepareReply, succeeded } from "./external-world.js";
import { type Holder, holder, signature, transactionOf } from "./holders.js";
import { temporaryFolder } from "../support/folders.js";

const signed = (one: Holder, message: Uint8Array): Json => ({
  format: "SIGNATURE_FORMAT_CONCAT",
  signature: Buffer.from(signature(one, message).bytes).toString("base64"),
  signedBy: one.key.fingerprint,
  signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
});

const start = (folder: string): Promise<World> => World.start([], ["--data", folder, "--synchronizers", "one,two"]);

interface Keys {
  readonly synchronizer: string;
  readonly keys: readonly Holder[];
  readonly keyThreshold: number;
}

async function onboard(world: World, hosted: readonly Keys[]): Promise<string> {
  const { participantId } = succeeded(await world.client.get("/v2/parties/participant-id"));
  let party = "";
  for (const { synchronizer, keys, keyThreshold } of hosted) {
    const transaction = transactionOf({ participantId }, keys, { keyThreshold });
    const allocated = await world.client.post("/v2/parties/external/allocate", {
      synchronizer,
      onboardingTransactions: [{ transaction: Buffer.from(transaction).toString("base64") }],
      multiHashSignatures: keys.map((one) => signed(one, combinedHash([transaction]))),
    });
    party = succeeded(allocated).partyId;
  }
  return party;
}

async function codeOf(world: World, party: string, synchronizerId: string, signers: readonly Holder[]): Promise<string> {
  const gold = create("#ref-model:M:Asset", { issuer: party, owner: party, name: "gold", amount: "1" }),
    prepared = succeeded(await prepareReply(world, [party], [gold], { synchronizerId })),
    hash = Buffer.from(prepared.preparedTransactionHash, "base64");
  const executed = await world.client.post("/v2/interactive-submission/executeAndWait", {
    preparedTransaction: prepared.preparedTransaction,
    hashingSchemeVersion: prepared.hashingSchemeVersion,
    userId: "tester",
    submissionId: "",
    deduplicationPeriod: { Empty: {} },
    partySignatures: { signatures: [{ party, signatures: signers.map((one) => signed(one, hash)) }] },
  });
  return executed.status === 200 ? "accepted" : executed.json().code;
}

test("external: a transaction is good with the keys of its synchronizer alone, whatever was signed for another one, also after a restart", async (t) => {
  const folder = temporaryFolder(),
    [first, second, third, fourth] = [holder(), holder(), holder(), holder()] as const;
  let world = await start(folder);
  t.after(() => world.stop());
  const [one, two] = succeeded(await world.client.get("/v2/state/connected-synchronizers")).connectedSynchronizers.map(
    ({ synchronizerId }: Json) => synchronizerId,
  ) as [string, string];
  for (const id of [one, two])
    succeeded(await world.client.post(`/v2/dars?synchronizerId=${encodeURIComponent(id)}`, darOf("canton", "model1.dar")));
  const laxElsewhere = await onboard(world, [
    { synchronizer: one, keys: [first, second], keyThreshold: 2 },
    { synchronizer: two, keys: [first], keyThreshold: 1 },
  ]);
  const moreElsewhere = await onboard(world, [
    { synchronizer: two, keys: [third, fourth], keyThreshold: 1 },
    { synchronizer: one, keys: [third], keyThreshold: 1 },
  ]);
  const refused = "FAILED_TO_EXECUTE_TRANSACTION";
  const cases: readonly (readonly [party: string, synchronizer: string, signers: readonly Holder[], code: string])[] = [
    [laxElsewhere, one, [first], refused],
    [laxElsewhere, one, [first, second], "accepted"],
    [laxElsewhere, two, [first], "accepted"],
    [laxElsewhere, two, [second], refused],
    [moreElsewhere, one, [fourth], refused],
    [moreElsewhere, one, [third], "accepted"],
    [moreElsewhere, two, [fourth], "accepted"],
  ];
  const outcomes = async (): Promise<readonly string[]> => {
    const codes: string[] = [];
    for (const [party, synchronizer, signers] of cases) codes.push(await codeOf(world, party, synchronizer, signers));
    return codes;
  };
  const expected = cases.map(([, , , code]) => code);
  assert.deepEqual(await outcomes(), expected);
  await world.stop();
  world = await start(folder);
  assert.deepEqual(await outcomes(), expected);
});
