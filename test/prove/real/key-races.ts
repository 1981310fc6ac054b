/**
 * Clients that write, use, replace, close and look for contracts of the same few keys at once. The log gives the order in which their
 * commands took effect: each has to have found what the commands before it left, and each refusal has to have been true at some moment
 * between the call and its answer.
 */
import assert from "node:assert/strict";
import { Random } from "../../support/random.js";
import { keyedDar, keyedTemplate } from "../../scenarios/keyed-model.js";
import { create, eventsOf, exercise, exerciseByKey, World, type Command, type Json } from "../../scenarios/world.js";
import type { Play, Scenario } from "../scenario.js";
import { lost } from "./double-spend.js";
import { readLog } from "./read-log.js";

const named = keyedTemplate("Named"),
  delegation = keyedTemplate("Delegation");
const keys = ["one", "two", "three"],
  lanes = 16;

interface Call {
  readonly command: string;
  readonly key: string;
  /** As many contracts as there have to be. */
  readonly needs: number;
  /** Whether what it uses is the newest with the key, or its answer tells whether there is one. */
  readonly finds: "nothing" | "newest" | "whether";
  readonly beganAt: number;
  readonly endedAt: number;
  /** Offset, or the code of its refusal. */
  readonly outcome: number | string;
}

/** Of the contracts with a key, newest first, from an offset on. */
interface KeyState {
  readonly offset: number;
  readonly count: number;
}

/** The highest offset among the marks before an instant. */
class Horizon {
  readonly #marks: { readonly at: number; readonly offset: number }[] = [];
  constructor(marks: readonly { readonly at: number; readonly offset: number }[], least: number) {
    let most = least;
    for (const { at, offset } of [...marks].sort((left, right) => left.at - right.at))
      this.#marks.push({ at, offset: (most = Math.max(most, offset)) });
    this.least = least;
  }
  private readonly least: number;

  before(instant: number): number {
    let low = 0;
    for (let high = this.#marks.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.#marks[middle]!.at < instant) low = middle + 1;
      else high = middle;
    }
    return this.#marks[low - 1]?.offset ?? this.least;
  }
}

class KeyRaces {
  readonly #calls: Call[] = [];
  #instant = 0;

  private constructor(
    private readonly world: World,
    private readonly play: Play,
    private readonly alice: string,
    private readonly bob: string,
    private readonly delegated: string,
    private readonly begin: number,
  ) {}

  static async begin(world: World, play: Play): Promise<KeyRaces> {
    const [alice, bob] = await world.parties("alice", "bob");
    const { contractId } = await world.create([alice], delegation, { owner: alice, delegate: bob });
    return new KeyRaces(world, play, alice, bob, contractId, await world.ledgerEnd());
  }

