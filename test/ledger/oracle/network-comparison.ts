/**
 * Visibility in a network: every read operation at every door, after random transactions and reassignments, against what the door should
 * tell.
 */
import assert from "node:assert/strict";
import type { EventFormatRequest, Participant } from "../../../src/ledger/index.js";
import { verifyLedger } from "../../../src/ledger/keeping/index.js";
import { contractIdOf, drain, success, type Cleaner } from "../support.js";
import type { DoorLog } from "./door-log.js";
import { randomFormat } from "./formats.js";
import { startHostedNetwork, type HostedNetwork } from "./hosting.js";
import { NetworkPlay } from "./network-play.js";
import type { Json, Shape } from "./projection.js";
import { removeFolder } from "../../support/folders.js";
import { Random } from "../../support/random.js";

export const formatsEachDoor = 4;
const roundsEach = 60;

/* eslint-disable @typescript-eslint/no-explicit-any */
class DoorComparison {
  readonly #door: Participant;
  readonly #log: DoorLog;
  readonly #random: Random;
  readonly #names: readonly string[];
  readonly #numberOf: (synchronizerId: string) => number;

  constructor(
    door: Participant,
    log: DoorLog,
    random: Random,
    { names, synchronizers }: { readonly names: readonly string[]; readonly synchronizers: readonly string[] },
  ) {
    this.#door = door;
    this.#log = log;
    this.#random = random;
    this.#names = names;
    this.#numberOf = (id) => synchronizers.indexOf(id);
  }

  /** Without what the clock decides, and with numbers of synchronizers. */
  #plain(value: any): any {
    if (Array.isArray(value)) return value.map((one) => this.#plain(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        switch (name) {
          case "recordTime":
          case "effectiveAt":
          case "traceContext":
          case "externalTransactionHash":
          case "streamContinuationToken":
            return [];
          case "synchronizerId":
          case "source":
          case "target":
            return [[name, this.#numberOf(member as string)]];
          case "assignmentExclusivity":
            return [[name, member !== null]];
          default:
            return [[name, this.#plain(member)]];
        }
      }),
    );
  }

  #plainUpdate(update: any): any {
    const [kind, { value }] = Object.entries<any>(update)[0]!;
    return { [kind]: this.#plain(value) };
  }

