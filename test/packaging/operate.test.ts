/** What is shipped for operators, held against the program that it is for. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse, stringify } from "yaml";
import { isFailure } from "../../src/base/result.js";
import { parseCommandLine } from "../../src/command-line.js";
import { metricTable } from "../../src/telemetry/index.js";
import { Client, nodeFlag, startNodeProcess } from "../support/node-process.js";
import { repositoryRoot } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

const read = (name: string): string => readFileSync(join(repositoryRoot(), "src", "packaging", "operate", name), "utf8");
const metrics = new Set([...metricTable().matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!));

/** Names of ours in an expression, histograms by their own. */
const named = (expression: string): string[] => (expression.match(/\bledgerline_\w+/g) ?? []).map((name) => name.replace(/_bucket$/, ""));

function assertParses(what: string, args: readonly string[]): void {
  const parsed = parseCommandLine(args, {});
  // What stands in files is not here.
  if (isFailure(parsed)) assert.match(parsed.error, /^Cannot read \/etc\/ledgerline\.toml/, `${what}: ${args.join(" ")}`);
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly action: string };
}
const rulesOf = (): readonly Rule[] => (parse(read("alerts.yaml")) as { groups: [{ rules: Rule[] }] }).groups[0].rules;
const storageRefuses = (): Rule => rulesOf().find(({ alert }) => alert === "LedgerlineStorageRefuses")!;

