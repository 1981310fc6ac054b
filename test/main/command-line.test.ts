import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseCommandLine } from "../../src/command-line.js";
import { grpcPortOf, portFlag, type StartOptions } from "../../src/start-options.js";
import { temporaryFolder } from "../support/folders.js";

const start = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): StartOptions => {
  const parsed = parseCommandLine(["start", ...args], environment);
  assert.ok(parsed.ok && parsed.ok.command === "start", parsed.error);
  return parsed.ok.options;
};
const refusal = (...args: string[]): string => parseCommandLine(args, {}).error ?? assert.fail("accepted");

/** Its path. */
function configurationFile(content: object): string {
  const folder = temporaryFolder("config"),
    file = join(folder, "config.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test("command line: the defaults listen on loopback, port 7575, with a ledger in the working folder", () => {
  const options = start([]);
  assert.deepEqual(
    [options.host, options.port, options.data, options.memory, options.auth.length],
    ["127.0.0.1", 7575, "ledgerline-data", false, 0],
  );
});

test("command line: flags win over the environment, the environment wins over the file", () => {
  const file = configurationFile({ port: 1, "list-wait-ms": 10, workers: 3 });
  const options = start(["--config", file, "--port", "3"], { LEDGERLINE_PORT: "2", LEDGERLINE_LIST_WAIT_MS: "20" });
  assert.deepEqual([options.port, options.listWaitMs, options.workers], [3, 20, 3]);
});

test("command line: what a stronger source says takes back what excludes it in a weaker one; in one source both are refused", () => {
  const inMemory = configurationFile({ memory: true }),
    kept = configurationFile({ data: "kept", durability: "sync" }),
    both = configurationFile({ memory: true, data: "kept" }),
    ports = configurationFile({ port: 7000, splice: "a" });
  const place = (args: readonly string[], environment?: NodeJS.ProcessEnv): unknown => {
    const { data, memory, durability } = start(args, environment);
    return memory ? [memory, durability] : [data, durability];
  };
  assert.deepEqual(place(["--config", inMemory, "--data", "x"]), ["x", "sync"]);
  assert.deepEqual(place(["--config", inMemory], { LEDGERLINE_DATA: "y" }), ["y", "sync"]);
  assert.deepEqual(place(["--data", "x"], { LEDGERLINE_MEMORY: "true" }), ["x", "sync"]);
  assert.deepEqual(place(["--config", kept, "--memory"]), [true, "none"]);
  assert.deepEqual(place(["--config", kept], { LEDGERLINE_MEMORY: "false" }), ["kept", "sync"], "what is off takes nothing back");
  assert.equal(start(["--config", ports, "--localnet", "b"]).localnet, "b");
  assert.match(refusal("start", "--config", both), /memory in .*config\.json and data in .*config\.json exclude each other/);
  assert.deepEqual(parseCommandLine(["verify", "--config", kept], { LEDGERLINE_MEMORY: "true" }).ok, { command: "verify", data: "kept" });
});

const refusedEnvironment = (environment: NodeJS.ProcessEnv): string =>
  parseCommandLine(["start"], environment).error ?? assert.fail("accepted");

test("command line: a switch of the environment is true or 1, or false or 0, which wins over the file; anything else is refused", () => {
  const file = configurationFile({ insecure: true, "static-time": true, host: "0.0.0.0", auth: "none" });
  for (const on of ["true", "1"]) assert.equal(start([], { LEDGERLINE_MEMORY: on }).memory, true);
  for (const off of ["false", "0"]) {
    assert.equal(start(["--config", file], { LEDGERLINE_STATIC_TIME: off }).staticTime, false);
    assert.match(
      parseCommandLine(["start", "--config", file], { LEDGERLINE_INSECURE: off }).error ?? "accepted",
      /reachable from outside and there is no auth/,
    );
    assert.equal(start(["--memory"], { LEDGERLINE_MEMORY: off }).memory, true, "a flag wins over both");
  }
  assert.equal(start(["--config", file], { LEDGERLINE_INSECURE: "" }).insecure, true, "what is empty says nothing");
  for (const word of ["yes", "TRUE", "on", " true"])
    assert.equal(refusedEnvironment({ LEDGERLINE_MEMORY: word }), "LEDGERLINE_MEMORY must be true or false, or 1 or 0.");
});

