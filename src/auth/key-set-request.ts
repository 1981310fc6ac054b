/**
 * Fetches a key set for us and nobody else's purposes: the address comes from a configuration that an API call can
 * change, so it must not become a way to reach what only this machine can reach (OWASP API7).
 */
import { lookup as resolve } from "node:dns";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { limits } from "../config.js";

export interface KeySetRequestOptions {
  /** Plain http, loopback and private networks are for nodes that listen on loopback themselves. */
  readonly allowPrivateNetwork: boolean;
}

const reserved = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const)
  reserved.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 96],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const)
  reserved.addSubnet(network, prefix, "ipv6");

/** An IPv4 address in IPv6 clothes (::ffff:10.0.0.1) is judged as what it is: BlockList does that itself. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address);
  return family !== 0 && !reserved.check(address, family === 6 ? "ipv6" : "ipv4");
};

/** The address that was judged is the one connected to: a second look-up could give another (DNS rebinding). */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0);
    const refused = addresses.find(({ address }) => !isPublicAddress(address));
    if (refused !== undefined) return callback(new Error(`${hostname} resolves to the reserved address ${refused.address}`), "", 0);
    if (options.all === true) return callback(null, addresses);
    const [first] = addresses;
    return first === undefined ? callback(new Error(`${hostname} has no address`), "", 0) : callback(null, first.address, first.family);
  });
};

/** Body of the answer. No redirects, no credentials; time and size are bounded. */
export function requestKeySet(address: string, options: KeySetRequestOptions): Promise<string> {
  const url = new URL(address);
  const refusal = refusalOf(url, options);
  if (refusal !== undefined) return Promise.reject(new Error(refusal));
  return new Promise((settle, reject) => {
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
      headers: { accept: "application/json, application/jwk-set+json" },
      signal: AbortSignal.timeout(limits.keySetTimeoutMs),
      agent: false,
      ...(options.allowPrivateNetwork ? {} : { lookup: publicLookup }),
    });
    request.on("error", reject);
    request.on("response", (response) => {
      if (response.statusCode !== 200) {
        response.destroy();
        return reject(new Error(`the server of the key set answered ${response.statusCode ?? 0}`));
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer): void => {
        bytes += chunk.length;
        if (bytes > limits.keySetBytesMax) response.destroy(new Error("the key set is too large"));
        chunks.push(chunk);
      });
      response.on("error", reject);
      response.on("end", () => settle(Buffer.concat(chunks).toString("utf8")));
    });
    request.end();
  });
}

/** A host that is an address is never looked up, so it is judged here. */
function refusalOf(url: URL, { allowPrivateNetwork }: KeySetRequestOptions): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") return `key sets are not fetched by ${url.protocol}`;
  if (allowPrivateNetwork) return undefined;
  if (url.protocol !== "https:") return "key sets are fetched by https only";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && !isPublicAddress(host) ? `${host} is a reserved address` : undefined;
}
