/**
 * How fast are Scan's pages of 1,000 events and holdings beside copying the same bytes from LMDB to the socket? Do they cost
 * the same however much was recorded, and how long does a wallet wait for a choice context? The network is of stand-ins, whose
 * contracts have the fields of Amulet.
 */
import { setTimeout } from "node:timers/promises";
import { StandInWorld, names } from "../test/splice/stand-in-world.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import { commandPuts, withCeiling } from "./support/ceiling.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { medianSeconds } from "./support/rounds.js";

interface Size {
  /** Recorded one after the other, each with one Amulet; rising. */
  readonly transactions: readonly number[];
  readonly pages: number;
  readonly rounds: number;
  readonly contexts: number;
  readonly pageElements: number;
}

export const splice: BenchCase<Size> = {
  name: "splice",
  smoke: { transactions: [200], pages: 4, rounds: 1, contexts: 5, pageElements: 100 },
  full: { transactions: [2_000, 100_000, 1_000_000], pages: 100, rounds: 5, contexts: 500, pageElements: 1_000 },
  async run(size) {
    const net = await StandInWorld.start();
    try {
      await net.bootstrap();
      await net.amulet(net.alice, "1.0");
      await firstAsked(net);
      return await measureAll(net, size);
    } finally {
      await net.world.stop();
    }
  },
};

async function measureAll(net: StandInWorld, size: Size & Paced): Promise<BenchRow[]> {
  const rows: BenchRow[] = [],
    { contractId: lock } = await net.locked(net.alice, "1.0"),
    { contractId: allocation } = await net.allocation(lock);
  const smallest = new Map<string, number>();
  let recorded = 0;
  for (const transactions of size.transactions) {
    await fill(net, transactions - recorded);
    recorded = transactions;
    await printed(net);
    for (const row of [...(await pages(net, size, transactions)), ...(await contexts(net, size, transactions, allocation))]) {
      const kind = row.case.slice(0, row.case.lastIndexOf(" of ")),
        first = smallest.get(kind) ?? row.value;
      smallest.set(kind, first);
      const times = row.unit === "/s" ? first / row.value : row.value / first;
      rows.push({
        ...row,
        note: [row.note, transactions === size.transactions[0] ? "" : `${times.toFixed(2)} times the time of the smallest`]
          .filter(Boolean)
          .join(", "),
      });
    }
  }
  return rows;
}

/** From then on events and holdings are printed as they come. */
async function firstAsked(net: StandInWorld): Promise<void> {
  await net.ask("/api/scan/v0/events", { page_size: 1 });
  const { record_time } = await net.ask("/api/scan/v0/state/acs/force");
  await net.ask("/api/scan/v1/holdings/state", { migration_id: 0, record_time, page_size: 1, owner_party_ids: [net.alice] });
}

/** Waits until what was recorded stands ready. */
async function printed(net: StandInWorld): Promise<void> {
  const figure = (text: string, name: string): number => Number(new RegExp(`^ledgerline_${name} (\\d+)$`, "m").exec(text)?.[1]);
  for (;;) {
    const { text } = await net.world.client.get("/metrics");
    if (figure(text, "scan_printed_offset") >= figure(text, "ledger_end")) return;
    await setTimeout(200);
  }
}

let command = 0;
async function fill(net: StandInWorld, transactions: number): Promise<void> {
  const next = (): Buffer =>
    httpRequest(
      "POST",
      "/v2/commands/submit-and-wait",
      JSON.stringify({
        commands: [{ CreateCommand: { templateId: names.amulet, createArguments: net.coin(net.alice, "10.0") } }],
        commandId: `fill-${++command}`,
        actAs: [net.dso],
        userId: "bench",
      }),
    );
  const result = await runLoad({ port: net.world.node.port, connections: 64, requests: transactions, next });
  if (result.failures > 0) throw new Error(`${result.failures} transactions failed`);
}

async function pages(net: StandInWorld, size: Size & Paced, transactions: number): Promise<BenchRow[]> {
  const { record_time: now } = await net.ask("/api/scan/v0/state/acs/force");
  const starts = await startsOf(net, size),
    tokens = await tokensOf(net, size, now),
    holdings = { migration_id: 0, record_time: now, page_size: size.pageElements, owner_party_ids: [net.alice] };
  const of = `pages of ${size.pageElements} of ${transactions.toLocaleString("en")}`;
  const events = {
    path: "/api/scan/v0/events",
    list: "events",
    requests: starts.map((start) => ({ page_size: size.pageElements, ...start })),
  };
  const held = {
    path: "/api/scan/v1/holdings/state",
    list: "created_events",
    requests: tokens.map((token) => ({ ...holdings, ...token })),
  };
  return [
    await besideCeiling(net, size, { ...events, case: `events, each read once, ${of}`, once: true }),
    await besideCeiling(net, size, { ...events, case: `events, read again, ${of}`, once: false }),
    await besideCeiling(net, size, { ...held, case: `holdings, each read once, ${of}`, once: true }),
    await besideCeiling(net, size, { ...held, case: `holdings, read again, ${of}`, once: false }),
  ];
}

const placesMax = 16,
  warmingSizes = 8;

