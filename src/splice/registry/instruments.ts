/** What registries say of themselves and of their tokens. */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import type { ActiveContractsContext } from "../active-contracts.js";
import { showDecimal } from "../decimal.js";
import { totalSupply } from "../holdings-summary.js";
import type { Contracts } from "../contracts.js";
import { isoTime } from "../instants.js";
import { interfaces } from "../names.js";
import { type Answer, notFound } from "../refusal.js";
import type { TokenRegistry } from "./configuration.js";

export interface RegistryInfo {
  readonly adminId: Party;
  readonly supportedApis: Readonly<Record<string, number>>;
}
export interface Instrument {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly totalSupply?: string;
  readonly totalSupplyAsOf?: string;
  readonly decimals: number;
  readonly supportedApis: Readonly<Record<string, number>>;
  readonly paused: boolean;
  readonly showAccountInputFields: boolean;
}

/** What the standard takes for said where a registry says nothing: here no operator can. */
const unsaid = { paused: false, showAccountInputFields: false } as const;

/** One registry's metadata. */
export interface Metadata {
  info(): Answer<RegistryInfo>;
  instruments(): Answer<readonly Instrument[]>;
}

const each = (apis: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(apis.map((api) => [`splice-api-token-${api}`, 1]));
const metadataOnly = each(["metadata-v1"]);
const amuletApis = each([
  "metadata-v1",
  "holding-v1",
  "transfer-instruction-v1",
  "allocation-v1",
  "allocation-instruction-v1",
  "holding-v2",
  "allocation-v2",
  "allocation-instruction-v2",
  "transfer-instruction-v2",
  "transfer-events-v2",
]);

export interface InstanceNames {
  readonly networkName: string;
  readonly networkFaviconUrl: string;
  readonly amuletName: string;
  readonly amuletNameAcronym: string;
  readonly nameServiceName: string;
  readonly nameServiceNameAcronym: string;
}

export class AmuletMetadata implements Metadata {
  readonly #context: ActiveContractsContext;
  readonly #names: InstanceNames;
  /** Of the newest snapshot: counting takes a while, and it does not change. */
  #supply: { readonly offset: number; readonly total: Promise<bigint | undefined> } | undefined;

  constructor(context: ActiveContractsContext, names: InstanceNames) {
    this.#context = context;
    this.#names = names;
  }

  async info(): Answer<RegistryInfo> {
    const dso = await this.#context.network.dso();
    return isFailure(dso) ? dso : ok({ adminId: dso.ok, supportedApis: metadataOnly });
  }

  async instruments(): Answer<readonly Instrument[]> {
    const { amuletName: name, amuletNameAcronym: symbol } = this.#names;
    return ok([{ id: "Amulet", name, symbol, ...(await this.#totalSupply()), decimals: 10, supportedApis: amuletApis, ...unsaid }]);
  }

  async #totalSupply(): Promise<Pick<Instrument, "totalSupply" | "totalSupplyAsOf">> {
    const snapshot = this.#context.snapshots.latest();
    if (!snapshot) return {};
    if (this.#supply?.offset !== snapshot.offset) this.#supply = { offset: snapshot.offset, total: totalSupply(this.#context, snapshot) };
    const total = await this.#supply.total;
    return total === undefined ? {} : { totalSupply: showDecimal(total), totalSupplyAsOf: isoTime(snapshot.recordTime) };
  }
}

const tokenApis = ["metadata-v1", "holding-v1", "transfer-instruction-v1", "allocation-v1", "allocation-instruction-v1"];
/** Of the second generation, which a token has where its factories implement it, and their packages what comes with it. */
const apisOfFactories = [
  ["allocation-v2", "settlement", interfaces.v2.settlementFactory],
  ["allocation-instruction-v2", "allocation", interfaces.v2.allocationFactory],
  ["transfer-instruction-v2", "transfer", interfaces.v2.transferFactory],
] as const;
const apisOfPackages = [
  ["holding-v2", interfaces.v2.holding],
  ["transfer-events-v2", interfaces.v2.eventLog],
] as const;

/** Of an operator's own token. */
export class TokenMetadata implements Metadata {
  readonly #registry: TokenRegistry;
  readonly #contracts: Pick<Contracts, "templateImplements" | "packageImplements">;

  constructor(registry: TokenRegistry, contracts: Pick<Contracts, "templateImplements" | "packageImplements">) {
    this.#registry = registry;
    this.#contracts = contracts;
  }

  info(): Answer<RegistryInfo> {
    return Promise.resolve(ok({ adminId: this.#registry.admin, supportedApis: metadataOnly }));
  }
  instruments(): Answer<readonly Instrument[]> {
    const supportedApis = each([...tokenApis, ...this.#secondGeneration()]);
    return Promise.resolve(
      ok(this.#registry.instruments.map(({ id, name, symbol, decimals }) => ({ id, name, symbol, decimals, supportedApis, ...unsaid }))),
    );
  }

  #secondGeneration(): readonly string[] {
    const { factories } = this.#registry,
      packages = new Set(Object.values(factories).map(({ packageName }) => packageName));
    const ofFactories = apisOfFactories.filter(([, kind, interface_]) => {
      const template = factories[kind];
      return template && this.#contracts.templateImplements(template, interface_);
    });
    const ofPackages = apisOfPackages.filter(([, interface_]) =>
      [...packages].some((packageName) => this.#contracts.packageImplements(packageName, interface_)),
    );
    return [...ofFactories, ...ofPackages].map(([api]) => api);
  }
}

export async function findInstrument(metadata: Metadata, instrumentId: string): Answer<Instrument> {
  const all = await metadata.instruments();
  if (isFailure(all)) return all;
  const found = all.ok.find(({ id }) => id === instrumentId);
  return found ? ok(found) : notFound(`No instrument with id ${instrumentId} found`);
}
