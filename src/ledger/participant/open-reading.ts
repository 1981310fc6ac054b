/** What readers get of a participant. */
import { Exclusive } from "../../base/exclusive.js";
import { keepNote, readNote } from "../commit/index.js";
import type { Ledger } from "../ledger.js";
import {
  ActiveContractsCursor,
  CompletionsCursor,
  ContractTexts,
  Implementations,
  InterfaceViews,
  LatestOffsets,
  offsetAt,
  offsetOrder,
  Projection,
  readActiveContractsPage,
  type ReadContext,
  readContract,
  readEventsByContractId,
  readOutcomes,
  readUpdate,
  readUpdateMember,
  readUpdatesPage,
  synchronizerOf,
  takeCreates,
  UpdateLog,
  UpdatesCursor,
} from "../reading/index.js";
import { KeptEntries } from "../records/index.js";
import type { Opening } from "./member.js";
import type { Keeping } from "./open-keeping.js";

type Reading = Pick<
  Ledger,
  | "caughtUp"
  | "ledgerEnd"
  | "openUpdates"
  | "openCompletions"
  | "openActiveContracts"
  | "readUpdate"
  | "readUpdateAs"
  | "readEventsByContractId"
  | "takeCreates"
  | "readContract"
  | "synchronizerOf"
  | "readUpdatesPage"
  | "readActiveContractsPage"
  | "waitBehind"
  | "readOutcomes"
  | "offsetAt"
  | "readNote"
  | "keepNote"
>;

export function openReading({ member, network, others, tokenKey }: Opening, { pruning }: Keeping): Reading {
  const { tables, committer, ledgerEnd, contracts, parties, packages, templates, synchronizers, interpreter, identity } = member,
    { participantId, participantName } = identity,
    { turns, readerTurns } = network;
  const views = new InterfaceViews({ tables, packages, templates, interpreter, participantName, synchronizers, pruning }),
    projection = new Projection({ tables, parties, templates, views, pruning });
  const read: ReadContext = {
    tables,
    contracts,
    log: new UpdateLog(tables, pruning),
    contractTexts: new ContractTexts(),
    keptOffsets: new KeptEntries(offsetOrder),
    latestOffsets: new LatestOffsets(),
    keptActive: member.keptActive,
    activeTemplates: member.activeTemplates,
    updateTemplates: member.updateTemplates,
    ledgerEnd,
    projection,
    views,
    synchronizers,
    packages,
    parties,
    templates,
    implementations: new Implementations(packages, templates),
    pruning,
    turns: readerTurns,
    answerTurns: turns,
    largeAnswers: new Exclusive(),
    largeElements: { plain: new Exclusive(), withViews: new Exclusive() },
  };
  const amongOthers = { ...read, participantId, others };
  return {
    caughtUp: () => ledgerEnd.caughtUp(),
    ledgerEnd: () => ledgerEnd.offset,
    openUpdates: (request) => UpdatesCursor.open(read, request),
    openCompletions: (request) => CompletionsCursor.open(read, request),
    openActiveContracts: (request) => ActiveContractsCursor.open(read, tokenKey, request),
    readUpdate: (request) => readUpdate(read, request),
    readUpdateAs: (member, request) => readUpdateMember(read, request, member),
    readEventsByContractId: (contractId, format, traceId) => readEventsByContractId(read, contractId, format, traceId),
    takeCreates: (contractIds, take) => takeCreates(read, contractIds, take),
    readContract: async (contractId, queryingParties) => readContract(amongOthers, contractId, queryingParties),
    synchronizerOf: (contractId) => synchronizerOf(read, contractId),
    readUpdatesPage: (request) => readUpdatesPage(read, tokenKey, request),
    readActiveContractsPage: (request) => readActiveContractsPage(read, tokenKey, request),
    waitBehind: (offset, timeoutMs, signal) => ledgerEnd.waitBehind(offset, "all", timeoutMs, signal),
    readOutcomes: (request) => readOutcomes(amongOthers, request),
    offsetAt: (recordTime) => offsetAt(read, recordTime),
    readNote: (name) => readNote(tables, name),
    keepNote: (name, text) => keepNote(committer, name, text),
  };
}
