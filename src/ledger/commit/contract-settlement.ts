/** Brings the index of contracts by their ids up to what commits changed of them: what waits becomes a run, part by part. */
import { Exclusive } from "../../base/exclusive.js";
import type { Result } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import type { ChangedContract, ContractIndex, ContractState } from "../records/index.js";
import { encodeSettledContracts, settledContractsKey } from "../records/index.js";
import type { LedgerErrorData, Offset } from "../model/index.js";
import { bucketsFor, entryBytes, PieceWriter, type Run, type RunList, type RunSizes, withBegun, withRun } from "../runs/index.js";
import type { CommitGroup } from "./commit-group.js";
import type { CommitOptions } from "./commit.js";
import { ContractMerging, type ContractRunSizes, usualSizes } from "./contract-merging.js";
import { type LatePart, type LateTable, type Settled, Settlement, type SettlementContext } from "./settlement.js";

export interface ContractSettlementContext extends SettlementContext {
  readonly tables: Pick<Tables, "contractChanges">;
  readonly contracts: ContractIndex;
  readonly turns: Turns;
  readonly unsettledMax: number;
  readonly sizes?: ContractRunSizes | undefined;
}

/** Each part is a piece of the run. */
class LateContracts implements LateTable<ChangedContract> {
  readonly what = "changes of contracts";
  readonly digitsFrom: number;
  readonly waitingMax: number;
  readonly #contracts: ContractIndex;
  readonly #sizes: RunSizes;
  /** Under way, as far as it is written. */
  #run: Run | undefined;
  /** As the open commit leaves it. */
  #list: RunList;

  constructor({ contracts, unsettledMax }: ContractSettlementContext, sizes: RunSizes) {
    this.#contracts = contracts;
    this.#sizes = sizes;
    this.#list = contracts.runs.list;
    this.waitingMax = unsettledMax;
    this.digitsFrom = 2 * contracts.runs.kind.hashAt;
  }

  get waiting(): ReadonlyMap<string, ChangedContract> {
    return this.#contracts.unsettled;
  }

  write(group: CommitGroup, part: LatePart<ChangedContract>): void {
    if (part.index === 0) this.#begin(group, part);
    if (this.#run === undefined) return;
    const { kind } = this.#contracts.runs,
      { batch, tables, writer } = group,
      { number } = this.#run;
    const piece = new PieceWriter<ContractState>(this.#run, kind, writer);
    for (const { key, value } of part.entries) piece.write(key, value.state);
    const { records, entries, bytes } = piece.finish(part.index);
    for (const { part: place, record } of records) batch.insert(tables.contractRuns, { run: number, part: place }, record);
    this.#run = { ...this.#run, entries: this.#run.entries + entries, bytes: this.#run.bytes + bytes };
  }

  /** Where nothing waits there is no run. */
  #begin(group: CommitGroup, { of: parts, settledTo }: LatePart<ChangedContract>): void {
    const { list, kind } = this.#contracts.runs;
    let bytes = 0;
    for (const entries of parts) for (const { key, value } of entries) bytes += entryBytes(key, value.state, kind);
    this.#list = list;
    this.#run = undefined;
    if (bytes === 0) return;
    const bucketsPerPiece = bucketsFor(bytes / parts.length, this.#sizes.bucketBytes),
      buckets = bucketsPerPiece * parts.length;
    this.#run = { number: list.next, buckets, bucketsPerPiece, level: 0, to: settledTo, entries: 0, bytes: 0 };
    this.#list = withBegun(list);
    this.#tell(group, this.#contracts.settledTo);
  }

  #tell({ batch, tables, writer }: CommitGroup, settledTo: Offset): void {
    batch.put(tables.state, settledContractsKey, encodeSettledContracts(writer, settledTo, this.#list));
  }

  /** The tail behind which the index was before. */
  besides({ batch, tables }: CommitGroup): void {
    const start = { offset: 0, nodeId: 0 },
      end = { offset: this.#contracts.settledTo + 1, nodeId: 0 };
    for (const key of tables.contractChanges.keys({ start, end, limit: limits.contractChangesClearedPerCommit }))
      batch.remove(tables.contractChanges, key);
  }

  writeSettledTo(group: CommitGroup, offset: Offset): void {
    if (this.#run !== undefined) this.#list = withRun(this.#list, this.#run);
    this.#tell(group, offset);
  }

  written(): void {
    const { runs } = this.#contracts;
    if (runs.list !== this.#list) runs.adopt(this.#list);
  }

  settled(entries: Iterable<Settled<ChangedContract>>, settledTo: Offset): void {
    for (const { key, value } of entries) this.#contracts.settled(key, value);
    this.#contracts.settledUpTo(settledTo);
  }
}

/** One of both at a time: whoever writes to the runs knows the list that is there. */
export class ContractSettlement {
  readonly #settlement: Settlement<ChangedContract>;
  readonly #merging: ContractMerging;

  constructor(context: ContractSettlementContext) {
    const { contracts, sizes = usualSizes } = context,
      one = new Exclusive();
    this.#settlement = new Settlement(context, new LateContracts(context, sizes), contracts.settledTo, one);
    this.#merging = new ContractMerging(context, sizes, one);
    contracts.onChanged((changes) => {
      this.#settlement.look();
      this.#merging.goOn(changes);
    });
  }

  settleTo(offset: Offset, options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    return this.#settlement.settleTo(offset, options);
  }

  async close(): Promise<void> {
    await this.#merging.close();
    await this.#settlement.close();
  }
}

export const contractSettlement = (context: ContractSettlementContext): ContractSettlement => new ContractSettlement(context);
