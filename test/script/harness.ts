/** A script that is asked its questions by a test: what the runner sees of one is a chain of records and functions. */
import { readFileSync } from "node:fs";
import { assert as check } from "../../src/base/assert.js";
import { limits } from "../../src/config.js";
import { readDar, stablePackages } from "../../src/lf/archive/index.js";
import { decodePackage } from "../../src/lf/archive/package.js";
import type { DefinitionId } from "../../src/lf/ast.js";
import { AnyValue, ContractId, EnumValue, listFromArray, none, Some, unit, type Value, Variant } from "../../src/lf/running-code.js";
import type { ScriptLedger } from "../../src/script/ledger.js";
import { isLibrary, type ScriptLibrary } from "../../src/script/library.js";
import { MemoryLedger } from "../../src/script/memory/memory-ledger.js";
import { type ContractMode, ScriptPackages, ScriptThread } from "../../src/script/packages.js";
import { ScriptRun } from "../../src/script/runner.js";
import { type StopReason, ScriptStop } from "../../src/script/stop.js";
import { list, nonEmpty, templateRep, tuple, typeOf } from "../../src/script/values.js";
import { testData } from "../support/paths.js";
import { buildLibrary, type LibraryRelease, type ReleaseName } from "../support/script-library.js";
import { buildModel, holdingApi, type Model } from "./model.js";

export type Ask = (name: string, payload: readonly Value[], version?: number) => Promise<Value>;

export interface Subject {
  readonly packages: ScriptPackages;
  readonly ledger: MemoryLedger;
  readonly run: ScriptRun;
  readonly model: Model;
  readonly older: Model;
  readonly ask: Ask;
}

const thread = new ScriptThread();
const releaseNames = ["of 2024", "3.3", "newest", "to come"] as const satisfies readonly ReleaseName[];
const ofEach = <T>(make: (name: ReleaseName) => T): Readonly<Record<ReleaseName, T>> =>
  Object.fromEntries(releaseNames.map((name) => [name, make(name)])) as Record<ReleaseName, T>;
const releases = ofEach(buildLibrary);
export const model = buildModel(2),
  older = buildModel(1);
/** LF 2.3: templates with contract keys. */
const keyed = readDar(readFileSync(testData("engine", "dars", "keys-2.3.dar")), limits).ok!.archives;

function openPackages({ archive }: LibraryRelease): ScriptPackages {
  const archives = [model.archive, older.archive, holdingApi.archive, keyed[0]!, archive, ...stablePackages()];
  return new ScriptPackages(
    {
      file: "test",
      main: model.archive.id,
      packages: archives.map(({ id, payload }) => ({ id, payload, dependencies: [...decodePackage(id, payload).ok!.directDependencies] })),
    },
    thread,
  );
}
export const libraryOf = (packages: ScriptPackages): ScriptLibrary => packages.library([...packages.all].find(isLibrary)!.id);

const opened = ofEach((name) => openPackages(releases[name]));

export const keyedId = (name: string): DefinitionId => ({ packageId: keyed[0]!.id, module: "Keys", name });

/** The same questions on another ledger. */
export function askOn(ledgerOf: (packages: ScriptPackages) => ScriptLedger): Ask {
  const packages = opened.newest;
  let names = 0;
  const run = new ScriptRun({
    packages,
    library: libraryOf(packages),
    ledger: ledgerOf(packages),
    timeLimitMs: 60_000,
    uniqueSuffix: () => String(names++),
  });
  return (name, payload, version = 1) => run.run("become failures", () => script(name, payload, version));
}

export interface SubjectOptions {
  readonly release?: keyof typeof releases;
  readonly mode?: ContractMode;
  readonly timeLimitMs?: number;
}

/** A fresh ledger, and a script on it that asks what the test wants to know. */
export function scriptSubject({ release = "newest", mode = "NUCK", timeLimitMs = 60_000 }: SubjectOptions = {}): Subject {
  const packages = opened[release];
  const ledger = new MemoryLedger({ packages, mode, seed: "test" });
  let names = 0;
  const run = new ScriptRun({ packages, library: libraryOf(packages), ledger, timeLimitMs, uniqueSuffix: () => String(names++) });
  const ask: Ask = (name, payload, version = 1) => run.run("become failures", () => script(name, payload, version));
  return { packages, ledger, run, model, older, ask };
}