  #ways(key: string): readonly (Pick<Call, "needs" | "finds"> & { readonly commands: readonly Command[] })[] {
    const ofKey = { owner: this.alice, name: key };
    const write = create(named, ofKey),
      close = exerciseByKey(named, ofKey, "Close"),
      greet = exerciseByKey(named, ofKey, "Greet", { by: this.alice });
    const ask = (choice: string): Command => exercise(delegation, this.delegated, choice, { name: key });
    return [
      { commands: [write], needs: 0, finds: "nothing" },
      { commands: [write], needs: 0, finds: "nothing" },
      { commands: [greet], needs: 1, finds: "newest" },
      { commands: [close], needs: 1, finds: "newest" },
      { commands: [close, write], needs: 1, finds: "newest" },
      { commands: [close, close], needs: 2, finds: "newest" },
      { commands: [ask("FindByName")], needs: 0, finds: "whether" },
      { commands: [ask("FetchByName")], needs: 1, finds: "nothing" },
    ];
  }

  async call(seed: number): Promise<void> {
    const random = new Random(seed),
      key = random.one(keys),
      command = `key-${seed}-${this.#instant}`,
      { commands, needs, finds } = random.one(this.#ways(key));
    const beganAt = ++this.#instant,
      { status, text } = await this.world.submit([this.alice, this.bob], commands, { commandId: command });
    const answer = JSON.parse(text) as Json,
      outcome: number | string = status === 200 ? answer.completionOffset : answer.code;
    this.#calls.push({ command, key, needs, finds, beganAt, endedAt: ++this.#instant, outcome });
    this.play.count(status === 200 ? "took effect" : answer.code);
  }

  async check(): Promise<void> {
    const log = await readLog(this.world, this.begin, [this.alice, this.bob]),
      calls = new Map(this.#calls.map((call) => [call.command, call]));
    const accepted = this.#calls.filter(({ outcome }) => typeof outcome === "number");
    assert.deepEqual(
      log.map(({ offset, commandId }) => [offset, commandId]),
      accepted.map(({ outcome, command }) => [outcome, command]).sort(([left], [right]) => Number(left) - Number(right)),
      "what took effect is what was acknowledged, where it was",
    );
    const states = this.#replay(log, calls);
    const told = new Horizon(
        accepted.map(({ endedAt, outcome }) => ({ at: endedAt, offset: outcome as number })),
        this.begin,
      ),
      begun = new Horizon(
        accepted.map(({ beganAt, outcome }) => ({ at: beganAt, offset: outcome as number })),
        this.begin,
      );
    for (const { outcome, beganAt, command } of this.#calls) {
      if (typeof outcome === "number") assert.ok(outcome > told.before(beganAt), `${command} comes behind what was told before it began`);
    }
    for (const call of this.#calls.filter(({ outcome }) => typeof outcome === "string"))
      isTrue(call, states.get(call.key)!, { from: told.before(call.beganAt), to: begun.before(call.endedAt) });
  }

  /** Each command has found what those before it left. */
  #replay(log: readonly Json[], calls: ReadonlyMap<string, Call>): ReadonlyMap<string, readonly KeyState[]> {
    const there = new Map<string, string[]>(keys.map((key) => [key, []])),
      states = new Map<string, KeyState[]>(keys.map((key) => [key, [{ offset: this.begin, count: 0 }]]));
    for (const { offset, commandId, events } of log) {
      const { key, needs, finds } = calls.get(commandId)!,
        contracts = there.get(key)!;
      assert.ok(contracts.length >= needs, `${commandId} found what was not there`);
      for (const { kind, templateId, contractId, consuming, exerciseResult } of eventsOf({ events })) {
        if (kind === "created") contracts.unshift(contractId);
        else if (!templateId.endsWith(":Named")) {
          if (finds === "whether") assert.equal(exerciseResult, contracts.length > 0, `${commandId} looked for ${key}`);
        } else {
          if (finds === "newest") assert.equal(contractId, contracts[0], `${commandId} used the newest of ${key}`);
          if (consuming) contracts.splice(contracts.indexOf(contractId), 1);
        }
      }
      states.get(key)!.push({ offset, count: contracts.length });
    }
    return states;
  }
}

/** Whether a refusal was true at some offset that the call may have seen. */
function isTrue(
  { command, outcome, needs }: Call,
  states: readonly KeyState[],
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const last = states.findLastIndex(({ offset }) => offset <= from),
    seen = states.slice(last).filter(({ offset }) => offset <= Math.max(from, to));
  if (outcome === "CONTRACT_KEY_NOT_FOUND")
    assert.ok(
      seen.some(({ count }) => count < needs),
      `${command} was told that there is none, which was never so between ${from} and ${to}`,
    );
  else {
    assert.ok(refusals.has(String(outcome)), `${command}: ${outcome}`);
    assert.ok(seen.length > 1, `${command} was told ${outcome}, but nobody changed its key between ${from} and ${to}`);
  }
}

/** Of who lost what he had found. */
const refusals: ReadonlySet<string> = new Set([...lost, "INCONSISTENT_CONTRACT_KEY"]);

export const keyRaces: Scenario = {
  name: "key-races",
  unit: "commands",
  sizes: { test: 300, ci: 3_000, night: 100_000 },
  holds: `${lanes} clients that write, use, close and look for contracts of the same keys at once find what some order of theirs gives`,
  async run(play) {
    const world = await World.start([keyedDar], ["--memory", "--workers", "2"]);
    play.after(() => world.node.stop("SIGKILL"));
    const races = await KeyRaces.begin(world, play);
    await play.cases((seed) => races.call(seed), lanes);
    await races.check();
    await world.stop();
  },
};
