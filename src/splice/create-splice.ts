/** Puts this room together over a ledger. It keeps nothing but what it read: whatever network is on the ledger is served. */
import { join } from "node:path";
import { isFailure, ok } from "../base/result.js";
import type { Turns } from "../base/turns.js";
import type { Participant, Party } from "../ledger/index.js";
import {
  acsPage,
  holdingsPage,
  snapshotTime,
  type AcsQuery,
  type ActiveContractsContext,
  type HoldingsQuery,
  type ListedContracts,
  type NumberedPage,
} from "./active-contracts.js";
import { limits, validatorUserDefault } from "../config.js";
import { AnsEntries, type AnsEntryContract } from "./ans-entries.js";
import { Contracts, type Contract } from "./contracts.js";
import { History } from "./history/history.js";
import { holdingsSummary, holdingsSummaryWithFees, type Summary, type SummaryQuery, type SummaryWithFees } from "./holdings-summary.js";
import { isoTime } from "./instants.js";
import { KeptPages } from "./kept-pages.js";
import { KeyedContracts } from "./keyed-contracts.js";
import { templates } from "./names.js";
import { Network } from "./network.js";
import { NetworkReads } from "./network-reads.js";
import { PrintedTexts, type PrintingPlace } from "./printed/index.js";
import { printHoldings } from "./print-holdings.js";
import type { Answer } from "./refusal.js";
import { feesOfRound, type RoundFees } from "./round-fees.js";
import type { TokenRegistry } from "./registry/configuration.js";
import { AmuletMetadata, TokenMetadata, type InstanceNames, type Metadata } from "./registry/instruments.js";
import { Registry } from "./registry/registry.js";
import { migrationId } from "./snapshot-query.js";
import { Snapshots } from "./snapshots.js";
import { transferCommands, type TransferCommandWithStatus } from "./transfer-commands.js";
import { faucetsOf, licensesPage, type LicensesPage, type ReceivedFaucets, type ValidatorLicense } from "./validator-licenses.js";
import { ValueTypes } from "./values/value-types.js";
import { VoteResults } from "./votes/vote-results.js";
import { Voting } from "./votes/voting.js";
import { Submitter } from "./submitter.js";
import { Lines, trackedOffsets, Wallets } from "./wallet/index.js";
import { WalletUsers } from "./wallet-users.js";

export interface SpliceOptions {
  readonly ledger: Participant;
  /** The process's. */
  readonly turns: Turns;
  readonly names?: InstanceNames;
  readonly registries?: readonly TokenRegistry[];
  /** Where events and holdings are printed ahead; left out: nowhere. */
  readonly printing?: PrintingPlace;
  readonly warn?: (message: string) => void;
}

/** Those of a local network. */
export const localNames: InstanceNames = {
  networkName: "Splice",
  networkFaviconUrl: "https://www.hyperledger.org/hubfs/hyperledgerfavicon.png",
  amuletName: "Amulet",
  amuletNameAcronym: "AMT",
  nameServiceName: "Amulet Name Service",
  nameServiceNameAcronym: "ANS",
};

export interface Splice {
  /** The user whose primary party operates the validator. */
  readonly operator: string;
  /** For what is done with what is read here. */
  readonly turns: Turns;
  /** The same, of another validator: `home` is its participant, where that is not the ledger's own. */
  operatedBy(userId: string, home?: Participant): Splice;
  readonly names: InstanceNames;
  readonly registry: Registry;
  readonly metadata: Metadata;
  /** Of operators' own tokens, each with an address of its own. */
  readonly tokens: readonly { readonly name: string; readonly registry: Registry; readonly metadata: Metadata }[];
  readonly history: History;
  readonly network: NetworkReads;
  readonly entries: AnsEntries;
  readonly votes: VoteResults;
  readonly voting: Voting;
  readonly users: WalletUsers;
  readonly wallets: Wallets;
  holdings(query: HoldingsQuery): Answer<NumberedPage>;
  activeContracts(query: AcsQuery): Answer<NumberedPage>;
  summary(query: SummaryQuery): Answer<Summary>;
  summaryWithFees(query: SummaryQuery & { readonly asOfRound: number | undefined }): Answer<SummaryWithFees>;
  licenses(page: { readonly after?: number | undefined; readonly limit?: number | undefined }): Answer<LicensesPage>;
  faucets(validators: readonly Party[]): Answer<readonly ReceivedFaucets[]>;
  roundFees(number: number): Answer<RoundFees>;
  transferCommands(of: { readonly sender: Party; readonly nonce: bigint }): Answer<Readonly<Record<string, TransferCommandWithStatus>>>;
  /** A snapshot of what is there now. */
  forceSnapshot(): Answer<{ readonly record_time: string; readonly migration_id: number }>;
  snapshotTime(request: Parameters<typeof snapshotTime>[1]): ReturnType<typeof snapshotTime>;
  /** Goes on with what is printed ahead, where somebody wanted that before. */
  resume(): Promise<void>;
  close(): Promise<void>;
  /** Up to here events and holdings are printed ahead, those of them that somebody asked for; 0: none are. */
  printedOffset(): number;
}

