/** A collector of the test's own, a node that is told of it, and one whose collector is slow, broken or not there. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { limits } from "../../src/config.js";
import { Tracing } from "../../src/telemetry/index.js";
import { eventually } from "../http/harness.js";
import { Client, startNodeProcess } from "../support/node-process.js";
import { repositoryRoot } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue?: string; readonly intValue?: string } }[];
}

interface Told {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Span, "attributes">;
    readonly scopeSpans: readonly { readonly spans: Span[] }[];
  }[];
}

interface Collector {
  readonly url: string;
  readonly spans: Span[];
  /** What sent them. */
  readonly instances: Set<string | undefined>;
  readonly paths: string[];
  readonly server: Server;
}

type Answer = (response: ServerResponse) => void;
const taken: Answer = (response) => response.end("{}");

async function collector(t: TestContext, answer: Answer = taken): Promise<Collector> {
  const spans: Span[] = [],
    instances = new Set<string | undefined>(),
    paths: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    paths.push(`${request.method} ${request.url} ${request.headers["content-type"]}`);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Told;
      for (const { resource, scopeSpans } of resourceSpans) {
        instances.add(resource.attributes!.find(({ key }) => key === "service.instance.id")?.value.stringValue);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, instances, paths, server };
}

const quickstart = join(repositoryRoot(), "test/data/quickstart.dar");

async function ready(t: TestContext, flags: readonly string[]) {
  const storage = flags.includes("--data") ? [] : ["--memory"],
    node = await startNodeProcess([...storage, "--dar", quickstart, ...flags]),
    client = new Client(node.port);
  t.after(async () => {
    client.close();
    await node.stop();
  });
  const party = (await client.post("/v2/parties", { partyIdHint: "alice" })).json().partyDetails.party as string;
  const create = (commandId: string, headers: Readonly<Record<string, string>> = {}) => {
    const createArguments = { issuer: party, owner: party, name: "gold", amount: "100" };
    const commands = [{ CreateCommand: { templateId: "#ref-model:M:Asset", createArguments } }];
    return client.request("POST", "/v2/commands/submit-and-wait", { commands, commandId, actAs: [party], userId: "me" }, headers);
  };
  const dropped = async (): Promise<number> =>
    Number(/^ledgerline_spans_dropped_total (\S+)$/m.exec((await client.get("/metrics")).text)?.[1]);
  return { node, client, party, create, dropped };
}

async function counted(dropped: () => Promise<number>): Promise<void> {
  await eventually("they are counted", async () => (await dropped()) > 0);
}

const [traceId, callerSpan] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
const traced = { traceparent: `00-${traceId}-${callerSpan}-01`, tracestate: "vendor=1" };

test("traces: a command of a traced caller is a span below the caller's, with its steps below that, each inside the time of the command", async (t) => {
  const { url, spans, paths } = await collector(t),
    { create, client, party, dropped } = await ready(t, ["--traces", url]);
  const reply = await create("traced", traced);
  assert.equal(reply.status, 200, reply.text);
  const ofTrace = (): readonly Span[] => spans.filter((span) => span.traceId === traceId);
  await eventually("its spans came", () => ofTrace().length >= 6);
  const root = ofTrace().find(({ kind }) => kind === 2)!,
    steps = ofTrace().filter((span) => span !== root);
  assert.deepEqual([root.name, root.parentSpanId, root.traceState], ["POST /v2/commands/submit-and-wait", callerSpan, "vendor=1"]);
  assert.deepEqual(Object.fromEntries(root.attributes!.map(({ key, value }) => [key, value.stringValue ?? value.intValue])), {
    "http.request.method": "POST",
    "http.route": "/v2/commands/submit-and-wait",
    "http.response.status_code": "200",
    "ledgerline.operation": "submitAndWait",
    "ledgerline.outcome": "ok",
  });
  assert.deepEqual(steps.map(({ name }) => name).sort(), ["commit", "decode", "flush", "interpret", "queue"]);
  const at = (nanos: string): number => Number(BigInt(nanos) / 1_000n);
  for (const { name, parentSpanId, startTimeUnixNano, endTimeUnixNano } of steps) {
    assert.equal(parentSpanId, root.spanId, name);
    assert.ok(at(startTimeUnixNano) >= at(root.startTimeUnixNano) && at(endTimeUnixNano) <= at(root.endTimeUnixNano), name);
    assert.ok(at(startTimeUnixNano) <= at(endTimeUnixNano), name);
  }
  assert.ok(Math.abs(at(root.endTimeUnixNano) / 1_000 - Date.now()) < 600_000, "Unix time");
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  assert.deepEqual([...new Set(paths)], ["POST /v1/traces application/json"]);
  // What others read of the update continues the trace at the span of the command.
  const updateFormat = {
    includeTransactions: {
      transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
      eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: false },
    },
  };
  const { updateId } = reply.json() as { readonly updateId: string };
  const update = (await client.post("/v2/updates/update-by-id", { updateId, updateFormat })).json();
  assert.equal(update.update.Transaction.value.traceContext.traceparent, `00-${traceId}-${root.spanId}-01`);
  assert.equal(await dropped(), 0);
});

