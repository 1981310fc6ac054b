/**
 * What there is to know of a prepared transaction that came back, but for its signatures: decoded, held against its own
 * structure, hashed. Nothing here needs the ledger; of a large one it takes long, so it runs on an engine thread.
 */
import { fail, isFailure, ok } from "../../base/result.js";
import {
  hashPrepared,
  inputPackages,
  reachableNodes,
  readMetadata,
  readTransaction,
  splitPrepared,
  type PreparedFailure,
  type PreparedTransaction,
} from "../../lf/interactive/index.js";
import type { TransactionNode } from "../../lf/transaction/index.js";
import { jsonError, ledgerError, type LedgerErrorData, missingField, type Outcome, physicalSynchronizerId } from "../model/index.js";
import type { SignedFacts, SignedRequest } from "./interpreter.js";

export const notExecutable = (reason: string): LedgerErrorData =>
  ledgerError("FAILED_TO_EXECUTE_TRANSACTION", `The participant failed to execute the transaction: ${reason}`);
export const unreadablePrepared = (): LedgerErrorData =>
  jsonError("INVALID_ARGUMENT", "The submitted request has invalid arguments: Cannot parse prepared_transaction");

export function readSigned({ prepared: bytes, hashingScheme, synchronizerIds }: SignedRequest): Outcome<SignedFacts> {
  const prepared = decode(bytes);
  if (isFailure(prepared)) return prepared;
  const structure = checkStructure(prepared.ok, synchronizerIds);
  if (structure !== undefined) return fail(notExecutable(structure));
  const hash = hashPrepared(prepared.ok, hashingScheme);
  if (isFailure(hash)) return fail(notExecutable(hash.error.message));
  const nodes = reachableNodes(prepared.ok.transaction) ?? [],
    { inputContracts: _, ...metadata } = prepared.ok.metadata;
  return ok({ hash: hash.ok, metadata, packages: packagesOf(nodes), usesKeys: nodes.some(isByKey) });
}

function decode(bytes: Uint8Array): Outcome<PreparedTransaction> {
  const parts = splitPrepared(bytes);
  if (isFailure(parts)) return fail(unreadablePrepared());
  if (parts.ok.metadata === undefined) return fail(missingField("metadata"));
  const metadata = readMetadata(parts.ok.metadata);
  if (isFailure(metadata)) return fail(fromPrepared(metadata.error));
  if (parts.ok.transaction === undefined) return fail(missingField("transaction"));
  const transaction = readTransaction(parts.ok.transaction);
  return isFailure(transaction) ? fail(fromPrepared(transaction.error)) : ok({ transaction: transaction.ok, metadata: metadata.ok });
}

function fromPrepared(failure: PreparedFailure): LedgerErrorData {
  switch (failure.kind) {
    case "malformed":
      return unreadablePrepared();
    case "missing":
      return missingField(failure.field);
    case "content":
      return notExecutable(failure.message);
  }
}

function checkStructure({ transaction, metadata }: PreparedTransaction, synchronizerIds: readonly string[]): string | undefined {
  if (transaction.roots.length !== 1) return `it has ${transaction.roots.length} root nodes; exactly one is supported`;
  const nodes = reachableNodes(transaction);
  if (nodes === undefined) return "a node that another one refers to is missing";
  const used = inputPackages(nodes),
    given = new Set(metadata.inputContracts.map(({ create }) => create.contractId));
  const missing = [...used.keys()].find((contractId) => !given.has(contractId)),
    superfluous = [...given].find((contractId) => !used.has(contractId));
  if (missing !== undefined) return `Missing input contracts: ${missing} is used`;
  if (superfluous !== undefined) return `Superfluous input contracts: ${superfluous} is not used`;
  const physical = synchronizerIds.map(physicalSynchronizerId);
  return physical.includes(metadata.synchronizerId)
    ? undefined
    : `it is for synchronizer ${metadata.synchronizerId}; this node submits to the physical synchronizer ${physical.join(", ")}`;
}

function packagesOf(nodes: readonly TransactionNode[]): readonly string[] {
  const packages = new Set<string>();
  for (const node of nodes) {
    if (node.kind === "rollback") continue;
    packages.add(node.templateId.packageId);
    if ((node.kind === "exercise" || node.kind === "fetch") && node.interfaceId !== undefined) packages.add(node.interfaceId.packageId);
  }
  return [...packages];
}

const isByKey = (node: TransactionNode): boolean =>
  node.kind === "queryByKey" || ((node.kind === "fetch" || node.kind === "exercise") && node.byKey);
