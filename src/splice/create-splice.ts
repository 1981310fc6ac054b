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
import { Lines, OwnAmulets, trackedOffsets, Wallets } from "./wallet/index.js";
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

export function createSplice(options: SpliceOptions): Splice {
  const { ledger, turns, names = localNames, registries = [] } = options,
    contracts = new Contracts(ledger),
    types = new ValueTypes(ledger, turns),
    network = new Network(contracts, ledger),
    reading: Reading = { ledger, turns, contracts, types, network };
  const registryOptions = {
    contracts,
    network,
    types,
    synchronizerOf: ({ contractId }: Contract) => ledger.synchronizerOf(contractId),
  };
  const registry = new Registry(registryOptions, registries),
    { history, printed, ...printing } = printedAhead(reading, options.printing),
    snapshots = new Snapshots(ledger, network),
    context: ActiveContractsContext = { contracts, network, snapshots, types, kept: new KeptPages(limits.scanPagesKeptBytes), printed },
    submitter = new Submitter(ledger, { userId: validatorUserDefault }),
    everybody = new WalletUsers(ledger, options.warn ?? (() => undefined)),
    validatorOf = validatorsOf({ ...reading, registry, submitter, everybody });
  const byName = new KeyedContracts<AnsEntryContract>({
    contracts,
    ledger,
    turns,
    template: templates.ansEntry,
    keyOf: ({ name }) => name,
  });
  const splice: Splice = {
    names,
    turns,
    registry,
    ...validatorOf(validatorUserDefault),
    operatedBy: (operator, home) => ({ ...splice, ...validatorOf(operator, home) }),
    metadata: new AmuletMetadata(context, names),
    tokens: registries.map((own) => ({
      name: own.name,
      registry: new Registry(registryOptions, registries, own),
      metadata: new TokenMetadata(own, contracts),
    })),
    history,
    ...printing,
    network: new NetworkReads({ ledger, contracts, network, types, users: everybody }),
    entries: new AnsEntries({ ledger, network, byName, nameAcronym: names.nameServiceNameAcronym.toLowerCase() }),
    votes: new VoteResults({ ledger, types, network }),
    voting: new Voting({ ledger, network, submitter }),
    ...snapshotReads(context),
    ...validatorReads(reading),
    roundFees: (number) => feesOfRound({ ledger, contracts, network }, number),
    transferCommands: (of) => transferCommands({ ledger, contracts, types }, of),
  };
  return splice;
}

/** What whoever reads the ledger here needs. */
interface Reading {
  readonly ledger: Participant;
  readonly turns: Turns;
  readonly contracts: Contracts;
  readonly types: ValueTypes;
  readonly network: Network;
}

type Printing = Pick<Splice, "history" | "resume" | "close" | "printedOffset"> & { readonly printed: PrintedTexts | undefined };

/** Events and holdings, each in a folder of its own. */
function printedAhead({ ledger, turns, contracts, types, network }: Reading, place: PrintingPlace | undefined): Printing {
  const placeOf = (what: string): PrintingPlace | undefined => place && { ...place, folder: join(place.folder, what) },
    holdings = placeOf("holdings");
  const printed =
      holdings
      && new PrintedTexts({
        ...holdings,
        ledger,
        turns,
        print: (span, _, wanted) => printHoldings({ ledger, contracts, types, turns }, span, wanted),
      }),
    history = new History({ ledger, network, types, turns, printing: placeOf("events") });
  return {
    history,
    printed,
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
  };
}

interface Operating extends Reading {
  readonly registry: Registry;
  readonly submitter: Submitter;
  readonly everybody: WalletUsers;
}

/** What each validator has of its own; payments and onboardings stand in the same lines, and holdings are known, whoever operates. */
function validatorsOf({ everybody, ...operating }: Operating) {
  const tracked = trackedOffsets(operating.ledger, operating.contracts, operating.turns),
    amulets = new OwnAmulets(operating),
    payments = new Lines(),
    onboardings = new Lines();
  return (operator: string, home?: Participant): Pick<Splice, "operator" | "users" | "wallets"> => {
    const users = everybody.at(home),
      wallets = new Wallets({ ...operating, home, tracked, amulets, payments, onboardings, users, operator });
    return { operator, users, wallets };
  };
}

type SnapshotReads = "holdings" | "activeContracts" | "summary" | "summaryWithFees" | "forceSnapshot" | "snapshotTime";

const snapshotReads = (context: ActiveContractsContext): Pick<Splice, SnapshotReads> => ({
  holdings: (query) => holdingsPage(context, query),
  activeContracts: (query) => acsPage(context, query),
  summary: (query) => holdingsSummary(context, query),
  summaryWithFees: (query) => holdingsSummaryWithFees(context, query),
  forceSnapshot: async () => {
    const forced = await context.snapshots.force();
    return isFailure(forced) ? forced : ok({ record_time: isoTime(forced.ok.recordTime), migration_id: migrationId });
  },
  snapshotTime: (request) => snapshotTime(context.snapshots, request),
});

function validatorReads({ ledger, turns, contracts, types, network }: Reading): Pick<Splice, "licenses" | "faucets"> {
  const licenses = new KeyedContracts<ValidatorLicense>({
    contracts,
    ledger,
    turns,
    template: templates.validatorLicense,
    keyOf: ({ validator }) => validator,
  });
  return {
    licenses: (page) => licensesPage({ network, types, licenses }, page),
    faucets: (validators) => faucetsOf({ network, types, licenses }, validators),
  };
}