/** Where pages of events begin, found without reading them: in the newest part, which nobody has read. */
async function startsOf(net: StandInWorld, { pageElements }: Size): Promise<readonly object[]> {
  const starts: object[] = [];
  let after: object = {};
  for (;;) {
    const { transactions } = await net.ask("/api/scan/v2/updates", { page_size: pageElements, ...after });
    if (transactions.length < pageElements) return starts.slice(-placesMax);
    starts.push(after);
    after = { after: { after_migration_id: 0, after_record_time: transactions.at(-1).record_time } };
  }
}

/** The same of holdings, by pages of another kind. */
async function tokensOf(net: StandInWorld, { pageElements }: Size, now: string): Promise<readonly object[]> {
  const tokens: object[] = [{}],
    named = { party_ids: [net.alice], templates: ["splice-amulet:Splice.Amulet:Amulet"] };
  while (tokens.length < placesMax) {
    const request = { migration_id: 0, record_time: now, page_size: pageElements, ...named, ...tokens.at(-1)! };
    const { next_page_token: after } = await net.ask("/api/scan/v1/state/acs", request);
    if (after === null) return tokens.length > 1 ? tokens.slice(0, -1) : tokens; // the last is short
    tokens.push({ after });
  }
  return tokens;
}

interface Pages {
  readonly case: string;
  readonly path: string;
  readonly list: string;
  readonly requests: readonly object[];
  readonly once: boolean;
}

async function besideCeiling(net: StandInWorld, size: Size & Paced, { case: name, path, list, requests, once }: Pages): Promise<BenchRow> {
  const count = size.pageElements,
    sample = await net.world.client.post(path, { ...requests[0], page_size: Math.min(20, count) });
  const elementBytes = Math.round(sample.bytes.length / (sample.json() as Record<string, unknown[]>)[list]!.length),
    elements = 2 * count,
    pageCount = once ? requests.length : size.pages;
  const load = (port: number, next: (index: number) => Buffer) => async (): Promise<void> => {
    const result = await runLoad({ port, connections: 1, requests: pageCount, next });
    if (result.failures > 0) throw new Error(`${result.failures} pages failed`);
  };
  const { port } = net.world.node,
    ours = load(port, (index) => httpRequest("POST", path, JSON.stringify(requests[index % requests.length])));
  // A little shorter, so that they are pages of their own, and nobody has read those that are measured.
  const shorter = async (): Promise<void> => {
    for (let less = 1; less <= Math.min(warmingSizes, count - 1); less++)
      await load(port, (index) =>
        httpRequest("POST", path, JSON.stringify({ ...requests[index % requests.length], page_size: count - less })),
      )();
  };
  return withCeiling({ ...commandPuts, elements, elementBytes }, async (ceiling) => {
    const bare = load(ceiling.port, () => httpRequest("POST", "/list", JSON.stringify({ from: Math.floor(Math.random() * count), count })));
    const [bareSeconds, seconds] = once ? await onceEach({ bare, ours, others: shorter }, size) : await medians(size, bare, ours);
    const value = pageCount / seconds,
      most = pageCount / bareSeconds;
    return {
      case: name,
      value,
      unit: "/s",
      ceiling: { value: most, ratio: value / most },
      note: `${elementBytes} bytes an element, 1 connection`,
    };
  });
}

/** Both have worked before: whatever a process does for the first time takes longer. */
async function onceEach(
  { bare, ours, others }: Readonly<Record<"bare" | "ours" | "others", () => Promise<void>>>,
  { pace }: Paced,
): Promise<readonly [number, number]> {
  await bare();
  await others();
  pace.look();
  return [await secondsOf(bare), await secondsOf(ours)];
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1_000;
}

async function medians(size: Size & Paced, bare: () => Promise<void>, ours: () => Promise<void>): Promise<readonly [number, number]> {
  const seconds = await medianSeconds(size, { ceiling: bare, ledger: ours });
  return [seconds["ceiling"]!, seconds["ledger"]!];
}

async function contexts(net: StandInWorld, size: Size & Paced, transactions: number, allocation: string): Promise<BenchRow[]> {
  const argument = { actor: net.alice, expectedAdmin: net.dso, transfer: net.transferOf(net.alice, net.bob) };
  const asked: readonly (readonly [string, string, object])[] = [
    ["context of an allocation's withdrawal", `/registry/allocations/v1/${allocation}/choice-contexts/withdraw`, {}],
    [
      "context of a transfer's factory",
      "/registry/transfer-instruction/v1/transfer-factory",
      { choiceArguments: argument, excludeDebugFields: true },
    ],
  ];
  const rows: BenchRow[] = [];
  for (const [name, path, body] of asked) {
    const request = httpRequest("POST", path, JSON.stringify(body)),
      plan = { port: net.world.node.port, connections: 1, requests: size.contexts, next: () => request };
    await runLoad(plan);
    size.pace.look();
    const { latencyMs, failures } = await runLoad(plan);
    if (failures > 0) throw new Error(`${failures} contexts failed`);
    rows.push({
      case: `${name} of ${transactions.toLocaleString("en")}`,
      value: latencyMs.p50,
      unit: "ms",
      note: `${latencyMs.p99.toFixed(2)} ms at the 99th percentile`,
    });
  }
  return rows;
}
