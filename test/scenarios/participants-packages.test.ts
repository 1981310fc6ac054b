/** Which versions of packages a command is given whose parties are at several participants, which vet different ones. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ExternalParty, prepareReply } from "../external/external-world.js";
import { buildDar, buildPackage, ModuleBuilder, type } from "../support/lf-builder.js";
import { startNetwork, type Neighbours } from "./neighbours.js";
import { create, eventsOf, type Command, type Json, type World } from "./world.js";

/** Version 1.1.0 has a note. */
function modelOf(name: string, version: string): ReturnType<typeof buildPackage> {
  const main = new ModuleBuilder("Main"),
    note = version === "1.0.0" ? {} : { note: type.optional(type.text) };
  main.template("Doc", {
    fields: { issuer: type.party, owner: type.party, ...note },
    signatories: (self) => [self("issuer")],
    observers: (self) => [self("owner")],
  });
  return buildPackage({ name, version, modules: [main] });
}
const [papers1, papers2] = [modelOf("papers", "1.0.0"), modelOf("papers", "1.1.0")] as const,
  [own1, own2] = [modelOf("own", "1.0.0"), modelOf("own", "1.1.0")] as const,
  lone = modelOf("lone", "1.0.0"),
  versions = { papers1, papers2, own1, own2, lone };

let network: Neighbours, first: World, second: World;
/** Of the first and of the second. */
let alice: string, bob: string;
before(async () => {
  network = await startNetwork([buildDar(papers1), buildDar(own1)]);
  ({ first, second } = network);
  for (const archive of [papers2, own2, lone]) await first.upload(buildDar(archive));
  [alice] = await first.parties("alice");
  [bob] = await second.parties("bob");
});
after(() => network.stop());

const doc = (name: string, owner = alice, more: Json = {}): Command => create(`#${name}:Main:Doc`, { issuer: alice, owner, ...more });
const used = async (commands: readonly Command[], more: Json = {}): Promise<readonly string[]> =>
  eventsOf(await first.transact([alice], commands, more)).map(({ templateId }) => {
    const id = templateId.split(":")[0];
    return Object.entries(versions).find(([, archive]) => archive.id === id)?.[0] ?? id;
  });
const codeOf = async (commands: readonly Command[], more: Json = {}): Promise<string> =>
  (await first.refused([alice], commands, more)).code;

describe("participants: which version a name is given", () => {
  it("one that all have vetted who see something of it; others have no say", async () => {
    const forBob = doc("papers", bob);
    assert.deepEqual(await used([doc("papers")]), ["papers2"]);
    assert.deepEqual(await used([forBob]), ["papers1"]);
    assert.deepEqual(await used([forBob, doc("own", alice, { note: "for alice alone" })]), ["papers1", "own2"]);
    assert.deepEqual(await used([forBob, doc("lone")]), ["papers1", "lone"]);
    assert.deepEqual(await used([forBob, doc("own"), doc("own", bob)]), ["papers1", "own1", "own1"]);
    assert.equal(await codeOf([forBob, doc("lone", bob)]), "PACKAGE_SELECTION_FAILED");
  });

  it("values are read by what who acts first has vetted: what does not fit the version of all is found when the command runs", async () => {
    const withNote = [doc("papers", bob, { note: "for bob" })],
      prepared = await prepareReply(first, [alice], withNote);
    assert.deepEqual([await codeOf(withNote), prepared.json().code], ["COMMAND_PREPROCESSING_FAILED", "COMMAND_PREPROCESSING_FAILED"]);
  });

  it("as of a command that is only prepared", async () => {
    const prepared = await prepareReply(first, [alice], [doc("papers", bob)]);
    assert.equal(prepared.status, 200, prepared.text);
    const bytes = Buffer.from(prepared.json().preparedTransaction, "base64").toString("latin1");
    assert.deepEqual(
      [papers1, papers2].map(({ id }) => bytes.includes(id)),
      [true, false],
    );
  });

  it("a try that shows who else sees something of it is one of those that the command allows", async () => {
    for (const tapsMaxPasses of [1, 2]) {
      const more = { tapsMaxPasses },
        prepared = await prepareReply(first, [alice], [doc("papers", bob)], more);
      if (tapsMaxPasses === 2) assert.deepEqual([await used([doc("papers", bob)], more), prepared.status], [["papers1"], 200]);
      else
        assert.deepEqual(
          [await codeOf([doc("papers", bob)], more), prepared.json().code],
          ["NO_SYNCHRONIZER_FOR_SUBMISSION", "NO_SYNCHRONIZER_FOR_SUBMISSION"],
        );
    }
  });

  it("all who host who acts first have a say from the first try on", async () => {
    const { party } = await ExternalParty.onboardAt([first, second], "both", 1),
      prepareDoc = (name: string): ReturnType<typeof prepareReply> =>
        prepareReply(first, [party], [create(`#${name}:Main:Doc`, { issuer: party, owner: party })], { tapsMaxPasses: 1 });
    assert.equal((await prepareDoc("papers")).status, 200);
    assert.equal((await prepareDoc("lone")).json().code, "JSON_API_PACKAGE_SELECTION_FAILED");
  });
});