test("command line: a list of the environment stands between commas, or in JSON where its texts have commas", () => {
  assert.deepEqual(start([], { LEDGERLINE_DAR: "a.dar,b.dar" }).dars, ["a.dar", "b.dar"]);
  assert.deepEqual(start([], { LEDGERLINE_PARTICIPANT: '["north=0@a,b","south=0"]' }).participants, [
    { name: "north", port: 0, synchronizers: ["a", "b"] },
    { name: "south", port: 0, synchronizers: undefined },
  ]);
  for (const text of ["[", '["hs256:secret"', "[1]", '["none",["x"]]']) {
    const told = refusedEnvironment({ LEDGERLINE_AUTH: text });
    assert.match(told, /^LEDGERLINE_AUTH must be texts between commas, or a list of texts in JSON where it begins with \[\.$/);
  }
});

test("command line: --dar may be repeated and keeps its order", () => {
  assert.deepEqual(start(["--dar", "a.dar", "--dar=b.dar"]).dars, ["a.dar", "b.dar"]);
});

test("command line: a participant's name is what can stand in a participant id", () => {
  assert.deepEqual(
    [
      start([]).participantName,
      start(["--participant-name", "sandbox_1-A"]).participantName,
      start([], { LEDGERLINE_PARTICIPANT_NAME: "node" }).participantName,
    ],
    [undefined, "sandbox_1-A", "node"],
  );
  for (const name of ["", "a b", "a::b", "é", "x".repeat(186)])
    assert.match(refusal("start", `--participant-name=${name}`), /--participant-name .*must be 1 to 185 letters, digits, - or _/s);
});

test("command line: scripts run on as many threads as a process can have", () => {
  for (const threads of ["0", "101", "100000"])
    assert.equal(refusal("test", "a.dar", "--threads", threads), `--threads ${threads}: must be at least 1 and at most 100.`);
});

test("command line: an unknown flag is refused with the nearest known one", () => {
  assert.match(refusal("start", "--prot", "1"), /Unknown flag --prot\. Did you mean --port\?/);
  assert.equal(refusal("start", "-p", "3"), "Unknown flag -p. Did you mean --port?");
  assert.equal(refusal("start", "-port", "3"), "Unknown flag -port. Did you mean --port?");
  assert.match(refusal("strat"), /Did you mean start\?/);
  assert.match(refusal("start", "7575"), /Unexpected argument 7575/);
});

test("command line: help is asked for behind any command, by a word or a letter", () => {
  for (const args of [["help"], ["-h"], ["start", "--help"], ["test", "-h"], ["script", "--dar", "a.dar", "-h"], ["backup", "x", "-h"]])
    assert.deepEqual(parseCommandLine(args, {}).ok, { command: "help" }, args.join(" "));
});

test("command line: what begins with a dash is no DAR, and a switch of scripts takes no value either", () => {
  assert.equal(refusal("test", "a.dar", "-x"), "Unknown flag -x of test. See ledgerline --help.");
  assert.equal(refusal("test", "a.dar", "--files", "A.daml", "-v"), "Unknown flag -v of test. See ledgerline --help.");
  assert.equal(refusal("script", "--dar", "a.dar", "--all", "-memory"), "Unknown flag -memory of script. See ledgerline --help.");
  assert.equal(refusal("script", "--dar", "a.dar", "--all=false", "--memory"), "--all takes no value.");
  assert.equal(refusal("test", "a.dar", "--watch=true"), "--watch takes no value.");
});

test("command line: what a node forgets no earlier, a ledger that is pruned at rest forgets no earlier either", () => {
  const pruning = (...args: string[]): unknown => parseCommandLine(["prune", "5", "--data", "x", ...args], {}).ok;
  const week = 7 * 24 * 3600,
    options = { data: "x", participantName: undefined, deduplicationMaxSeconds: week, upToInclusive: 5 };
  assert.deepEqual([start([]).deduplicationMaxSeconds, start(["--deduplication-max", "60"]).deduplicationMaxSeconds], [week, 60]);
  assert.deepEqual(pruning(), { command: "prune", options });
  assert.deepEqual(pruning("--deduplication-max", "60"), { command: "prune", options: { ...options, deduplicationMaxSeconds: 60 } });
  for (const command of [["start"], ["prune", "5", "--data", "x"]]) {
    assert.match(refusal(...command, "--deduplication-max", "0"), /--deduplication-max must be at least 1/);
    for (const other of ["abc", "-1", "1.5", "1e3", "", "none", "1000000000"])
      assert.equal(refusal(...command, `--deduplication-max=${other}`), `--deduplication-max ${other}: must be a whole number.`);
  }
});

test("command line: bad values name the flag and what it takes", () => {
  assert.match(refusal("start", "--port", "x"), /--port x: must be a whole number/);
  assert.match(refusal("start", "--port", "70000"), /at most 65535/);
  assert.equal(refusal("start", "--port", "-1"), "--port -1: must be a whole number from 0 to 65535.");
  for (const command of [["start"], ["verify"], ["backup", "copy"], ["restore", "copy"], ["prune", "5"]])
    assert.equal(refusal(...command, "--data="), "--data: the path is empty.");
  assert.equal(refusal("start", "--dar", "a.dar", "--dar="), "--dar: the path is empty.");
  assert.match(refusal("start", "--transport", "quic"), /must be one of auto, uws, node/);
  assert.match(refusal("start", "--port"), /--port needs a value/);
  assert.match(refusal("start", "--memory", "--data", "x"), /exclude each other/);
  assert.match(refusal("start", "--memory", "--durability", "none"), /exclude each other/);
  assert.match(refusal("start", "--durability", "some"), /must be one of sync, none/);
  assert.match(refusal("verify"), /--data/);
  assert.match(refusal("backup", "--data", "x"), /backup needs the FOLDER/);
  assert.match(refusal("backup", "x", "y"), /Unexpected argument y/);
});

test("command line: what is wrong is told by what it is called where it was said", () => {
  const file = configurationFile({ workers: 0, host: "0.0.0.0" });
  assert.match(refusedEnvironment({ LEDGERLINE_PORT: "abc" }), /^LEDGERLINE_PORT=abc: must be a whole number/);
  assert.equal(refusedEnvironment({ LEDGERLINE_AUTH: "foo" }).split(": ")[0], "LEDGERLINE_AUTH");
  assert.equal(refusal("start", "--config", file), `workers 0 in ${file}: must be at least 1 and at most 100.`);
  assert.match(refusal("start", "--config", file, "--workers", "1"), /^host 0\.0\.0\.0 in .*config\.json is reachable from outside/);
  const inBoth = parseCommandLine(["start", "--config", file], { LEDGERLINE_WORKERS: "101" });
  assert.equal(inBoth.error, "LEDGERLINE_WORKERS=101: must be at least 1 and at most 100.", "the strongest source counts");
  assert.match(refusal("prune", "5", "--data", "x", "--deduplication-max", "0"), /^--deduplication-max must be at least 1/);
});

test("command line: what is ill-formed is refused before anything is done, without telling what may be a secret", () => {
  const forms = /^--auth: expected none \| hs256:SECRET \| /;
  for (const service of ["foo", "", "hs256:", "hs256:file:", "rs256", "HS256:secret"]) {
    assert.match(refusal("start", `--auth=${service}`), forms);
    assert.match(refusal("doctor", "--auth", "none", `--auth=${service}`), forms);
  }
  assert.doesNotMatch(refusal("start", "--auth", "hs512:a-secret"), /a-secret/);
  assert.match(refusal("start", "--auth", "jwks:nowhere"), /^--auth: nowhere is not a URL$/);
  assert.match(refusal("start", "--auth", "jwks:ftp://keys.example/set"), /^--auth: key sets are fetched by https, /);
  for (const names of ["", ",", "a,", "a b", "é", "x".repeat(65)]) {
    assert.match(refusal("start", `--synchronizers=${names}`), /^--synchronizers .*: ".*" cannot be the name of a synchronizer: /);
    if (names !== "") assert.match(refusal("start", `--participant=north=0@${names}`), /^--participant .*cannot be the name of a synch/);
  }
  assert.match(refusal("start", "--synchronizers", "a,b,a"), /^--synchronizers a,b,a: synchronizer a is named twice\.$/);
  for (const token of ["", "file:"]) assert.match(refusal("start", `--metrics-token=${token}`), /^--metrics-token: the secret is empty$/);
});

test("command line: what belongs to a network goes with one, and LocalNet has ports of its own", () => {
  assert.deepEqual(
    [start(["--splice", "dars"]).splice, start(["--localnet", "dars", "--port-shift", "10000"]).portShift],
    ["dars", 10_000],
  );
  assert.deepEqual(start(["--splice", "dars", "--no-automation", "all"]).noAutomation, ["all"]);
  assert.match(refusal("start", "--splice", "a", "--localnet", "b"), /--splice and --localnet exclude each other/);
  assert.deepEqual(
    [portFlag(start([])), portFlag(start(["--localnet", "a"])), portFlag(start(["--localnet", "a"]), "second")],
    ["--port", "--port-shift", "--participant second=PORT"],
  );
  assert.match(refusal("start", "--localnet", "a", "--port", "1"), /--port-shift instead of --port/);
  assert.match(refusal("start", "--port-shift", "1"), /--port-shift needs --localnet/);
  assert.match(refusal("start", "--localnet", "a", "--port-shift", "60001"), /at most 60000/);
  assert.match(refusal("start", "--no-automation", "all"), /--no-automation needs --splice or --localnet/);
});

test("command line: what means something only beside another is refused without it, in whatever source it is said", () => {
  for (const flag of ["auth-audience", "auth-scope", "auth-token-life-max", "auth-leeway"]) {
    assert.equal(refusal("start", `--${flag}=1`), `--${flag} needs --auth or --localnet.`);
    assert.equal(start([`--${flag}=1`, "--auth", "none"]).auth.length, 1);
    assert.equal(start([`--${flag}=1`, "--localnet", "dars"]).localnet, "dars");
  }
  assert.equal(refusedEnvironment({ LEDGERLINE_AUTH_SCOPE: "x" }), "LEDGERLINE_AUTH_SCOPE needs --auth or --localnet.");
  assert.equal(refusal("start", "--traces-one-in", "2"), "--traces-one-in needs --traces.");
  assert.equal(refusal("start", "--tls-cert-chain", "a"), "--tls-cert-chain needs --tls-private-key.");
  assert.equal(refusal("start", "--tls-private-key", "a"), "--tls-private-key needs --tls-cert-chain.");
  assert.equal(refusal("start", "--tls-trust-collection", "a"), "--tls-trust-collection needs --tls-cert-chain.");
  const tls = ["--tls-cert-chain", "a", "--tls-private-key", "b"] as const;
  assert.match(refusal("start", ...tls, "--localnet", "dars"), /--tls-cert-chain and --localnet exclude each other/);
  assert.match(refusal("start", ...tls, "--transport", "uws"), /--tls-cert-chain and --transport uws exclude each other/);
  assert.deepEqual(start([...tls]).tls, { certChain: "a", privateKey: "b", trustCollection: undefined });
  assert.equal(start(["--traces-one-in", "2", "--traces", "http://127.0.0.1:4318"]).tracesOneIn, 2);
});

test("command line: an address beyond loopback needs --insecure while there is no auth", () => {
  assert.match(refusal("start", "--host", "0.0.0.0"), /--insecure/);
  assert.match(refusal("start", "--host", "0.0.0.0", "--auth", "none"), /--insecure/);
  assert.equal(start(["--host", "0.0.0.0", "--insecure"]).host, "0.0.0.0");
  assert.deepEqual(start(["--host", "0.0.0.0", "--auth", "hs256:secret"]).auth, ["hs256:secret"]);
});

test("command line: what to listen on is an address, in brackets or without, or a name", () => {
  assert.deepEqual(
    [start(["--host", "[::1]"]).host, start(["--host", "::1"]).host, start(["--host", "localhost"]).host],
    ["::1", "::1", "localhost"],
  );
  for (const host of ["", "::1x", "a b", "[x]", "127.0.0.1:7575"])
    assert.equal(refusal("start", `--host=${host}`), `--host ${host}: must be an address or a name.`);
});

test("command line: tokens may live as long as a number of seconds, or for ever", () => {
  assert.deepEqual(
    [
      start([]),
      start(["--auth", "hs256:secret", "--auth-token-life-max", "3600"]),
      start(["--auth", "hs256:secret", "--auth-token-life-max", "none"]),
      start(["--localnet", "dars"]),
      start(["--localnet", "dars", "--auth-token-life-max", "300"]),
    ].map((options) => options.authTokenLifeMaxSeconds),
    [300, 3_600, Infinity, Infinity, 300],
  );
  assert.match(refusal("start", "--auth-leeway", "none"), /--auth-leeway none: must be a whole number/);
});

test("command line: backup copies the ledger that start would open", () => {
  assert.deepEqual(parseCommandLine(["backup", "copy"], {}).ok, { command: "backup", data: "ledgerline-data", target: "copy" });
  assert.deepEqual(parseCommandLine(["backup", "copy"], { LEDGERLINE_DATA: "d" }).ok, { command: "backup", data: "d", target: "copy" });
  assert.deepEqual(parseCommandLine(["backup", "copy", "--data=e"], { LEDGERLINE_DATA: "d" }).ok, {
    command: "backup",
    data: "e",
    target: "copy",
  });
});

test("command line: users allocate no parties for themselves unless the node is told how many", () => {
  assert.equal(start([]).selfAllocatedPartiesMax, 0);
  assert.equal(start(["--self-allocated-parties-max", "2"]).selfAllocatedPartiesMax, 2);
});

test("command line: a path prefix is written with slashes or without, and has segments that a path can have", () => {
  assert.equal(start([]).pathPrefix, undefined);
  for (const prefix of ["/any/company/prefix", "any/company/prefix", "/any/company/prefix/"])
    assert.equal(start(["--path-prefix", prefix]).pathPrefix, "/any/company/prefix");
  for (const prefix of ["", "/", "a//b", "a b", "/v2?x"])
    assert.match(refusal("start", `--path-prefix=${prefix}`), /--path-prefix .*must be segments of letters/, prefix);
});

test("command line: a LocalNet tells how it hashes, other nodes where they are started so", () => {
  const isVerbose = (...args: string[]): boolean => start(args).verboseHashing;
  assert.deepEqual([isVerbose(), isVerbose("--verbose-hashing"), isVerbose("--localnet", "dars")], [false, true, true]);
});

test("command line: pages are allowed by origin, names without port; what is neither is refused", () => {
  const options = start(["--allow-origin", "https://app.example:8443", "--allow-origin=null", "--allow-host", "ledger.internal"], {});
  assert.deepEqual([options.allowedOrigins, options.allowedHosts], [["https://app.example:8443", "null"], ["ledger.internal"]]);
  assert.deepEqual(start([], { LEDGERLINE_ALLOW_ORIGIN: "https://a.example,https://b.example" }).allowedOrigins, [
    "https://a.example",
    "https://b.example",
  ]);
  for (const origin of ["app.example", "https://app.example/", "https://", "*", "https://me@app.example"])
    assert.match(refusal("start", "--allow-origin", origin), /must be an origin as browsers send it/);
  for (const name of ["ledger.internal:7575", "http://ledger", "a b", ""])
    assert.match(refusal("start", `--allow-host=${name}`), /must be a name or an address without port/);
});

test("command line: variables that are called like ours and are none are told; others are nobody's business", () => {
  assert.deepEqual(start([], { LEDGERLINE_PROT: "1", LEDGERLINE_A: "", LEDGERLINE_PORT: "7000", PROT: "1" }).unknownVariables, [
    "LEDGERLINE_A",
    "LEDGERLINE_PROT",
  ]);
});

test("command line: engine threads are at least one, and no more than may read the file at a time", () => {
  assert.equal(start(["--workers", "100"]).workers, 100);
  for (const number of ["0", "101", "10000"])
    assert.equal(refusal("start", "--workers", number), `--workers ${number}: must be at least 1 and at most 100.`);
});

test("command line: secrets count as shown where they stand among the arguments themselves", () => {
  const shown = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): readonly string[] => start(args, environment).shownSecrets;
  assert.deepEqual(shown(["--auth", "hs256:secret", "--metrics-token", "t"]), ["--auth", "--metrics-token"]);
  assert.deepEqual(shown(["--auth", "none", "--auth", "jwks:https://x", "--auth", "hs256:file:/s", "--metrics-token", "file:/t"]), []);
  assert.deepEqual(shown([], { LEDGERLINE_AUTH: "hs256:secret", LEDGERLINE_METRICS_TOKEN: "t" }), []);
});

