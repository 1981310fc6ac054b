/** A plain ledger: contracts, who sees them, and the tree of what a submission did. Written from the ledger model, not from the engine. */
import type { Exception, Outcome } from "../compile/oracle.js";

export interface Contract {
  readonly id: string;
  readonly template: string;
  readonly payload: Outcome;
  readonly signatories: readonly string[];
  readonly stakeholders: readonly string[];
  readonly key: { readonly value: Outcome; readonly maintainers: readonly string[] } | undefined;
}

export interface CreateAction {
  readonly kind: "create";
  readonly contract: Contract;
}
export interface FetchAction {
  readonly kind: "fetch";
  readonly contract: Contract;
  readonly actors: readonly string[];
  readonly byInterface: string | undefined;
  readonly byKey: boolean;
}
export interface QueryAction {
  readonly kind: "query";
  readonly template: string;
  readonly key: Outcome;
  readonly maintainers: readonly string[];
  readonly result: readonly string[];
  readonly exhaustive: boolean;
}
export interface ExerciseAction {
  readonly kind: "exercise";
  readonly contract: Contract;
  readonly choice: string;
  readonly byInterface: string | undefined;
  readonly byKey: boolean;
  readonly consuming: boolean;
  readonly controllers: readonly string[];
  readonly observers: readonly string[];
  readonly argument: Outcome;
  readonly children: Action[];
  result: Outcome | undefined;
}
export interface Rollback {
  readonly kind: "rollback";
  readonly children: Action[];
}
export type Action = CreateAction | FetchAction | QueryAction | ExerciseAction | Rollback;

/** What ends a submission: the reference's class of error, and what it tells. */
export class Refused extends Error {
  constructor(
    readonly class_: string,
    readonly told: Readonly<Record<string, unknown>> = {},
  ) {
    super(class_);
  }
}

/** More than the comparison is meant for. */
export class TooLarge extends Error {}

export const uncaught = ({ exception }: Exception, errorMessage: string): Refused =>
  new Refused("FailureStatus", { errorId: `UNHANDLED_EXCEPTION/${exception}`, errorMessage });

/** The active contracts, oldest first. */
export class Store {
  readonly #active = new Map<string, Contract>();
  #made = 0;

  nextId(): string {
    return `c${this.#made++}`;
  }
  get ids(): readonly string[] {
    return [...this.#active.keys()];
  }
  idsOf(template: string): readonly string[] {
    return [...this.#active.values()].filter((contract) => contract.template === template).map(({ id }) => id);
  }

  visibleTo(parties: readonly string[]): ReadonlyMap<string, Contract> {
    return new Map([...this.#active].filter(([, { stakeholders }]) => stakeholders.some((party) => parties.includes(party))));
  }

  apply(actions: readonly Action[]): void {
    for (const action of actions) {
      if (action.kind === "create") this.#active.set(action.contract.id, action.contract);
      if (action.kind !== "exercise") continue;
      if (action.consuming) this.#active.delete(action.contract.id);
      this.apply(action.children);
    }
  }
}

/** A rollback starts with an action and ends with one: those at its beginning stand before it, one at its end is part of it. */
export function normal(actions: readonly Action[]): Action[] {
  return actions.flatMap((action): Action[] => {
    if (action.kind === "exercise") return [{ ...action, children: normal(action.children) }];
    if (action.kind !== "rollback") return [action];
    const inner = normal(action.children);
    const first = inner.findIndex((each) => each.kind !== "rollback");
    if (first < 0) return inner;
    const rest = inner.slice(first),
      last = rest.at(-1)!;
    return [
      ...inner.slice(0, first),
      { kind: "rollback", children: last.kind === "rollback" ? [...rest.slice(0, -1), ...last.children] : rest },
    ];
  });
}

export interface Seen {
  readonly witnesses: readonly (readonly string[])[];
  readonly divulged: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Who sees each node, in the order of a walk from the top; who learns of a contract without being a stakeholder. */
export function seen(actions: readonly Action[]): Seen {
  const witnesses: (readonly string[])[] = [],
    divulged = new Map<string, Set<string>>();
  const divulge = ({ id, stakeholders }: Contract, parties: Iterable<string>): void => {
    for (const party of parties) if (!stakeholders.includes(party)) divulged.set(id, (divulged.get(id) ?? new Set()).add(party));
  };
  const walk = (action: Action, above: ReadonlySet<string>): void => {
    const here = new Set([...above, ...concerned(action)]);
    witnesses.push([...here].sort());
    if (action.kind === "fetch") divulge(action.contract, above);
    if (action.kind === "exercise") divulge(action.contract, [...above, ...action.observers]);
    if (action.kind === "exercise" || action.kind === "rollback") for (const child of action.children) walk(child, here);
  };
  for (const action of actions) walk(action, new Set());
  return { witnesses, divulged };
}

function concerned(action: Action): readonly string[] {
  switch (action.kind) {
    case "create":
      return action.contract.stakeholders;
    case "fetch":
      return [...action.contract.signatories, ...action.actors];
    case "query":
      return action.maintainers;
    case "exercise":
      return [
        ...(action.consuming ? action.contract.stakeholders : action.contract.signatories),
        ...action.controllers,
        ...action.observers,
      ];
    case "rollback":
      return [];
  }
}