test("traces: they name the participant as its ledger does, also where a later start does not", async (t) => {
  const data = temporaryFolder("traces"),
    { url, instances } = await collector(t),
    first = await startNodeProcess(["--data", data, "--participant-name", "harbour"]);
  assert.equal(await first.stop(), 0);
  const { create } = await ready(t, ["--data", data, "--traces", url]);
  t.after(() => rmSync(data, { recursive: true })); // behind the node's end
  assert.equal((await create("traced", traced)).status, 200);
  await eventually("its spans came", () => instances.size > 0);
  assert.deepEqual([...instances], ["harbour"]);
});

test("traces: what the caller does not sample is not told, and of traces that begin here one in N", async (t) => {
  const { url, spans } = await collector(t),
    { create, client } = await ready(t, ["--traces", url, "--traces-one-in", "10"]);
  await create("unsampled", { traceparent: `00-${traceId}-${callerSpan}-00` });
  for (let count = 0; count < 100; count++) await client.get("/v2/state/ledger-end");
  await create("last", traced);
  await eventually("the last came", () => spans.some((span) => span.traceId === traceId));
  assert.equal(spans.filter((span) => span.traceId === traceId && span.kind === 2).length, 1);
  const begunHere = spans.filter(({ name }) => name === "GET /v2/state/ledger-end");
  assert.equal(begunHere.length, 10);
  assert.ok(begunHere.every(({ parentSpanId }) => parentSpanId === undefined));
});

test("traces: a span names the route as it is served, with the prefix of its API and the one that the node was given", async (t) => {
  const { url, spans } = await collector(t),
    { client } = await ready(t, ["--traces", url, "--path-prefix", "/ledger"]);
  const paths = ["/admin/packages", "/ledger/v2/version"];
  for (const path of paths) assert.equal((await client.request("GET", path, undefined, traced)).status, 200, path);
  const told = (): readonly Span[] => spans.filter((span) => span.traceId === traceId && span.kind === 2);
  await eventually("they came", () => told().length === paths.length);
  const named = told().map(({ name, attributes }) => ({
    name,
    route: attributes!.find(({ key }) => key === "http.route")!.value.stringValue,
  }));
  assert.deepEqual(
    named.sort((left, right) => (left.name < right.name ? -1 : 1)),
    paths.map((path) => ({ name: `GET ${path}`, route: path })),
  );
});

test("traces: what is refused at the door is a span too, with its error", async (t) => {
  const { url, spans } = await collector(t),
    { client } = await ready(t, ["--traces", url]);
  assert.equal((await client.request("GET", "/v2/users", undefined, { accept: "image/png", ...traced })).status, 406);
  await eventually("it came", () => spans.some((span) => span.traceId === traceId));
  const [span] = spans.filter(({ traceId: id }) => id === traceId);
  assert.equal(span!.attributes!.find(({ key }) => key === "ledgerline.outcome")!.value.stringValue, "NOT_ACCEPTABLE");
});

