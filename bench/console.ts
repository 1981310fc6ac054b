/**
 * How soon does the console show something, how smoothly does a long list scroll, and what does it cost the node that it is
 * there, and that somebody looks? Figures of pages need a browser; it runs at the lowest priority, as it were on another machine.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { launchAside, skip } from "../test/console/browser.js";
import { Client, mainProgram, startNodeProcess } from "../test/support/node-process.js";
import { testData } from "../test/support/paths.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import { type BenchLedger, create, expect, startBenchLedger, template } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { median, quantile } from "./support/quantile.js";

interface Size {
  readonly paints: number;
  readonly contracts: number;
  readonly scrollMs: number;
  readonly starts: number;
  readonly requests: number;
  readonly rounds: number;
}

export const console_: BenchCase<Size> = {
  name: "console",
  smoke: { paints: 1, contracts: 3_000, scrollMs: 300, starts: 1, requests: 100, rounds: 1 },
  full: { paints: 15, contracts: 200_000, scrollMs: 5_000, starts: 9, requests: 3_000, rounds: 7 },
  async run(size) {
    const rows = [...bundle(), ...(await costs(size))];
    if (skip !== false) return [...rows, { case: "pages", value: 0, unit: "", unmeasured: skip }];
    return [...rows, ...(await pages(size))];
  },
};

function bundle(): readonly BenchRow[] {
  const page = new URL("../console/page.html.br", `file://${mainProgram}`);
  return [{ case: "the page, compressed", value: statSync(page).size / 1_024, unit: "kB" }];
}

/** With the console and without it, by turns: `ceiling` is without. */
async function costs({ starts, requests, pace }: Size & Paced): Promise<readonly BenchRow[]> {
  const kinds = { with: [], without: ["--no-console"] } as const,
    seen = { with: [] as Cost[], without: [] as Cost[] };
  for (let round = 0; round < starts; round++)
    for (const kind of round % 2 === 0 ? (["with", "without"] as const) : (["without", "with"] as const)) {
      pace.look();
      seen[kind].push(await costOf(kinds[kind], requests));
    }
  const row = (name: string, unit: string, of: (cost: Cost) => number): BenchRow => {
    const value = median(seen.with.map(of)),
      without = median(seen.without.map(of));
    return { case: name, value, unit, ceiling: { value: without, ratio: value / without } };
  };
  return [
    row("start", "ms", ({ startMs }) => startMs),
    row("idle memory, without mapped files", "MB", ({ megabytes }) => megabytes),
    row("durable create, 16 connections", "/s", ({ perSecond }) => perSecond),
  ];
}

interface Cost {
  readonly startMs: number;
  readonly megabytes: number;
  readonly perSecond: number;
}

async function costOf(args: readonly string[], requests: number): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-bench-")),
    from = performance.now(),
    node = await startNodeProcess(["--data", join(folder, "data"), ...args]),
    startMs = performance.now() - from;
  const client = new Client(node.port);
  try {
    await sleep(2_000);
    const megabytes = Number(/^ledgerline_memory_anonymous_bytes (\S+)$/m.exec((await client.get("/metrics")).text)![1]) / 1_024 ** 2;
    const ledger = await fillable(client, node.port);
    await ledger.creates(Math.ceil(requests / 3));
    return { startMs, megabytes, perSecond: requests / (await ledger.creates(requests)).seconds };
  } finally {
    client.close();
    await node.stop();
    rmSync(folder, { recursive: true });
  }
}

let commands = 0;

async function fillable(client: Client, port: number) {
  await expect(client.post("/v2/dars", readFileSync(testData("quickstart.dar"))));
  const party = (await expect(client.post("/v2/parties", { partyIdHint: "bench" }))).json().partyDetails.party as string;
  const next = (): Buffer => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(party, `console-${++commands}`)));
  return { creates: (requests: number) => runLoad({ port, connections: 16, requests, next }) };
}

async function pages(size: Size & Paced): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-bench-")),
    ledger = await startBenchLedger(),
    browser = await launchAside(folder);
  try {
    return [...(await paints(browser, ledger, size)), ...(await scrolled(browser, ledger, size)), ...(await beside(browser, ledger, size))];
  } finally {
    await browser.close();
    await ledger.stop();
    rmSync(folder, { recursive: true });
  }
}

const address = ({ node }: BenchLedger, hash = ""): string => `http://127.0.0.1:${node.port}/${hash}`;

