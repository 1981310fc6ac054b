/**
 * The name service: what was paid for a name is collected, or given back where the name cannot be had; names expire, and subscriptions to
 * them end.
 */
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { instantOf } from "../instants.js";
import { entryProblem, type EntryTerms } from "../name-service.js";
import { templates, type Name } from "../names.js";
import type { OfDso, OpenMiningRound } from "../network.js";
import { limits } from "../../config.js";
import { byDso, contractsWhere, dueAt, nothingDue, ofDso, type Economy, type Task, type Trigger } from "./trigger.js";

interface Subscribed {
  readonly subscriptionData: { readonly dso: Party; readonly provider: Party };
  readonly reference: string;
}
interface Payment extends Subscribed {
  readonly round: { readonly number: string };
}
interface IdleState extends Subscribed {
  readonly nextPaymentDueAt: string;
}
interface EntryContext extends OfDso, EntryTerms {
  readonly reference: string;
}
interface Entry extends OfDso {
  readonly name: string;
  readonly expiresAt: string;
}

export const collectNamePayments: Trigger = {
  name: "collect-name-payments",
  what: "gives the names that were paid for, and the money back for those that cannot be had",
  async due(economy, now) {
    const [first, further] = [await payments(economy, "first"), await payments(economy, "further")];
    if (first.length + further.length === 0) return nothingDue;
    const service = await serviceOf(economy, now);
    if (!service) return nothingDue;
    const tasks = [
      ...first.map((payment) => collected(economy, service, payment, "first")),
      ...further.map((payment) => collected(economy, service, payment, "further")),
    ];
    return { tasks: tasks.filter((task) => task !== undefined), isSequential: true };
  },
};

type Kind = "first" | "further";

const payments = (economy: Economy, kind: Kind): Promise<readonly Contract<Payment>[]> =>
  subscribed(economy, kind === "first" ? templates.subscriptionInitialPayment : templates.subscriptionPayment);

/** Where the name service is who provides for it. All of them, as those that cannot be served yet stay before the others. */
const subscribed = <P extends Subscribed>({ contracts, dso }: Economy, template: Name): Promise<readonly Contract<P>[]> =>
  contractsWhere<P>(contracts, {
    templates: [template],
    stakeholders: [dso],
    isWanted: ({ payload: { subscriptionData } }) => subscriptionData.dso === dso && subscriptionData.provider === dso,
    max: Infinity,
  });

interface NameService {
  readonly rules: Contract;
  readonly contexts: ReadonlyMap<string, Contract<EntryContext>>;
  /** Those that did not expire. */
  readonly entries: ReadonlyMap<string, Contract<Entry>>;
  /** By number. */
  readonly rounds: ReadonlyMap<string, Contract<OpenMiningRound>>;
  readonly usableRound: Contract<OpenMiningRound>;
}

async function serviceOf(economy: Economy, now: bigint): Promise<NameService | undefined> {
  const { network, dso } = economy,
    rules = (await ofDso(economy, templates.ansRules)).at(-1),
    usable = await network.usableRound(dso);
  if (!rules || usable.ok === undefined) return undefined;
  const contexts = await ofDso<EntryContext>(economy, templates.ansEntryContext),
    entries = await ofDso<Entry>(economy, templates.ansEntry);
  const open = (await network.openRounds(dso)).filter(({ payload }) => instantOf(payload.opensAt) <= now);
  return {
    rules,
    usableRound: usable.ok,
    contexts: new Map(contexts.map((context) => [context.payload.reference, context])),
    entries: new Map(entries.filter(({ payload }) => instantOf(payload.expiresAt) > now).map((entry) => [entry.payload.name, entry])),
    rounds: new Map(open.map((round) => [round.payload.round.number, round])),
  };
}

/** What is locked can be collected in the round in which it was, only. A further payment that is too late is freed by its lock. */
function collected(
  economy: Economy,
  service: NameService,
  { contractId, createdAt, payload }: Contract<Payment>,
  kind: Kind,
): Task | undefined {
  const context = service.contexts.get(payload.reference),
    round = service.rounds.get(payload.round.number);
  if (!context) return undefined;
  const entry = service.entries.get(context.payload.name),
    ansRulesCid = service.rules.contractId;
  const transferContext = (of: Contract) => ({
    amuletRules: economy.amuletRules.contractId,
    openMiningRound: of.contractId,
    featuredAppRight: null,
  });
  const task = (choice: string, argument: object): Task => ({
    key: contractId,
    since: instantOf(createdAt),
    submission: () =>
      byDso(economy, exercise(templates.ansEntryContext, context.contractId, choice, { paymentCid: contractId, ansRulesCid, ...argument })),
  });
  if (kind === "further")
    return (
      entry
      && round
      && task("AnsEntryContext_CollectEntryRenewalPayment", { entryCid: entry.contractId, transferContext: transferContext(round) })
    );
  const isGiven = round !== undefined && entry === undefined && entryProblem(context.payload) === undefined;
  return isGiven
    ? task("AnsEntryContext_CollectInitialEntryPayment", { transferContext: transferContext(round) })
    : task("AnsEntryContext_RejectEntryInitialPayment", { transferContext: transferContext(service.usableRound) });
}

export const expireNames: Trigger = {
  name: "expire-names",
  what: "archives names whose time is over",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const entries = await ofDso<Entry>(economy, templates.ansEntry);
    return dueAt(
      now,
      entries.map(({ contractId, payload }) => ({
        at: instantOf(payload.expiresAt) + 1n,
        task: () => ({
          key: contractId,
          submission: () => byDso(economy, exercise(templates.ansEntry, contractId, "AnsEntry_Expire", { actor: economy.dso })),
        }),
      })),
    );
  },
};

export const expireNameSubscriptions: Trigger = {
  name: "expire-name-subscriptions",
  what: "ends subscriptions to names whose payment is late",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const idle = await subscribed<IdleState>(economy, templates.subscriptionIdleState);
    return dueAt(
      now,
      idle.map(({ contractId, payload: { nextPaymentDueAt } }) => ({
        at: instantOf(nextPaymentDueAt) + 1n,
        task: () => ({
          key: contractId,
          submission: () =>
            byDso(
              economy,
              exercise(templates.subscriptionIdleState, contractId, "SubscriptionIdleState_ExpireSubscription", { actor: economy.dso }),
            ),
        }),
      })),
    );
  },
};

export const endNameSubscriptions: Trigger = {
  name: "end-name-subscriptions",
  what: "archives what was kept of subscriptions to names that ended",
  async due(economy) {
    const ended = await subscribed<Subscribed>(economy, templates.terminatedSubscription);
    if (ended.length === 0) return nothingDue;
    const contexts = new Map(
      (await ofDso<EntryContext>(economy, templates.ansEntryContext)).map(({ contractId, payload }) => [payload.reference, contractId]),
    );
    return {
      tasks: ended.flatMap(({ contractId: terminatedSubscriptionCid, createdAt, payload: { reference } }): readonly Task[] => {
        const context = contexts.get(reference);
        if (context === undefined) return [];
        const argument = { actor: economy.dso, terminatedSubscriptionCid };
        return [
          {
            key: terminatedSubscriptionCid,
            since: instantOf(createdAt),
            submission: () => byDso(economy, exercise(templates.ansEntryContext, context, "AnsEntryContext_Terminate", argument)),
          },
        ];
      }),
    };
  },
};
