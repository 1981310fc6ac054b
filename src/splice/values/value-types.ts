/** The types of values on the ledger, asked for once each and kept: a package never changes. */
import { assert } from "../../base/assert.js";
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { Participant, ValuePosition } from "../../ledger/index.js";
import type { TypeDescription } from "../../lf/index.js";
import { walkValue, type ValueForm } from "./walk.js";

/** Where a value stands. Ids are `packageId:Module:Entity`. */
export type Position =
  | { readonly at: "createArgument"; readonly templateId: string }
  | {
      readonly at: "choiceArgument" | "exerciseResult";
      readonly templateId: string;
      readonly interfaceId: string | null;
      readonly choice: string;
    };

const keyOf = (position: Position): string =>
  position.at === "createArgument"
    ? position.templateId
    : `${position.at} ${position.interfaceId ?? position.templateId} ${position.choice}`;

function byKey(positions: readonly Position[]): ReadonlyMap<string, Position> {
  const distinct = new Map<string, Position>();
  for (const position of positions) distinct.set(keyOf(position), position);
  return distinct;
}

export class ValueTypes {
  readonly #ledger: Pick<Participant, "describeTypes">;
  readonly #turns: Turns;
  /** Null: a type without end, whose values are given as the ledger prints them. */
  readonly #known = new Map<string, TypeDescription | null>();

  constructor(ledger: Pick<Participant, "describeTypes">, turns: Turns) {
    this.#ledger = ledger;
    this.#turns = turns;
  }

  /** Calls `write` when all of the types are at hand; `inForm` answers within that call. */
  async whileKnown<T>(positions: readonly Position[], write: () => T): Promise<T> {
    const wanted = byKey(positions);
    const missing = [...wanted].filter(([key]) => !this.#known.has(key));
    if (missing.length === 0) return write();
    const described = await this.#ledger.describeTypes(missing.map(([, position]) => ledgerPosition(position)));
    missing.forEach(([key], index) => this.#known.set(key, described[index] ?? null));
    // Others may have come and gone meanwhile.
    const outcome = await this.whileKnown(positions, write);
    if (this.#known.size > limits.valueTypesKeptMax) for (const key of this.#known.keys()) if (!wanted.has(key)) this.#known.delete(key);
    return outcome;
  }

  /** The same, step by step: others come between, and what they do may have types forgotten, which are then asked for again. */
  async through<T>(positions: readonly Position[], steps: Steps<T>): Promise<T> {
    const distinct = [...byKey(positions).values()]; // they are looked at in each turn
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
    return this.whileKnown([position], () => this.#known.get(keyOf(position)) ?? undefined);
  }

  /** The same from text to text; bytes of UTF-8 may stand for characters of their own. */
  textInForm(position: Position, text: string, form: ValueForm): string {
    const types = this.#known.get(keyOf(position));
    assert(types !== undefined, "types are known before values are written");
    if (types === null) return text;
    return form.text ? form.text(types, text) : JSON.stringify(walkValue(types, JSON.parse(text), form));
  }

  inForm(position: Position, json: unknown, form: ValueForm): unknown {
    const types = this.#known.get(keyOf(position));
    assert(types !== undefined, "types are known before values are written");
    return types === null ? json : walkValue(types, json, form);
  }
}

function ledgerPosition(position: Position): ValuePosition {
  const templateId = definitionId(position.templateId);
  if (position.at === "createArgument") return { kind: "createArgument", templateId };
  return {
    kind: position.at,
    templateId,
    interfaceId: position.interfaceId === null ? undefined : definitionId(position.interfaceId),
    choice: position.choice,
  };
}

function definitionId(id: string): { readonly packageId: string; readonly module: string; readonly name: string } {
  const [packageId, module, name] = id.split(":");
  assert(packageId !== undefined && module !== undefined && name !== undefined, `${id} is an id`);
  return { packageId, module, name };
}
