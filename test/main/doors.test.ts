import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Client, type NodeProcess, startNodeProcess } from "../support/node-process.js";
import { temporaryFolder } from "../support/folders.js";

interface Doors {
  readonly node: NodeProcess;
  readonly doors: Readonly<Record<"sandbox" | "pebblebox", Client>>;
}

async function startDoors(t: TestContext, folder: string, more: readonly string[] = []): Promise<Doors> {
  const file = join(folder, "ports");
  const node = await startNodeProcess([
    "--data",
    join(folder, "data"),
    "--port-file",
    file,
    "--participant-name",
    "sandbox",
    "--participant",
    "pebblebox=0",
    ...more,
  ]);
  const [own, other] = readFileSync(file, "utf8").split("\n"),
    port = /^pebblebox=(\d+)$/.exec(other!)?.[1];
  assert.equal(Number(own), node.port);
  const doors = { sandbox: new Client(node.port), pebblebox: new Client(Number(port)) };
  t.after(async () => {
    for (const door of Object.values(doors)) door.close();
    await node.stop();
  });
  return { node, doors };
}

const allocate = async (door: Client, partyIdHint: string): Promise<string> =>
  (await door.post("/v2/parties", { partyIdHint })).json().partyDetails.party;
const listed = async (door: Client): Promise<Record<string, boolean>> =>
  Object.fromEntries(
    (await door.get("/v2/parties"))
      .json()
      .partyDetails.map(({ party, isLocal }: { party: string; isLocal: boolean }) => [party.split("::")[0], isLocal]),
  );

describe("doors", () => {
  it("each is a whole server with a participant id, users and parties of its own", async (t) => {
    const {
      doors: { sandbox, pebblebox },
    } = await startDoors(t, temporaryFolder());
    const ids = await Promise.all(
      [sandbox, pebblebox].map(async (door) => (await door.get("/v2/parties/participant-id")).json().participantId),
    );
    assert.deepEqual(
      ids.map((id: string) => id.split("::")[0]),
      ["sandbox", "pebblebox"],
    );
    assert.notEqual(ids[0].split("::")[1], ids[1].split("::")[1]);
    await allocate(sandbox, "alice");
    const bob = await allocate(pebblebox, "bob");
    assert.deepEqual(await listed(sandbox), { alice: true, bob: false, pebblebox: false, sandbox: true });
    assert.deepEqual(await listed(pebblebox), { alice: false, bob: true, pebblebox: true, sandbox: false });
    await sandbox.post("/v2/users", { user: { id: "ann", primaryParty: "", isDeactivated: false, identityProviderId: "" }, rights: [] });
    assert.deepEqual([(await sandbox.get("/v2/users/ann")).status, (await pebblebox.get("/v2/users/ann")).status], [200, 404]);
    const connected = async (door: Client) =>
      (await door.get(`/v2/state/connected-synchronizers?party=${encodeURIComponent(bob)}`)).json().connectedSynchronizers;
    assert.deepEqual(
      [(await connected(sandbox)).length, (await connected(pebblebox))[0].permission],
      [0, "PARTICIPANT_PERMISSION_SUBMISSION"],
    );
    for (const door of [sandbox, pebblebox]) assert.match((await door.get("/metrics")).text, /ledgerline_ledger_end 4\n/);
  });

  it("a start without one of them is refused, a start with all of them finds everything", async (t) => {
    const folder = temporaryFolder(),
      first = await startDoors(t, folder);
    await allocate(first.doors.pebblebox, "bob");
    assert.equal(await first.node.stop(), 0);
    await assert.rejects(
      startNodeProcess(["--data", join(folder, "data")]),
      /exited with 1 .*has a participant pebblebox, too: it cannot be started without it \(--participant pebblebox=PORT\)\./s,
    );
    const again = await startDoors(t, folder);
    assert.deepEqual(await listed(again.doors.sandbox), { bob: false, pebblebox: false, sandbox: true });
  });

  it("a token for one participant is none for another", async (t) => {
    const folder = temporaryFolder(),
      {
        doors: { sandbox, pebblebox },
      } = await startDoors(t, folder, ["--auth", "hs256:a-secret-of-sufficient-length-for-tests"]);
    const { SignJWT } = await import("jose"),
      key = Buffer.from("a-secret-of-sufficient-length-for-tests");
    const idOf = async (door: Client): Promise<string> =>
      (await door.request("GET", "/v2/parties/participant-id", undefined, { authorization: `Bearer ${await token("")}` })).json()
        .participantId;
    const token = async (audience: string): Promise<string> => {
      const jwt = new SignJWT({ scope: "daml_ledger_api" })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject("participant_admin")
        .setExpirationTime("5m");
      return (audience === "" ? jwt : jwt.setAudience(`https://daml.com/jwt/aud/participant/${audience}`)).sign(key);
    };
    const ofSandbox = await token(await idOf(sandbox));
    const users = async (door: Client): Promise<number> =>
      (await door.request("GET", "/v2/users", undefined, { authorization: `Bearer ${ofSandbox}` })).status;
    assert.deepEqual([await users(sandbox), await users(pebblebox)], [200, 403]);
  });
});
