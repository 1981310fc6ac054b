/** Where a request carries its token. */
export interface Credentials {
  /** The bare token, without its scheme: "" where that stands alone; undefined when the request brings none. */
  readonly token: string | undefined;
  /** A claim, and its field, that names the user in place of the subject where it is there. */
  readonly userClaim?: readonly [claim: string, field: string];
}

const bearer = /^Bearer(?:[ \t]+(.*))?$/i;
const tokenProtocol = "jwt.token.";

/** The Authorization header wins over the token that a browser can only send as a WebSocket subprotocol. */
export function credentialsOf(headers: ReadonlyMap<string, string>): Credentials {
  return { token: tokenInAuthorization(headers.get("authorization")) ?? tokenInProtocols(headers.get("sec-websocket-protocol")) };
}

/** Other schemes are ignored. Repeated headers arrive joined by a comma: one Bearer among them counts, two make no token. */
function tokenInAuthorization(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bearers = header.split(",").flatMap((part) => tokenAfterScheme(part.trim()));
  return bearers.length > 1 ? bearers.join(",") : bearers[0];
}

/** A scheme without a token is a bad token, not no token. */
function tokenAfterScheme(credentials: string): readonly string[] {
  const match = bearer.exec(credentials);
  return match === null ? [] : [match[1]?.trim() ?? ""];
}

/** The reference loses a token in second place; we trim and take any place, plain clients do not notice. */
function tokenInProtocols(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const offered = header.split(",").map((text) => text.trim());
  const token = offered.find((text) => text.startsWith(tokenProtocol))?.slice(tokenProtocol.length);
  return token === "" ? undefined : token;
}
