/** A plain evaluator of updates: the tree of a submission by walking the syntax, with a ledger of its own. */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { DefTemplate, DefinitionId, Expr, Module, TemplateChoice, Update } from "../../../src/lf/ast.js";
import { apply, type Exception, Oracle, type Outcome, Stop, Thrown, type Variables } from "../compile/oracle.js";
import { type Action, type Contract, type ExerciseAction, Refused, type Store, TooLarge, uncaught } from "./ledger.js";

export type Mode = "NUCK" | "NoKey";

/** Ways to be wrong that a comparison must notice. */
export type Mutation =
  "controllers only" | "rollback forgets archives" | "handler inside the scope" | "oldest key first" | "ensure after the parties";

export interface Setting {
  readonly module: Module;
  readonly mode: Mode;
  readonly store: Store;
  readonly actAs: readonly string[];
  readonly readAs: readonly string[];
  readonly ledgerTime: bigint;
  readonly mutation?: Mutation;
}

export interface Range {
  readonly min: bigint | undefined;
  readonly max: bigint | undefined;
}

interface Effect {
  readonly kind: "Create" | "Exercise";
  readonly id: string;
  readonly template: string;
  readonly choice?: string;
}

const actionsMax = 1_500;
const exceptionName = (name: string): string => (name === "ArithmeticError" ? "DA.Exception.ArithmeticError:ArithmeticError" : `M:${name}`);
const sorted = (parties: Iterable<string>): string[] => [...new Set(parties)].sort();
const partiesOf = (list: Outcome): string[] => sorted((list as readonly { text: string }[]).map(({ text }) => text));
const idOf = (contractId: Outcome): string => (contractId as { contractId: string }).contractId;

export class LedgerOracle extends Oracle {
  readonly #setting: Setting;
  readonly #visible: ReadonlyMap<string, Contract>;
  readonly #local = new Map<string, Contract>(); // oldest first
  readonly #rolledBack = new Set<string>();
  readonly #archived = new Set<string>();
  readonly #effects: Effect[] = [];
  #into: Action[] = [];
  #authorizers: readonly string[];
  #actions = 0;
  #time: Range = { min: undefined, max: undefined };

  constructor(setting: Setting) {
    const { module, actAs, readAs, store } = setting;
    const fieldsOf = ({ name }: DefinitionId): readonly string[] => {
      const cons = module.dataTypes.get(name)?.cons;
      return cons?.kind === "record" ? cons.fields.map((field) => field.name) : ["_1", "_2"]; // of a pair
    };
    super(Object.fromEntries([...module.values].map(([name, { body }]) => [name, body])), fieldsOf);
    this.#setting = setting;
    this.#visible = store.visibleTo([...actAs, ...readAs]);
    this.#authorizers = sorted(actAs);
  }

  get time(): Range {
    return this.#time;
  }

  /** Runs what stands at the top. Exceptions that nobody caught end the submission. */
  submit(commands: readonly (() => unknown)[]): readonly Action[] {
    const roots: Action[] = (this.#into = []);
    try {
      for (const command of commands) command();
    } catch (error) {
      throw this.#ended(error);
    }
    return roots;
  }

  #ended(error: unknown): unknown {
    if (error instanceof Thrown)
      return uncaught({ ...error.exception, exception: exceptionName(error.exception.exception) }, this.#messageAtTop(error.exception));
    return error instanceof Stop ? new Refused("UserError", { message: error.message.replace("User abort: ", "") }) : error;
  }

  #messageAtTop(exception: Exception): string {
    try {
      return this.#message(exception);
    } catch (error) {
      if (!(error instanceof Thrown)) throw this.#ended(error);
      return `<Failed to calculate message as ${exceptionName(error.exception.exception)} was thrown during conversion>`;
    }
  }

