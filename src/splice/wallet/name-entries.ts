/** Names of the name service: the owner asks for one, pays for it like for any subscription, and lists his own. */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { type Answer, notFound } from "../refusal.js";
import { disclosedFrom, submitAs, type Owner, type WalletContext } from "./wallet-context.js";

export interface WantedEntry {
  readonly name: string;
  readonly url: string;
  readonly description: string;
}
export interface RequestedEntry {
  readonly entryContextCid: string;
  readonly subscriptionRequestCid: string;
}

/** As clients see it: times are milliseconds, spans microseconds. */
export interface OwnEntry {
  readonly contractId: string;
  readonly name: string;
  readonly amount: string;
  readonly unit: string;
  readonly expiresAt: string;
  readonly paymentInterval: string;
  readonly paymentDuration: string;
}

interface Entry {
  readonly user: Party;
  readonly name: string;
  readonly expiresAt: string;
}
interface EntryContext {
  readonly user: Party;
  readonly name: string;
  readonly reference: string;
}
interface Paid {
  readonly reference: string;
  readonly payData: {
    readonly paymentAmount: { readonly amount: string; readonly unit: string };
    readonly paymentInterval: { readonly microseconds: string };
    readonly paymentDuration: { readonly microseconds: string };
  };
}

export async function requestEntry(context: WalletContext, owner: Owner, { name, url, description }: WantedEntry): Answer<RequestedEntry> {
  const dso = await context.network.dso();
  if (isFailure(dso)) return dso;
  const rules = (await context.network.contracts(dso.ok, templates.ansRules)).at(-1);
  if (!rules) return notFound("No active AnsRules contract");
  const requested = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(templates.ansRules, rules.contractId, "AnsRules_RequestEntry", { name, url, description, user: owner.party })],
    disclosed: disclosedFrom(context, [rules]),
  });
  if (isFailure(requested)) return requested;
  const { entryCid, requestCid } = requested.ok.exerciseResult as { readonly entryCid: string; readonly requestCid: string };
  return ok({ entryContextCid: entryCid, subscriptionRequestCid: requestCid });
}

/** Those that are paid for and did not expire. */
export async function ownEntries({ contracts, ledger }: WalletContext, { party }: Owner): Answer<readonly OwnEntry[]> {
  const now = ledger.nowMicros();
  const entries = (await contracts.all<Entry>(templates.ansEntry, party)).filter(
    ({ payload }) => payload.user === party && instantOf(payload.expiresAt) > now,
  );
  const contexts = (await contracts.all<EntryContext>(templates.ansEntryContext, party)).filter(({ payload }) => payload.user === party);
  const states = [
    ...(await contracts.all<Paid>(templates.subscriptionIdleState, party)),
    ...(await contracts.all<Paid>(templates.subscriptionPayment, party)),
  ];
  const paid = new Map(states.map(({ payload }) => [payload.reference, payload.payData]));
  return ok(
    entries.flatMap(({ contractId, payload: { name, expiresAt } }) => {
      const terms = contexts
        .filter(({ payload }) => payload.name === name)
        .map(({ payload }) => paid.get(payload.reference))
        .find((each) => each !== undefined);
      if (!terms) return [];
      const {
        paymentAmount: { amount, unit },
        paymentInterval,
        paymentDuration,
      } = terms;
      return [
        {
          contractId,
          name,
          amount,
          unit: unit.toUpperCase(),
          expiresAt: (instantOf(expiresAt) / 1_000n).toString(),
          paymentInterval: paymentInterval.microseconds,
          paymentDuration: paymentDuration.microseconds,
        },
      ];
    }),
  );
}
