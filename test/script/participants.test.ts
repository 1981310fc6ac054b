/** Scripts that name participants: where the questions go. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { none, Some, type Value } from "../../src/lf/running-code.js";
import { MemoryLedger } from "../../src/script/memory/index.js";
import { ParticipantsLedger } from "../../src/script/participants.js";
import { type Ask, askOn, create, elements, model, parts, stopOf, submit } from "./harness.js";

const Plain = model.id("Plain");

/** Participants of these names, each a ledger of its own, beside a default one. */
const askParticipants = (names: readonly string[], hasDefault = true): Ask =>
  askOn((packages) => {
    const ledger = (seed: string): MemoryLedger => new MemoryLedger({ packages, mode: "NUCK", seed });
    return new ParticipantsLedger({
      default: hasDefault ? ledger("default") : undefined,
      named: new Map(names.map((name) => [name, ledger(name)])),
      parties: new Map(),
    });
  });

const allocate = (ask: Ask, hint: string, participant?: string): Promise<Value> =>
  ask("AllocateParty", ["", hint, participant === undefined ? none : new Some(participant)]);
const known = async (ask: Ask, participant: Value): Promise<readonly Value[]> =>
  elements(await ask("ListKnownParties", [participant])).map((each) => parts(each)[0]!);

test("script participants: who names one that nobody has gets the default one, and its parties act with others of it", async () => {
  const ask = askParticipants([]),
    alice = (await allocate(ask, "alice", "participant0")) as string,
    bob = (await allocate(ask, "bob", "participant1")) as string,
    carol = (await allocate(ask, "carol")) as string;
  assert.deepEqual(await known(ask, none), ["alice", "bob", "carol"]);
  const submitted = await submit(ask, { actAs: [alice, bob, carol], commands: [create(Plain, alice), create(Plain, bob)] });
  assert.equal(submitted.constructor_, "Right");
});

test("script participants: parties of different ones do not act together, and without a default one a name is needed", async () => {
  const ask = askParticipants(["one", "two"], false),
    alice = (await allocate(ask, "alice", "one")) as string,
    bob = (await allocate(ask, "bob", "two")) as string;
  assert.deepEqual(await known(ask, new Some("two")), ["bob"]);
  const messages: string[] = [];
  for (const asked of [
    submit(ask, { actAs: [alice, bob], commands: [create(Plain, alice)] }),
    allocate(ask, "carol"),
    ask("ListKnownParties", [new Some("three")]),
  ]) {
    const stopped = await stopOf(asked);
    messages.push(stopped.kind === "question" ? stopped.message : stopped.kind);
  }
  assert.deepEqual(messages, [
    "The parties are on different participants: alice on one, bob on two.",
    "No participant was named, and there is no default_participant.",
    "There is no participant three, and there is no default_participant.",
  ]);
});
