/** The file that names several participants, in the reference's form; `url` may stand instead of host and port. */
import { httpAddress } from "../base/http-address.js";
import { isObject } from "../base/json-object.js";
import { fail, ok, type Result } from "../base/result.js";
import type { Participant } from "./node/index.js";
import type { LedgerChoice } from "./session.js";

/** For those that the file gives none. */
interface Defaults {
  readonly token: string | undefined;
  readonly userId: string | undefined;
}
export type Nodes = Omit<Extract<LedgerChoice, { kind: "nodes" }>, "kind" | "staticTime">;

const defaultUserId = "daml-script";

export function parseParticipants(text: string, defaults: Defaults): Result<Nodes, string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return fail(`is no JSON: ${(error as Error).message}`);
  }
  if (!isObject(json)) return fail("must hold a JSON object");
  const named: (readonly [string, Participant])[] = [];
  for (const [name, given] of Object.entries(isObject(json["participants"]) ? json["participants"] : {})) {
    const participant = participantOf(given, defaults);
    if (participant === undefined) return fail(`has no url, or host and port, for participant ${name}`);
    named.push([name, participant]);
  }
  const chosen = json["default_participant"];
  const first = typeof chosen === "string" ? named.find(([name]) => name === chosen)?.[1] : participantOf(chosen, defaults);
  if (chosen !== undefined && chosen !== null && first === undefined)
    return fail("has a default_participant without url, or host and port");
  const parties = isObject(json["party_participants"]) ? Object.entries(json["party_participants"]) : [];
  const lost = parties.find(([, name]) => !named.some(([known]) => known === name));
  if (lost !== undefined) return fail(`puts party ${lost[0]} on participant ${String(lost[1])}, which it does not name`);
  return ok({ default: first, named, parties: parties as [string, string][] });
}

function participantOf(given: unknown, defaults: Defaults): Participant | undefined {
  if (!isObject(given)) return undefined;
  const { url, host, port, access_token: token, user_id: userId } = given;
  const address =
    typeof url === "string" ? url : typeof host === "string" && typeof port === "number" ? httpAddress(host, port) : undefined;
  if (address === undefined) return undefined;
  const access = typeof token === "string" ? token : defaults.token;
  return {
    url: address.replace(/\/+$/, ""),
    token: access,
    userId: typeof userId === "string" ? userId : submitter(access, defaults.userId),
  };
}

/** The user who submits: where there is a token, the one it names, unless another is asked for. */
export const submitter = (token: string | undefined, userId: string | undefined): string =>
  userId ?? (token === undefined ? defaultUserId : "");
