/** HTTP and WebSockets by TLS, on node:http. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as secureRequest, type RequestOptions } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { connect as connectSecurely } from "node:tls";
import { WebSocket } from "ws";
import { limits } from "../../src/config.js";
import { Connections, TlsIdentity, tlsProblem, trustProblem, type TlsMaterial } from "../../src/http/index.js";
import { httpServer } from "../../src/http/node/http-server.js";
import type { Service } from "../../src/http/service.js";
import { repositoryRoot } from "../support/paths.js";
import { echo, eventually, get, pattern, text, type Running, type Setup, withTransport } from "./harness.js";

const file = (name: string): Buffer => readFileSync(join(repositoryRoot(), "test/data/tls", name));

const authority = file("authority.pem"),
  node: TlsMaterial = { certChain: file("node.pem"), privateKey: file("node.key"), trustCollection: undefined },
  renewed: TlsMaterial = { ...node, certChain: file("renewed.pem"), privateKey: file("renewed.key") },
  client = { cert: file("client.pem"), key: file("client.key") };

const withTls = (setup: Setup, body: (running: Running) => Promise<void>, material = node): Promise<void> =>
  withTransport("node", { tls: new TlsIdentity(material), ...setup }, body);

interface Answer {
  readonly status: number | undefined;
  readonly body: Buffer;
  /** Of whom answered. */
  readonly name: string | undefined;
}

async function ask(port: number, path: string, options: RequestOptions = {}, body?: Uint8Array): Promise<Answer> {
  const asked = secureRequest({ host: "127.0.0.1", port, path, ca: authority, agent: false, ...options });
  asked.end(body);
  const [response] = (await once(asked, "response")) as [import("node:http").IncomingMessage];
  const { CN: name } = (response.socket as import("node:tls").TLSSocket).getPeerCertificate().subject,
    chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, body: Buffer.concat(chunks), name };
}

const hello = get("/hello", async () => text("hello"));

