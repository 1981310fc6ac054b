/**
 * What the SVs of a network do together: each confirms that it is to be done, and once enough have, one of them has it done
 * (`execute-confirmed-actions`). Where the SVs of this node are too few for that, it would stay undone: then the DSO does it.
 */
import { groupBy } from "../../base/group-by.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { templates, type Name } from "../names.js";
import type { OfDso } from "../network.js";
import type { Submission } from "../submitter.js";
import { votesNeeded } from "../votes/threshold.js";
import { byDso, ofDso, type Economy } from "./trigger.js";

/** As the rules take it: whose choice it is, around which of them, around its argument. */
export interface Action {
  readonly tag: string;
  readonly value: object;
}
export interface Confirmation extends OfDso {
  readonly confirmer: Party;
  readonly action: Action;
  readonly expiresAt: string;
}

export interface ActionKind<A extends object> {
  readonly of: keyof typeof owners;
  readonly tag: string;
  readonly choice: string;
  /** The field of its argument that tells what it is about: for each it is done once. */
  readonly about: keyof A & string;
  /** It was done, or cannot be done any more. `now`: ledger time. */
  isOver(economy: Economy, argument: A, now: bigint): Promise<boolean>;
}

interface Owner {
  readonly template: Name;
  readonly tag: string;
  readonly field: string;
  /** Where the action names the contract. */
  readonly contractField?: string;
}
const owners = {
  amuletRules: { template: templates.amuletRules, tag: "ARC_AmuletRules", field: "amuletRulesAction" },
  dsoRules: { template: templates.dsoRules, tag: "ARC_DsoRules", field: "dsoAction" },
  entryContext: {
    template: templates.ansEntryContext,
    tag: "ARC_AnsEntryContext",
    field: "ansEntryContextAction",
    contractField: "ansEntryContextCid",
  },
} as const satisfies Readonly<Record<string, Owner>>;

/** Undefined: it is of another kind. */
export function argumentOf<A extends object>({ of, tag }: ActionKind<A>, action: Action): A | undefined {
  const { tag: ownerTag, field } = owners[of],
    inner = action.tag === ownerTag ? (action.value as Readonly<Record<string, Action>>)[field] : undefined;
  return inner?.tag === tag ? (inner.value as A) : undefined;
}

function actionOf<A extends object>({ of, tag }: ActionKind<A>, contractId: string, argument: A): Action {
  const owner: Owner = owners[of],
    named = owner.contractField === undefined ? {} : { [owner.contractField]: contractId };
  return { tag: owner.tag, value: { ...named, [owner.field]: { tag, value: argument } } };
}

/** The part of this node in actions of one kind. */
export interface Joint<A extends object> {
  /** Whether it has still to do its part. */
  isOpen(about: string): boolean;
  /** That part; `contractId`: whose choice it is. */
  submission(contractId: string, argument: A): Submission;
}

export async function jointly<A extends object>(economy: Economy, kind: ActionKind<A>): Promise<Joint<A>> {
  const { svs, dso, dsoRules, packagePreference } = economy;
  if (svs.length < votesNeeded(dsoRules.payload.svs.length)) return alone(economy, kind);
  const confirmed = groupBy(await ofDso<Confirmation>(economy, templates.confirmation), ({ payload }) => {
    const argument = argumentOf(kind, payload.action);
    return argument && String(argument[kind.about]);
  });
  const confirmersOf = (about: string): readonly Party[] => {
    const confirmers = new Set(confirmed.get(about)?.map(({ payload }) => payload.confirmer));
    return svs.filter((sv) => !confirmers.has(sv));
  };
  return {
    isOpen: (about) => confirmersOf(about).length > 0,
    submission: (contractId, argument) => {
      const actAs = confirmersOf(String(argument[kind.about])),
        action = actionOf(kind, contractId, argument);
      const commands = actAs.map((confirmer) =>
        exercise(templates.dsoRules, dsoRules.contractId, "DsoRules_ConfirmAction", { confirmer, action }),
      );
      return { actAs, readAs: [dso], commands, packagePreference };
    },
  };
}

const alone = <A extends object>(economy: Economy, { of, choice }: ActionKind<A>): Joint<A> => ({
  isOpen: () => true,
  submission: (contractId, argument) => byDso(economy, exercise(owners[of].template, contractId, choice, argument)),
});
