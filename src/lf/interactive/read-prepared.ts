/**
 * Reads message `PreparedTransaction`. Metadata and transaction are read apart: whoever asks for the submitters does not
 * pay for the transaction, and the order of complaints is the reference's.
 */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import { checkParty, timestampInRange } from "../value/index.js";
import { delimited, ProtoReader, varint, WireFailure } from "../wire/index.js";
import { decodeContractInstance, type CreateNode, type NodeId, type Party, type TransactionNode } from "../transaction/index.js";
import { checked, ContentFailure, readFields, readMessage, required } from "./content.js";
import * as fields from "./fields.js";
import type { InputContract, PreparedMetadata, SeededTransaction } from "./prepared-transaction.js";
import { nodeId, readCreate, readNode, readVersion } from "./read-node.js";

export type PreparedFailure =
  /** The bytes are no protobuf. */
  | { readonly kind: "malformed"; readonly message: string }
  | { readonly kind: "missing"; readonly field: string }
  /** They say something impossible. */
  | { readonly kind: "content"; readonly message: string };

/** The two halves, not looked into. This and the next are read on the main thread. */
export interface PreparedParts {
  readonly transaction: Uint8Array | undefined;
  readonly metadata: Uint8Array | undefined;
}

export function splitPrepared(bytes: Uint8Array): Result<PreparedParts, PreparedFailure> {
  return guarded(() => {
    const input = new ProtoReader(bytes);
    let transaction: Uint8Array | undefined, metadata: Uint8Array | undefined;
    readFields(
      input,
      {
        [delimited(1)]: () => {
          transaction = input.bytes();
        },
        [delimited(2)]: () => {
          metadata = input.bytes();
        },
      },
      limits.preparedFieldsMax,
    );
    return ok({ transaction, metadata });
  });
}

/** Who would submit, and where; empty where it is not said. */
export interface PreparedSubmitter {
  readonly actAs: readonly Party[];
  readonly commandId: string;
  readonly synchronizerId: string;
  readonly isGiven: boolean;
}