test("tls: requests and their bodies, streams and WebSockets", { timeout: 60_000 }, async () => {
  const megabytes = 5,
    chunks = Array.from({ length: megabytes }, (_, at) => pattern(1 << 20, at));
  const stream = get("/stream", async () => ({
    status: 200,
    body: (async function* () {
      yield* chunks;
    })(),
  }));
  const socket = {
    path: "/ws",
    upgrade: () => ({ accept: { protocol: "", context: undefined } }),
    open: async (
      opened: { send(text: Uint8Array): Promise<void>; close(code: number, reason: string): void },
      _: unknown,
      first: { bytes: Uint8Array },
    ) => {
      await opened.send(first.bytes);
      opened.close(1000, "");
    },
  };
  await withTls({ routes: [hello, echo(8 << 20), stream], webSockets: [socket] }, async ({ port, errors }) => {
    assert.deepEqual(await ask(port, "/hello"), { status: 200, body: Buffer.from("hello"), name: "node of before" });
    const sent = pattern(megabytes << 20);
    assert.ok((await ask(port, "/echo", { method: "POST" }, sent)).body.equals(sent));
    assert.ok((await ask(port, "/stream")).body.equals(Buffer.concat(chunks)));
    assert.equal((await ask(port, "/hello", { headers: { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c" } })).status, 200);

    const webSocket = new WebSocket(`wss://127.0.0.1:${port}/ws`, { ca: authority });
    await once(webSocket, "open");
    webSocket.send("said once");
    const [said] = (await once(webSocket, "message")) as [Buffer];
    assert.equal(said.toString(), "said once");
    await once(webSocket, "close");
    assert.deepEqual(errors, []);
  });
});

test("tls: a client without a certificate that is trusted is not heard where clients need one", async () => {
  await withTls(
    { routes: [hello] },
    async ({ port }) => {
      await assert.rejects(ask(port, "/hello"), /ECONNRESET|certificate required|socket hang up/i);
      const { certChain: cert, privateKey: key } = node;
      assert.equal((await ask(port, "/hello", { cert, key })).status, 200, "by the same authority");
      assert.equal((await ask(port, "/hello", client)).status, 200);
    },
    { ...node, trustCollection: authority },
  );
  await withTls(
    { routes: [hello] },
    async ({ port }) => assert.rejects(ask(port, "/hello", client), /ECONNRESET|unknown ca|socket hang up|alert/i),
    { ...node, trustCollection: file("node.pem") },
  );
});

/** Who would speak it: as OpenSSL is set up it refuses by itself what such versions sign with. */
const beforeTls12: RequestOptions = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };

test("tls: TLS before 1.2 is refused, and so is HTTP without it; others go on", async () => {
  await withTls({ routes: [hello] }, async ({ port, errors }) => {
    await assert.rejects(ask(port, "/hello", beforeTls12));
    const plain = connect({ port, host: "127.0.0.1" });
    plain.on("error", () => undefined); // a reset ends it, too
    plain.write("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(plain, "close");
    assert.equal((await ask(port, "/hello", { minVersion: "TLSv1.2", maxVersion: "TLSv1.2" })).status, 200);
    assert.equal((await ask(port, "/hello", { minVersion: "TLSv1.3" })).status, 200);
    assert.deepEqual(errors, []);
  });
});

test("tls: TLS before 1.2 is refused for its version", async (t) => {
  const { server, letGo } = httpServer({ limits, options: { tls: new TlsIdentity(node) } } as unknown as Service);
  t.after(() => (server.close(), letGo()));
  const refusals: (string | undefined)[] = [];
  server.on("tlsClientError", ({ code }: NodeJS.ErrnoException) => refusals.push(code));
  await once(server.listen(0, "127.0.0.1"), "listening");
  await assert.rejects(ask((server.address() as AddressInfo).port, "/hello", beforeTls12));
  await eventually("it is refused", () => refusals.length > 0);
  assert.deepEqual(refusals, ["ERR_SSL_UNSUPPORTED_PROTOCOL"]);
});

test("tls: a certificate that was exchanged is shown to who comes from then on, and connections go on", async () => {
  const tls = new TlsIdentity(node);
  await withTls({ routes: [hello], tls }, async ({ port }) => {
    const held = connectSecurely({ port, host: "127.0.0.1", ca: authority });
    await once(held, "secureConnect");
    tls.replace(renewed);
    assert.equal((await ask(port, "/hello")).name, "node of after");
    held.write("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [answer] = (await once(held, "data")) as [Buffer];
    assert.match(answer.toString("latin1"), /^HTTP\/1\.1 200 /);
    held.destroy();
  });
});

test("tls: who never ends the handshake is counted, is cut off, and does not hold up the end", { timeout: 60_000 }, async () => {
  let open = 0;
  class Counted extends Connections {
    override enter(): boolean {
      open++;
      return super.enter();
    }
    override leave(): void {
      open--;
      super.leave();
    }
  }
  const connections = new Counted(2, () => undefined);
  await withTls({ routes: [hello], connections, limits: { stallMs: 300 } }, async ({ port }) => {
    const silent = connect({ port, host: "127.0.0.1" });
    await once(silent, "connect");
    await eventually("it is counted", () => open === 1);
    assert.equal((await ask(port, "/hello")).status, 200);
    await eventually("it is cut off", () => open === 0);
  });
  let ended!: Promise<unknown>;
  await withTls({ routes: [hello], connections, limits: { stallMs: 60_000 } }, async ({ port }) => {
    const silent = connect({ port, host: "127.0.0.1" });
    ended = once(silent, "close");
    silent.on("error", () => undefined);
    await eventually("it is counted", () => open === 1);
  });
  await ended;
  await eventually("it has left", () => open === 0);
});

test("tls: what cannot be served with is told", () => {
  assert.equal(tlsProblem(node), undefined);
  assert.match(tlsProblem({ ...node, privateKey: renewed.privateKey }) ?? "", /key values mismatch/);
  assert.match(tlsProblem({ ...node, certChain: Buffer.from("none") }) ?? "", /PEM|no start line/);
  assert.match(tlsProblem({ ...node, privateKey: Buffer.from("none") }) ?? "", /DECODER|no start line|unsupported/);

  const [first, second] = [authority.toString(), client.cert.toString()],
    none = /^holds no certificate in PEM$/;
  const collections: readonly (readonly [what: string, collection: string | Buffer, told: RegExp | undefined])[] = [
    ["one", first, undefined],
    ["two with comments, by the other names", `# one\n${first}# two\n${second.replaceAll("CERT", "X509 CERT")}`, undefined],
    ["one as Windows writes it", `\uFEFF${first.replaceAll("\n", "\r\n")}`, undefined],
    ["one with something else", first + client.key.toString(), undefined],
    ["nothing", "", none],
    ["garbage", "garbage", none],
    ["a private key", client.key, none],
    ["not in PEM", new X509Certificate(first).raw, none],
    ["half of one", first.slice(0, first.length / 2), /^holds a certificate that cannot be read, number 1 of 1: .*bad end line/],
    ["half of the second", first + second.slice(0, second.length / 2), /^holds a certificate that cannot be read, number 2 of 2/],
    ["half of the first", `${first.slice(0, first.length / 2)}\n${second}`, /^holds a certificate that cannot be read, number 1 of 2/],
    ["no certificate in it", second.replace(/(?<=E-----\n)[^-]+/, "AAAA\n"), /^holds a certificate that cannot be read, number 1 of 1/],
  ];
  for (const [what, collection, told] of collections) {
    const problem = trustProblem(Buffer.from(collection));
    if (told === undefined) assert.equal(problem, undefined, what);
    else assert.match(problem ?? "", told, what);
  }
});
