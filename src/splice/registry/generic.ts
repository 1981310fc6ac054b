/**
 * Contexts of any token that implements the standard's interfaces: the contracts that the operator configured for its admin,
 * and the holdings behind an allocation or a transfer, since those who settle mostly cannot see them.
 */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import type { Contract, Contracts } from "../contracts.js";
import type { Name } from "../names.js";
import { type Answer, notFound } from "../refusal.js";
import type { FactoryContext, RegistryEnvironment } from "./amulet.js";
import { ContextBuilder, type ChoiceContext, type ContextOptions } from "./choice-context.js";
import type { TokenContract, TokenRegistry } from "./configuration.js";
import { knownRegistryOf } from "./known-tokens.js";

interface InstrumentId {
  readonly admin: Party;
}

/** The parts of the standard's views that matter here. */
interface StandardView {
  readonly holdingCids?: readonly string[];
  readonly allocation?: { readonly admin?: Party; readonly transferLeg?: { readonly instrumentId: InstrumentId } };
  readonly transfer?: { readonly instrumentId: InstrumentId; readonly inputHoldingCids?: readonly string[] };
}

type Shown = Awaited<ReturnType<typeof Contracts.prototype.shown<StandardView>>>;

const adminOf = ({ allocation, transfer }: StandardView): Party | undefined =>
  allocation?.admin ?? (allocation?.transferLeg ?? transfer)?.instrumentId.admin;

export class TokenContexts {
  readonly #environment: RegistryEnvironment;
  readonly #registries: readonly TokenRegistry[];
  readonly #own: TokenRegistry | undefined;

  /** `own`: whose address this is; undefined: the common one. */
  constructor(environment: RegistryEnvironment, registries: readonly TokenRegistry[], own: TokenRegistry | undefined) {
    this.#environment = environment;
    this.#registries = registries;
    this.#own = own;
  }

  /**
   * Of the admin that a request names, if it names one; undefined: it is left to Amulet. What the operator configured comes before
   * what is known of the token; at its own address a registry answers for its admin alone.
   */
  async registryOf(admin: Party | undefined): Answer<TokenRegistry | undefined> {
    if (this.#own)
      return admin === undefined || admin === this.#own.admin
        ? ok(this.#own)
        : notFound(`Registry ${this.#own.name} is of the tokens of ${this.#own.admin}, not of those of ${admin}.`);
    const configured = this.#registries.find((registry) => registry.admin === admin);
    return ok(configured ?? (admin === undefined ? undefined : await knownRegistryOf(this.#environment.contracts, admin)));
  }

  /** Of a contract that implements the interface. */
  async forContract(contractId: string, interface_: Name, options: ContextOptions): Answer<ChoiceContext> {
    const shown = await this.#environment.contracts.shown<StandardView>(contractId, interface_);
    const registry = await this.registryOf(adminOf(shown?.view ?? {}));
    if (isFailure(registry)) return registry;
    const context = registry.ok ? await this.#configured(registry.ok) : new ContextBuilder();
    return (await this.#discloseHoldings(context, shown)).build(this.#environment, options);
  }

  async factory(
    registry: TokenRegistry,
    kind: keyof TokenRegistry["factories"],
    options: ContextOptions,
    allocations: readonly { readonly contractId: string; readonly interface: Name }[] = [],
  ): Answer<FactoryContext> {
    const template = registry.factories[kind],
      factory = template && (await this.#ofAdmin(registry, template)).at(-1);
    if (!factory) return notFound(`Registry ${registry.name} has no active ${kind} factory.`);
    const context = (await this.#configured(registry)).disclose(factory);
    for (const allocation of allocations)
      await this.#discloseHoldings(
        context,
        await this.#environment.contracts.shown<StandardView>(allocation.contractId, allocation.interface),
      );
    const built = await context.build(this.#environment, options);
    return isFailure(built) ? built : ok({ factoryId: factory.contractId, choiceContext: built.ok });
  }

  async #configured(registry: TokenRegistry): Promise<ContextBuilder> {
    const context = new ContextBuilder();
    for (const configured of registry.contracts)
      this.#add(context, configured, await this.#ofAdmin(registry, configured.template, configured.observed));
    return context;
  }

  #add(context: ContextBuilder, { key, asList = false }: TokenContract, contracts: readonly Contract[]): void {
    if (key !== undefined && asList)
      context.value(key, { tag: "AV_List", value: contracts.map(({ contractId }) => ({ tag: "AV_ContractId", value: contractId })) });
    else if (key !== undefined) context.add(key, contracts.at(-1));
    if (key === undefined || asList) context.disclose(...contracts);
  }

  async #ofAdmin({ admin }: TokenRegistry, template: Name, observed = false): Promise<readonly Contract[]> {
    return (await this.#environment.contracts.all(template, admin)).filter(({ signatories }) => observed || signatories.includes(admin));
  }

  /** Those that somebody who signed the contract sees: with ids alone nobody makes others' contracts known. */
  async #discloseHoldings(context: ContextBuilder, shown: Shown): Promise<ContextBuilder> {
    const { contracts } = this.#environment,
      { holdingCids, transfer } = shown?.view ?? {},
      named = await Promise.all((holdingCids ?? transfer?.inputHoldingCids ?? []).map((id) => contracts.find(id))),
      signers = new Set(shown?.contract.signatories);
    const isSeen = ({ signatories, observers }: Contract): boolean => [...signatories, ...observers].some((party) => signers.has(party));
    return context.disclose(...named.filter((holding) => holding !== undefined).filter(isSeen));
  }
}
