/** Coverage of a package whose templates have choices of an interface, and that of the package with which that interface comes. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { parseTest } from "../../src/script-command-line.js";
import type { TestOptions } from "../../src/script/index.js";
import { temporaryFolder } from "../support/folders.js";
import { expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { ScriptBuilder } from "../support/script-builder.js";
import { runTests } from "./run-tests.js";

const folder = temporaryFolder("coverage");
const inFolder = (name: string): string => join(folder, name);

before(() => {
  const apiModule = new ModuleBuilder("Api"),
    api = new ScriptBuilder(apiModule),
    view = apiModule.record("View", { holder: type.party }),
    ping = apiModule.record("Ping", { by: type.party });
  const holding = apiModule.interface("Holding", {
    view: type.con(view),
    choices: {
      Ping: {
        name: "Ping",
        consuming: false,
        selfBinder: "self",
        argBinder: { name: "arg", type: type.con(ping) },
        returnType: type.unit,
        controllers: expr.list(type.party, expr.field(ping, "by", expr.variable("arg"))),
        observers: expr.list(type.party),
        authorizers: undefined,
        update: expr.pure(type.unit, expr.unit),
      },
    },
  });
  const owned = (module: ModuleBuilder, name: string, interface_: typeof holding) => {
    const id = module.id(name);
    return module.template(name, {
      fields: { owner: type.party },
      signatories: (self) => [self("owner")],
      implements: [
        {
          interface: interface_,
          methods: new Map(),
          view: expr.record({ ...view, packageId: interface_.packageId }, { holder: expr.field(id, "owner", expr.variable("this")) }),
        },
      ],
    });
  };
  const own = owned(apiModule, "Plain", holding);
  api.define(
    "creates",
    api.allocate("alice", (alice) =>
      api.submit({ actAs: [alice], commands: [api.commands.create({ template: own, argument: expr.record(own, { owner: alice }) })] }, () =>
        api.end(),
      ),
    ),
  );
  const archive = api.build("api"),
    of = <T extends { readonly packageId: string }>(id: T): T => ({ ...id, packageId: archive.id });
  const module = new ModuleBuilder("Main"),
    script = new ScriptBuilder(module),
    [first] = ["A", "B"].map((name) => owned(module, name, of(holding))) as [typeof holding, typeof holding];
  script.define(
    "pings",
    script.allocate("alice", (alice) =>
      script.submit(
        { actAs: [alice], commands: [script.commands.create({ template: first, argument: expr.record(first, { owner: alice }) })] },
        (made) =>
          script.submit(
            {
              actAs: [alice],
              commands: [
                script.commands.exercise({
                  template: of(holding),
                  contract: script.firstCreated(made),
                  choice: "Ping",
                  argument: { type: type.con(of(ping)), expr: expr.record(of(ping), { by: alice }) },
                }),
              ],
            },
            () => script.end(),
          ),
        script.submitAnswer,
      ),
    ),
  );
  script.define("says", script.end());
  writeFileSync(inFolder("main.dar"), script.buildDar("main", [module], [archive]));
});

async function run(...args: string[]): Promise<{ readonly isGood: boolean; readonly out: string; readonly errors: readonly string[] }> {
  const parsed = parseTest(args);
  assert.equal(parsed.error, undefined);
  const { watch: _, ...options } = parsed.ok as TestOptions;
  return runTests({ ...options, threads: 1 });
}
const main = inFolder("main.dar");

const internal = [
  "Modules internal to this package:",
  "- Internal templates",
  "  2 defined",
  "  1 ( 50.0%) created",
  "  internal templates never created: 1",
  "    Main:B",
  "- Internal template choices",
  "  0 defined",
  "  0 (100.0%) exercised",
  "  internal template choices never exercised: 0",
  "- Internal interface implementations",
  "  2 defined",
  "    0 internal interfaces",
  "    2 external interfaces",
  "- Internal interface choices",
  "  2 defined",
  "  1 ( 50.0%) exercised",
  "  internal interface choices never exercised: 1",
  "    Main:B:Ping",
  "Modules external to this package:",
  "",
].join("\n");

test("coverage: a choice of an interface counts for each template that implements it, of whatever package the interface is", async () => {
  const { out } = await run(main, "--show-coverage");
  assert.ok(out.includes(internal), out);
  assert.match(out, /- External templates\n {2}0 defined\n {2}0 \(100\.0%\) created in any tests\n/);
});

test("coverage: without being asked for it is counted, and nothing is named", async () => {
  const { out } = await run(main);
  assert.match(out, /- Internal interface choices\n {2}2 defined\n {2}1 \( 50\.0%\) exercised\nModules external/);
  assert.doesNotMatch(out, /never/);
});

test("coverage: with scripts of dependencies what is external counts, by the scripts of the package and by those of dependencies", async () => {
  const { out, isGood } = await run(main, "--show-coverage", "--all");
  assert.ok(isGood);
  assert.match(out, /\napi-1\.0\.0:creates: ok, 1 active contracts, 1 transactions, /);
  assert.ok(out.includes(internal), out);
  assert.ok(
    out.includes(
      [
        "- External templates",
        "  1 defined",
        "  1 (100.0%) created in any tests",
        "  0 (  0.0%) created in internal tests",
        "  1 (100.0%) created in external tests",
        "  external templates never created: 0",
        "",
      ].join("\n"),
    ),
    out,
  );
  assert.match(
    out,
    /- External interface choices\n {2}1 defined\n(?: {2}0 \( {2}0\.0%\) exercised in .*\n){3}.*: 1\n {4}api:Api:Plain:Ping\n/,
  );
});

test("coverage: choices that a pattern finds are left out", async () => {
  const { out } = await run(main, "--show-coverage", "--coverage-ignore-choice", "Holding:P.ng$");
  assert.match(out, /- Internal interface choices\n {2}0 defined\n {2}0 \(100\.0%\) exercised\n/);
  assert.match(parseTest(["a.dar", "--coverage-ignore-choice", "("]).error!, /^--coverage-ignore-choice: Invalid regular expression/);
});

test("coverage: what runs saved adds up, and may be told without another run", async () => {
  const [one, other, both] = ["one", "other", "both"].map(inFolder) as [string, string, string];
  await run(main, "--test-pattern", "says", "--save-coverage", one);
  const { out: added } = await run(main, "-p", "pings", "--load-coverage", one, "--save-coverage", other, "--show-coverage");
  assert.ok(added.includes(internal));
  const { out, isGood } = await run(
    "--load-coverage-only",
    "--load-coverage",
    one,
    "--load-coverage",
    other,
    "--save-coverage",
    both,
    "--show-coverage",
  );
  assert.ok(isGood && out.startsWith(internal), out);
  assert.deepEqual(readFileSync(both), readFileSync(other));
  writeFileSync(one, "no coverage");
  const { isGood: isRead, errors } = await run(main, "--load-coverage", one);
  assert.deepEqual([isRead, errors], [false, [`${one} holds no results of coverage.\n`]]);
  assert.match(parseTest(["--load-coverage-only", "a.dar"]).error!, /goes with no DAR/);
});

test("coverage: saved results are messages of the reference, field by field", async () => {
  await run(main, "-p", "pings", "--save-coverage", inFolder("saved"));
  const bytes = readFileSync(inFolder("saved")),
    // A template of the package itself: its name, a local package, no choices.
    template = Buffer.from([0x0a, 16, 0x0a, 12, 0x0a, 6, ...Buffer.from("Main:A"), 0x12, 2, 0x0a, 0, 0x12, 0]);
  assert.equal(bytes.subarray(0, template.length).toString("hex"), template.toString("hex"));
});

test("coverage: the active contracts of scripts that ran well are pages, and results may have colours", async () => {
  const { out } = await run(main, "--table-output", inFolder("tables"), "--color");
  assert.match(readFileSync(inFolder("tables/table-pings.html"), "utf8"), /<h4>Main:A<\/h4>/);
  assert.ok(existsSync(inFolder("tables/table-says.html")));
  assert.ok(out.includes("Main.daml:says: \u001b[32mok\u001b[0m, 0 active contracts"));
});

test("test command: a flag of the compiler says what to do instead", () => {
  assert.match(parseTest(["a.dar", "--package-root", "."]).error!, /^--package-root: name the DAR of the package instead/);
  assert.match(parseTest(["a.dar", "--target=2.2"]).error!, /^--target: it is the compiler's/);
});