export function createSplice({
  ledger,
  turns,
  names = localNames,
  registries = [],
  printing,
  warn = () => undefined,
}: SpliceOptions): Splice {
  const contracts = new Contracts(ledger),
    types = new ValueTypes(ledger, turns),
    network = new Network(contracts, ledger);
  const snapshots = new Snapshots(ledger, network);
  const kept = new KeptPages<ListedContracts>(limits.scanPagesKeptBytes);
  const printingOf = (what: string): PrintingPlace | undefined => printing && { ...printing, folder: join(printing.folder, what) };
  const holdingsPlace = printingOf("holdings"),
    eventsPlace = printingOf("events");
  const printed =
    holdingsPlace
    && new PrintedTexts({
      ...holdingsPlace,
      ledger,
      turns,
      print: (span, _, wanted) => printHoldings({ ledger, contracts, types, turns }, span, wanted),
    });
  const history = new History({ ledger, network, types, turns, printing: eventsPlace });
  const context: ActiveContractsContext = { contracts, network, snapshots, types, kept, printed };
  const followed = { contracts, ledger, turns },
    byName = new KeyedContracts<AnsEntryContract>({ ...followed, template: templates.ansEntry, keyOf: ({ name }) => name }),
    licenses = new KeyedContracts<ValidatorLicense>({
      ...followed,
      template: templates.validatorLicense,
      keyOf: ({ validator }) => validator,
    });
  const registryEnvironment = {
    contracts,
    network,
    types,
    synchronizerOf: ({ contractId }: Contract) => ledger.synchronizerOf(contractId),
  };
  const registry = new Registry(registryEnvironment, registries);
  const everybody = new WalletUsers(ledger, warn),
    submitter = new Submitter(ledger, { userId: validatorUserDefault }),
    tracked = trackedOffsets(ledger, contracts, turns),
    payments = new Lines(),
    onboardings = new Lines();
  const validatorOf = (operator: string, home?: Participant) => {
    const users = everybody.at(home),
      wallets = new Wallets({
        ledger,
        home,
        contracts,
        network,
        registry,
        types,
        tracked,
        submitter,
        payments,
        onboardings,
        users,
        operator,
      });
    return { operator, users, wallets };
  };
  const splice: Splice = {
    names,
    turns,
    registry,
    ...validatorOf(validatorUserDefault),
    operatedBy: (operator, home) => ({ ...splice, ...validatorOf(operator, home) }),
    metadata: new AmuletMetadata(context, names),
    tokens: registries.map((own) => ({
      name: own.name,
      registry: new Registry(registryEnvironment, registries, own),
      metadata: new TokenMetadata(own, contracts),
    })),
    history,
    resume: async () => {
      await Promise.all([history.resume(), printed?.resume()]);
    },
    close: async () => {
      await Promise.all([history.close(), printed?.close()]);
    },
    printedOffset: () => {
      const begun = [history.printedOffset, printed?.offset ?? 0].filter((offset) => offset > 0);
      return begun.length === 0 ? 0 : Math.min(...begun);
    },
    network: new NetworkReads({ ledger, contracts, network, types, users: everybody }),
    entries: new AnsEntries({ ledger, network, byName, nameAcronym: names.nameServiceNameAcronym.toLowerCase() }),
    votes: new VoteResults({ ledger, types, network }),
    voting: new Voting({ ledger, network, submitter }),
    holdings: (query) => holdingsPage(context, query),
    activeContracts: (query) => acsPage(context, query),
    summary: (query) => holdingsSummary(context, query),
    summaryWithFees: (query) => holdingsSummaryWithFees(context, query),
    licenses: (page) => licensesPage({ network, types, licenses }, page),
    faucets: (validators) => faucetsOf({ network, types, licenses }, validators),
    roundFees: (number) => feesOfRound({ ledger, contracts, network }, number),
    transferCommands: (of) => transferCommands({ ledger, contracts, types }, of),
    forceSnapshot: async () => {
      const forced = await snapshots.force();
      return isFailure(forced) ? forced : ok({ record_time: isoTime(forced.ok.recordTime), migration_id: migrationId });
    },
    snapshotTime: (request) => snapshotTime(snapshots, request),
  };
  return splice;
}