/** A browser that has nothing of it yet, each time. */
async function paints(browser: Browser, ledger: BenchLedger, { paints: times }: Size): Promise<readonly BenchRow[]> {
  const seen: number[] = [];
  for (let round = 0; round < times; round++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } }),
      page = await context.newPage();
    await page.goto(address(ledger));
    seen.push(
      await page.evaluate(
        "new Promise((found) => new PerformanceObserver((list) => list.getEntries().forEach((entry) => { if (entry.name === 'first-contentful-paint') found(entry.startTime); })).observe({ type: 'paint', buffered: true }))",
      ),
    );
    await context.close();
  }
  return [{ case: "first paint", value: median(seen), unit: "ms", note: `at best ${Math.round(Math.min(...seen))} ms, of ${times}` }];
}

const each = 500;

async function scrolled(
  browser: Browser,
  { client, party, node }: BenchLedger,
  { contracts, scrollMs }: Size,
): Promise<readonly BenchRow[]> {
  const creates = Array.from({ length: each }, (_, index) => ({
    CreateCommand: { templateId: template, createArguments: { issuer: party, owner: party, name: `gold ${index}`, amount: "100" } },
  }));
  for (let made = 0; made < contracts; made += each)
    await expect(
      client.post("/v2/commands/submit-and-wait", { commands: creates, commandId: `many-${++commands}`, actAs: [party], userId: "bench" }),
    );
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(600_000);
  await page.goto(address({ node } as BenchLedger, "#/ledger"));
  const from = performance.now();
  await page.getByRole("button", { name: "count all" }).click();
  await page.getByText(`${contracts.toLocaleString("en")} contracts`, { exact: true }).waitFor();
  const readMs = performance.now() - from;
  const frames = (await page.evaluate(scrolling(scrollMs))) as readonly number[];
  await page.close();
  const at = (share: number): number => quantile(frames, share);
  return [
    { case: `${contracts.toLocaleString("en")} contracts read and counted`, value: (contracts / readMs) * 1_000, unit: "/s" },
    {
      case: "the same scrolled, a frame",
      value: at(0.5),
      unit: "ms",
      note: `95 % below ${at(0.95).toFixed(1)} ms, the longest ${at(1).toFixed(0)} ms, of ${frames.length}`,
    },
  ];
}

/** From end to end of the list and within it, as fast as frames come: how long each took but the first two, one at least. */
const scrolling = (ms: number): string => `new Promise((done) => {
  const list = document.querySelector(".contracts"), frames = [], from = performance.now();
  let last = from;
  requestAnimationFrame(function frame(now) {
    frames.push(now - last);
    last = now;
    const step = frames.length, far = list.scrollHeight - list.clientHeight;
    list.scrollTop = step % 60 < 40 ? list.scrollTop + 480 : (step * 7919 % 1000) / 1000 * far;
    if (now - from < ${ms} || frames.length < 3) requestAnimationFrame(frame); else done(frames.slice(2));
  });
})`;

/** Commands alone, and while one page follows the ledger and another shows it, by turns: `ceiling` is alone. */
async function beside(browser: Browser, ledger: BenchLedger, { requests, rounds, pace }: Size & Paced): Promise<readonly BenchRow[]> {
  const alone: number[] = [],
    watched: number[] = [];
  const measure = async (): Promise<number> =>
    (
      await runLoad({
        port: ledger.node.port,
        connections: 4,
        requests,
        next: () => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(ledger.party, `beside-${++commands}`))),
      })
    ).latencyMs.p99;
  await measure();
  for (let round = 0; round < rounds; round++) {
    const shown: Page[] = [];
    for (const isWatched of round % 2 === 0 ? [false, true] : [true, false]) {
      if (isWatched)
        for (const hash of ["#/transactions", "#/ledger", "#/node"]) {
          const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
          await page.goto(address(ledger, hash));
          await page.locator(".update-row, .contract-row, .card").first().waitFor();
          shown.push(page);
        }
      await sleep(500);
      pace.look();
      (isWatched ? watched : alone).push(await measure());
      for (const page of shown.splice(0)) await page.close();
    }
  }
  const value = median(watched),
    bare = median(alone);
  return [
    { case: "durable create, 99 % of 4 connections, three pages open", value, unit: "ms", ceiling: { value: bare, ratio: value / bare } },
  ];
}
