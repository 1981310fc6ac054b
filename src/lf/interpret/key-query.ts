/** Contract keys (LF 2.3): they are not unique, a query gives contracts in a fixed order. */
import { assert } from "../../base/assert.js";
import { showId } from "../ast.js";
import { fatal, type FatalError } from "../errors.js";
import type { CompiledPackages } from "../runtime/index.js";
import type { Allowance } from "../conversion/index.js";
import type { KeyWithMaintainers } from "../transaction/index.js";
import { type Int64, ContractId, type RecordValue, type Value } from "../value/index.js";
import { keyWithMaintainers } from "./contract-info.js";
import { type ContractState, type GlobalKey, keyDetail } from "./contract-state.js";
import type { Contracts } from "./contracts.js";
import type { TemplateDefinition } from "./definitions.js";
import { uncatchable } from "./exceptions.js";
import type { PartialTransaction } from "./partial-transaction.js";

export interface KeyQuery {
  readonly template: TemplateDefinition;
  readonly key: Value;
  /** As asked for; a query may ask for any. */
  readonly count: Int64;
  /** Queries stand in the transaction and need the maintainers' authority; by-key fetches and exercises do not. */
  readonly recorded: boolean;
}

export interface QueriedKey {
  readonly contracts: readonly { readonly contractId: ContractId; readonly payload: RecordValue }[];
  notFound(): FatalError;
}

interface KeyRun {
  readonly compiled: CompiledPackages;
  readonly state: ContractState;
  readonly contracts: Contracts;
  readonly transaction: PartialTransaction;
  readonly allowance: Allowance;
}

function evaluatedKey({ compiled, allowance }: KeyRun, template: TemplateDefinition, key: Value): KeyWithMaintainers {
  if (template.key === undefined) assert(false, `${showId(template.id)} has a key`);
  try {
    return keyWithMaintainers(template, template.key, key, allowance);
  } catch (error) {
    throw uncatchable(compiled, error);
  }
}

export function queryByKey(run: KeyRun, { template, key, count, recorded }: KeyQuery): QueriedKey {
  const withMaintainers = evaluatedKey(run, template, key);
  const { maintainers } = withMaintainers;
  const contractsMax = checkedCount(count);
  const { packageName } = template.compiled;
  const globalKey: GlobalKey = { templateId: template.id, packageName, key: withMaintainers.key, hash: withMaintainers.hash };
  if (maintainers.length === 0) throw noMaintainers(globalKey);
  if (recorded) run.transaction.authorizeQueryByKey(globalKey, maintainers);
  const { contractIds, exhaustive } = run.state.queryByKey(globalKey, contractsMax, () => run.contracts.withKey(globalKey));
  const contracts = contractIds.map((hex) => ({ contractId: new ContractId(hex), payload: run.contracts.fetch(template, hex).payload }));
  if (recorded) {
    run.transaction.queryByKey({
      kind: "queryByKey",
      packageName,
      templateId: template.id,
      key: withMaintainers,
      result: contractIds,
      exhaustive,
      version: "2",
    });
  }
  return { contracts, notFound: () => keyNotFound(globalKey) };
}

/** The reference caps the count at a million; below one it crashes, after it asked for the maintainers and before it looks at them. */
function checkedCount(count: Int64): number {
  if (count < 1) throw fatal("Internal", `a query by key asked for ${count} contracts; it needs a positive number`);
  return count > 1_000_000 ? 1_000_000 : Number(count);
}

const keyNotFound = (key: GlobalKey) =>
  fatal("ContractKeyNotFound", `no contract of ${showId(key.templateId)} with this key could be found`, { key: keyDetail(key) });

const noMaintainers = (key: GlobalKey) =>
  fatal("FetchEmptyContractKeyMaintainers", `a contract key of ${showId(key.templateId)} has no maintainers`, {
    templateId: showId(key.templateId),
    key: key.key,
    packageName: key.packageName,
  });
