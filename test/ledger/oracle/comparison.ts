/** Visibility: random ledgers, random readers, every read operation, against the plainest projection. */
import assert from "node:assert/strict";
import type { EventFormatRequest } from "../../../src/ledger/index.js";
import { activeContracts, contractIdOf, drain, startLedger, success, updates, type Fixture, type Cleaner } from "../support.js";
import { randomFormat } from "./formats.js";
import { Play } from "./play.js";
import { activeAt, eventsOfContract, project, type Projected, type Shape } from "./projection.js";
import { Random } from "../../support/random.js";

export const formatsEach = 6;
const transactionsEach = 25;

/* eslint-disable @typescript-eslint/no-explicit-any */
/** Without what the clock decides. */
export const withoutTimes = ({
  recordTime,
  effectiveAt,
  synchronizerId,
  traceContext,
  externalTransactionHash,
  ...transaction
}: any): Projected => transaction;

class Comparison {
  readonly #end: number;
  constructor(
    readonly fixture: Fixture,
    readonly play: Play,
    readonly random: Random,
  ) {
    this.#end = fixture.ledger.ledgerEnd();
  }

  expected(format: EventFormatRequest, shape: Shape, begin: number, end: number): Projected[] {
    return this.play.transactions
      .filter(({ offset }) => offset > begin && offset <= end)
      .flatMap((transaction) => project(transaction, format, shape) ?? []);
  }

  async streams(format: EventFormatRequest): Promise<void> {
    const { ledger } = this.fixture;
    for (const shape of ["acsDelta", "ledgerEffects"] as const) {
      const begin = this.random.below(this.#end + 1),
        end = begin + this.random.below(this.#end - begin + 1),
        expected = this.expected(format, shape, begin, end);
      for (const descending of [false, true]) {
        if (end === 0) continue;
        const elements = await drain(
          ledger.openUpdates({ beginExclusive: begin, endInclusive: end, format: updates(format, shape), form: "update", descending }),
          1 + this.random.below(20),
        );
        assert.deepEqual(
          elements.map((element) => withoutTimes(element.update.Transaction.value)),
          descending ? [...expected].reverse() : expected,
          `${shape} ${begin}-${end} ${descending}`,
        );
      }
    }
    for (const shape of ["acsDelta", "ledgerEffects"] as const) await this.#trees(format, shape);
  }

  /** A tree has no place for archived events. */
  async #trees(format: EventFormatRequest, shape: Shape): Promise<void> {
    const trees = await drain(
      this.fixture.ledger.openUpdates({
        beginExclusive: 0,
        endInclusive: this.#end,
        format: updates(format, shape),
        form: "tree",
        descending: false,
      }),
    );
    assert.deepEqual(
      trees.map(
        ({
          update: {
            TransactionTree: { value },
          },
        }) => [value.offset, value.commandId, Object.values(value.eventsById).map((event: any) => Object.values(event as object)[0].value)],
      ),
      this.expected(format, shape, 0, this.#end).map((one) => [
        one.offset,
        one.commandId,
        one.events.filter((event) => event["ArchivedEvent"] === undefined).map((event) => Object.values(event)[0]),
      ]),
      `trees of ${shape}`,
    );
  }

