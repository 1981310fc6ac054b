import type { JsCantonError } from "../../api/ledger/types/common.js";

/** Why a request came to nothing, in the words that the node found for it. */
export class RequestFailed extends Error {
  constructor(
    /** 0: there was no answer. */
    readonly status: number,
    readonly code: string,
    readonly explanation: string,
    readonly context: Readonly<Record<string, string>> = {},
  ) {
    super(`${code}: ${explanation}`);
  }
}

const shownChars = 4_000;

/** Answers that are no error object are plain texts: what could not be decoded, and where. */
export function failureOf(status: number, body: string): RequestFailed {
  const error = errorObject(body);
  if (error !== undefined) return new RequestFailed(status, error.code, error.cause, error.context);
  return new RequestFailed(status, status === 400 ? "INVALID_REQUEST" : `HTTP ${status}`, body.slice(0, shownChars) || "no explanation");
}

export function errorObject(body: string): JsCantonError | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === "object" && parsed !== null && "code" in parsed && "cause" in parsed && typeof parsed.cause === "string"
      ? (parsed as JsCantonError)
      : undefined;
  } catch {
    return undefined; // a text
  }
}

export const asFailure = (error: unknown): RequestFailed =>
  error instanceof RequestFailed ? error : new RequestFailed(0, "NO_ANSWER", error instanceof Error ? error.message : String(error));

/** The field that an error is about, as the node writes it: `commands[0].CreateCommand.createArguments.amount`, or a name alone. */
export function fieldOf({ explanation, context }: RequestFailed): string | undefined {
  const named =
    /\bat '([^']+)'/.exec(explanation)?.[1]
    ?? /\$input\.([\w.[\]-]+)/.exec(explanation)?.[1]
    ?? /\bfield[: ]+'?([\w.[\]-]+)'?/i.exec(explanation)?.[1];
  const missing = /\bMissing non-optional fields: Set\(([^\s,)]+)/.exec(explanation)?.[1];
  const inValue = /\bat \.([^\s:]+)/.exec(explanation)?.[1];
  return named ?? inValue ?? missing ?? context["field"];
}
