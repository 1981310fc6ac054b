/**
 * The name service: what was paid for a name is collected, or given back where the name cannot be had; names expire, and subscriptions to
 * them end.
 */
import type { Party } from "../../ledger/index.js";
import type { Contract } from "../contracts.js";
import { instantOf } from "../instants.js";
import { entryProblem, type EntryTerms } from "../name-service.js";
import { templates, type Name } from "../names.js";
import type { OfDso, OpenMiningRound } from "../network.js";
import { limits } from "../../config.js";
import { jointly, type ActionKind } from "./confirmed-actions.js";
import { byRules, contractsWhere, dueAt, nothingDue, ofDso, type Economy, type Task, type Trigger } from "./trigger.js";

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
      ...(first.length === 0 ? [] : await answers(economy, service, first)),
      ...further.flatMap((payment) => renewal(economy, service, payment) ?? []),
    ];
    return { tasks, isSequential: true };
  },
};

interface Collection {
  readonly paymentCid: string;
  readonly ansRulesCid: string;
  readonly transferContext: { readonly amuletRules: string; readonly openMiningRound: string; readonly featuredAppRight: null };
}

export const collectFirstPayment: ActionKind<Collection> = {
  of: "entryContext",
  tag: "ANSRARC_CollectInitialEntryPayment",
  choice: "AnsEntryContext_CollectInitialEntryPayment",
  about: "paymentCid",
  /** Two payments for one name may have been confirmed, and the rules do not ask whether it is taken. */
  async isOver(economy, { paymentCid }, now) {
    const payment = await economy.contracts.findOf<Payment>(templates.subscriptionInitialPayment, paymentCid),
      service = payment && (await serviceOf(economy, now)),
      context = service?.contexts.get(payment!.payload.reference);
    return !context || service!.entries.has(context.payload.name) || !service!.rounds.has(payment!.payload.round.number);
  },
};
export const rejectFirstPayment: ActionKind<Collection> = {
  of: "entryContext",
  tag: "ANSRARC_RejectEntryInitialPayment",
  choice: "AnsEntryContext_RejectEntryInitialPayment",
  about: "paymentCid",
  async isOver({ contracts }, { paymentCid, transferContext: { openMiningRound } }) {
    const payment = await contracts.findOf(templates.subscriptionInitialPayment, paymentCid);
    return !payment || (await contracts.findOf(templates.openMiningRound, openMiningRound)) === undefined;
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

/** By reference. */
const contextsOf = async (economy: Economy): Promise<ReadonlyMap<string, Contract<EntryContext>>> =>
  new Map((await ofDso<EntryContext>(economy, templates.ansEntryContext)).map((context) => [context.payload.reference, context]));

async function serviceOf(economy: Economy, now: bigint): Promise<NameService | undefined> {
  const { network, dso } = economy,
    rules = (await ofDso(economy, templates.ansRules)).at(-1),
    usable = await network.usableRound(dso);
  if (!rules || usable.ok === undefined) return undefined;
  const contexts = await contextsOf(economy),
    entries = await ofDso<Entry>(economy, templates.ansEntry);
  const open = (await network.openRounds(dso)).filter(({ payload }) => instantOf(payload.opensAt) <= now);
  return {
    rules,
    usableRound: usable.ok,
    contexts,
    entries: new Map(entries.filter(({ payload }) => instantOf(payload.expiresAt) > now).map((entry) => [entry.payload.name, entry])),
    rounds: new Map(open.map((round) => [round.payload.round.number, round])),
  };
}

/** What is locked can be collected in the round in which it was, only: behind that it is given back. */
async function answers(economy: Economy, service: NameService, payments: readonly Contract<Payment>[]): Promise<readonly Task[]> {
  const collecting = await jointly(economy, collectFirstPayment),
    rejecting = await jointly(economy, rejectFirstPayment);
  const nameOf = ({ payload }: Contract<Payment>) => service.contexts.get(payload.reference)?.payload.name;
  /** Names that somebody is about to have, with his payment. */
  const promised = new Map(
    payments.filter(({ contractId }) => !collecting.isOpen(contractId)).map((payment) => [nameOf(payment), payment.contractId]),
  );
  return payments.flatMap(({ contractId: paymentCid, createdAt, payload }): readonly Task[] => {
    const context = service.contexts.get(payload.reference),
      round = service.rounds.get(payload.round.number);
    if (!context) return [];
    const { name } = context.payload,
      isFree = !service.entries.has(name) && (promised.get(name) ?? paymentCid) === paymentCid;
    const isGiven = round !== undefined && isFree && entryProblem(context.payload) === undefined;
    const joint = isGiven ? collecting : rejecting;
    if (!joint.isOpen(paymentCid)) return [];
    const argument = collection(economy, service, paymentCid, isGiven ? round : service.usableRound);
    return [{ key: paymentCid, since: instantOf(createdAt), submission: () => joint.submission(context.contractId, argument) }];
  });
}

/** One that is too late is freed by its lock. */
function renewal(economy: Economy, service: NameService, { contractId, createdAt, payload }: Contract<Payment>): Task | undefined {
  const context = service.contexts.get(payload.reference),
    entry = context && service.entries.get(context.payload.name),
    round = service.rounds.get(payload.round.number);
  if (!entry || !round) return undefined;
  const choiceArg = { ...collection(economy, service, contractId, round), entryCid: entry.contractId };
  const submission = () => byRules(economy, "DsoRules_CollectEntryRenewalPayment", { ansEntryContextCid: context.contractId, choiceArg });
  return { key: contractId, since: instantOf(createdAt), submission };
}

const collection = ({ amuletRules }: Economy, { rules }: NameService, paymentCid: string, round: Contract): Collection => ({
  paymentCid,
  ansRulesCid: rules.contractId,
  transferContext: { amuletRules: amuletRules.contractId, openMiningRound: round.contractId, featuredAppRight: null },
});

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
          submission: () => byRules(economy, "DsoRules_ExpireAnsEntry", { ansEntryCid: contractId, choiceArg: { actor: economy.dso } }),
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
    if (idle.length === 0) return nothingDue;
    const contexts = await contextsOf(economy);
    return dueAt(
      now,
      idle.flatMap(({ contractId, payload: { nextPaymentDueAt, reference } }) => {
        const context = contexts.get(reference);
        if (!context) return [];
        const submission = () =>
          byRules(economy, "DsoRules_ExpireSubscription", {
            ansEntryContextCid: context.contractId,
            subscriptionIdleStateCid: contractId,
            choiceArg: { actor: economy.dso },
          });
        return [{ at: instantOf(nextPaymentDueAt) + 1n, task: () => ({ key: contractId, submission }) }];
      }),
    );
  },
};

export const endNameSubscriptions: Trigger = {
  name: "end-name-subscriptions",
  what: "archives what was kept of subscriptions to names that ended",
  async due(economy) {
    const ended = await subscribed<Subscribed>(economy, templates.terminatedSubscription);
    if (ended.length === 0) return nothingDue;
    const contexts = await contextsOf(economy);
    return {
      tasks: ended.flatMap(({ contractId: terminatedSubscriptionCid, createdAt, payload: { reference } }): readonly Task[] => {
        const context = contexts.get(reference);
        if (context === undefined) return [];
        const submission = () =>
          byRules(economy, "DsoRules_TerminateSubscription", { ansEntryContextCid: context.contractId, terminatedSubscriptionCid });
        return [{ key: terminatedSubscriptionCid, since: instantOf(createdAt), submission }];
      }),
    };
  },
};
