/** A world whose users ask with tokens of their own. */
import assert from "node:assert/strict";
import { type Json, World } from "../scenarios/world.js";
import { audience, secret, tokenOf, type Answer } from "./real-network.js";

export const startWithTokens = (): Promise<World> =>
  World.start([], ["--memory", "--auth", `hs256:${secret}`, "--auth-audience", audience]);

/** What a user gets. */
export async function requestAs({ client }: World, user: string, method: string, path: string, body?: Json): Promise<Answer> {
  const { status, text } = await client.request(method, path, body, { authorization: `Bearer ${tokenOf(user)}` });
  return { status, body: JSON.parse(text) };
}

/** What he gets where nothing is wrong. */
export async function askAs(...asked: Parameters<typeof requestAs>): Promise<Json> {
  const [, , method, path] = asked,
    answer = await requestAs(...asked);
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
