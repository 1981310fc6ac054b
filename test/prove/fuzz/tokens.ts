/** No mutated token is accepted, and none makes the node fetch keys more often than it may. */
import assert from "node:assert/strict";
import { limits } from "../../../src/config.js";
import type { Authentication } from "../../../src/auth/index.js";
import { authenticationWith, outcomeOf, TestDirectory } from "../../auth/directory.js";
import { mutate } from "../../auth/mutate.js";
import { drawFrom } from "../../support/random.js";
import { good, hs256, keyHolder } from "../../auth/tokens.js";
import type { Play, Scenario } from "../scenario.js";

async function tryMutation(play: Play, authentication: Authentication, tokens: readonly [string, string], seed: number): Promise<void> {
  const [original, other] = tokens,
    mutated = mutate(original, other, drawFrom(seed));
  if (mutated === original || mutated === other) return play.count("left as they were");
  assert.equal(await outcomeOf(authentication, mutated), "unauthenticated", mutated);
  play.count("refused");
}

/** HS256 by the node's own secret and ES256 of an identity provider in turns. */
export const tokens: Scenario = {
  name: "tokens",
  unit: "tokens",
  sizes: { test: 20_000, ci: 60_000, night: 5_000_000 },
  holds: "no token that was changed anywhere is accepted, and keys are fetched no more often than is allowed",
  async run(play) {
    const own = await authenticationWith(),
      keys = await keyHolder("ES256", "k1"),
      began = Date.now();
    let fetched = 0;
    const others = await authenticationWith({
      directory: new TestDirectory(),
      requestKeySet: async () => {
        fetched++;
        return keys.keySet;
      },
    });
    const payload = good("ida", { iss: "https://idp1.example", exp: good("ida")["exp"] });
    const ofOwn = [hs256(good("alice")), hs256(good("gone", { nbf: 0 }))] as const,
      ofOthers = [await keys.sign(payload), await keys.sign({ ...payload, nbf: 0 })] as const;
    assert.deepEqual(
      [await outcomeOf(own, ofOwn[0]), await outcomeOf(others, ofOthers[0])],
      ["alice", "ida"],
      "as they are they are accepted",
    );
    await play.cases((seed) => (seed % 2 === 0 ? tryMutation(play, own, ofOwn, seed) : tryMutation(play, others, ofOthers, seed)));
    const fetchedMax = 2 + Math.floor((Date.now() - began) / limits.keySetIntervalMs); // a token that names an unknown key may ask again
    assert.ok(fetched <= fetchedMax, `fetched ${fetched} times instead of at most ${fetchedMax}`);
    play.count("fetches of keys", fetched);
  },
};
