/** A client of the Ledger JSON API. What a node refuses is an answer; one that does not answer is a failed question. */
import { limits } from "../../config.js";
import { questionFailed } from "../stop.js";

export interface Participant {
  /** Of the JSON API, without a slash at the end. */
  readonly url: string;
  readonly token: string | undefined;
  /** Empty where the token names the user. */
  readonly userId: string;
}

/** The body of a refusal. */
export interface NodeError {
  readonly status: number;
  readonly code: string;
  readonly cause: string;
  readonly resources: readonly (readonly [string, string])[];
  readonly context: Readonly<Record<string, string>>;
  /** As clients of gRPC read it, the reference's runner among them. */
  readonly statusText: string;
}

/** Answers as they were parsed; who asks knows their shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;
export type NodeAnswer = { readonly json: Json } | { readonly refused: NodeError };

export class JsonApi {
  constructor(readonly participant: Participant) {}

  async ask(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<NodeAnswer> {
    const isBytes = body instanceof Uint8Array;
    const { url, token } = this.participant;
    const headers: Record<string, string> = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": isBytes ? "application/octet-stream" : "application/json" }),
    };
    const text = await this.#send(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: isBytes ? Uint8Array.from(body) : JSON.stringify(body) }),
      signal: AbortSignal.timeout(limits.scriptNodeAnswerMs),
    });
    const json = parsed(text.body);
    if (text.status < 300 && json !== undefined) return { json };
    return { refused: refusalOf(text.status, text.body, json) };
  }

  async #send(url: string, request: RequestInit): Promise<{ readonly status: number; readonly body: string }> {
    try {
      const response = await fetch(url, request);
      return { status: response.status, body: await response.text() };
    } catch (error) {
      const { cause, name, message } = error as Error & { readonly cause?: { readonly code?: string; readonly message?: string } };
      const why =
        name === "TimeoutError" ? `no answer within ${limits.scriptNodeAnswerMs / 1000} s` : (cause?.code ?? cause?.message ?? message);
      throw questionFailed("StatusRuntimeException", `The node at ${this.participant.url} does not answer: ${why}`);
    }
  }

  /** What must not be refused. */
  async get(path: string): Promise<Json> {
    return this.must("GET", path);
  }
  async post(path: string, body: unknown): Promise<Json> {
    return this.must("POST", path, body);
  }

  /** Every page; `ask` is given the token of the next one, where there is one. */
  async *pages(ask: (token: { readonly pageToken?: string }) => Promise<Json>): AsyncGenerator<Json> {
    for (let pageToken: string | undefined = ""; pageToken !== undefined;) {
      const page: Json = await ask(pageToken === "" ? {} : { pageToken });
      yield page;
      pageToken = (page.nextPageToken as string | null | undefined) || undefined;
    }
  }
  getPages(path: string): AsyncGenerator<Json> {
    return this.pages(({ pageToken }) => this.get(pageToken === undefined ? path : `${path}?pageToken=${encodeURIComponent(pageToken)}`));
  }

  async must(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<Json> {
    const answer = await this.ask(method, path, body);
    if ("json" in answer) return answer.json;
    throw refusedByNode(answer.refused);
  }
}

const refusedByNode = ({ code, cause, statusText }: NodeError) =>
  questionFailed("StatusRuntimeException", `${code}: ${cause}`, { referenceText: statusText });

/** Codes that say that something is not there are an answer; any other refusal is none. */
export function absentOr({ refused }: Extract<NodeAnswer, { readonly refused: NodeError }>, codes: readonly string[]): undefined {
  if (!codes.includes(refused.code)) throw refusedByNode(refused);
  return undefined;
}

function parsed(text: string): Json {
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, text: string, json: Json): NodeError {
  const code = typeof json?.code === "string" ? (json.code as string) : `HTTP_${status}`;
  const cause =
    typeof json?.cause === "string" ? causeIn(code, json.cause as string) : text.slice(0, limits.errorCauseCharsMax) || "no explanation";
  return {
    status,
    code,
    cause,
    resources: resourcesOf(json?.resources),
    context: json?.context ?? {},
    statusText: statusTextOf(code, cause, json),
  };
}

/** The number that stands for a status is its place here. */
const grpcStatuses: readonly string[] = [
  ...["OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND"],
  ...["ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE"],
  ...["UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"],
];

/** An answer without a status or a category is not of the ledger. */
function statusTextOf(code: string, cause: string, json: Json): string {
  const status = grpcStatuses[json?.grpcCodeValue ?? -1],
    category: unknown = json?.errorCategory;
  if (status === undefined || typeof category !== "number" || category < 0) return `${code}: ${cause}`;
  const id = String(json.correlationId ?? json.traceId ?? "0").slice(0, 8);
  return `${status}: ${code}(${category},${id}): ${cause}`;
}

/** One of several lines comes as the whole text of a status, behind its code, category and an id. */
function causeIn(code: string, text: string): string {
  const end = text.indexOf("): ");
  return text.startsWith(`${code}(`) && end > 0 ? text.slice(end + "): ".length) : text;
}

/** Kinds are told as `ErrorResource(KIND)` or plainly. */
const resourcesOf = (resources: Json): NodeError["resources"] =>
  (Array.isArray(resources) ? resources : []).map(
    ([kind, value]: [string, string]) => [kind.replace(/^ErrorResource\((.*)\)$/, "$1"), value] as const,
  );