export function readSubmitter(metadata: Uint8Array): Result<PreparedSubmitter, PreparedFailure> {
  return guarded(() => {
    const input = new ProtoReader(metadata),
      actAs: string[] = [],
      f = fields.metadata;
    let commandId = "",
      synchronizerId = "",
      isGiven = false;
    readFields(
      input,
      {
        [delimited(f.submitterInfo)]: () => {
          isGiven = true;
          readMessage(
            input,
            {
              [delimited(1)]: () => {
                actAs.push(input.text());
              },
              [delimited(2)]: () => {
                commandId = input.text();
              },
            },
            limits.requestElementsMax,
          );
        },
        [delimited(f.synchronizerId)]: () => {
          synchronizerId = input.text();
        },
      },
      limits.preparedFieldsMax,
    );
    return ok({ actAs, commandId, synchronizerId, isGiven });
  });
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function readMetadata(bytes: Uint8Array): Result<PreparedMetadata, PreparedFailure> {
  const submitter = readSubmitter(bytes);
  if (isFailure(submitter)) return submitter;
  if (!submitter.ok.isGiven) return fail({ kind: "missing", field: "submitter_info" });
  return guarded(() => {
    const input = new ProtoReader(bytes),
      f = fields.metadata,
      inputs = new Map<string, InputContract>();
    let transactionUuid = "",
      mediatorGroup = 0,
      preparationTime = 0n;
    const bounds: { minLedgerTime?: bigint; maxLedgerTime?: bigint; maxRecordTime?: bigint } = {};
    readFields(input, {
      [varint(f.mediatorGroup)]: () => {
        mediatorGroup = input.varint();
      },
      [delimited(f.transactionUuid)]: () => {
        transactionUuid = input.text();
      },
      [varint(f.preparationTime)]: () => {
        preparationTime = time(input);
      },
      [delimited(f.inputContracts)]: () => {
        const contract = readInputContract(input);
        inputs.set(contract.create.contractId, contract);
      },
      [varint(f.minLedgerTime)]: () => {
        bounds.minLedgerTime = time(input);
      },
      [varint(f.maxLedgerTime)]: () => {
        bounds.maxLedgerTime = time(input);
      },
      [varint(f.maxRecordTime)]: () => {
        bounds.maxRecordTime = time(input);
      },
    });
    if (!uuid.test(transactionUuid)) throw new ContentFailure(`transaction_uuid ${JSON.stringify(transactionUuid)} is no UUID`);
    if (submitter.ok.commandId === "") throw new ContentFailure("the command id is empty");
    const { actAs, commandId, synchronizerId } = submitter.ok;
    for (const party of actAs) checked(checkParty, party);
    const { minLedgerTime, maxLedgerTime, maxRecordTime } = bounds;
    return ok({
      actAs: [...new Set(actAs)].sort(),
      commandId,
      synchronizerId,
      mediatorGroup,
      transactionUuid,
      preparationTime,
      inputContracts: [...inputs.values()],
      minLedgerTime,
      maxLedgerTime,
      maxRecordTime,
    });
  });
}

function time(input: ProtoReader): bigint {
  const micros = BigInt.asIntN(64, input.varint64());
  if (!timestampInRange(micros)) throw new ContentFailure(`time ${micros} is out of range`);
  return micros;
}

function readInputContract(input: ProtoReader): InputContract {
  let create: CreateNode | undefined,
    createdAt = 0n,
    blob: Uint8Array = new Uint8Array(0);
  readMessage(input, {
    [delimited(fields.inputContractV1)]: () => {
      create = readCreate(input);
    },
    [varint(fields.inputContract.createdAt)]: () => {
      createdAt = time(input);
    },
    [delimited(fields.inputContract.eventBlob)]: () => {
      blob = Uint8Array.from(input.bytes());
    },
  });
  const shown = required(create, "the create node of an input contract");
  if (shown.signatories.some((party) => !shown.stakeholders.includes(party)))
    throw new ContentFailure("the signatories of an input contract have to be stakeholders");
  const stored = decodeContractInstance(blob);
  if (isFailure(stored)) throw new ContentFailure(`an input contract's event_blob cannot be read: ${stored.error.message}`);
  if (stored.ok.createdAt !== createdAt)
    throw new ContentFailure(`the creation time of input contract ${shown.contractId} is not that of its blob`);
  if (stored.ok.contractId !== shown.contractId)
    throw new ContentFailure(`input contract ${shown.contractId} has the blob of ${stored.ok.contractId}`);
  return { create: shown, createdAt, blob };
}

const seedBytes = 32;

export function readTransaction(bytes: Uint8Array): Result<SeededTransaction, PreparedFailure> {
  return guarded(() => {
    const input = new ProtoReader(bytes),
      f = fields.transaction;
    let version = "";
    const roots: NodeId[] = [],
      nodes = new Map<NodeId, TransactionNode>(),
      nodeSeeds = new Map<NodeId, Uint8Array>();
    readFields(input, {
      [delimited(f.version)]: () => {
        version = input.text();
      },
      [delimited(f.roots)]: () => {
        roots.push(nodeId(input.text()));
      },
      [delimited(f.nodes)]: () => {
        const [id, node] = readTransactionNode(input);
        nodes.set(id, node);
      },
      [delimited(f.nodeSeeds)]: () => {
        const [id, seed] = readNodeSeed(input);
        nodeSeeds.set(id, seed);
      },
    });
    return ok({ version: readVersion(version), roots, nodes, nodeSeeds });
  });
}

function readTransactionNode(input: ProtoReader): readonly [NodeId, TransactionNode] {
  let id = "",
    node: TransactionNode | undefined;
  readMessage(input, {
    [delimited(1)]: () => {
      id = input.text();
    },
    [delimited(fields.nodeV1)]: () => {
      node = readNode(input);
    },
  });
  return [nodeId(id), required(node, "versioned_node")];
}

function readNodeSeed(input: ProtoReader): readonly [NodeId, Uint8Array] {
  let id = 0,
    seed: Uint8Array = new Uint8Array(0);
  readMessage(input, {
    [varint(1)]: () => {
      id = input.int32();
    },
    [delimited(2)]: () => {
      seed = Uint8Array.from(input.bytes());
    },
  });
  if (seed.length !== seedBytes) throw new ContentFailure(`a node seed has ${seedBytes} bytes, not ${seed.length}`);
  return [id, seed];
}

function guarded<T>(read: () => Result<T, PreparedFailure>): Result<T, PreparedFailure> {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireFailure) return fail({ kind: "malformed", message: error.message });
    if (error instanceof ContentFailure) return fail({ kind: "content", message: error.message });
    throw error;
  }
}
