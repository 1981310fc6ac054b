/**
 * A recorded scenario as a package of Daml Scripts, one for each step. A script cannot name parties and contracts that are
 * there already: it takes them, and the blobs of disclosed contracts, as its argument, a record of what its step refers to.
 */
import { assert } from "../../../src/base/assert.js";
import { isFailure } from "../../../src/base/result.js";
import type { DefinitionId, Expr, Package, Type } from "../../../src/lf/ast.js";
import { type Archive, isStablePackageId } from "../../../src/lf/archive/index.js";
import { type Command, type CommandArgument, type Engine, showId, type TemplateReference } from "../../../src/lf/index.js";
import { fromCommandValue, parseTimestamp, toLedgerValue } from "../../../src/lf/running-code.js";
import { comparePackageVersions } from "../../../src/lf/package-version.js";
import type { RecordedScenario } from "../../golden/scenario.js";
import { parseId, type RecordedStep, StepForm } from "../../golden/scenario-step.js";
import { isObject, named, type JsonObject } from "../../golden/scenario-values.js";
import { expr, ModuleBuilder, type } from "../../support/lf-builder.js";
import { type Rest, ScriptBuilder } from "../../support/script-builder.js";
import { typeRep } from "../../support/script-commands.js";
import type { LibraryRelease } from "../../support/script-library.js";
import { type Typed, typedList, typedOption, typedText } from "../../support/script-payloads.js";
import { ChoiceBoxes } from "./choice-boxes.js";
import { ValueExpressions } from "./value-expressions.js";

export type Reference =
  | { readonly kind: "party" | "contract"; readonly text: string }
  | { readonly kind: "blob"; readonly disclosure: NonNullable<RecordedStep["disclosed"]>[number] };

/** A step that no script can say has a reason instead. */
export type StepScript =
  | { readonly step: RecordedStep; readonly script: string; readonly argument: readonly Reference[] }
  | { readonly step: RecordedStep; readonly unsaid: string };

export interface ScenarioScripts {
  readonly archive: Archive;
  readonly module: string;
  readonly library: LibraryRelease;
  readonly parties: readonly string[];
  readonly steps: readonly StepScript[];
}

/** What a typed language has no words for. */
class Unsaid extends Error {}

const moduleName = "Replay";

export interface ScenarioPackages {
  readonly engine: Engine;
  readonly packages: readonly Package[];
  readonly highest: ReadonlyMap<string, string>;
  readonly library: LibraryRelease;
}

export function scenarioScripts(scenario: RecordedScenario, world: ScenarioPackages): ScenarioScripts {
  const { library } = world,
    script = new ScriptBuilder(new ModuleBuilder(moduleName), library),
    names = new Map<string, string>(),
    creates = new Map<string, JsonObject>();
  const parties = new Set<string>(),
    boxes = new ChoiceBoxes();
  const steps = scenario.steps.map((step, index): StepScript => {
    const name = `step${index}`;
    try {
      const made = new StepToScript({ ...world, scenario, step, name, script, boxes, names, creates }).define();
      for (const reference of made) if (reference.kind === "party") parties.add(reference.text);
      return { step, script: name, argument: made };
    } catch (error) {
      if (error instanceof Unsaid) return { step, unsaid: error.message };
      throw error;
    } finally {
      recall(step, names, creates);
      for (const party of informed(step)) parties.add(party);
    }
  });
  return { archive: script.build("replay", [script.module, ...boxes.modules]), module: moduleName, library, parties: [...parties], steps };
}

const createsOf = ({ result }: RecordedStep): readonly JsonObject[] => {
  const transaction = result?.["transaction"];
  return isObject(transaction) ? (transaction["nodes"] as readonly JsonObject[]).filter((node) => node["kind"] === "create") : [];
};

function recall(step: RecordedStep, names: Map<string, string>, creates: Map<string, JsonObject>): void {
  createsOf(step).forEach((node, index) => {
    const contractId = node["contractId"] as string,
      name = step.names?.[index];
    creates.set(contractId, node);
    if (name !== undefined) names.set(name, contractId);
  });
}

function informed({ result }: RecordedStep): readonly string[] {
  const blinding = result?.["blinding"];
  return isObject(blinding) && isObject(blinding["disclosure"]) ? (Object.values(blinding["disclosure"]).flat() as readonly string[]) : [];
}

type NameVersion = Pick<Package, "name" | "version">;

