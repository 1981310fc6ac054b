/** A configuration file in its three forms, and what is wrong with one: a sentence each. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isFailure } from "../../src/base/result.js";
import { parseCommandLine } from "../../src/command-line.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("configuration");

function parsed(name: string, text: string): unknown {
  const file = join(folder, name);
  writeFileSync(file, text);
  const line = parseCommandLine(["start", "--config", file], {});
  if (isFailure(line)) return line.error.replaceAll(`${folder}/`, "");
  assert.equal(line.ok.command, "start");
  const { port, memory, dars, auth, authTokenLifeMaxSeconds } = (line.ok as Extract<typeof line.ok, { command: "start" }>).options;
  return { port, memory, dars, auth, authTokenLifeMaxSeconds };
}

test("configuration file: JSON, YAML and TOML say the same", () => {
  const expected = { port: 7000, memory: true, dars: ["a.dar", "b.dar"], auth: ["hs256:file:secret"], authTokenLifeMaxSeconds: Infinity };
  assert.deepEqual(
    parsed(
      "a.json",
      '{"port":7000,"memory":true,"static-time":false,"dar":["a.dar","b.dar"],"auth":"hs256:file:secret","auth-token-life-max":"none"}',
    ),
    expected,
  );
  assert.deepEqual(
    parsed(
      "a.yaml",
      "# the test node\nport: 7000\nmemory: true\nstatic-time: false\ndar:\n  - a.dar\n  - b.dar\nauth: hs256:file:secret\nauth-token-life-max: none\n",
    ),
    expected,
  );
  assert.deepEqual(
    parsed(
      "a.toml",
      '# the test node\nport = 7000\nmemory = true\nstatic-time = false\ndar = ["a.dar", "b.dar"]\nauth = "hs256:file:secret"\nauth-token-life-max = "none"\n',
    ),
    expected,
  );
});

test("configuration file: a byte order mark in front of it says nothing", () => {
  for (const [name, text] of [
    ["m.json", '{"port":7000}'],
    ["m.yaml", "port: 7000\n"],
    ["m.toml", "port = 7000\n"],
  ] as const)
    assert.equal((parsed(name, `\uFEFF${text}`) as { readonly port: number }).port, 7_000, name);
});

test("configuration file: a number may stand in quotes, and a text that looks like one has to", () => {
  for (const text of ['{"port":"7000"}', '{"port":7000}']) assert.equal((parsed("k.json", text) as { readonly port: number }).port, 7_000);
  assert.deepEqual((parsed("k.yaml", "memory: true\ndar: [\"007\", '1e3']\n") as { readonly dars: unknown }).dars, ["007", "1e3"]);
});

test("configuration file: an unknown key, a wrong type and a key that is given twice are each one sentence", () => {
  const wrong: readonly (readonly [name: string, text: string, sentence: RegExp])[] = [
    ["b.yaml", "prot: 1\n", /^Unknown key prot in b\.yaml\. Did you mean port\?$/],
    ["b.toml", "list_wait_ms = 1\n", /^Unknown key list_wait_ms in b\.toml\. Did you mean list-wait-ms\?$/],
    ["b.json", '{"memory":"yes"}', /^memory in b\.json must be true or false\.$/],
    ["c.toml", "[port]\nfirst = 1\n", /^port in c\.toml must be a whole number\.$/],
    ["c.yaml", "dar: {a: b}\n", /^dar in c\.yaml must be a text or a list of texts\.$/],
    ["c.json", '{"host":["127.0.0.1"]}', /^host in c\.json must be a text\.$/],
    ["d.json", '{"port":1,"port":2}', /^Cannot read d\.json: .*unique/],
    ["d.yaml", "port: 1\nport: 2\n", /^Cannot read d\.yaml: .*unique/],
    ["d.toml", "port = 1\nport = 2\n", /^Cannot read d\.toml: .*/],
    ["e.json", "[1]", /^e\.json must hold keys and values/],
    ["e.yaml", "just a text\n", /^e\.yaml must hold keys and values/],
    ["f.json", "{", /^Cannot read f\.json: /],
    ["f.yaml", "a: &x [*x, *x]\n", /^(?:Cannot read|Unknown key a)/],
    ["f.toml", 'config = "f.toml"\n', /^f\.toml cannot name another file/],
    ["k.json", '{"memory":true,"data":null}', /^data in k\.json must be a text\.$/],
    ["k.yaml", "static-time:\n", /^static-time in k\.yaml must be true or false\.$/],
    ["l.yaml", "port: ~\n", /^port in l\.yaml must be a whole number\.$/],
    ["h.json", '{"metrics-token":12345678901234567890}', /^metrics-token in h\.json must be a text: put it in quotes, or .*\.$/],
    ["h.yaml", "metrics-token: 007\n", /^metrics-token in h\.yaml must be a text: put it in quotes/],
    ["h.toml", "participant-name = 1_000\n", /^participant-name in h\.toml must be a text: put it in quotes/],
    ["i.yaml", "auth-scope: true\n", /^auth-scope in i\.yaml must be a text: put it in quotes/],
    ["i.json", '{"dar":["a.dar",1e3]}', /^dar in i\.json must be a text or a list of texts: put it in quotes/],
    ["j.json", '{"workers":0}', /^workers 0 in j\.json: must be at least 1 and at most 100\.$/],
    ["j.yaml", "token-registry: 1\n", /^token-registry in j\.yaml must be a text or a list of texts: put it in quotes/],
    ["g.toml", "port = 1.5\n", /^port 1\.5 in g\.toml: must be a whole number/],
  ];
  for (const [name, text, sentence] of wrong) {
    const told = String(parsed(name, text));
    assert.match(told, sentence, `${name}: ${text}`);
    assert.doesNotMatch(told, /\n/);
  }
});
