/** Random programs, each a choice: uploaded to two nodes, exercised at both, and their answers held against each other whole. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { encodePackage, selfPackageId, stablePackages, decodePackage } from "../../../src/lf/archive/index.js";
import type { LfVersion, Module } from "../../../src/lf/ast.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import { stockArchives, stockPackages } from "../../lf/programs/stock.js";
import { moduleName } from "../../lf/programs/world.js";
import { type Programs, programsOf, programTemplate } from "../../lf/programs/program.js";
import { smaller } from "../../lf/programs/shrink.js";
import { Samples } from "../../lf/validation/samples.js";
import { packageOf, problemOf } from "../../lf/validation/subject.js";
import { buildDar } from "../../support/lf-builder.js";
import { Random } from "../../support/random.js";
import type { Play, Scenario } from "../scenario.js";
import type { Answer } from "./node-beside.js";
import { createdIn, differenceOf, expectOk, hasFailed, lanes, ofBoth, type Pair, parties, startPair, withNoContracts } from "./pair.js";

export const programsPerPackage = 12;

/** Of a program that shows a difference: how many of its parts are left out on trial, and how many packages both nodes are sent for it. */
const trialsMax = 3_000,
  uploadsMax = 80;

type Packed = Pick<Programs, "module" | "minor">;
const languageOf = ({ minor }: Packed): LfVersion => (minor === "3" ? "2.3" : "2.1");

/** With what it uses and nothing else: Canton checks no types of a DAR of Daml-LF 2.1 that has more. */
export function packed({ module, minor }: Packed, name: string): Uint8Array {
  const main = encodePackage({ name, version: "1.0.0", id: selfPackageId, minor, modules: new Map([[moduleName, module]]) }),
    used = decodePackage(main.id, main.payload).ok?.directDependencies;
  return buildDar(
    main,
    stockArchives.filter(({ id }) => used?.has(id)),
  );
}
export const newName = (): string => `programs-${randomBytes(8).toString("hex")}`;

const others = new Map(
  [...stablePackages().map(({ id, payload }) => decodePackage(id, payload).ok!), ...stockPackages].map((each) => [each.id, each]),
);

/** Under a name that nobody has. */
async function uploaded(what: Packed, pair: Pair): Promise<string> {
  const name = newName(),
    dar = packed(what, name);
  await ofBoth(pair, ({ ask }) => expectOk(ask("/v2/dars", dar)));
  return name;
}

interface Run {
  readonly packageName: string;
  readonly choice: string;
  readonly argument: unknown;
}

const submissionOf = ({ packageName, choice, argument }: Run, partyOf: (name: string) => string) => {
  const [owner, guest, stranger] = parties.map(partyOf) as [string, string, string];
  const everything = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } };
  return {
    commands: {
      commandId: `${packageName}-${choice}`,
      submissionId: `${packageName}-${choice}`,
      userId: "participant_admin",
      actAs: [owner, guest],
      commands: [
        {
          CreateAndExerciseCommand: {
            templateId: `#${packageName}:${moduleName}:${programTemplate}`,
            createArguments: { owner, guest, stranger },
            choice,
            choiceArgument: { x: argument },
          },
        },
      ],
    },
    transactionFormat: {
      transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
      eventFormat: {
        filtersByParty: Object.fromEntries([owner, guest, stranger].map((party) => [party, { cumulative: [everything] }])),
        verbose: true,
      },
    },
  };
};

interface Outcome {
  readonly answers: readonly [Answer, Answer];
  /** Undefined where there is none, or nothing can be said. */
  readonly differs: string | undefined;
  readonly hasFailed: boolean;
}

const codeOf = ({ status, body }: Answer): string =>
  status === 200 ? "done" : ((body as { readonly code?: string }).code ?? `a ${status}`);
/** Where the answers differ, and of what kind they are: a smaller program that shows another difference is none. */
const kindOf = ({ answers, differs }: Outcome): string => [...answers.map(codeOf), differs?.split("\n")[0]].join(" ");

/** Contracts are known by the order in which a transaction has them. */
async function run(what: Run, around: Pair): Promise<Outcome> {
  const pair = withNoContracts(around),
    answers = await ofBoth(pair, ({ ask, spelling }) =>
      ask("/v2/commands/submit-and-wait-for-transaction", submissionOf(what, spelling.partyOf)),
    );
  for (const [index, answer] of answers.entries()) pair[index]!.contracts.meetUnplanned(createdIn(answer));
  const failed = hasFailed(answers, pair);
  return { answers, differs: failed ? undefined : differenceOf(answers, pair), hasFailed: failed };
}

/** As long as it is well typed and both nodes say different things of it. */
async function smallest(failing: Packed, what: Run, kind: string, pair: Pair): Promise<Module> {
  let { module } = failing,
    trials = 0,
    uploads = 0;
  const fails = async (candidate: Module): Promise<boolean> => {
    trials++;
    if (problemOf(packageOf([candidate], languageOf(failing)), stockPackages) !== undefined) return false;
    uploads++;
    const packageName = await uploaded({ ...failing, module: candidate }, pair);
    return kindOf(await run({ ...what, packageName }, pair)) === kind;
  };
  for (let improved = true; improved;) {
    improved = false;
    for (const candidate of smaller(module)) {
      if (trials >= trialsMax || uploads >= uploadsMax) return module;
      if (!(await fails(candidate).catch(() => false))) continue; // what shrinking broke is no smaller failure
      module = candidate;
      improved = true;
      break;
    }
  }
  return module;
}

const shownModule = ({ templates, interfaces, values, exceptions }: Module): string =>
  JSON.stringify({ templates, interfaces, values, exceptions }, (_key, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value instanceof Map ? [...(value as Map<string, unknown>).values()] : value,
  );

async function playProgram(play: Play, of: Packed, what: Run, pair: Pair): Promise<void> {
  const outcome = await run(what, pair),
    { answers, differs } = outcome;
  play.count(outcome.hasFailed ? `${codeOf(answers[0])} where the other one failed` : codeOf(answers[0]));
  if (differs === undefined) return;
  const module = await smallest(of, what, kindOf(outcome), pair);
  assert.fail(`${what.choice} of ${JSON.stringify(what.argument)}: ${differs}\nsmallest: ${shownModule(module)}`);
}

/** One random package at both nodes, and each of its programs. */
export async function playPrograms(play: Play, seed: number, pair: Pair): Promise<void> {
  const made = programsOf(seed, programsPerPackage);
  assert.equal(problemOf(packageOf([made.module], languageOf(made)), stockPackages), undefined, "the package is well typed");
  await playUploaded(play, made, await uploaded(made, pair), seed, pair);
}

export async function playUploaded(play: Play, made: Programs, packageName: string, seed: number, pair: Pair): Promise<void> {
  const package_ = packageOf([made.module], languageOf(made)),
    packages = new PackageInterface({ getPackage: (id) => (id === package_.id ? package_ : others.get(id)) });
  const samples = new Samples(packages, new Random(seed));
  for (const { choice, argument: of } of made.programs) {
    const argument = samples.of(of);
    if (argument === undefined) play.count("without an argument");
    else await playProgram(play, made, { packageName, choice, argument }, pair);
  }
}

export const programsBesideAnother: Scenario = {
  name: "programs-beside-another",
  unit: "packages",
  sizes: { test: 2, ci: 40, night: 3_000 },
  holds: `two nodes answer ${programsPerPackage} random programs of a random package alike: every builtin and form of the language, with values at their ends`,
  async run(play) {
    const pair = await startPair(play);
    await play.cases((seed) => playPrograms(play, seed, pair), lanes);
  },
};