  async pages(format: EventFormatRequest): Promise<void> {
    const { ledger } = this.fixture,
      pageSize = 1 + this.random.below(9),
      descending = this.random.chance(0.5),
      found: Projected[] = [];
    let pageToken: Uint8Array | undefined;
    do {
      const page = JSON.parse(
        Buffer.from(
          success(
            await ledger.readUpdatesPage({
              beginExclusive: 0,
              endInclusive: this.#end,
              pageSize,
              format: updates(format, "ledgerEffects"),
              descending,
              pageToken,
            }),
          ),
        ).toString(),
      );
      found.push(...page.updates.map((element: any) => withoutTimes(element.update.Transaction.value)));
      pageToken = page.nextPageToken === null ? undefined : Buffer.from(page.nextPageToken, "base64");
    } while (pageToken !== undefined);
    const expected = this.expected(format, "ledgerEffects", 0, this.#end);
    assert.deepEqual(found, descending ? expected.reverse() : expected, `pages of ${pageSize}`);
  }

  async single(format: EventFormatRequest): Promise<void> {
    const { ledger } = this.fixture;
    for (const shape of ["acsDelta", "ledgerEffects"] as const) {
      const transaction = this.random.one(this.play.transactions),
        expected = project(transaction, format, shape);
      for (const by of [{ offset: transaction.offset }, { updateId: transaction.updateId }]) {
        const read = await ledger.readUpdate({ by, format: updates(format, shape), form: "update" });
        if (expected === undefined) assert.equal(read.error?.code, "UPDATE_NOT_FOUND");
        else assert.deepEqual(withoutTimes(JSON.parse(success(read)).Transaction.value), expected);
      }
    }
    const rejected = this.play.rejected[0];
    if (rejected !== undefined)
      assert.equal(
        (await ledger.readUpdate({ by: { offset: rejected }, format: updates(format), form: "update" })).error?.code,
        "UPDATE_NOT_FOUND",
      );
  }

  async contracts(format: EventFormatRequest): Promise<void> {
    const { ledger } = this.fixture;
    const offsets = [0, this.#end, this.random.below(this.#end + 1), this.random.below(this.#end + 1)];
    for (const offset of offsets) {
      const expected = activeAt(this.play.transactions, format, offset);
      assert.deepEqual(await activeContracts(ledger, format, offset), expected, `active at ${offset}`);
      assert.deepEqual(await this.#activePages(format, offset), expected, `active at ${offset} in pages`);
      assert.deepEqual(
        expected.map((one) => one["contractId"]),
        this.#folded(format, offset),
        `deltas up to ${offset}`,
      );
    }
    for (const { name } of this.random.some([...this.play.contracts.values()], 0.1)) {
      const read = await ledger.readEventsByContractId(contractIdOf(name), format),
        expected = eventsOfContract(this.play.transactions, format, name);
      if (expected === undefined) assert.equal(read.error?.code, "CONTRACT_EVENTS_NOT_FOUND", name);
      else {
        const { created, archived } = JSON.parse(success(read));
        assert.deepEqual({ created: created.createdEvent, archived: archived?.archivedEvent ?? null }, expected, name);
      }
    }
  }

  async #activePages(format: EventFormatRequest, activeAtOffset: number): Promise<unknown[]> {
    const pageSize = 1 + this.random.below(9),
      found: unknown[] = [];
    let pageToken: Uint8Array | undefined;
    do {
      const page = JSON.parse(
        Buffer.from(success(await this.fixture.ledger.readActiveContractsPage({ activeAtOffset, pageSize, format, pageToken }))).toString(),
      );
      found.push(...page.activeContracts.map((entry: any) => entry.contractEntry.JsActiveContract.createdEvent));
      pageToken = page.nextPageToken === null ? undefined : Buffer.from(page.nextPageToken, "base64");
    } while (pageToken !== undefined);
    return found;
  }

  #folded(format: EventFormatRequest, offset: number): string[] {
    const active = new Set<string>();
    for (const event of this.expected(format, "acsDelta", 0, offset).flatMap(({ events }) => events)) {
      const created = event["CreatedEvent"] as any,
        archived = event["ArchivedEvent"] as any;
      if (created) active.add(created.contractId);
      else assert.ok(active.delete(archived.contractId), "an archive follows its create");
    }
    return [...active];
  }

  async completions(): Promise<void> {
    const { ledger, parties } = this.fixture,
      asked = this.random.several(Object.values(parties)),
      begin = this.random.below(this.#end + 1);
    const read = (await drain(ledger.openCompletions({ userId: "user", parties: asked, beginExclusive: begin }))).flatMap(
      ({ completionResponse: { Completion } }) => (Completion ? [Completion.value] : []),
    );
    const accepted = this.play.transactions.filter(
      ({ offset, submitters }) => offset > begin && submitters.some((party) => asked.includes(party)),
    );
    assert.deepEqual(
      read.filter(({ status }) => status.code === 0).map(({ offset, updateId, commandId, actAs }) => [offset, updateId, commandId, actAs]),
      accepted.map(({ offset, updateId, commandId, submitters }) => [
        offset,
        updateId,
        commandId,
        [...submitters].sort().filter((party) => asked.includes(party)),
      ]),
    );
    assert.ok(
      read
        .filter(({ status }) => status.code !== 0)
        .every(({ offset, updateId }) => this.play.rejected.includes(offset) && updateId === ""),
    );
  }
}

/** Throws at the first difference; gives how many transactions it went through. */
export async function compareVisibility(t: Cleaner, seed: number): Promise<number> {
  const fixture = await startLedger(t),
    random = new Random(seed),
    parties = Object.values(fixture.parties),
    play = new Play(fixture, random, parties);
  await play.run(transactionsEach);
  const comparison = new Comparison(fixture, play, random);
  for (let count = 0; count < formatsEach; count++) {
    const format = randomFormat(random, parties);
    for (const look of [comparison.streams, comparison.pages, comparison.single, comparison.contracts]) {
      try {
        await look.call(comparison, format);
      } catch (error) {
        (error as Error).message = `${look.name} ${JSON.stringify(format)}: ${(error as Error).message}`;
        throw error;
      }
    }
    await comparison.completions();
  }
  return play.transactions.length;
}
