/** What is shipped for operators, held against the program that it is for. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { isFailure } from "../../src/base/result.js";
import { parseCommandLine } from "../../src/command-line.js";
import { metricTable } from "../../src/telemetry/index.js";
import { Client, startNodeProcess } from "../support/node-process.js";
import { repositoryRoot } from "../support/paths.js";

const read = (name: string): string => readFileSync(join(repositoryRoot(), "src", "packaging", "operate", name), "utf8");
const metrics = new Set([...metricTable().matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!));

/** Names of ours in an expression, histograms by their own. */
const named = (expression: string): string[] => (expression.match(/\bledgerline_\w+/g) ?? []).map((name) => name.replace(/_bucket$/, ""));

function assertParses(what: string, args: readonly string[]): void {
  const parsed = parseCommandLine(args, {});
  // What stands in files is not here.
  if (isFailure(parsed)) assert.match(parsed.error, /^Cannot read \/etc\/ledgerline\.toml/, `${what}: ${args.join(" ")}`);
}

test("alerts: each asks for figures that there are, and says what to do", () => {
  const {
    groups: [{ rules }],
  } = parse(read("alerts.yaml")) as {
    groups: [{ rules: { alert: string; expr: string; annotations: { summary: string; action: string } }[] }];
  };
  assert.ok(rules.length >= 5);
  for (const { alert, expr, annotations } of rules) {
    assert.deepEqual(
      named(expr).filter((name) => !metrics.has(name)),
      [],
      alert,
    );
    assert.ok(annotations.summary.length > 10 && annotations.action.length > 10, alert);
  }
});

test("dashboard: each panel asks for figures that there are, and none lies over another", () => {
  const { panels } = JSON.parse(read("dashboard.json")) as {
    panels: { title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[];
  };
  for (const { title, targets } of panels) {
    const names = targets.flatMap(({ expr }) => named(expr));
    assert.deepEqual(
      names.filter((name) => !metrics.has(name)),
      [],
      title,
    );
  }
  assert.equal(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size, panels.length);
});

test("alerts and dashboard: a node that runs has each figure that they ask for, also those of Node.js and the process", async (t) => {
  const node = await startNodeProcess(["--memory"]),
    client = new Client(node.port);
  t.after(async () => {
    client.close();
    await node.stop();
  });
  const told = (await client.get("/metrics")).text,
    kinds = new Map([...told.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name!, kind!]));
  const asked = new Set(`${read("alerts.yaml")} ${read("dashboard.json")}`.match(/\b(?:ledgerline|process|nodejs)_\w+/g));
  assert.ok(asked.size >= 15, [...asked].join(" "));
  for (const name of asked) {
    const isThere = kinds.has(name) || kinds.get(name.replace(/_bucket$/, "")) === "histogram";
    assert.ok(isThere, `${name} is not in /metrics`);
  }
});

test("units, container and compose file: their commands are ones that the program knows", () => {
  const units = ["ledgerline.service", "ledgerline-backup.service"].map(read).join("\n");
  const inUnits = [...units.matchAll(/^Exec.*\/usr\/local\/bin\/ledgerline ([^'\n]+)/gm)].map(([, args]) =>
    args!.replaceAll(/"([^"]*)"/g, "folder").split(" "),
  );
  assert.equal(inUnits.length, 4);
  for (const args of inUnits) assertParses("unit", args);

  const containerfile = read("Containerfile");
  const lists = [...containerfile.matchAll(/^(?:HEALTHCHECK .* )?(?:CMD|ENTRYPOINT) (\[.*\])$/gm)].map(
    ([, list]) => JSON.parse(list!) as string[],
  );
  assert.equal(lists.length, 3);
  for (const list of lists) {
    const args = list[0] === "/ledgerline" ? list.slice(1) : list;
    if (args.length > 0) assertParses("Containerfile", args);
  }
  assert.match(containerfile, /^USER nonroot$/m);

  const { services } = parse(read("compose.yaml")) as {
    services: Record<string, { command?: string[]; volumes?: string[]; read_only?: boolean }>;
  };
  const { command, read_only: isReadOnly } = services["ledgerline"]!;
  assertParses("compose", command!);
  assert.equal(isReadOnly, true);
  for (const mounted of Object.values(services)
    .flatMap(({ volumes = [] }) => volumes)
    .filter((volume) => volume.startsWith("./")))
    assert.ok(read(mounted.slice(2).split(":")[0]!).length > 0);
  const {
    scrape_configs: [{ job_name: job }],
  } = parse(read("prometheus.yaml")) as { scrape_configs: [{ job_name: string }] };
  assert.ok(read("alerts.yaml").includes(`job="${job}"`));
});
