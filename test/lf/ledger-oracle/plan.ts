/** Random submissions: who acts, and commands that are likely to be of use. */
import type { Outcome } from "../compile/oracle.js";
import type { Model } from "./generator.js";
import type { Store } from "./ledger.js";
import type { PlannedCommand, PlannedSubmission } from "./run.js";
import type { Template } from "./world.js";

const parties = ["alice", "bob", "carol", "dave"];

export class Plan {
  readonly #random: (below: number) => number;
  readonly #model: Model;

  constructor(model: Model, random: (below: number) => number) {
    this.#model = model;
    this.#random = random;
  }

  submission(store: Store): PlannedSubmission {
    const actAs = parties.filter(() => this.#random(5) > 0);
    if (actAs.length === 0) actAs.push("alice");
    return {
      actAs,
      readAs: this.#random(2) === 0 ? [this.#pick(parties)] : [],
      commands: Array.from({ length: 1 + this.#random(2) }, () => this.#command(store, actAs)),
    };
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random(from.length)]!;
  }

  #command(store: Store, actAs: readonly string[]): PlannedCommand {
    const template = this.#pick(["Coin", "Coin", "Vault"] as const);
    const { owner, name: choice } = this.#pick(this.#model.choices);
    const argument = this.#argument(store, actAs);
    const kind =
      store.ids.length === 0
        ? "create"
        : this.#pick([
            "create",
            "exercise",
            "exercise",
            "exercise",
            "exercise",
            "createAndExercise",
            "createAndExercise",
            "exerciseByKey",
          ] as const);
    const on = owner === "Vault" ? "Vault" : "Coin",
      isThere = store.idsOf(on).length > 0;
    if (kind === "exercise" && isThere)
      return { kind, owner: owner as Template | "Asset", choice, contract: this.#contract(store, on), argument };
    if ((kind === "createAndExercise" || kind === "exercise") && owner !== "Asset" && owner !== "value")
      return { kind: "createAndExercise", template: owner, payload: this.#payload(owner, actAs), choice, argument };
    if (kind === "exerciseByKey" && owner === "Coin" && this.#model.isKeyed)
      return { kind, choice, key: { record: [this.#party(actAs), this.#int()] }, argument };
    return { kind: "create", template, payload: this.#payload(template, actAs) };
  }

  #payload(template: Template, actAs: readonly string[]): Outcome {
    const some: Outcome = this.#random(2) === 0 ? "none" : { some: this.#int() };
    const watchers = parties.filter(() => this.#random(4) === 0).map((text) => ({ text }));
    return {
      record:
        template === "Coin"
          ? [this.#party(actAs), this.#party(actAs), watchers, this.#int(), some]
          : [this.#party(actAs), watchers, this.#int()],
    };
  }

  #argument(store: Store, actAs: readonly string[]): Outcome {
    return {
      record: [
        this.#party(actAs),
        this.#int(),
        ...(["Coin", "Vault", "Coin"] as const).map((template) => ({ contractId: this.#contract(store, template) })),
      ],
    };
  }

  /** Mostly one of the latest of its template. */
  #contract(store: Store, template: Template): string {
    const right = store.idsOf(template),
      ids = this.#random(20) === 0 ? store.ids : right;
    return ids.length === 0 || this.#random(30) === 0 ? "unknown" : this.#random(3) === 0 ? this.#pick(ids) : this.#pick(ids.slice(-3));
  }

  #party(actAs: readonly string[]): Outcome {
    return { text: this.#random(10) === 0 ? this.#pick(parties) : this.#pick(actAs) };
  }
  #int(): bigint {
    return BigInt(this.#random(3));
  }
}