  #message({ exception, value }: Exception): string {
    if (exception === "ArithmeticError") return (value as { text: string }).text;
    const { message } = this.#setting.module.exceptions.get(exception)!;
    return (apply(this.evaluate(message), [value]) as { text: string }).text;
  }

  /** What runs here ends the submission when it throws, whatever handlers stand around it. */
  #uncatchable<T>(compute: () => T): T {
    try {
      return compute();
    } catch (error) {
      throw this.#ended(error);
    }
  }

  // Expressions

  override evaluate(expr: Expr, variables: Variables = new Map()): Outcome {
    const value = (inner: Expr): Outcome => this.evaluate(inner, variables);
    switch (expr.kind) {
      case "builtin":
        return expr.builtin === "ANY_EXCEPTION_MESSAGE"
          ? { arity: 1, args: [], call: ([exception]) => ({ text: this.#message(exception as Exception) }) }
          : super.evaluate(expr, variables);
      case "lit":
        return expr.value.kind === "timestamp" ? expr.value.value : super.evaluate(expr, variables);
      case "throw": {
        assert(expr.exceptionType.kind === "con");
        const exception = { exception: expr.exceptionType.id.name, value: value(expr.exception) };
        throw new Thrown(exception, exception.exception);
      }
      case "toAnyException": {
        assert(expr.type.kind === "con");
        return { exception: expr.type.id.name, value: value(expr.expr) };
      }
      case "fromAnyException": {
        const any = value(expr.expr) as Exception;
        return expr.type.kind === "con" && any.exception === expr.type.id.name ? { some: any.value } : "none";
      }
      case "toInterface":
        return { template: expr.template.name, payload: value(expr.expr) };
      case "fromInterface": {
        const of = value(expr.expr) as { template: string; payload: Outcome };
        return of.template === expr.template.name ? { some: of.payload } : "none";
      }
      case "callInterface":
        return this.#inInstance(value(expr.expr), expr.interface, (instance) => instance.methods.get(expr.method)!);
      case "viewInterface":
        return this.#inInstance(value(expr.expr), expr.interface, (instance) => instance.view);
      case "signatoryInterface":
        return this.#inTemplate(value(expr.expr), (template) => template.signatories);
      case "observerInterface":
        return this.#inTemplate(value(expr.expr), (template) => template.observers);
      case "update":
        return this.#build(expr.update, variables);
      default:
        return super.evaluate(expr, variables);
    }
  }

  #template(name: string): DefTemplate {
    return this.#setting.module.templates.get(name)!;
  }

  #inTemplate(value: Outcome, pick: (template: DefTemplate) => Expr): Outcome {
    const { template, payload } = value as { template: string; payload: Outcome };
    const definition = this.#template(template);
    return this.evaluate(pick(definition), new Map([[definition.param, payload]]));
  }

  #inInstance(value: Outcome, interface_: DefinitionId, pick: (instance: DefTemplate["implements"][number]) => Expr): Outcome {
    return this.#inTemplate(value, (template) => pick(template.implements.find((each) => each.interface.name === interface_.name)!));
  }

  // Updates

  /** What is evaluated now, and what only when the update runs, is the specification's table of updates. */
  #build(update: Update, variables: Variables): Outcome {
    const value = (inner: Expr): Outcome => this.evaluate(inner, variables);
    const now = (inner: Expr, scope: Variables = variables): Outcome => (this.evaluate(inner, scope) as { run: () => Outcome }).run();
    switch (update.kind) {
      case "pure": {
        const result = value(update.expr);
        return { run: () => result };
      }
      case "block": {
        const [first, ...rest] = update.bindings;
        const begun = value(first!.bound) as { run: () => Outcome };
        return {
          run: () =>
            now(
              update.body,
              rest.reduce<Variables>(
                (scope, { binder, bound }) => new Map(scope).set(binder.name, now(bound, scope)),
                new Map(variables).set(first!.binder.name, begun.run()),
              ),
            ),
        };
      }
      case "create": {
        const payload = value(update.arg);
        return { run: () => this.create(update.template.name, payload) };
      }
      case "createInterface":
        return {
          run: () => {
            const { template, payload } = value(update.arg) as { template: string; payload: Outcome };
            return this.create(template, payload);
          },
        };
      case "fetch": {
        const id = value(update.contractId);
        return { run: () => this.#fetch(this.#asTemplate(idOf(id), update.template.name), undefined, false).payload };
      }
      case "fetchInterface": {
        const id = value(update.contractId);
        return {
          run: () => {
            const { template, payload } = this.#fetch(this.#asInterface(idOf(id), update.interface.name), update.interface.name, false);
            return { template, payload };
          },
        };
      }
      case "exercise": {
        const [id, argument] = this.inOrder([update.contractId, update.arg], value);
        return { run: () => this.exercise(update.template.name, update.choice, idOf(id!), argument!) };
      }
      case "exerciseInterface": {
        const [id, argument] = this.inOrder([update.contractId, update.arg], value);
        return { run: () => this.exerciseInterface(update.interface.name, update.choice, idOf(id!), argument!) };
      }
      case "exerciseByKey": {
        const [key, argument] = this.inOrder([update.key, update.arg], value);
        return { run: () => this.exerciseByKey(update.template.name, update.choice, key!, argument!) };
      }
      case "fetchByKey":
        return {
          arity: 1,
          args: [],
          call: ([key]) => ({
            run: () => {
              const contract = this.#fetch(this.#firstWithKey(update.template.name, key!), undefined, true);
              return { record: [{ contractId: contract.id }, contract.payload] };
            },
          }),
        };
      case "queryNByKey":
        return { arity: 2, args: [], call: ([count, key]) => ({ run: () => this.#query(update.template.name, count as bigint, key!) }) };
      case "getTime":
        return {
          run: () => {
            const { ledgerTime } = this.#setting;
            this.#time = { min: ledgerTime, max: ledgerTime };
            return ledgerTime;
          },
        };
      case "ledgerTimeLt": {
        const time = value(update.time) as bigint;
        return { run: () => this.#isBefore(time) };
      }
      case "embed":
        return { run: () => now(update.expr) };
      case "tryCatch":
        return {
          run: () =>
            this.#try(
              () => now(update.body),
              (exception) => this.evaluate(update.handler, new Map(variables).set(update.binder, exception)),
            ),
        };
      default:
        throw new Error(`the oracle does not know ${update.kind}`);
    }
  }

  #isBefore(time: bigint): boolean {
    const { min, max } = this.#time,
      { ledgerTime } = this.#setting;
    if (ledgerTime < time) this.#time = { min, max: max === undefined || time - 1n < max ? time - 1n : max };
    else this.#time = { min: min === undefined || time > min ? time : min, max };
    return ledgerTime < time;
  }

  #try(body: () => Outcome, handler: (exception: Exception) => Outcome): Outcome {
    const outer = { into: this.#into, authorizers: this.#authorizers, effects: this.#effects.length };
    const scope: Action[] = (this.#into = []);
    try {
      const result = body();
      outer.into.push(...scope);
      this.#into = outer.into;
      return result;
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      this.#rollBack(outer.effects);
      outer.into.push({ kind: "rollback", children: scope });
      this.#into = this.#setting.mutation === "handler inside the scope" ? scope : outer.into;
      this.#authorizers = outer.authorizers;
      const handled = handler(error.exception);
      if (handled === "none") throw error;
      return ((handled as { some: Outcome }).some as { run: () => Outcome }).run();
    }
  }

  #rollBack(mark: number): void {
    const undone = this.#effects.splice(mark);
    if (undone.length > 0 && this.#setting.mode === "NUCK") {
      const consumedFirst = undone.toSorted((a, b) => Number(a.kind === "Create") - Number(b.kind === "Create"));
      throw new Refused("EffectfulRollback", {
        nodes: consumedFirst.map(({ kind, template, choice }) => `${kind} ${template} ${choice ?? ""}`),
      });
    }
    for (const { kind, id } of undone) {
      if (kind === "Create") this.#rolledBack.add(id);
      else if (this.#setting.mutation !== "rollback forgets archives") this.#archived.delete(id);
    }
  }

  #add(action: Action): void {
    if (++this.#actions > actionsMax) throw new TooLarge();
    this.#into.push(action);
  }

  // Actions

  create(template: string, payload: Outcome): Outcome {
    const definition = this.#template(template),
      scope: Variables = new Map([[definition.param, payload]]);
    const ensure = (): void => {
      if (definition.precondition !== undefined && this.evaluate(definition.precondition, scope) !== true)
        throw new Refused("TemplatePreconditionViolated", { templateId: template });
    };
    if (this.#setting.mutation !== "ensure after the parties") ensure();
    const signatories = partiesOf(this.evaluate(definition.signatories, scope));
    const stakeholders = sorted([...signatories, ...partiesOf(this.evaluate(definition.observers, scope))]);
    if (this.#setting.mutation === "ensure after the parties") ensure();
    const value = definition.key && this.evaluate(definition.key.key, scope);
    const key = value === undefined ? undefined : { value, maintainers: this.#maintainers(definition, value) };
    if (key?.maintainers.length === 0) throw new Refused("CreateEmptyContractKeyMaintainers");
    this.#demand(signatories, "CreateMissingAuthorization");
    if (signatories.length === 0) throw new Refused("FailedAuthorization.NoSignatories");
    if (key?.maintainers.some((party) => !signatories.includes(party)))
      throw new Refused("FailedAuthorization.MaintainersNotSubsetOfSignatories", { signatories, maintainers: key.maintainers });
    const contract = { id: this.#setting.store.nextId(), template, payload, signatories, stakeholders, key };
    this.#local.set(contract.id, contract);
    this.#effects.push({ kind: "Create", id: contract.id, template });
    this.#add({ kind: "create", contract });
    return { contractId: contract.id };
  }

  #maintainers(template: DefTemplate, key: Outcome): string[] {
    return partiesOf(apply(this.evaluate(template.key!.maintainers), [key]));
  }

  #demand(requiredParties: readonly string[], class_: string): void {
    if (requiredParties.some((party) => !this.#authorizers.includes(party)))
      throw new Refused(`FailedAuthorization.${class_}`, { authorizingParties: this.#authorizers, requiredParties });
  }

  #reach(id: string): Contract {
    const contract = this.#local.get(id) ?? this.#visible.get(id);
    if (contract === undefined) throw new Refused("ContractNotFound", { cid: id });
    if (this.#archived.has(id)) throw new Refused("ContractNotActive", { coid: id, templateId: contract.template });
    if (this.#rolledBack.has(id)) throw new Refused("ContractNotFound", { cid: id });
    return contract;
  }

  #asTemplate(id: string, template: string): Contract {
    const contract = this.#reach(id);
    if (contract.template !== template)
      throw new Refused("WronglyTypedContract", { coid: id, expected: template, actual: contract.template });
    return contract;
  }

  #asInterface(id: string, interface_: string): Contract {
    const contract = this.#reach(id);
    if (!this.#template(contract.template).implements.some((each) => each.interface.name === interface_))
      throw new Refused("ContractDoesNotImplementInterface", { coid: id, templateId: contract.template, interfaceId: interface_ });
    return contract;
  }

  #fetch(contract: Contract, byInterface: string | undefined, byKey: boolean): Contract {
    const actors = contract.stakeholders.filter((party) => this.#authorizers.includes(party));
    if (actors.length === 0)
      throw new Refused("FailedAuthorization.FetchMissingAuthorization", {
        stakeholders: contract.stakeholders,
        authorizingParties: this.#authorizers,
      });
    this.#add({ kind: "fetch", contract, actors, byInterface, byKey });
    return contract;
  }

  exercise(template: string, choice: string, id: string, argument: Outcome): Outcome {
    const contract = this.#asTemplate(id, template),
      definition = this.#template(template);
    return this.#run(definition.choices.get(choice)!, definition.param, contract.payload, {
      contract,
      argument,
      byInterface: undefined,
      byKey: false,
    });
  }

  exerciseInterface(interface_: string, choice: string, id: string, argument: Outcome): Outcome {
    const contract = this.#asInterface(id, interface_),
      definition = this.#setting.module.interfaces.get(interface_)!;
    return this.#run(
      definition.choices.get(choice)!,
      definition.param,
      { template: contract.template, payload: contract.payload },
      { contract, argument, byInterface: interface_, byKey: false },
    );
  }

  exerciseByKey(template: string, choice: string, key: Outcome, argument: Outcome): Outcome {
    const contract = this.#firstWithKey(template, key),
      definition = this.#template(template);
    return this.#run(definition.choices.get(choice)!, definition.param, contract.payload, {
      contract,
      argument,
      byInterface: undefined,
      byKey: true,
    });
  }

  #run(
    choice: TemplateChoice,
    param: string,
    self: Outcome,
    use: Pick<ExerciseAction, "contract" | "argument" | "byInterface" | "byKey">,
  ): Outcome {
    const { contract, argument } = use;
    const scope: Variables = new Map([
      [param, self],
      [choice.argBinder.name, argument],
    ]);
    const controllers = this.#uncatchable(() => partiesOf(this.evaluate(choice.controllers, scope)));
    const observers = this.#uncatchable(() => partiesOf(this.evaluate(choice.observers, scope)));
    if (controllers.length === 0) throw new Refused("FailedAuthorization.NoControllers", { choiceid: choice.name });
    this.#demand(controllers, "ExerciseMissingAuthorization");
    const action: ExerciseAction = {
      kind: "exercise",
      ...use,
      choice: choice.name,
      consuming: choice.consuming,
      controllers,
      observers,
      children: [],
      result: undefined,
    };
    this.#add(action);
    if (choice.consuming) {
      this.#archived.add(contract.id);
      this.#effects.push({ kind: "Exercise", id: contract.id, template: contract.template, choice: choice.name });
    }
    const outer = { into: this.#into, authorizers: this.#authorizers };
    this.#into = action.children;
    this.#authorizers = this.#setting.mutation === "controllers only" ? controllers : sorted([...controllers, ...contract.signatories]);
    const body = this.evaluate(choice.update, new Map(scope).set(choice.selfBinder, { contractId: contract.id })) as { run: () => Outcome };
    action.result = body.run();
    this.#into = outer.into;
    this.#authorizers = outer.authorizers;
    return action.result;
  }

  // Keys

  #withKey(template: string, key: Outcome): Contract[] {
    const matches = (contract: Contract): boolean =>
      contract.template === template
      && isDeepStrictEqual(contract.key?.value, key)
      && !this.#archived.has(contract.id)
      && !this.#rolledBack.has(contract.id);
    const found = [...[...this.#local.values()].reverse(), ...[...this.#visible.values()].reverse()].filter(matches);
    return this.#setting.mutation === "oldest key first" ? found.reverse() : found;
  }

  #keyOf(template: string, key: Outcome, count = 1n): readonly string[] {
    const maintainers = this.#uncatchable(() => this.#maintainers(this.#template(template), key));
    if (count < 1n) throw new Refused("Internal");
    if (maintainers.length === 0) throw new Refused("FetchEmptyContractKeyMaintainers");
    return maintainers;
  }

  #firstWithKey(template: string, key: Outcome): Contract {
    this.#keyOf(template, key);
    const [first] = this.#withKey(template, key);
    if (first === undefined) throw new Refused("ContractKeyNotFound");
    return first;
  }

  #query(template: string, count: bigint, key: Outcome): Outcome {
    const maintainers = this.#keyOf(template, key, count);
    if (maintainers.some((party) => !this.#authorizers.includes(party)))
      throw new Refused("FailedAuthorization.LookupByKeyMissingAuthorization", { maintainers, authorizingParties: this.#authorizers });
    const all = this.#withKey(template, key),
      found = all.slice(0, Number(count));
    this.#add({ kind: "query", template, key, maintainers, result: found.map(({ id }) => id), exhaustive: found.length < count });
    return { some: found.map(({ id, payload }) => ({ record: [{ contractId: id }, payload] })) };
  }
}
