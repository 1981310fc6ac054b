/** No mutated token is accepted, and none makes a noise. The seed of a failing run is in its message. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import { authenticationWith, outcomeOf, TestDirectory } from "./directory.js";
import { mutate, randomOf } from "./mutate.js";
import { good, hs256, keyHolder } from "./tokens.js";

const seed = Number(process.env["TOKEN_SEED"] ?? 20_240_607);
const count = Number(process.env["TOKEN_MUTATIONS"] ?? 10_000);

async function acceptedMutations(original: string, other: string, check: (token: string) => Promise<string>): Promise<readonly string[]> {
  const random = randomOf(seed);
  const accepted: string[] = [];
  for (let i = 0; i < count; i++) {
    const mutated = mutate(original, other, random);
    if (mutated === original || mutated === other) continue;
    const outcome = await check(mutated);
    if (outcome !== "unauthenticated") accepted.push(`${outcome}: ${mutated}`);
  }
  return accepted;
}

test(`mutations: of ${count} mutated HS256 tokens none is accepted`, async () => {
  const authentication = await authenticationWith();
  const [original, other] = [hs256(good("alice")), hs256(good("gone", { nbf: 0 }))];
  assert.equal(await outcomeOf(authentication, original), "alice");
  assert.deepEqual(await acceptedMutations(original, other, token => outcomeOf(authentication, token)), [], `seed ${seed}`);
});

test(`mutations: of ${count} mutated ES256 tokens of an identity provider none is accepted, and its keys are fetched no more than is allowed`, async () => {
  const keys = await keyHolder("ES256", "k1");
  let fetched = 0;
  const authentication = await authenticationWith({ directory: new TestDirectory(), requestKeySet: async () => { fetched++; return keys.keySet; } });
  const began = Date.now();
  const payload = good("ida", { iss: "https://idp1.example" });
  const [original, other] = [await keys.sign(payload), await keys.sign({ ...payload, nbf: 0 })];
  assert.equal(await outcomeOf(authentication, original), "ida");
  assert.deepEqual(await acceptedMutations(original, other, token => outcomeOf(authentication, token)), [], `seed ${seed}`);
  const fetchedMax = 2 + Math.floor((Date.now() - began) / limits.keySetIntervalMs); // a token that names an unknown key may ask again
  assert.ok(fetched <= fetchedMax, `fetched ${fetched} times instead of at most ${fetchedMax}`);
});
