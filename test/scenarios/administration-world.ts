/** A node as its administrator sees it: requests, and what they answer or how they are refused. */
import assert from "node:assert/strict";
import { World, type Json } from "./world.js";

export class AdministeredNode {
  #names = 0;
  private constructor(readonly world: World) {}

  static async start(dars: readonly Uint8Array[] = []): Promise<AdministeredNode> {
    return new AdministeredNode(await World.start(dars));
  }
  stop(): Promise<void> {
    return this.world.stop();
  }

  /** A name that nothing on the node has. */
  fresh(prefix: string): string {
    return `${prefix}-${++this.#names}`;
  }

  async ask(method: string, path: string, body?: unknown): Promise<Json> {
    const reply = await this.world.client.request(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
      body === undefined ? {} : { "content-type": "application/json" },
    );
    assert.equal(reply.status, 200, `${method} ${path}: ${reply.text}`);
    return reply.json();
  }

  /** `400 INVALID_ARGUMENT`; plain-text refusals have no code. */
  async refusal(method: string, path: string, body?: unknown): Promise<string> {
    const reply = await this.world.client.request(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
      body === undefined ? {} : { "content-type": "application/json" },
    );
    return reply.headers["content-type"]?.startsWith("application/json") && reply.status !== 200
      ? `${reply.status} ${reply.json().code}`
      : String(reply.status);
  }

  async user(fields: Json = {}, rights: readonly Json[] = []): Promise<Json> {
    return (await this.ask("POST", "/v2/users", { user: { id: this.fresh("user"), ...fields }, rights })).user;
  }
  async rightsOf(userId: string): Promise<Json[]> {
    return (await this.ask("GET", `/v2/users/${userId}/rights`)).rights;
  }

  async party(fields: Json = {}): Promise<Json> {
    return (await this.ask("POST", "/v2/parties", { partyIdHint: this.fresh("party"), ...fields })).partyDetails;
  }

  async provider(fields: Json = {}): Promise<string> {
    const identityProviderId = this.fresh("idp");
    const config = {
      identityProviderId,
      issuer: `https://${identityProviderId}.example`,
      jwksUrl: `https://${identityProviderId}.example/jwks`,
      ...fields,
    };
    return (await this.ask("POST", "/v2/idps", { identityProviderConfig: config })).identityProviderConfig.identityProviderId;
  }
}

export const right = (kind: string, party?: string): Json => ({ kind: { [kind]: { value: party === undefined ? {} : { party } } } });
export const mask = (...paths: readonly string[]): Json => ({ paths, unknownFields: { fields: {} } });
