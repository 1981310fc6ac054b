/**
 * Eight competitors for one contract at once, over all ways to use it up: exactly one wins, and the others are told definitely that they
 * did not.
 */
import assert from "node:assert/strict";
import { Random } from "../../support/random.js";
import { storyDar, storyTemplate } from "../../scenarios/story-model.js";
import { create, eventsOf, exercise, World, type Json } from "../../scenarios/world.js";
import type { Reply } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";
import { readLog } from "./read-log.js";

const note = storyTemplate("Note"),
  delegation = storyTemplate("Delegation");
const competitors = 8,
  lanes = 8;

/** How a command that lost a race may end: it never ran, and trying again is no use. */
export const lost: ReadonlySet<string> = new Set([
  "CONTRACT_NOT_FOUND",
  "CONTRACT_NOT_ACTIVE",
  "LOCAL_VERDICT_LOCKED_CONTRACTS",
  "LOCAL_VERDICT_INACTIVE_CONTRACTS",
]);

class Competition {
  readonly #wonAt = new Map<string, number>();

  private constructor(
    private readonly world: World,
    private readonly play: Play,
    private readonly alice: string,
    private readonly bob: string,
    private readonly delegated: string,
  ) {}

  static async begin(world: World, play: Play): Promise<Competition> {
    const [alice, bob] = await world.parties("alice", "bob");
    const { contractId } = await world.create([alice], delegation, { owner: alice, delegate: bob });
    return new Competition(world, play, alice, bob, contractId);
  }

  #ways(created: Json): readonly (() => Promise<Reply>)[] {
    const { world, alice, bob, delegated } = this,
      { contractId, templateId, createdEventBlob } = created;
    const disclosedContracts = [{ contractId, templateId, createdEventBlob, synchronizerId: "" }],
      discard = exercise(note, contractId, "Discard");
    const byDelegate = exercise(delegation, delegated, "DiscardNote", { note: contractId });
    return [
      () => world.submit([alice], [discard]),
      () => world.submit([alice], [exercise(note, contractId, "Touch"), discard]),
      () => world.submit([bob], [exercise(note, contractId, "TakeAway")]),
      () => world.submit([bob], [byDelegate], { disclosedContracts }),
      () => world.submit([bob], [byDelegate], { readAs: [alice] }),
      () => world.submit([alice], [create(note, this.#noteText()), discard]),
      () => world.submit([alice], [discard], { disclosedContracts }),
    ];
  }

  #noteText = (): Json => ({ owner: this.alice, reader: this.bob, text: "note" });

  async compete(seed: number): Promise<void> {
    const random = new Random(seed),
      created = await this.world.create([this.alice], note, this.#noteText()),
      ways = this.#ways(created);
    const replies = await Promise.all(Array.from({ length: competitors }, () => random.one(ways)()));
    const winners = replies.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1, replies.map(({ text }) => text).join("\n"));
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      assert.ok(lost.has(reply.json().code), reply.text);
      this.play.count(reply.json().code);
    }
    this.#wonAt.set(created.contractId, winners[0]!.json().completionOffset);
    this.play.count("won");
  }

  /** The log has one archive of each, where its winner was told. */
  async checkLog(): Promise<void> {
    const archivedAt = new Map<string, number[]>();
    for (const transaction of await readLog(this.world, 0, [this.alice]))
      for (const { kind, consuming, contractId } of eventsOf(transaction))
        if (kind === "exercised" && consuming) archivedAt.set(contractId, [...(archivedAt.get(contractId) ?? []), transaction.offset]);
    for (const [contractId, offset] of this.#wonAt) assert.deepEqual(archivedAt.get(contractId), [offset], contractId);
  }
}

export const doubleSpend: Scenario = {
  name: "double-spend",
  unit: "contracts",
  sizes: { test: 40, ci: 500, night: 50_000 },
  holds: `of ${competitors} competitors for a contract exactly one wins, and the log says so, too`,
  async run(play) {
    const world = await World.start([storyDar], ["--memory", "--workers", "2"]);
    play.after(() => world.node.stop("SIGKILL"));
    const competition = await Competition.begin(world, play);
    await play.cases((seed) => competition.compete(seed), lanes);
    await competition.checkLog();
    await world.stop();
  },
};
