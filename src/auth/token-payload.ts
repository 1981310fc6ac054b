/**
 * What a verified token says: its life, and for whom it speaks. Forms and checks as measured (golden auth-rules,
 * "Token contents"): audience tokens, scope tokens, and the default form that is either.
 */
import { type Result, fail, ok } from "../base/result.js";

export interface TokenTarget {
  /** `aud` must contain it; other forms are refused. */
  readonly targetAudience?: string;
  /** `scope` or `scp` must contain it, in a text with blanks between several too; other forms are refused. */
  readonly targetScope?: string;
}

export interface TokenRules {
  /** A token must name its end, no further ahead than this. Infinity: no limit, and `exp` may be absent. */
  readonly lifeMaxSeconds: number;
  readonly leewaySeconds: number;
}

export interface TokenPayload {
  readonly subject: string;
  /** Names this participant, when the token is bound to one. */
  readonly participantId: string | undefined;
  readonly expiresAtSeconds: number | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

const participantAudience = "https://daml.com/jwt/aud/participant/";
const ledgerApiScope = "daml_ledger_api";

export function readPayload(claims: Claims, target: TokenTarget, rules: TokenRules, nowSeconds: number): Result<TokenPayload, string> {
  const life = checkLife(claims, rules, nowSeconds);
  if (life !== undefined) return fail(life);
  const { sub, exp, iss } = claims;
  if (typeof sub !== "string") return fail("sub is not text");
  if (iss !== undefined && iss !== null && typeof iss !== "string") return fail("iss is not text");
  const participantId = participantOf(claims, target);
  if (participantId.error !== undefined) return participantId;
  return ok({ subject: sub, participantId: participantId.ok.id, expiresAtSeconds: exp as number | undefined });
}

function checkLife({ exp, nbf, iat }: Claims, { lifeMaxSeconds, leewaySeconds }: TokenRules, now: number): string | undefined {
  if (exp === undefined ? Number.isFinite(lifeMaxSeconds) : !Number.isSafeInteger(exp)) return "exp is absent or no integer";
  if (typeof exp === "number" && exp + leewaySeconds <= now) return "the token has expired";
  if (typeof exp === "number" && exp - now > lifeMaxSeconds) return "the token lives longer than allowed";
  for (const [name, start] of [
    ["nbf", nbf],
    ["iat", iat],
  ] as const) {
    if (start === undefined || start === null) continue;
    if (typeof start !== "number") return `${name} is no number`;
    if (start - leewaySeconds > now) return `${name} lies in the future`;
  }
  return undefined;
}

function participantOf(claims: Claims, target: TokenTarget): Result<{ readonly id: string | undefined }, string> {
  const audiences = textsOf(claims["aud"]);
  const scopes = scopesOf(claims);
  if (audiences === undefined || scopes === undefined) return fail("aud or scp is neither text nor a list of texts");
  if (target.targetAudience !== undefined)
    return audiences.includes(target.targetAudience) ? unbound : fail("the token is for another audience");
  if (target.targetScope !== undefined)
    return scopes.flatMap((some) => some.split(" ")).includes(target.targetScope) ? unbound : fail("the token lacks the scope");
  const participants = audiences
    .filter((audience) => audience.startsWith(participantAudience))
    .map((audience) => audience.slice(participantAudience.length));
  if (participants.length > 0)
    return single(
      participants.filter((id) => id !== ""),
      "aud must name one participant",
    );
  if (!scopes.includes(ledgerApiScope)) return fail("the token has neither a participant as audience nor the scope of the ledger API");
  return audiences.length === 0 ? unbound : single(audiences, "aud must be empty or one participant");
}

const unbound = ok({ id: undefined });
const single = (ids: readonly string[], otherwise: string): Result<{ readonly id: string | undefined }, string> =>
  ids.length === 1 ? ok({ id: ids[0] }) : fail(otherwise);

/** `scope` as text hides `scp`, even when it is empty. */
const scopesOf = (claims: Claims): readonly string[] | undefined =>
  typeof claims["scope"] === "string" ? claims["scope"].split(" ") : textsOf(claims["scp"]);

function textsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [value];
  return Array.isArray(value) && value.every((entry) => typeof entry === "string") ? value : undefined;
}
