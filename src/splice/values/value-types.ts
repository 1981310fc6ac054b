/** Values of the ledger in other forms, by their types. */
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { DescribedTypes, distinctPositions, type Participant, type PositionById } from "../../ledger/index.js";
import type { TypeDescription } from "../../lf/index.js";
import { walkValue, type ValueForm } from "./walk.js";

/** Where a value stands. Values of types without end are given as the ledger prints them. */
export type Position =
  | { readonly at: "createArgument"; readonly templateId: string }
  | Extract<PositionById, { readonly at: "choiceArgument" | "exerciseResult" }>;

export class ValueTypes {
  readonly #types: DescribedTypes;
  readonly #turns: Turns;

  constructor(ledger: Pick<Participant, "describeTypes">, turns: Turns) {
    this.#types = new DescribedTypes(ledger);
    this.#turns = turns;
  }

  /** Calls `write` when all of the types are at hand; `inForm` answers within that call. */
  whileKnown<T>(positions: readonly Position[], write: () => T): Promise<T> {
    return this.#types.whileKnown(positions, write);
  }

  /** The same, step by step: others come between, and what they do may have types forgotten, which are then asked for again. */
  async through<T>(positions: readonly Position[], steps: Steps<T>): Promise<T> {
    const distinct = distinctPositions(positions); // they are looked at in each turn
    for (;;) {
      const step = await this.whileKnown(distinct, () => this.#untilTurnIsOver(steps));
      if (step.done === true) return step.value;
      await this.#turns.next();
    }
  }

  #untilTurnIsOver<T>(steps: Steps<T>): IteratorResult<undefined, T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true || this.#turns.isOver) return step;
    }
  }

  async describe(position: Position): Promise<TypeDescription | undefined> {
    return this.whileKnown([position], () => this.#types.at(position) ?? undefined);
  }

  /** The same from text to text; bytes of UTF-8 may stand for characters of their own. */
  textInForm(position: Position, text: string, form: ValueForm): string {
    const types = this.#types.at(position);
    if (types === null) return text;
    return form.text ? form.text(types, text) : JSON.stringify(walkValue(types, JSON.parse(text), form));
  }

  inForm(position: Position, json: unknown, form: ValueForm): unknown {
    const types = this.#types.at(position);
    return types === null ? json : walkValue(types, json, form);
  }
}