const unable: readonly (readonly [what: string, answer: Answer])[] = [
  ["never answers", () => undefined],
  ["answers 503", (response) => response.writeHead(503).end()],
  ["breaks connections", (response) => response.destroy()],
  ["answers without end", (response) => response.write("x".repeat(limits.spanExportReplyBytesMax + 1))],
];
/** A stop that waited for a collector that never answers would not end. */
const timeout = 300_000;
for (const [what, answer] of unable)
  test(
    `traces: commands go on beside a collector that ${what}; what it does not take is counted, and a stop does not wait for it`,
    { timeout },
    async (t) => {
      const { url, spans } = await collector(t, answer),
        { create, node, dropped } = await ready(t, ["--traces", url]);
      for (let count = 0; count < 50; count++) assert.equal((await create(`beside-${count}`)).status, 200);
      await eventually("it was asked", () => spans.length > 0);
      for (let count = 0; count < 50; count++) assert.equal((await create(`behind-${count}`)).status, 200);
      if (what !== "never answers") await counted(dropped);
      assert.equal(await node.stop(), 0);
      if (what !== "never answers") assert.equal(node.stderr().match(/spans are dropped/g)?.length, 1, node.stderr());
    },
  );

test("traces: a collector that is not there costs a line in the log, and a start with a wrong address a sentence", async (t) => {
  const { url, server } = await collector(t);
  await new Promise((resolve) => server.close(resolve));
  const { create, node, dropped } = await ready(t, ["--traces", url]);
  assert.equal((await create("alone")).status, 200);
  await counted(dropped);
  assert.equal(await node.stop(), 0);
  assert.match(node.stderr(), /spans are dropped: the collector of traces does not take them/);
  for (const [address, sentence] of [
    ["collector:4318", /--traces must be the address of a collector/],
    ["http://me:secret@127.0.0.1", /--traces must be an address without user and password/],
  ] as const)
    await assert.rejects(startNodeProcess(["--memory", "--traces", address]), (error: Error) => {
      assert.match(error.message, sentence);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
});

/** Every request is traced. */
const tracingTo = (url: string, onDropped: (count: number) => void): Tracing =>
  new Tracing({ url, oneIn: 1, version: "1", instance: () => "it", log: silentLog, onDropped });

test("traces: spans that wait are bounded: more are dropped and counted, and what waited is sent when the collector answers again", async (t) => {
  let held: ServerResponse | undefined,
    dropped = 0;
  const { url, spans } = await collector(t, (response) => {
    if (held === undefined) held = response;
    else taken(response);
  });
  const tracing = tracingTo(url, (count) => (dropped += count));
  const more = 100,
    all = limits.spansPerExportMax + limits.spansWaitingMax + more;
  for (let count = 0; count < all; count++) tracing.step("decode", traced.traceparent, 1, 2);
  assert.equal(dropped, more);
  await eventually("the first batch is there", () => held !== undefined);
  taken(held!);
  await eventually("the others followed", () => spans.length === all - more);
  await tracing.close();
  tracing.step("decode", traced.traceparent, 1, 2);
  assert.equal(dropped, more + 1, "after its end nothing waits");
});

test("traces: a stop while spans are on their way sends those that wait behind them, too, and drops none", async (t) => {
  const { url, spans } = await collector(t, (response) => setTimeout(() => taken(response), 50));
  let dropped = 0;
  const tracing = tracingTo(url, (count) => (dropped += count));
  const all = 2 * limits.spansPerExportMax;
  for (let count = 0; count < all; count++) tracing.step("decode", traced.traceparent, 1, 2);
  await tracing.close();
  assert.deepEqual([spans.length, dropped], [all, 0]);
});