/** Asks one question; its answer is what the script returns. */
export const script = (name: string, payload: readonly Value[], version = 1): Value =>
  tuple(
    () =>
      new Variant(
        1,
        "Free",
        tuple(tuple(name, version, tuple(...payload), listFromArray([]), (answer: Value) => new Variant(0, "Pure", tuple(answer, unit)))),
      ),
    unit,
  );

/** Why a question was not answered. */
export async function stopOf(asked: Promise<Value>): Promise<StopReason> {
  try {
    await asked;
  } catch (error) {
    check(error instanceof ScriptStop, `a script stops by a reason, not ${String(error)}`);
    return error.reason;
  }
  return check(false, "the question was answered") as never;
}

// Payloads

export const party = async (ask: Ask, name: string): Promise<string> => (await ask("AllocateParty", ["", name, none])) as string;

export interface SubmissionToAsk {
  readonly actAs: readonly string[];
  readonly readAs?: readonly string[];
  readonly commands: readonly Value[];
  readonly disclosures?: readonly Value[];
  readonly preference?: readonly string[];
  readonly behaviour?: "MustSucceed" | "MustFail" | "Try";
}

export function submission({ actAs, readAs = [], commands, disclosures = [], preference, behaviour = "Try" }: SubmissionToAsk): Value {
  const preferred = preference === undefined ? none : new Some(list(preference.map((id) => tuple(id))));
  return tuple(nonEmpty(actAs), list(readAs), list(disclosures), preferred, list([]), new EnumValue(0, behaviour), list(commands), none);
}

export const submit = async (ask: Ask, asked: SubmissionToAsk): Promise<Variant> =>
  elements(await ask("Submit", [list([submission(asked)])], 2))[0] as Variant;

const any = (id: DefinitionId, value: Value): Value => tuple(new AnyValue(typeOf(id), value));
const choice = (template: DefinitionId, id: DefinitionId, value: Value): Value =>
  tuple(new AnyValue(typeOf(id), value), templateRep(template));

export const create = (id: DefinitionId, ...fields: Value[]): Value => tuple(new Variant(0, "Create", tuple(any(id, fields))), false);
export const exercise = (template: DefinitionId, name: string, contractId: string, ...fields: Value[]): Value =>
  tuple(
    new Variant(1, "Exercise", tuple(templateRep(template), new ContractId(contractId), choice(template, { ...template, name }, fields))),
    false,
  );
export const createAndExercise = (template: DefinitionId, fields: readonly Value[], name: string, ...argument: Value[]): Value =>
  tuple(new Variant(3, "CreateAndExercise", tuple(any(template, fields), choice(template, { ...template, name }, argument))), false);
export const exerciseByKey = (template: DefinitionId, name: string, key: Value, ...fields: Value[]): Value =>
  tuple(
    new Variant(
      2,
      "ExerciseByKey",
      tuple(templateRep(template), tuple(key, templateRep(template)), choice(template, { ...template, name }, fields)),
    ),
    false,
  );
export const exact = (command: Value): Value => tuple((command as Value[])[0]!, true);

// Answers

export const elements = (value: Value): Value[] => {
  const all: Value[] = [];
  for (let rest = value as { head?: Value; tail?: Value }; rest.head !== undefined; rest = rest.tail as typeof rest) all.push(rest.head);
  return all;
};
export const parts = (value: Value): readonly Value[] => value as readonly Value[];

/** The contract id that the command at `index` made. */
export function createdBy(answer: Variant, index = 0): string {
  check(answer.constructor_ === "Right", `the submission is accepted, not ${describe(answer)}`);
  return ((elements(parts(answer.value)[0]!)[index] as Variant).value as ContractId).hex;
}

export const resultsOf = (answer: Variant): readonly Value[] => elements(parts(answer.value)[0]!).map((each) => (each as Variant).value);

/** The constructor of SubmitError, with its payload. */
export function errorOf(answer: Variant): Variant {
  check(answer.constructor_ === "Left", "the submission is refused");
  return answer.value as Variant;
}

const describe = (answer: Variant): string => `${(answer.value as Variant).constructor_} ${String((answer.value as Variant).value)}`;