  #formats(format: EventFormatRequest) {
    const shape: Shape = this.#random.chance(0.5) ? "acsDelta" : "ledgerEffects",
      which = this.#random.below(3);
    const transactions = which === 1 ? undefined : format,
      reassignments =
        which === 0 ? undefined : this.#random.chance(0.7) ? format : randomFormat(this.#random, Object.keys(format.filtersByParty));
    const request = {
      includeTransactions: transactions && { eventFormat: transactions, shape },
      includeReassignments: reassignments,
      includeTopologyEvents: undefined,
    };
    const expected = (begin: number, end: number): Json[] =>
      this.#log.updates
        .filter((update) => this.#log.offsetOf(update) > begin && this.#log.offsetOf(update) <= end)
        .flatMap<Json>((update) => this.#log.update(update, transactions, shape, reassignments) ?? []);
    return { request, expected, transactions, shape, reassignments };
  }

  async updates(format: EventFormatRequest): Promise<void> {
    const { request, expected } = this.#formats(format),
      end = this.#log.end,
      beginExclusive = this.#random.below(end + 1),
      endInclusive = beginExclusive + this.#random.below(end - beginExclusive + 1);
    if (endInclusive === 0) return;
    for (const descending of [false, true]) {
      const elements = await drain(
        this.#door.openUpdates({ beginExclusive, endInclusive, format: request, form: "update", descending }),
        1 + this.#random.below(20),
      );
      const wanted = expected(beginExclusive, endInclusive);
      assert.deepEqual(
        elements.map(({ update }) => this.#plainUpdate(update)),
        descending ? wanted.reverse() : wanted,
      );
    }
  }

  async pages(format: EventFormatRequest): Promise<void> {
    const { request, expected } = this.#formats(format),
      pageSize = 1 + this.#random.below(9),
      found: Json[] = [],
      end = this.#log.end;
    let pageToken: Uint8Array | undefined;
    do {
      const page = JSON.parse(
        Buffer.from(
          success(
            await this.#door.readUpdatesPage({
              beginExclusive: 0,
              endInclusive: end,
              pageSize,
              format: request,
              descending: false,
              pageToken,
            }),
          ),
        ).toString(),
      );
      found.push(...page.updates.map(({ update }: any) => this.#plainUpdate(update)));
      pageToken = page.nextPageToken === null ? undefined : Buffer.from(page.nextPageToken, "base64");
    } while (pageToken !== undefined);
    assert.deepEqual(found, expected(0, end));
  }

  async single(format: EventFormatRequest): Promise<void> {
    const { updates } = this.#log,
      { request, transactions, shape, reassignments } = this.#formats(format);
    for (const update of this.#random.some(updates, 0.1)) {
      const { offset, updateId } = update.transaction ?? update.reassignment,
        expected = this.#log.update(update, transactions, shape, reassignments);
      for (const by of [{ offset }, { updateId }]) {
        const read = await this.#door.readUpdate({ by, format: request, form: "update" });
        if (expected === undefined) assert.equal(read.error?.code, "UPDATE_NOT_FOUND");
        else assert.deepEqual(this.#plainUpdate(JSON.parse(success(read))), expected);
      }
    }
  }

  async contracts(format: EventFormatRequest): Promise<void> {
    const { end } = this.#log,
      between = this.#log.updates.flatMap(({ reassignment }) => (reassignment?.unassigned.length ? [reassignment.offset] : []));
    for (const offset of [0, end, this.#random.below(end + 1), ...this.#random.some(between, 0.2)]) await this.active(format, offset);
    for (const name of this.#random.some(this.#names, 0.2)) await this.eventsOfContract(format, name);
  }

  async eventsOfContract(format: EventFormatRequest, name: string, prunedTo = 0): Promise<void> {
    const read = await this.#door.readEventsByContractId(contractIdOf(name), format),
      expected = this.#log.eventsOfContract(format, name, prunedTo);
    if (expected === undefined) assert.equal(read.error?.code, "CONTRACT_EVENTS_NOT_FOUND", name);
    else assert.deepEqual(this.#plain(JSON.parse(success(read))), expected, name);
  }

  async active(format: EventFormatRequest, activeAtOffset: number): Promise<void> {
    const expected = this.#log.entries(format, activeAtOffset),
      pageSize = 1 + this.#random.below(9),
      paged: Json[] = [];
    const listed = await drain(this.#door.openActiveContracts({ activeAtOffset, format }), 1 + this.#random.below(20));
    assert.deepEqual(
      listed.map((entry) => this.#plain(entry)),
      expected,
      `active at ${activeAtOffset}`,
    );
    let pageToken: Uint8Array | undefined;
    do {
      const page = JSON.parse(
        Buffer.from(success(await this.#door.readActiveContractsPage({ activeAtOffset, pageSize, format, pageToken }))).toString(),
      );
      paged.push(...page.activeContracts.map((entry: any) => this.#plain(entry)));
      pageToken = page.nextPageToken === null ? undefined : Buffer.from(page.nextPageToken, "base64");
    } while (pageToken !== undefined);
    assert.deepEqual(paged, expected, `active at ${activeAtOffset} in pages of ${pageSize}`);
  }

  /** Whoever asks: those of other doors have no trace here. */
  async others(all: readonly string[]): Promise<void> {
    for (const name of this.#names) {
      const read = await this.#door.readContract(contractIdOf(name), []);
      assert.equal(read.error === undefined, this.#log.hasKnown(name), `contract ${name} by its id`);
    }
    const anybody: EventFormatRequest = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: false };
    const format = {
      includeTransactions: { eventFormat: anybody, shape: "ledgerEffects" as const },
      includeReassignments: anybody,
      includeTopologyEvents: undefined,
    };
    const own = new Set(this.#log.updates.map(({ transaction, reassignment }) => (transaction ?? reassignment).updateId));
    for (const updateId of all)
      assert.equal(
        (await this.#door.readUpdate({ by: { updateId }, format, form: "update" })).error === undefined,
        own.has(updateId),
        `update ${updateId} by its id`,
      );
  }

  async completions(parties: readonly string[]): Promise<void> {
    const asked = this.#random.several(parties),
      beginExclusive = this.#random.below(this.#log.end + 1);
    const read = (await drain(this.#door.openCompletions({ userId: "user", parties: asked, beginExclusive }))).flatMap(
      ({ completionResponse: { Completion } }) => (Completion ? [Completion.value] : []),
    );
    assert.deepEqual(
      read.map(({ offset, updateId, commandId, actAs, status }) => ({ offset, updateId, commandId, actAs, isAccepted: status.code === 0 })),
      this.#log.completions
        .filter(({ offset, actAs }) => offset > beginExclusive && actAs.some((party) => asked.includes(party)))
        .map(({ actAs, ...completion }) => ({
          ...completion,
          actAs: actAs.filter((party) => asked.includes(party)),
          isAccepted: completion.updateId !== "",
        })),
    );
  }
}

async function compareDoors(
  doors: readonly Participant[],
  { play, network, random }: { readonly play: NetworkPlay; readonly network: HostedNetwork; readonly random: Random },
  formats: number,
): Promise<void> {
  const parties = [...network.hosting.keys()],
    updateIds = [
      ...new Set(
        play.logs.flatMap(({ updates }) => updates.map(({ transaction, reassignment }) => (transaction ?? reassignment).updateId)),
      ),
    ];
  for (const [number, door] of doors.entries()) {
    const comparison = new DoorComparison(door, play.logs[number]!, random, { names: play.names, synchronizers: network.synchronizers });
    await comparison.others(updateIds);
    for (let count = 0; count < formats; count++) {
      const format = randomFormat(random, parties);
      for (const look of [comparison.updates, comparison.pages, comparison.single, comparison.contracts]) {
        try {
          await look.call(comparison, format);
        } catch (error) {
          (error as Error).message = `door ${number}, ${look.name} ${JSON.stringify(format)}: ${(error as Error).message}`;
          throw error;
        }
      }
      await comparison.completions(parties);
    }
  }
}

/** What pruning leaves is what is active, and on its way, from there on. */
async function comparePruned(
  doors: readonly Participant[],
  { play, network, random }: { readonly play: NetworkPlay; readonly network: HostedNetwork; readonly random: Random },
): Promise<void> {
  const number = random.below(doors.length),
    log = play.logs[number]!,
    door = doors[number]!,
    offsets = log.safeToPrune;
  if (offsets.length === 0) return;
  const pruned = random.one(offsets),
    comparison = new DoorComparison(door, log, random, { names: play.names, synchronizers: network.synchronizers });
  success(await door.prune(pruned));
  const format: EventFormatRequest = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: true };
  for (const offset of [pruned, log.end]) await comparison.active(format, offset);
  for (const name of play.names) await comparison.eventsOfContract(format, name, pruned);
}

/** Throws at the first difference; gives what was played. */
export async function compareNetwork(t: Cleaner, seed: number): Promise<Readonly<Record<string, number>>> {
  const random = new Random(seed),
    network = await startHostedNetwork(random),
    play = new NetworkPlay(network, random),
    parts = { play, network, random };
  let opened = network.opened,
    isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await opened.close();
    isOpen = false;
  };
  t.after(async () => {
    await close();
    removeFolder(opened.folder);
  });
  await play.run(roundsEach);
  await compareDoors(opened.network.participants, parts, formatsEachDoor);
  await close();
  opened = await network.again();
  isOpen = true;
  await compareDoors(opened.network.participants, parts, 1);
  await comparePruned(opened.network.participants, parts);
  await close();
  const report = await verifyLedger(opened.folder);
  assert.ok(report.sound, report.text);
  return play.counts;
}
