/**
 * A node and its callers as the public TypeScript clients see them: fetch and WebSocket of Node.js, a bearer token on every
 * call, the older `filter`/`verbose` request forms, query parameters that they always send. What they rely on is kept here
 * in requests of their shape, so that it holds without them and without the network.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { WebSocket } from "ws";
import { hs256, nowSeconds } from "../auth/tokens.js";
import { startNodeProcess, type NodeProcess } from "../support/node-process.js";

export type Json = any; // answers of the node: what a test reads of them, it asserts

export const secret = "unsafe",
  audience = "https://canton.network.global";
/** How a local network is told to check the tokens that the wallet SDK signs itself: an hour long, for one audience. */
export const walletAuth = ["--auth", `hs256:${secret}`, "--auth-audience", audience, "--auth-token-life-max", "3600"] as const;

/** A token as the clients' self-signed provider makes it: an empty scope is sent along. */
export function selfSigned(sub: string, key = secret, lifeSeconds = 3_600): string {
  const iat = nowSeconds();
  return hs256({ sub, aud: audience, scope: "", iat, exp: iat + lifeSeconds, iss: "unsafe-auth" }, key, { alg: "HS256" });
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export class Session {
  constructor(
    readonly node: NodeProcess,
    readonly token: string,
  ) {}

  static async start(flags: readonly string[], token: string): Promise<Session> {
    return new Session(await startNodeProcess(["--memory", ...flags]), token);
  }

  as(token: string): Session {
    return new Session(this.node, token);
  }

  async stop(): Promise<void> {
    assert.equal(await this.node.stop(), 0, this.node.stderr());
  }

  /** Every answer that is not a text must be JSON: the clients take an empty body for a failure. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const octets = body instanceof Uint8Array;
    const headers = { authorization: `Bearer ${this.token}`, "content-type": octets ? "application/octet-stream" : "application/json" };
    const init = body === undefined ? {} : { body: octets ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${this.node.port}${path}`, { method, headers, ...init });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  }

  /** The body of an answer that must be good. */
  async ok(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await this.call(method, path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.notEqual(answer.body, "", "clients take an empty body for a failure");
    return answer.body;
  }

  get(path: string): Promise<Json> {
    return this.ok("GET", path);
  }
  post(path: string, body: unknown): Promise<Json> {
    return this.ok("POST", path, body);
  }

  async ledgerEnd(): Promise<number> {
    return (await this.get("/v2/state/ledger-end")).offset;
  }
  async synchronizer(): Promise<string> {
    return (await this.get("/v2/state/connected-synchronizers")).connectedSynchronizers[0].synchronizerId;
  }

  /** The first frames of a channel, as its clients open it: the token is the first subprotocol. Ends it when there are enough. */
  async frames(path: string, request: Json, enough: number, afterOpen: () => Promise<unknown> = async () => undefined): Promise<Json[]> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.node.port}${path}`, [`jwt.token.${this.token}`, "daml.ws.auth"]);
    const frames: Json[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      socket.once("close", resolve).once("error", reject);
      socket.on("message", (data: Buffer) => {
        if (frames.push(JSON.parse(data.toString())) === enough) socket.close();
      });
    });
    await new Promise<void>((resolve, reject) => socket.once("open", resolve).once("error", reject));
    socket.send(JSON.stringify(request));
    await afterOpen();
    await ended;
    return frames;
  }
}

/** A key pair as wallets hold it, and what they sign with it: base64 of the raw bytes. */
export class WalletKey {
  readonly #pair = generateKeyPairSync("ed25519");

  get publicKey(): string {
    return this.#pair.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
  }

  sign(hash: string): string {
    return sign(null, Buffer.from(hash, "base64"), this.#pair.privateKey).toString("base64");
  }
}

const cumulative = (filter: Json): Json => ({ cumulative: filter === undefined ? [] : [{ identifierFilter: filter }] });
export const templateFilter = (templateId: string): Json => ({ TemplateFilter: { value: { templateId, includeCreatedEventBlob: true } } });
export const interfaceFilter = (interfaceId: string): Json => ({
  InterfaceFilter: { value: { interfaceId, includeCreatedEventBlob: true, includeInterfaceView: true } },
});
export const wildcardFilter: Json = { WildcardFilter: { value: { includeCreatedEventBlob: true } } };
export const filterOf = (party: string, filter?: Json): Json => ({ filtersByParty: { [party]: cumulative(filter) } });
