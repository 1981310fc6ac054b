/** The types of values on the ledger, asked for once each and kept: a package never changes. */
import { assert } from "../../base/assert.js";
import { limits } from "../../config.js";
import type { DefinitionId, TypeDescription } from "../../lf/index.js";
import type { Interpreter, ValuePosition } from "./interpreter.js";

/** Where a value stands. Ids are `packageId:Module:Entity`. */
export type PositionById =
  | { readonly at: "createArgument" | "contractKey"; readonly templateId: string }
  | { readonly at: "interfaceView"; readonly interfaceId: string }
  | {
      readonly at: "choiceArgument" | "exerciseResult";
      readonly templateId: string;
      readonly interfaceId: string | null;
      readonly choice: string;
    };

function keyOf(position: PositionById): string {
  switch (position.at) {
    case "createArgument":
      return position.templateId;
    case "contractKey":
      return `contractKey ${position.templateId}`;
    case "interfaceView":
      return `interfaceView ${position.interfaceId}`;
    case "choiceArgument":
    case "exerciseResult":
      return `${position.at} ${position.interfaceId ?? position.templateId} ${position.choice}`;
  }
}

function byKey<P extends PositionById>(positions: readonly P[]): ReadonlyMap<string, P> {
  const distinct = new Map<string, P>();
  for (const position of positions) distinct.set(keyOf(position), position);
  return distinct;
}

/** One each of those whose values are of one type. */
export const distinctPositions = <P extends PositionById>(positions: readonly P[]): readonly P[] => [...byKey(positions).values()];

export class DescribedTypes {
  readonly #ledger: Pick<Interpreter, "describeTypes">;
  /** Null: a type without end. */
  readonly #known = new Map<string, TypeDescription | null>();

  constructor(ledger: Pick<Interpreter, "describeTypes">) {
    this.#ledger = ledger;
  }

  /** Calls `use` when all of the types are at hand; `at` answers within that call. */
  async whileKnown<T>(positions: readonly PositionById[], use: () => T): Promise<T> {
    const wanted = byKey(positions);
    const missing = [...wanted].filter(([key]) => !this.#known.has(key));
    if (missing.length === 0) return use();
    const described = await this.#ledger.describeTypes(missing.map(([, position]) => ledgerPosition(position)));
    missing.forEach(([key], index) => this.#known.set(key, described[index] ?? null));
    // Others may have come and gone meanwhile.
    const outcome = await this.whileKnown(positions, use);
    if (this.#known.size > limits.valueTypesKeptMax) for (const key of this.#known.keys()) if (!wanted.has(key)) this.#known.delete(key);
    return outcome;
  }

  /** Undefined: it has to be asked for; null: a type without end. */
  ifKnown(position: PositionById): TypeDescription | null | undefined {
    return this.#known.get(keyOf(position));
  }

  /** Null: a type without end. */
  at(position: PositionById): TypeDescription | null {
    const types = this.ifKnown(position);
    assert(types !== undefined, "types are known before values are written");
    return types;
  }
}

function ledgerPosition(position: PositionById): ValuePosition {
  switch (position.at) {
    case "createArgument":
    case "contractKey":
      return { kind: position.at, templateId: definitionId(position.templateId) };
    case "interfaceView":
      return { kind: position.at, interfaceId: definitionId(position.interfaceId) };
    case "choiceArgument":
    case "exerciseResult":
      return {
        kind: position.at,
        templateId: definitionId(position.templateId),
        interfaceId: position.interfaceId === null ? undefined : definitionId(position.interfaceId),
        choice: position.choice,
      };
  }
}

function definitionId(id: string): DefinitionId {
  const [packageId, module, name] = id.split(":");
  assert(packageId !== undefined && module !== undefined && name !== undefined, `${id} is an id`);
  return { packageId, module, name };
}
