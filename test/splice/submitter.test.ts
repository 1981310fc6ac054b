/** Commands that the process submits itself. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { StaticClock } from "../../src/base/clock.js";
import { Submitter } from "../../src/splice/submitter.js";
import { submitted } from "../../src/splice/wallet/wallet-context.js";
import { failure, success } from "../ledger/support.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { temporaryFolder } from "../support/folders.js";
import { openLocalLedger, type LocalLedger } from "./local-ledger.js";

const module = new ModuleBuilder("Main"),
  noteId = module.id("Note");
const note = (self: (field: string) => ReturnType<typeof expr.variable>, reader: ReturnType<typeof expr.variable>) =>
  expr.create(noteId, expr.record(noteId, { author: self("author"), reader }));
module.template("Note", {
  fields: { author: type.party, reader: type.party },
  signatories: (self) => [self("author")],
  observers: (self) => [self("reader")],
  choices: {
    Pass: {
      fields: { to: type.party },
      returns: type.contractId(type.con(noteId)),
      controllers: (self) => [self("author")],
      update: (self, arg) => note(self, arg("to")),
    },
  },
});
const dar = buildDar(buildPackage({ name: "notes", version: "1.0.0", modules: [module] }));
const template = "#notes:Main:Note";

const folder = temporaryFolder();
let local: LocalLedger, submitter: Submitter, author: string, alice: string, bob: string;
before(async () => {
  local = await openLocalLedger(folder);
  submitter = new Submitter(local.ledger, { userId: "automation" });
  await local.upload(dar);
  [author, alice, bob] = await local.parties("author", "alice", "bob");
});
after(async () => {
  await local.close();
});

const create = (reader: string) => ({ CreateCommand: { templateId: template, createArguments: { author, reader } } });
const pass = (contractId: string, to: string) => ({
  ExerciseCommand: { templateId: template, contractId, choice: "Pass", choiceArgument: { to } },
});

describe("submitter", () => {
  it("what was created comes back with its blob; there is no result without an exercise", async () => {
    const { created, exerciseResult, offset } = success(
      await submitter.submit({ actAs: [author], commands: [create(alice), create(bob)] }),
    );
    assert.deepEqual(
      created.map(({ payload }) => payload),
      [
        { author, reader: alice },
        { author, reader: bob },
      ],
    );
    assert.ok(created.every(({ createdEventBlob }) => createdEventBlob.length > 0));
    assert.equal(exerciseResult, undefined);
    assert.equal(offset, local.ledger.ledgerEnd());
  });

  it("the result is that of the first exercise; contracts that did not stay are left out", async () => {
    const first = success(await submitter.submit({ actAs: [author], commands: [create(alice)] })).created[0]!;
    const passed = success(await submitter.submit({ actAs: [author], commands: [pass(first.contractId, bob)] }));
    assert.deepEqual(
      passed.created.map(({ contractId }) => contractId),
      [passed.exerciseResult],
    );
    const both = {
      CreateAndExerciseCommand: {
        templateId: template,
        createArguments: { author, reader: alice },
        choice: "Pass",
        choiceArgument: { to: bob },
      },
    };
    assert.equal(success(await submitter.submit({ actAs: [author], commands: [both] })).created.length, 1);
  });

  it("a fixed command id happens once; refusals are the ledger's", async () => {
    const once = { actAs: [author], commands: [create(alice)], commandId: "once" };
    success(await submitter.submit(once));
    assert.equal((await submitter.submit(once)).error?.code, "DUPLICATE_COMMAND");
    assert.equal((await submitter.submit({ ...once, userId: "somebody else" })).error?.code, "INVALID_FIELD");
    success(await submitter.submit({ ...once, userId: "wallet" }));
    assert.equal((await submitter.submit({ actAs: [alice], commands: [create(alice)] })).error?.code, "DAML_AUTHORIZATION_ERROR");
  });

  it("disclosed contracts are used by those who cannot see them", async () => {
    const { contractId, templateId, createdEventBlob } = success(await submitter.submit({ actAs: [author], commands: [create(author)] }))
      .created[0]!;
    const passing = { actAs: [alice], commands: [pass(contractId, bob)] };
    assert.equal((await submitter.submit(passing)).error?.code, "CONTRACT_NOT_FOUND");
    const disclosed = [{ contractId, templateId, createdEventBlob, synchronizerId: local.ledger.synchronizerId }];
    assert.equal((await submitter.submit({ ...passing, disclosed })).error?.code, "DAML_AUTHORIZATION_ERROR", "seen, but not hers");
  });

  it("of twins that are to happen once each hears what the first gave, though they come at once", async () => {
    const submission = { actAs: [author], commands: [create(alice)], commandId: "twins" },
      answers = await Promise.all(Array.from({ length: 4 }, () => submitter.submitOnce(submission)));
    const [first, ...others] = answers.map((answer) => success(answer));
    for (const other of others) assert.deepEqual(other, first);
  });

  it("what happened once is a duplicate when what it gave is pruned", async () => {
    const submission = { actAs: [author], commands: [create(alice)], commandId: "pruned" },
      { offset } = success(await submitter.submitOnce(submission));
    success(await submitter.submit({ actAs: [author], commands: [create(bob)] }));
    success(await local.ledger.prune(offset));
    assert.equal(failure(await submitter.submitOnce(submission)).code, "DUPLICATE_COMMAND");
  });

  it("a period is that of which nothing happens twice", async (t) => {
    const clock = new StaticClock(),
      still = await openLocalLedger(temporaryFolder(), { clock });
    t.after(() => still.close());
    await still.upload(dar);
    const [owner] = await still.parties("owner"),
      command = { CreateCommand: { templateId: template, createArguments: { author: owner, reader: owner } } },
      patient = new Submitter(still.ledger, { userId: "automation" });
    const once = async () =>
      success(await patient.submitOnce({ actAs: [owner], commands: [command], commandId: "again", deduplicationSeconds: 60 })).updateId;
    const first = await once(),
      begun = clock.nowMicros();
    clock.advanceTo(begun + 59_000_000n);
    assert.equal(await once(), first);
    clock.advanceTo(begun + 61_000_000n);
    assert.notEqual(await once(), first);
  });

  it("of what a wallet is asked for with an id nothing happens twice in a day, and again after it", async (t) => {
    const place = temporaryFolder(),
      clock = new StaticClock(),
      still = await openLocalLedger(place, { clock });
    t.after(async () => {
      await still.close();
    });
    await still.upload(dar);
    const [owner] = await still.parties("owner"),
      command = { CreateCommand: { templateId: template, createArguments: { author: owner, reader: owner } } };
    const once = async () =>
      success(
        await submitted(
          { submitter: new Submitter(still.ledger, { userId: "wallet" }) },
          { userId: "owner", party: owner },
          { actAs: [owner], commands: [command], commandId: "pay" },
        ),
      ).updateId;
    const first = await once(),
      dayMicros = 86_400_000_000n,
      begun = clock.nowMicros();
    clock.advanceTo(begun + dayMicros - 1_000_000n);
    assert.equal(await once(), first);
    clock.advanceTo(begun + dayMicros + 1_000_000n);
    assert.notEqual(await once(), first);
  });
});
