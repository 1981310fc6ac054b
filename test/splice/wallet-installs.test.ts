/** The contracts by which a validator's wallets are known on the ledger, on stand-ins of Amulet and the wallet's package. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Expr } from "../../src/lf/ast.js";
import { create, eventFormat, ofTemplate, World, type Json } from "../scenarios/world.js";
import { buildDar, buildPackage, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";
import { nothing } from "./economy-notation.js";
import { audience, secret, tokenOf } from "./real-network.js";
import { amuletDar } from "./stand-in-model.js";
import { names } from "./stand-in-world.js";

const operator = "ledger-api-user",
  template = "#splice-wallet:Splice.Wallet.Install:WalletAppInstall",
  validatorApi = "/api/validator/v0";

const right = "#splice-amulet:Splice.Amulet:ValidatorRight";

const installs = new ModuleBuilder("Splice.Wallet.Install");
const both = (self: FieldOfThis): readonly Expr[] => [self("endUserParty"), self("validatorParty")];
installs.template("WalletAppInstall", {
  fields: { dsoParty: type.party, validatorParty: type.party, endUserName: type.text, endUserParty: type.party },
  signatories: both,
  choices: { Archive: { fields: {}, returns: type.unit, controllers: both, update: () => nothing } },
});
const walletDar = buildDar(buildPackage({ name: "splice-wallet", version: "0.1.23", modules: [installs] }));

describe("wallet installs", () => {
  let world: World, validator: string;
  const ask = async (user: string, method: string, path: string, body?: Json): Promise<Json> => {
    const { status, text } = await world.client.request(method, path, body, { authorization: `Bearer ${tokenOf(user)}` });
    assert.equal(status, 200, `${method} ${path}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const onboard = async (name: string): Promise<string> =>
    (await ask("participant_admin", "POST", `${validatorApi}/admin/users`, { name })).party_id;
  const known = async (of = template): Promise<Json[]> => {
    const { offset: activeAtOffset } = await ask(operator, "GET", "/v2/state/ledger-end"),
      format = eventFormat({ parties: [validator], filters: [ofTemplate(of)] });
    const contracts = await ask(operator, "POST", "/v2/state/active-contracts", { activeAtOffset, eventFormat: format });
    return contracts.map(({ contractEntry }: Json) => contractEntry.JsActiveContract.createdEvent.createArgument);
  };

  before(async () => {
    world = await World.start([], ["--memory", "--auth", `hs256:${secret}`, "--auth-audience", audience]);
    for (const dar of [amuletDar("0.1.22"), walletDar]) await ask("participant_admin", "POST", "/v2/dars", dar);
    validator = await onboard(operator);
  });
  after(() => world.stop());

  it("before there is a network nobody has one", async () => {
    await onboard("early");
    assert.deepEqual(await known(), []);
  });

  it("whoever is onboarded has one, once; who came before the network has it when he comes again", async () => {
    const dso = await onboard("dso");
    await ask("dso", "POST", "/v2/commands/submit-and-wait", {
      commands: [create(names.rules, { dso, configSchedule: "", isDevNet: true })],
      commandId: "rules",
      actAs: [dso],
      userId: "dso",
    });
    const alice = await onboard("alice"),
      early = await onboard("early");
    await onboard("alice");
    const install = { dsoParty: dso, validatorParty: validator };
    assert.deepEqual(await known(), [
      { ...install, endUserName: "alice", endUserParty: alice },
      { ...install, endUserName: "early", endUserParty: early },
    ]);
  });

  it("the validator's user may act as whoever is onboarded, together with the validator", async () => {
    const erin = await onboard("erin"),
      install = { dsoParty: validator, validatorParty: validator, endUserName: "erin's second", endUserParty: erin };
    const { transaction } = await ask(operator, "POST", "/v2/commands/submit-and-wait-for-transaction", {
      commands: {
        commands: [{ CreateAndExerciseCommand: { templateId: template, createArguments: install, choice: "Archive", choiceArgument: {} } }],
        commandId: "for-erin",
        actAs: [erin, validator],
      },
    });
    assert.equal(transaction.commandId, "for-erin");
  });

  it("the validator's user may not act as a party whose last user was offboarded, nor read as it", async () => {
    const offboard = (name: string): Promise<Json> =>
      ask("participant_admin", "POST", `${validatorApi}/admin/users/offboard?username=${name}`);
    const rights = async (): Promise<string> => JSON.stringify(await ask("participant_admin", "GET", `/v2/users/${operator}/rights`));
    const erin = await onboard("erin"),
      canReadAs = { kind: { CanReadAs: { value: { party: erin } } } };
    await ask("participant_admin", "POST", `/v2/users/${operator}/rights`, {
      userId: operator,
      identityProviderId: "",
      rights: [canReadAs],
    });
    await ask("participant_admin", "POST", `${validatorApi}/admin/users`, { name: "erin-2", party_id: erin });
    await offboard("erin");
    assert.ok((await rights()).includes(erin), "it is another's yet");
    await offboard("erin-2");
    assert.ok(!(await rights()).includes(erin));
  });

  it("who is offboarded has none any more, and another when he comes back", async () => {
    await ask("participant_admin", "POST", `${validatorApi}/admin/users/offboard?username=alice`);
    const namesOf = async (): Promise<string[]> => (await known()).map(({ endUserName }) => endUserName);
    assert.deepEqual(await namesOf(), ["early"]);
    await onboard("alice");
    assert.deepEqual(await namesOf(), ["early", "alice"]);
  });

  it("with it the validator has the right to what his payments bring; the last of a party's wallets that goes takes it along", async () => {
    const usersOf = async (): Promise<string[]> => (await known(right)).map(({ user }) => user),
      dora = await onboard("dora");
    assert.equal((await usersOf()).filter((user) => user === dora).length, 1);
    await ask("participant_admin", "POST", `${validatorApi}/admin/users`, { name: "dora-2", party_id: dora });
    await onboard("dora");
    assert.equal((await usersOf()).filter((user) => user === dora).length, 1, "a party gives it once");
    const offboard = (name: string) =>
      ask("participant_admin", "POST", `${validatorApi}/admin/users/offboard?username=${encodeURIComponent(name)}`);
    await offboard("dora");
    assert.ok((await usersOf()).includes(dora), "it has another wallet");
    await offboard("dora-2");
    assert.ok(!(await usersOf()).includes(dora));
  });

  it("whoever is onboarded many times at once, by an admin and by himself, is there once, with one", async () => {
    const register = async (): Promise<string> => (await ask("carol", "POST", `${validatorApi}/register`, {})).party_id,
      parties = await Promise.all([register(), onboard("carol"), register(), onboard("carol"), register()]);
    assert.equal(new Set(parties).size, 1);
    assert.deepEqual(
      (await known()).filter(({ endUserName }) => endUserName === "carol").map(({ endUserParty }) => endUserParty),
      [parties[0]],
    );
  });

  it("of who is offboarded and onboarded at once neither or both are there: the user and his wallet", async () => {
    const offboard = (): Promise<Json> => ask("participant_admin", "POST", `${validatorApi}/admin/users/offboard?username=carol`);
    await Promise.all([offboard(), offboard(), onboard("carol"), offboard(), onboard("carol")]);
    const users = (await ask("participant_admin", "GET", `${validatorApi}/admin/users`)).usernames,
      wallets = (await known()).filter(({ endUserName }) => endUserName === "carol");
    assert.equal(wallets.length, users.includes("carol") ? 1 : 0);
    await Promise.all([offboard(), offboard()]);
    assert.deepEqual(
      (await known()).filter(({ endUserName }) => endUserName === "carol"),
      [],
    );
  });
});