test("command line: other participants have a name of their own and a port", () => {
  assert.deepEqual(start(["--participant", "pebblebox=7585", "--participant=sidebox=0@two,three"]).participants, [
    { name: "pebblebox", port: 7585, synchronizers: undefined },
    { name: "sidebox", port: 0, synchronizers: ["two", "three"] },
  ]);
  assert.deepEqual(start(["--synchronizers", "one,two"]).synchronizers, ["one", "two"]);
  for (const text of ["pebblebox", "=1", "a b=1", "a=x", "a=70000", "ledgerline=1"])
    assert.match(refusal("start", `--participant=${text}`), /^--participant .*: (must be a name|the port must|there is another)/);
  assert.match(refusal("start", "--participant=a=1", "--participant=a=2"), /another participant of this name/);
  assert.equal(refusal("start", "--participant=a=7575"), "--participant a=7575: port 7575 is that of the node itself (--port).");
  assert.equal(refusal("start", "--participant=a=1", "--participant=b=1"), "--participant b=1: port 1 is that of participant a.");
  assert.equal(start(["--port=0", "--participant=a=0", "--participant=b=0"]).participants.length, 2);
  assert.match(refusal("start", "--localnet=dars", "--participant=participant=1"), /another participant of this name/);
  assert.match(refusal("start", ...Array.from({ length: 8 }, (_, index) => `--participant=p${index}=0`)), /at most 8 participants/);
});

