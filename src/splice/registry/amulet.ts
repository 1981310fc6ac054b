/**
 * Contexts of Amulet, for both generations of its packages at once: what is active is named, and each generation takes
 * what it knows.
 */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import type { Contract, Contracts } from "../contracts.js";
import { asJavaInstant } from "../instants.js";
import { templates } from "../names.js";
import type { Network } from "../network.js";
import { type Answer, notFound } from "../refusal.js";
import type { ValueTypes } from "../values/value-types.js";
import { ContextBuilder, contextKeys, type ChoiceContext, type ContextEnvironment, type ContextOptions } from "./choice-context.js";

export interface RegistryEnvironment extends ContextEnvironment {
  readonly contracts: Contracts;
  readonly network: Network;
  readonly types: ValueTypes;
}

/** A choice in the second step of a transfer or an allocation, on a lock that the first step made. */
export interface TwoStep {
  /** The contract as errors name it. */
  readonly description: string;
  /** Undefined: the step has nothing to unlock. */
  readonly lockedAmulet: string | undefined;
  readonly expiresAt: string | undefined;
  readonly requiresLock: boolean;
  /** Who may be featured. */
  readonly provider: Party | undefined;
}

export interface FactoryContext {
  readonly factoryId: string;
  readonly choiceContext: ChoiceContext;
}

export class AmuletContexts {
  readonly #environment: RegistryEnvironment;
  constructor(environment: RegistryEnvironment) {
    this.#environment = environment;
  }

  /** Rules and round are looked up before the lock is judged, and given only if it is still there. */
  async twoStep(step: TwoStep, options: ContextOptions): Answer<ChoiceContext> {
    const { contracts, network } = this.#environment;
    const rules = await this.#withRules();
    if (isFailure(rules)) return rules;
    const { dso, context } = rules.ok;
    const locked = step.lockedAmulet === undefined ? undefined : await contracts.findOf(templates.lockedAmulet, step.lockedAmulet);
    if (!locked)
      return step.requiresLock
        ? notFound(lockGone(step))
        : new ContextBuilder().flag(contextKeys.expireLock, false).build(this.#environment, options);
    const featured = step.provider === undefined ? undefined : (await network.featuredAppRights(dso, step.provider))[0];
    return context
      .disclose(locked)
      .flag(contextKeys.expireLock, true)
      .add(contextKeys.featuredAppRight, featured)
      .build(this.#environment, options);
  }

  /** `direct`: the transfer completes at once, since the receiver approved of it before. */
  async transferFactory(
    { sender, receiver, isSelf }: { readonly sender: Party; readonly receiver: Party; readonly isSelf: boolean },
    options: ContextOptions,
  ): Answer<FactoryContext & { readonly transferKind: "self" | "direct" | "offer" }> {
    const { network } = this.#environment;
    const rules = await this.#withRules();
    if (isFailure(rules)) return rules;
    const { dso, context } = rules.ok;
    const factory = await network.externalPartyAmuletRules(dso);
    if (isFailure(factory)) return factory;
    const preapproval = sender === receiver ? undefined : await network.transferPreapproval(dso, receiver);
    const featured = preapproval && (await network.featuredAppRights(dso, preapproval.payload.provider))[0];
    context.add(contextKeys.featuredAppRight, featured).add(contextKeys.transferPreapproval, preapproval);
    const transferKind = isSelf ? "self" : preapproval ? "direct" : "offer";
    const made = await this.#factory(factory.ok, context, options);
    return isFailure(made) ? made : ok({ ...made.ok, transferKind });
  }

  async allocationFactory(options: ContextOptions): Answer<FactoryContext> {
    const rules = await this.#withRules();
    if (isFailure(rules)) return rules;
    const factory = await this.#environment.network.externalPartyAmuletRules(rules.ok.dso);
    return isFailure(factory) ? factory : this.#factory(factory.ok, rules.ok.context, options);
  }

  /** Those of the second generation need neither rules nor a round. */
  async factoryV2(locks: readonly Contract[], options: ContextOptions): Answer<FactoryContext> {
    const { network } = this.#environment,
      dso = await network.dso();
    if (isFailure(dso)) return dso;
    const factory = await network.externalPartyAmuletRules(dso.ok);
    if (isFailure(factory)) return factory;
    const context = new ContextBuilder().add(contextKeys.configState, await network.externalPartyConfigState(dso.ok));
    return this.#factory(factory.ok, context, options, locks);
  }

  async #factory(
    factory: Contract,
    context: ContextBuilder,
    options: ContextOptions,
    more: readonly Contract[] = [],
  ): Answer<FactoryContext> {
    const choiceContext = await context.disclose(factory, ...more).build(this.#environment, options);
    return isFailure(choiceContext) ? choiceContext : ok({ factoryId: factory.contractId, choiceContext: choiceContext.ok });
  }

  async #withRules(): Answer<{ readonly dso: Party; readonly context: ContextBuilder }> {
    const { network } = this.#environment,
      rules = await network.amuletRules();
    if (isFailure(rules)) return rules;
    const { dso } = rules.ok.payload,
      round = await network.usableRound(dso);
    if (isFailure(round)) return round;
    const context = new ContextBuilder().add(contextKeys.amuletRules, rules.ok).add(contextKeys.openRound, round.ok);
    return ok({ dso, context: context.add(contextKeys.configState, await network.externalPartyConfigState(dso)) });
  }
}

const lockGone = ({ description, lockedAmulet, expiresAt }: TwoStep): string =>
  `LockedAmulet '${optionText(lockedAmulet && `ContractId(${lockedAmulet})`)}' not found for ${description}, which expires on ${optionText(expiresAt && asJavaInstant(expiresAt))}`;

/** Optional values stand in these texts as Scala prints them. */
const optionText = (value: string | undefined): string => (value === undefined ? "None" : `Some(${value})`);
