/** Requests to the node that this page came from. It knows the token, and nobody else does: it is kept nowhere. */
import { asFailure, failureOf, RequestFailed } from "./errors.js";

const answerMs = 60_000;

export interface Upload {
  readonly path: string;
  readonly body: Blob;
  readonly onProgress: (part: number) => void;
}

export class Client {
  #token: string | undefined;
  /** Told when an answer says that a token is needed, or that it is no good. */
  onRefused: (failure: RequestFailed) => void = () => undefined;

  get token(): string | undefined {
    return this.#token;
  }
  useToken(token: string | undefined): void {
    this.#token = token;
  }

  get<A>(path: string): Promise<A> {
    return this.#ask<A>("GET", path, undefined);
  }
  post<B, A>(path: string, body: B): Promise<A> {
    return this.#ask<A>("POST", path, JSON.stringify(body));
  }
  text(path: string): Promise<string> {
    return this.#fetch("GET", path, undefined);
  }
  /** Where the answer says nothing. */
  send(path: string, body: object): Promise<string> {
    return this.#fetch("POST", path, JSON.stringify(body));
  }

  async #ask<A>(method: string, path: string, body: string | undefined): Promise<A> {
    return JSON.parse(await this.#fetch(method, path, body)) as A;
  }

  async #fetch(method: string, path: string, body: string | undefined): Promise<string> {
    let response: Response, text: string;
    try {
      response = await fetch(path, {
        method,
        headers: { ...this.#authorization(), ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(answerMs),
        credentials: "omit",
        cache: "no-store",
      });
      text = await response.text();
    } catch (error) {
      throw asFailure(error);
    }
    if (response.ok) return text;
    const failure = failureOf(response.status, text);
    if (failure.status === 401) this.onRefused(failure);
    throw failure;
  }

  /** The one kind of request whose progress a browser tells. */
  upload({ path, body, onProgress }: Upload): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open("POST", path);
      request.setRequestHeader("content-type", "application/octet-stream");
      for (const [name, value] of Object.entries(this.#authorization())) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
      request.onload = () => {
        if (request.status < 300) resolve(request.responseText);
        else reject(failureOf(request.status, request.responseText));
      };
      request.onerror = () => reject(new RequestFailed(0, "NO_ANSWER", "the node did not answer, or ended the connection"));
      request.send(body);
    });
  }

  #authorization(): Readonly<Record<string, string>> {
    return this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
  }

  /** The first message is sent when it opens. */
  socket(path: string, first: unknown): WebSocket {
    const place = new URL(path, location.href);
    place.protocol = place.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(place, this.#token === undefined ? ["daml.ws.auth"] : ["daml.ws.auth", `jwt.token.${this.#token}`]);
    socket.addEventListener("open", () => socket.send(JSON.stringify(first)));
    return socket;
  }
}

/** The same POST for a terminal; a token stands in a variable there. */
export const curlOf = (path: string, body: unknown, hasToken: boolean): string =>
  curl(path, hasToken, `-H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`);

/** The same with a file of the folder that the terminal is in. */
export const curlOfFile = (path: string, name: string, hasToken: boolean): string =>
  curl(path, hasToken, `-H 'content-type: application/octet-stream' --data-binary ${quoted(`@${name}`)}`);

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const curl = (path: string, hasToken: boolean, rest: string): string =>
  `curl -s ${quoted(new URL(path, location.href).href)}${hasToken ? ' -H "authorization: Bearer $TOKEN"' : ""} ${rest}`;