test("command line: the gRPC Ledger API has a port of its own for each participant that is to have it", () => {
  const asked = start(["--grpc-port", "6865", "--participant=a=1", "--grpc-port=a=0"]);
  assert.deepEqual(asked.grpcPorts, [
    { participant: undefined, port: 6865 },
    { participant: "a", port: 0 },
  ]);
  assert.equal(grpcPortOf(asked, true, "ledgerline"), 6865);
  assert.equal(grpcPortOf(asked, false, "a"), 0);
  assert.equal(grpcPortOf(asked, false, "b"), undefined);
  assert.equal(grpcPortOf(start(["--grpc-port=ledgerline=1"]), true, "ledgerline"), 1);
  assert.deepEqual(start([]).grpcPorts, []);
  for (const text of ["", "x", "a=x", "70000", "b=1"])
    assert.match(refusal("start", `--grpc-port=${text}`), /^--grpc-port.*: (must be a port|the port must|no participant here|must)/);
  assert.equal(refusal("start", "--grpc-port=7575"), "--grpc-port 7575: port 7575 is that of the node itself (--port).");
  assert.match(refusal("start", "--grpc-port=1", "--grpc-port=ledgerline=2"), /participant ledgerline has another port for it/);
  assert.match(refusal("start", "--participant=a=1", "--grpc-port=1"), /port 1 is that of participant a/);
});
