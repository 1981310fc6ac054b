/** Field numbers of `proto/interactive.proto`, for the writer and the reader. */
/** `Node.node_type`. */
export const nodeType = { create: 1, fetch: 2, exercise: 3, rollback: 4, queryByKey: 5 } as const;

export const create = {
  lfVersion: 1,
  contractId: 2,
  packageName: 3,
  templateId: 4,
  argument: 5,
  signatories: 6,
  stakeholders: 7,
  key: 8,
} as const;
export const fetch = {
  lfVersion: 1,
  contractId: 2,
  packageName: 3,
  templateId: 4,
  signatories: 5,
  stakeholders: 6,
  actingParties: 7,
  interfaceId: 8,
  key: 9,
  byKey: 10,
} as const;
export const exercise = {
  lfVersion: 1,
  contractId: 2,
  packageName: 3,
  templateId: 4,
  signatories: 5,
  stakeholders: 6,
  actingParties: 7,
  interfaceId: 8,
  choice: 9,
  argument: 10,
  consuming: 11,
  children: 12,
  result: 13,
  choiceObservers: 14,
  key: 15,
  byKey: 16,
} as const;
export const queryByKey = { lfVersion: 1, packageName: 2, templateId: 3, exhaustive: 4, key: 5, result: 6 } as const;
export const globalKey = { templateId: 1, packageName: 2, key: 3, hash: 4 } as const;

export const transaction = { version: 1, roots: 2, nodes: 3, nodeSeeds: 4 } as const;
/** The one version of nodes and of input contracts. */
export const nodeV1 = 1000;
export const inputContractV1 = 1;
export const inputContract = { createdAt: 1000, eventBlob: 1002 } as const;
export const metadata = {
  submitterInfo: 2,
  synchronizerId: 3,
  mediatorGroup: 4,
  transactionUuid: 5,
  preparationTime: 6,
  inputContracts: 7,
  minLedgerTime: 9,
  maxLedgerTime: 10,
  maxRecordTime: 11,
} as const;