test("alerts: each asks for figures that there are, and says what to do", () => {
  const rules = rulesOf();
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

test(
  "alerts: storage that refuses is told of at its first refusals, once, and without any command that is refused",
  { skip: spawnSync("promtool", ["--version"]).status === 0 ? false : "no promtool here" },
  () => {
    const folder = temporaryFolder("alerts");
    const labels = `job="ledgerline",instance="a"`,
      refused = `ledgerline_refusals_total{${labels},code="SERVICE_NOT_RUNNING"}`,
      ready = `ledgerline_ready{${labels}}`;
    // A figure every 15 seconds, 2 minutes of it good.
    const stories: readonly (readonly [refused: string, ready: string, alerts: number])[] = [
      ["0x30", "1x30", 0],
      ["0x8 500x22", "1x30", 1],
      ["0x30", "1x8 0x22", 1],
      ["0x8 500x22", "1x8 0x22", 1],
    ];
    const exp_labels = { job: "ledgerline", instance: "a", severity: "critical" },
      { summary, action } = storageRefuses().annotations;
    const tests = stories.map(([refusals, readiness, alerts]) => ({
      interval: "15s",
      input_series: [
        { series: refused, values: refusals },
        { series: ready, values: readiness },
      ],
      alert_rule_test: [
        {
          eval_time: "4m",
          alertname: "LedgerlineStorageRefuses",
          exp_alerts: Array(alerts).fill({ exp_labels, exp_annotations: { summary, action } }),
        },
      ],
    }));
    writeFileSync(join(folder, "alerts.yaml"), read("alerts.yaml"));
    writeFileSync(join(folder, "tests.yaml"), stringify({ rule_files: ["alerts.yaml"], evaluation_interval: "15s", tests }));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", "tests.yaml"], { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, `${stdout}${stderr}`);
  },
);

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

test("unit: the secrets that it names are those that systemd hands on, and what it cannot do it does not try for ever", () => {
  const unit = read("ledgerline.service"),
    credentials = [...unit.matchAll(/^LoadCredential=([\w-]+):\/etc\/ledgerline\/\1$/gm)].map(([, name]) => name!),
    [, words] = /^Environment=(.*)$/m.exec(unit)!,
    environment = Object.fromEntries(words!.split(" ").map((word) => [/^\w+/.exec(word)![0], word.slice(word.indexOf("=") + 1)])),
    parsed = parseCommandLine(["start", "--data", "x"], environment);
  assert.ok(!isFailure(parsed) && parsed.ok.command === "start", parsed.error);
  const { auth, metricsToken, unknownVariables, shownSecrets } = parsed.ok.options,
    files = [...auth, metricsToken!].map((secret) => /file:%d\/([\w-]+)$/.exec(secret)?.[1]);
  assert.deepEqual([files, unknownVariables, shownSecrets], [credentials, [], []]);
  assert.deepEqual(credentials, ["token-secret", "metrics-token"]);
  for (const bound of [/^StartLimitIntervalSec=\d+(min|h)$/m, /^StartLimitBurst=\d+$/m]) assert.match(unit.split("[Service]")[0]!, bound);
  assert.match(read("compose.yaml"), /restart: on-failure:\d+/);
});

test("compose: Grafana finds the dashboard and its source, and who makes the secrets as it says has all that is mounted", () => {
  const { services, secrets } = parse(read("compose.yaml")) as {
    services: Record<string, { volumes?: string[]; secrets?: string[]; ports?: string[] }>;
    secrets: Record<string, { file: string }>;
  };
  const mounts = services["grafana"]!.volumes!.map((volume) => volume.split(":")),
    beside = (place: string): string => read(mounts.find(([, target]) => target!.startsWith(place))![0]!);
  const {
      datasources: [source, ...others],
    } = parse(beside("/etc/grafana/provisioning/datasources/")) as {
      datasources: { type: string; url: string; isDefault: boolean }[];
    },
    {
      providers: [provider],
    } = parse(beside("/etc/grafana/provisioning/dashboards/")) as { providers: [{ type: string; options: { path: string } }] };
  const { templating, panels } = JSON.parse(beside(`${provider.options.path}/`)) as {
    templating: { list: { name: string; type: string; query: string }[] };
    panels: { datasource: { type: string; uid: string } }[];
  };
  assert.deepEqual([provider.type, source!.isDefault, others], ["file", true, []]);
  assert.equal(services[new URL(source!.url).hostname]?.ports?.[0], `127.0.0.1:${new URL(source!.url).port}:9090`);
  // The variable of a source takes the default one of its type.
  assert.deepEqual(
    templating.list.map(({ name, type, query }) => [name, type, query]),
    [["source", "datasource", source!.type]],
  );
  for (const { datasource } of panels) assert.deepEqual(datasource, { type: source!.type, uid: "${source}" });
  const made = /for name in ([\w -]+);/.exec(read("compose.yaml"))![1]!.split(" ");
  assert.deepEqual(
    Object.values(secrets).map(({ file }) => file),
    made.map((name) => `./secrets/${name}`),
  );
  for (const name of Object.values(services).flatMap((service) => service.secrets ?? [])) assert.ok(name in secrets, name);
});

test("units, container and compose file: their commands are ones that the program knows", () => {
  const inUnits = ["ledgerline.service", "ledgerline-backup.service"]
    .flatMap((name) => read(name).split("\n"))
    .filter((line) => line.startsWith("Exec"))
    .flatMap((line) => [...line.matchAll(/\/usr\/local\/bin\/ledgerline ([^';]+)/g)].map(([, args]) => args!.split(" ")));
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

test("backup: two runs on a day have a name each, and what is proved is what was made, also where a run passes midnight", () => {
  const folder = temporaryFolder("backup"),
    [, line] = /^ExecStart=\/bin\/sh -ec '(.*)'$/m.exec(read("ledgerline-backup.service"))!;
  // As systemd hands it on, to a program that tells how it was called; each look at the clock finds it a second later.
  const script = line!.replaceAll("$$", "$").replaceAll("%%", "%").replaceAll("/usr/local/bin/", "");
  const scripts = {
    ledgerline: `echo "$@"`,
    date: `seconds=$(cat ${folder}/seconds) && echo $((seconds + 1)) > ${folder}/seconds && exec /bin/date -d @$seconds "$@"`,
  };
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  writeFileSync(join(folder, "seconds"), String(Date.parse("2026-01-01T23:59:59Z") / 1_000));
  const called = (): string => spawnSync("/bin/sh", ["-ec", script], { env: { PATH: `${folder}:/bin:/usr/bin` }, encoding: "utf8" }).stdout;
  for (const moment of ["2026-01-01T23-59-59Z", "2026-01-02T00-00-00Z"]) {
    const copy = `/var/backups/ledgerline/${moment}`;
    assert.equal(called(), `backup ${copy} --data /var/lib/ledgerline\nverify --data ${copy}\n`);
  }
});

test("unit and alerts: a node that the disk refused writes (71) is started again, and nobody is told to restore anything", () => {
  assert.match(read("ledgerline.service"), /^RestartPreventExitStatus=2 3 70$/m);
  // That is of the node itself: what fails ahead of it is tried again, whatever its code.
  for (const [ahead] of read("ledgerline.service").matchAll(/^ExecStartPre=.*$/gm)) assert.match(ahead, /^ExecStartPre=-/);
  assert.match(read("alerts.yaml"), /3 and 70 mean a damaged ledger.* After 71 nothing is lost/);
});

test("starts: the package, the unit and the image leave a core to commands while V8 collects its garbage", () => {
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot(), "package.json"), "utf8")) as { readonly scripts: { start: string } };
  assert.deepEqual(scripts.start.split(" ").slice(0, 3), ["exec", "node", nodeFlag]);
  for (const [name, word] of [
    ["ledgerline.service", "Environment="],
    ["Containerfile", "ENV "],
  ] as const)
    assert.ok(read(name).split("\n").includes(`${word}NODE_OPTIONS=${nodeFlag}`), name);
});
