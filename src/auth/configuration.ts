/** From the words of a command line or a configuration file to authentication. */
import { readFileSync } from "node:fs";
import { elapsedMs } from "../base/clock.js";
import { messageOf } from "../base/error-text.js";
import { type Result, fail, ok } from "../base/result.js";
import { limits } from "../config.js";
import { type Authentication, type UserDirectory, noAuthentication } from "./authentication.js";
import { secretOf } from "./secret-file.js";
import { parseServiceOption } from "./service-option.js";
import type { AuthenticationService } from "./token-authentication.js";

export interface AuthenticationSettings {
  /** In the forms of `--auth`, in the order in which they are asked; none, or only `none`: everybody may do everything. */
  readonly services: readonly string[];
  readonly targetAudience?: string;
  readonly targetScope?: string;
  readonly lifeMaxSeconds?: number;
  readonly leewaySeconds?: number;
  /** Key sets may then be fetched from loopback and private networks, and by plain http. */
  readonly listensOnLoopback: boolean;
  readonly participantId: string;
  readonly directory: UserDirectory;
  /** Hears what is not wrong, but not well either. */
  readonly warn?: (message: string) => void;
}

/** The error is for the one who started the node. */
export async function configureAuthentication(settings: AuthenticationSettings): Promise<Result<Authentication, string>> {
  const services: AuthenticationService[] = [];
  for (const text of settings.services) {
    const service = serviceOf(text, settings);
    if (service.error !== undefined) return service;
    if (service.ok !== "none") services.push(service.ok);
  }
  if (services.length === 0) return ok(noAuthentication);
  if (services.length < settings.services.length)
    return fail(
      `"none" takes everybody without a token, the ${services.length > 1 ? "others" : "other"} only those with one: leave one of them out`,
    );
  // Loading the cryptography takes longer than anything else at the start: only those who use it pay.
  const [{ createAuthentication }, { requestKeySet }] = await Promise.all([
    import("./token-authentication.js"),
    import("./key-set-request.js"),
  ]);
  return createAuthentication({
    services,
    participantId: settings.participantId,
    directory: settings.directory,
    rules: {
      lifeMaxSeconds: settings.lifeMaxSeconds ?? limits.tokenLifeMaxSeconds,
      leewaySeconds: settings.leewaySeconds ?? limits.tokenLeewaySeconds,
    },
    requestKeySet: (url) => requestKeySet(url, { allowPrivateNetwork: settings.listensOnLoopback }),
    nowMs: Date.now,
    elapsedMs,
  });
}

/** Why nobody gets keys there now; undefined: they can be fetched. */
export async function keySetProblem(
  url: string,
  { listensOnLoopback }: { readonly listensOnLoopback: boolean },
): Promise<string | undefined> {
  const { requestKeySet } = await import("./key-set-request.js");
  try {
    const { keys } = JSON.parse(await requestKeySet(url, { allowPrivateNetwork: listensOnLoopback })) as { readonly keys?: unknown };
    return Array.isArray(keys) ? undefined : "the answer is no key set";
  } catch (error) {
    return error instanceof SyntaxError ? "the answer is no JSON" : (error as Error).message;
  }
}

function serviceOf(
  text: string,
  { targetAudience, targetScope, warn = () => undefined }: AuthenticationSettings,
): Result<AuthenticationService | "none", string> {
  const option = parseServiceOption(text);
  if (option.error !== undefined) return option;
  if (option.ok === undefined) return ok("none");
  const target = { ...(targetAudience === undefined ? {} : { targetAudience }), ...(targetScope === undefined ? {} : { targetScope }) };
  if (option.ok.kind === "secret") {
    const secret = secretOf(option.ok.secret, warn);
    return secret.error === undefined ? ok({ kind: "secret", secret: secret.ok, ...target }) : secret;
  }
  if (option.ok.kind === "keySet") return ok({ ...option.ok, ...target });
  const { algorithm, file } = option.ok;
  try {
    return ok({ kind: "certificate", algorithm, pem: readFileSync(file, "utf8"), file, ...target });
  } catch (error) {
    return fail(`cannot read the certificate ${file}: ${messageOf(error)}`);
  }
}