interface StepToBuild extends ScenarioPackages {
  readonly scenario: RecordedScenario;
  readonly step: RecordedStep;
  readonly name: string;
  readonly script: ScriptBuilder;
  readonly boxes: ChoiceBoxes;
  readonly names: ReadonlyMap<string, string>;
  readonly creates: ReadonlyMap<string, JsonObject>;
}

class StepToScript {
  readonly #references: Reference[] = [];
  readonly #parameter: DefinitionId;
  readonly #values: ValueExpressions;

  constructor(readonly given: StepToBuild) {
    this.#parameter = given.script.module.id(`${given.name}.Given`);
    this.#values = new ValueExpressions(given.engine.packages, {
      party: (text) => this.#refer({ kind: "party", text }),
      contract: (text) => this.#refer({ kind: "contract", text }),
    });
  }

  #refer(reference: Reference): Expr {
    const same = (other: Reference): boolean => reference.kind !== "blob" && other.kind === reference.kind && other.text === reference.text;
    const known = this.#references.findIndex(same),
      index = known >= 0 ? known : this.#references.push(reference) - 1;
    return expr.field(this.#parameter, `f${index}`, expr.variable("argument"));
  }
  #party(text: string): Expr {
    return this.#refer({ kind: "party", text });
  }
  #contract(text: string): Expr {
    return this.#refer({ kind: "contract", text });
  }

  define(): readonly Reference[] {
    const { script, step, name, scenario } = this.given,
      { module } = script;
    const ledgerTime = parseTimestamp(step.ledgerTime ?? scenario.ledgerTime ?? "2024-01-01T00:00:00Z")!;
    const asked = step.view === undefined ? this.#submission() : this.#view(step.view);
    script.defineFunction(name, type.con(this.#parameter), () =>
      script.ask(
        {
          name: "SetTime",
          payload: [{ type: type.timestamp, expr: { kind: "lit", value: { kind: "timestamp", value: ledgerTime } } }],
          answer: type.unit,
        },
        asked,
      ),
    );
    module.record(
      this.#parameter.name,
      Object.fromEntries(
        this.#references.map(({ kind }, index) => [
          `f${index}`,
          kind === "party" ? type.party : kind === "contract" ? type.contractId(type.unit) : type.text,
        ]),
      ),
    );
    return this.#references;
  }

  #submission(): () => Rest {
    const { script, step, scenario, engine, highest, names } = this.given,
      { actAs = [], readAs = [] } = step;
    const preference = step.packagePreference ?? scenario.packagePreference,
      form = new StepForm(engine, names, highest);
    const answer = type.con(script.library.ids.ledgerValue);
    const [first, ...others] = actAs.map((party) => this.#party(party));
    if (first === undefined) throw new Unsaid("nobody acts");
    const commands = (step.commands ?? []).map((recorded) => this.#command(form.command(recorded)));
    const submission = {
      actAs: [first, ...others] as const,
      readAs: readAs.map((party) => this.#party(party)),
      commands,
      behaviour: "Try" as const,
      disclosures: (step.disclosed ?? []).map((disclosed) => this.#disclosure(disclosed)),
      ...(preference === undefined ? {} : { preference }),
    };
    return this.#without(preference === undefined ? [] : this.#notAmong(preference), answer, (next) =>
      script.submit(submission, next, answer),
    );
  }

  #disclosure(disclosure: NonNullable<RecordedStep["disclosed"]>[number]): readonly [Typed, Typed, Typed] {
    const contractId = named(this.given.names, typeof disclosure === "string" ? disclosure : disclosure.contract);
    const template = parseId(this.given.creates.get(contractId)!["templateId"] as string);
    return [
      typeRep(template),
      { type: type.contractId(type.unit), expr: this.#contract(contractId) },
      { type: type.text, expr: this.#refer({ kind: "blob", disclosure }) },
    ];
  }

  #command(command: Command): Expr {
    const { commands } = this.given.script,
      exact = "id" in command.template.package,
      template = this.#resolve(command.template);
    const { packages } = this.given.engine,
      definition = packages.template(template),
      argument = (): Typed => this.#argument(template, command as Extract<Command, { kind: "exercise" }>);
    if (definition === undefined && command.kind !== "exercise") throw new Unsaid(`there is no template ${showId(template)}`);
    const payload = (value: CommandArgument): Expr => this.#typed({ kind: "con", id: template }, value);
    switch (command.kind) {
      case "create":
        return commands.create({ template, exact, argument: payload(command.argument) });
      case "exercise":
        return commands.exercise({
          template,
          exact,
          contract: this.#contract(command.contractId),
          choice: command.choice,
          argument: argument(),
        });
      case "createAndExercise":
        return commands.createAndExercise({
          template,
          exact,
          payload: payload(command.createArgument),
          choice: command.choice,
          argument: argument(),
        });
      case "exerciseByKey": {
        if (definition?.key === undefined) throw new Unsaid(`template ${showId(template)} has no key`);
        const key = { type: definition.key.type, expr: this.#typed(definition.key.type, command.key) };
        return commands.exerciseByKey({ template, exact, key, choice: command.choice, argument: argument() });
      }
    }
  }

  #resolve({ package: package_, module, name }: TemplateReference): DefinitionId {
    const packageId = "id" in package_ ? package_.id : this.given.highest.get(package_.name);
    if (packageId === undefined) throw new Unsaid("there is no package of this name");
    return { packageId, module, name };
  }

  #argument(id: DefinitionId, { choice, argument }: Extract<Command, { kind: "exercise" }>): Typed {
    const { packages } = this.given.engine,
      declared = (packages.template(id) ?? packages.interface(id))?.choices.get(choice);
    if (declared === undefined) throw new Unsaid(`${showId(id)} has no choice ${choice}`);
    const { type: argumentType } = declared.argBinder;
    return this.given.boxes.put(choice, { type: argumentType, expr: this.#typed(argumentType, argument) });
  }

  #typed(of: Type, argument: CommandArgument): Expr {
    assert("value" in argument, "steps are read as values");
    const known = this.given.engine.types.of(of),
      read = fromCommandValue(known, argument.value);
    if (isFailure(read)) throw new Unsaid(`a compiler refuses it: ${read.error.message}`);
    return this.#values.of(of, toLedgerValue(known, read.ok));
  }

  /** A ledger shows views by the code that it prefers: for another one, later versions are not vetted meanwhile. */
  #view({ contract, interface: interface_, template }: NonNullable<RecordedStep["view"]>): () => Rest {
    const { script, names, creates, engine } = this.given,
      contractId = named(names, contract);
    const create = creates.get(contractId)!,
      answer = type.con(script.library.ids.ledgerValue);
    if (engine.packages.interface(parseId(interface_)) === undefined) throw new Unsaid(`there is no interface ${interface_}`);
    const later = this.#laterThan(parseId(template ?? (create["templateId"] as string)));
    const stakeholders = (create["stakeholders"] as readonly string[]).map((party) => this.#party(party));
    const payload = [
      typedList(type.party, ...stakeholders),
      typeRep(parseId(interface_)),
      { type: type.contractId(type.unit), expr: this.#contract(contractId) },
    ];
    return this.#without(later, answer, (next) => script.ask({ name: "QueryInterfaceContractId", payload, answer }, next));
  }

  /** While some packages are not vetted, which takes them out of the ledger's preference. */
  #without(packages: readonly NameVersion[], answer: Type, ask: (next: (given: Expr) => Rest) => Rest): () => Rest {
    const { script } = this.given;
    return () =>
      this.#vet("UnvetPackages", packages, () =>
        ask((given) => this.#vet("VetPackages", packages, () => script.end({ type: answer, expr: given }))),
      );
  }

  #vet(name: string, packages: readonly NameVersion[], next: () => Rest): Rest {
    const { script } = this.given,
      packageName = script.payloads.type(type.text, type.text);
    if (packages.length === 0) return next();
    const listed = typedList(
      packageName,
      ...packages.map((each) => script.payloads.of(typedText(each.name), typedText(each.version)).expr),
    );
    return script.ask({ name, payload: [listed, typedOption(type.text, undefined)], answer: type.unit }, next);
  }

  /** All versions of the names that a preference says nothing of. */
  #notAmong(preference: readonly string[]): readonly NameVersion[] {
    const { highest, packages } = this.given,
      preferred = new Set(preference.map((id) => packages.find((each) => each.id === id)?.name));
    if (preferred.size < preference.length) throw new Unsaid("two packages of one name are preferred");
    return packages.filter(({ name }) => highest.has(name) && !preferred.has(name));
  }

  #laterThan({ packageId }: DefinitionId): readonly NameVersion[] {
    const { highest, engine } = this.given,
      own = engine.packages.package(packageId)!,
      best = engine.packages.package(highest.get(own.name)!)!;
    return comparePackageVersions(best.version, own.version) > 0 && !isStablePackageId(best.id) ? [best] : [];
  }
}
