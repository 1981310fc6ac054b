/** The network as triggers see it at the beginning of a turn. */
import { isFailure } from "../../base/result.js";
import type { PackageSummary, Participant, Party } from "../../ledger/index.js";
import { Contracts } from "../contracts.js";
import { mayActFor } from "../hosting.js";
import { packageIdOf, packageNames } from "../names.js";
import { Network } from "../network.js";
import { isOutdated } from "./renew-amulet-rules.js";
import type { Economy } from "./trigger.js";

export type AutomatedLedger = Pick<
  Participant,
  | "submit"
  | "readUpdate"
  | "openActiveContracts"
  | "readEventsByContractId"
  | "takeCreates"
  | "ledgerEnd"
  | "waitBehind"
  | "nowMicros"
  | "readNote"
  | "packageSummary"
  | "listPackages"
  | "preferredPackageVersion"
  | "getParties"
  | "external"
>;

export interface EconomySettings {
  /** Those that this node operates. */
  readonly validators: readonly Party[];
  /** 0: proposals are accepted at once. */
  readonly acceptanceDelaySeconds?: number | undefined;
  /** Where users find the node's Scan, without the path of its API; undefined: it does not know. */
  readonly scanUrl?: string | undefined;
  /** That licenses of validators tell; undefined: they do not. */
  readonly programVersion?: string | undefined;
}

export class EconomyReader {
  readonly #ledger: AutomatedLedger;
  readonly #settings: EconomySettings;
  readonly #contracts: Contracts;
  readonly #network: Network;

  constructor(ledger: AutomatedLedger, settings: EconomySettings) {
    this.#ledger = ledger;
    this.#settings = settings;
    this.#contracts = new Contracts(ledger);
    this.#network = new Network(this.#contracts, ledger);
  }

  /** Undefined where there is no network, or none that this node may act for. */
  async read(): Promise<Economy | undefined> {
    const ledger = this.#ledger,
      rules = await this.#network.amuletRules();
    if (isFailure(rules)) return undefined;
    const amuletRules = rules.ok,
      { dso } = amuletRules.payload,
      dsoRules = await this.#network.dsoRules(dso);
    const svs = dsoRules?.payload.svs.map(([party]) => party).filter((party) => mayActFor(this.#ledger, party)) ?? [],
      [sv] = svs;
    if (!dsoRules || sv === undefined || !mayActFor(this.#ledger, dso)) return undefined;
    const newest = (packageName: string): PackageSummary | undefined => this.#newest(packageName, dso);
    const newestAmulet = newest(packageNames.amulet);
    const isOld = newestAmulet !== undefined && isOutdated({ ledger, amuletRules }, newestAmulet);
    const packagePreference = isOld ? [packageIdOf(amuletRules.templateId)] : [];
    const { validators, scanUrl, programVersion, acceptanceDelaySeconds = 0 } = this.#settings;
    return {
      ledger,
      contracts: this.#contracts,
      network: this.#network,
      dso,
      sv,
      svs,
      validators,
      amuletRules,
      dsoRules,
      newest,
      scanUrl,
      programVersion,
      acceptanceDelaySeconds,
      packagePreference,
    };
  }

  #newest(packageName: string, party: Party): PackageSummary | undefined {
    const requirements = [{ parties: [party], packageName }];
    const preferred = this.#ledger.preferredPackageVersion({ requirements, synchronizerId: "", vettingValidAt: undefined });
    return preferred.ok?.packages[0];
  }
}
