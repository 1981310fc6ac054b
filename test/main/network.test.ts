/** A node with a network of stand-ins, as its users start and ask it. */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { WebSocket } from "ws";
import { hs256, nowSeconds } from "../auth/tokens.js";
import { spliceRelease } from "../../src/config.js";
import { triggers } from "../../src/splice/automation/index.js";
import { ledgerMethod, ReflectedClient } from "../grpc/reflected-client.js";
import { economyDars } from "../splice/economy-model.js";
import { Client, startNodeProcess, type NodeProcess } from "../support/node-process.js";
import { freeShift, localnetPorts } from "../support/ports.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("network"),
  dars = join(folder, "dars"),
  empty = join(folder, "empty");
before(() => {
  for (const path of [dars, empty]) mkdirSync(path);
  for (const [name, bytes] of Object.entries(economyDars("configStates"))) writeFileSync(join(dars, name), bytes);
});

const refusalOf = (args: readonly string[]): Promise<string> =>
  startNodeProcess(["--memory", ...args]).then(
    () => assert.fail("it started"),
    (error: Error) => error.message,
  );

describe("a network in one command", () => {
  it("a folder or a trigger that does not exist is told, and the node does not start", async () => {
    assert.match(
      await refusalOf(["--splice", empty]),
      /exited with 1 .*--splice: The packages of .*empty do not make a network: there is no splice-amulet,/s,
    );
    assert.match(
      await refusalOf(["--splice", dars, "--no-automation", "rounds"]),
      /--no-automation rounds: must be one of all, renew-amulet-rules, /,
    );
  });

  it("the network is there when the node is ready, and lives by the time that is set", async () => {
    const node = await startNodeProcess(["--memory", "--static-time", "--splice", dars]),
      client = new Client(node.port);
    try {
      const latest = async (): Promise<string> =>
        (await client.get("/api/scan/v0/dso")).json().latest_mining_round.contract.payload.round.number;
      assert.equal(await latest(), "2");
      for (const minutes of [10, 20, 30]) {
        const moved = await client.post("/admin/time", { newTime: new Date(minutes * 60_000).toISOString() });
        assert.equal(moved.status, 200, moved.text);
        assert.equal(await latest(), String(2 + minutes / 10), "when the answer is there, so is the round");
      }
      const metrics = (await client.get("/metrics")).text;
      assert.match(metrics, /ledgerline_automation_tasks_total\{trigger="advance-open-rounds",outcome="ok"\} 3/);
      assert.match(metrics, /ledgerline_automation_lag_seconds_count\{trigger="advance-open-rounds"\} 3/);
    } finally {
      client.close();
      assert.equal(await node.stop(), 0, node.stderr());
    }
  });
});

/** At ports that are free just now. */
async function startLocalNet(
  argsFor: (shift: number) => readonly string[],
): Promise<{ readonly node: NodeProcess; readonly shift: number }> {
  for (let tries = 3; ; tries--) {
    const shift = await freeShift(localnetPorts);
    try {
      const node = await startNodeProcess(["--memory", "--localnet", dars, "--port-shift", String(shift), ...argsFor(shift)]);
      return { node, shift };
    } catch (error) {
      if (tries === 0 || !/the port is in use/.test(String(error))) throw error;
    }
  }
}

const audience = "https://canton.network.global";
const token = (sub: string, aud = audience, secret = "unsafe"): string =>
  hs256({ iss: "unsafe-auth", aud, scope: "", sub, exp: nowSeconds() + 86_400 }, secret);

interface Question {
  readonly bearer?: string;
  readonly host?: string;
  readonly body?: object;
  readonly method?: string;
}
interface Answer {
  readonly status: number;
  readonly body: any; // what a test reads of it, it asserts
}
async function askAt(
  port: number,
  shift: number,
  path: string,
  { bearer = token("ledger-api-user"), host = "localhost", body, method = body ? "POST" : "GET" }: Question,
): Promise<Answer> {
  const client = new Client(port + shift, 1);
  try {
    const reply = await client.request(method, path, body, {
      authorization: `Bearer ${bearer}`,
      host: `${host}:${port + shift}`,
    });
    return { status: reply.status, body: reply.text === "" ? undefined : JSON.parse(reply.text) };
  } finally {
    client.close();
  }
}

/** Of the user by which the validator works. */
async function primaryPartyOverGrpc(port: number): Promise<string> {
  const client = await ReflectedClient.connect(port);
  try {
    const getUser = ledgerMethod("admin.UserManagementService", "GetUser");
    return (await client.call(getUser, { userId: "ledger-api-user" }, { token: token("ledger-api-user") })).user.primaryParty;
  } finally {
    client.close();
  }
}

describe("LocalNet", () => {
  let node: NodeProcess,
    shift = 0;
  before(async () => {
    ({ node, shift } = await startLocalNet(() => ["--participant", "other=0", "--port-file", join(folder, "ports")]));
  });
  after(async () => {
    assert.equal(await node.stop(), 0, node.stderr());
  });
  const asked = (port: number, path: string, question: Question = {}): Promise<Answer> => askAt(port, shift, path, question);
  const partyOf = async (user: string): Promise<string> => (await asked(2975, `/v2/users/${user}`)).body.user.primaryParty;

  it("each site has the ledger over gRPC at its port for that", async () => {
    for (const [port, user] of [
      [2901, "app-user"],
      [3901, "app-provider"],
      [4901, "sv"],
    ] as const)
      assert.equal(await primaryPartyOverGrpc(port + shift), await partyOf(user));
  });

  it("each site has its ports and its validator", async () => {
    assert.equal(node.port, 2975 + shift, "the ready line names the first");
    for (const [digit, user] of [
      [2, "app-user"],
      [3, "app-provider"],
      [4, "sv"],
    ] as const)
      for (const port of [digit * 1_000 + 975, digit * 1_000 + 903, digit * 1_000]) {
        const { status, body } = await asked(port, "/api/validator/v0/validator-user");
        assert.deepEqual([status, body.user_name, body.party_id], [200, "ledger-api-user", await partyOf(user)]);
      }
  });

  it("the user by whom all validators work is shown at each site with that one's party, until somebody gives it another", async () => {
    const path = "/v2/users/ledger-api-user",
      sites = [
        [2, "app-user"],
        [3, "app-provider"],
        [4, "sv"],
      ] as const;
    const shownAt = async (digit: number): Promise<readonly string[]> => {
      const answers = [
        (await asked(digit * 1_000 + 975, path)).body.user,
        (await asked(digit * 1_000, "/v2/authenticated-user")).body.user,
        (await asked(digit * 1_000 + 903, "/v2/users")).body.users.find(({ id }: { id: string }) => id === "ledger-api-user"),
      ];
      return answers.map(({ primaryParty }) => primaryParty);
    };
    for (const [digit, user] of sites) {
      const party = await partyOf(user);
      assert.deepEqual(await shownAt(digit), [party, party, party], user);
    }
    const given = async (primaryParty: string): Promise<void> => {
      const body = { user: { id: "ledger-api-user", primaryParty }, updateMask: { paths: ["primary_party"] } };
      assert.equal((await asked(3975, path, { method: "PATCH", body })).status, 200);
    };
    const [stored, sv] = [await partyOf("app-user"), await partyOf("sv")];
    await given(sv);
    for (const [digit] of sites) assert.deepEqual(await shownAt(digit), [sv, sv, sv]);
    await given(stored);
    assert.deepEqual((await shownAt(3))[0], await partyOf("app-provider"));
    await given((await shownAt(3))[0]!);
    for (const [digit, user] of sites)
      assert.deepEqual((await shownAt(digit))[0], await partyOf(user), "what is given back as it was shown");
  });

  it("its servers say the release of Splice that they speak as", async () => {
    for (const path of ["/api/scan/version", "/api/validator/version", "/api/sv/version"])
      assert.deepEqual((await asked(4000, path)).body, { version: spliceRelease.version, commit_ts: spliceRelease.commitTime }, path);
    assert.match(spliceRelease.version, /^0\.7\.\d+$/);
  });

  it("what stands behind participant:: in the participant's id is the namespace of its parties", async () => {
    const { participantId } = (await asked(2975, "/v2/parties/participant-id")).body;
    assert.equal(participantId.replace(/^participant::/, "app_user_localnet-localparty-1::"), await partyOf("app-user"));
  });

  it("the synchronizer has the names by which clients look for it, and the SV the user", async () => {
    const [only, ...others] = (await asked(2975, "/v2/state/connected-synchronizers")).body.connectedSynchronizers;
    assert.deepEqual([only.synchronizerAlias, others], ["global", []]);
    assert.match(only.synchronizerId, /^global-domain::1220[0-9a-f]{64}$/);
    const { amulet_rules, sv_user, sv_party_id } = (await asked(4000, "/api/scan/v0/dso")).body;
    assert.deepEqual([amulet_rules.domain_id, sv_user, sv_party_id], [only.synchronizerId, "ledger-api-user", await partyOf("sv")]);
  });

  it("the DSO has the namespace of the synchronizer, by which clients of Splice networks find its name", async () => {
    const [{ synchronizerId }] = (await asked(2975, "/v2/state/connected-synchronizers")).body.connectedSynchronizers,
      { dso_party_id } = (await asked(2903, "/api/validator/v0/scan-proxy/dso-party-id", { bearer: token("app-user") })).body;
    assert.equal(dso_party_id, synchronizerId.replace(/^global-domain::/, "DSO::"));
  });

  it("the user by whom all validators work has, at each site, the wallet of whoever operates that one", async () => {
    for (const [digit, user] of [
      [2, "app-user"],
      [3, "app-provider"],
      [4, "sv"],
    ] as const) {
      const party = await partyOf(user);
      const status = await asked(digit * 1_000 + 903, "/api/validator/v0/wallet/user-status");
      const registered = await asked(digit * 1_000 + 903, "/api/validator/v0/register", { body: {} });
      assert.deepEqual([status.body.party_id, registered.body.party_id], [party, party], user);
    }
  });

  it("the virtual hosts are known, and lead to what LocalNet has there", async () => {
    assert.match((await asked(4000, "/api/scan/v0/dso-party-id", { host: "scan.localhost" })).body.dso_party_id, /^DSO::/);
    assert.equal((await asked(4000, "/registry/metadata/v1/info", { host: "scan.localhost" })).status, 200);
    assert.equal((await asked(2000, "/v2/state/ledger-end", { host: "json-ledger-api.localhost" })).status, 200);
    assert.equal(
      (await asked(3000, "/api/validator/v0/wallet/user-status", { host: "wallet.localhost", bearer: token("app-provider") })).status,
      200,
    );
  });

  it("tokens are signed with the secret that everybody knows, for one audience, and may live long", async () => {
    const path = "/v2/users";
    assert.equal((await asked(2975, path)).status, 200);
    assert.equal((await asked(2975, path, { bearer: token("ledger-api-user", "https://elsewhere") })).status, 401);
    assert.equal((await asked(2975, path, { bearer: token("ledger-api-user", audience, "other") })).status, 401);
    assert.equal((await asked(2975, path, { bearer: token("app-user") })).status, 403, "only one user is an admin");
  });

  it("as everybody can sign them, requests and sockets by a name that was made to point here are refused at every site", async () => {
    const other = Number(/^other=(\d+)$/m.exec(readFileSync(join(folder, "ports"), "utf8"))![1]) - shift;
    for (const port of [2975, 3903, 4000, other]) {
      const refused = await asked(port, "/v2/users", { host: "evil.example" });
      assert.deepEqual([refused.status, refused.body.code], [403, "HOST_NOT_ALLOWED"], String(port));
      assert.match(refused.body.cause, /--allow-host/);
      const host = `evil.example:${port + shift}`;
      const socket = new WebSocket(`ws://127.0.0.1:${port + shift}/v2/updates`, ["daml.ws.auth", `jwt.token.${token("ledger-api-user")}`], {
        headers: { host, origin: `http://${host}` },
      });
      const answer = await new Promise((resolve) => {
        socket.on("open", () => resolve("open"));
        socket.on("unexpected-response", (_, response) => resolve(response.statusCode));
        socket.on("error", () => undefined); // that it is ended below
      });
      socket.terminate();
      assert.equal(answer, 403);
    }
  });

  const ping = async (port: number, party: string): Promise<void> => {
    const createArguments = { id: "ping", initiator: party, responder: party };
    const command = { CreateCommand: { templateId: "#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping", createArguments } };
    const pinged = await asked(port, "/v2/commands/submit-and-wait", { body: { commands: [command], commandId: "ping", actAs: [party] } });
    assert.equal(pinged.status, 200, JSON.stringify(pinged.body));
  };
  it("scripts find the ping package", async () => ping(2975, await partyOf("app-user")));

  it("a participant beside it knows the same tokens, their admin and the ping package, and nothing of the network's users", async () => {
    const other = Number(/^other=(\d+)$/m.exec(readFileSync(join(folder, "ports"), "utf8"))![1]) - shift;
    assert.equal((await asked(other, "/v2/users/app-user")).status, 404);
    assert.equal((await asked(other, "/v2/users", { bearer: token("app-user") })).status, 403);
    const allocated = await asked(other, "/v2/parties", { body: { partyIdHint: "somebody" } });
    assert.equal(allocated.status, 200, JSON.stringify(allocated.body));
    const { party } = allocated.body.partyDetails;
    const rights = [{ kind: { CanActAs: { value: { party } } } }];
    const granted = await asked(other, "/v2/users/ledger-api-user/rights", {
      body: { userId: "ledger-api-user", identityProviderId: "", rights },
    });
    assert.equal(granted.status, 200, JSON.stringify(granted.body));
    await ping(other, party);
  });
});

describe("LocalNet with a second synchronizer", () => {
  let node: NodeProcess,
    shift = 0;
  before(async () => {
    ({ node, shift } = await startLocalNet(() => ["--synchronizers", "global,app-synchronizer"]));
  });
  after(async () => {
    assert.equal(await node.stop(), 0, node.stderr());
  });
  const asked = (port: number, path: string, question: Question = {}): Promise<Answer> => askAt(port, shift, path, question);

  it("the network and its wallets are on the first, whose id is as ever; the ping package is on both", async () => {
    const [global, other, ...more] = (await asked(2975, "/v2/state/connected-synchronizers")).body.connectedSynchronizers;
    assert.deepEqual([global.synchronizerAlias, other.synchronizerAlias, more], ["global", "app-synchronizer", []]);
    assert.match(global.synchronizerId, /^global-domain::1220/);
    assert.equal((await asked(4000, "/api/scan/v0/dso")).body.amulet_rules.domain_id, global.synchronizerId);
    const carol = await asked(2903, "/api/validator/v0/register", { bearer: token("carol"), body: {} });
    assert.equal(carol.status, 200, JSON.stringify(carol.body));
    const vettedOn = async (prefix: string): Promise<readonly string[]> => {
      const body = { packageMetadataFilter: { packageNamePrefixes: [prefix] } };
      const { vettedPackages } = (await asked(2975, "/v2/package-vetting/list", { body })).body;
      return vettedPackages.map(({ synchronizerId }: { synchronizerId: string }) => synchronizerId);
    };
    assert.deepEqual(await vettedOn("splice-amulet"), [global.synchronizerId]);
    assert.deepEqual((await vettedOn("canton-builtin-")).toSorted(), [global.synchronizerId, other.synchronizerId].toSorted());
  });
});

describe("LocalNet with a participant for each site", () => {
  let node: NodeProcess,
    shift = 0;
  before(async () => {
    ({ node, shift } = await startLocalNet((by) => ["--participant", "app-provider=3975", "--participant", `sv=${4975 + by}`]));
  });
  after(async () => {
    assert.equal(await node.stop(), 0, node.stderr());
  });
  const asked = (port: number, path: string, question: Question = {}): Promise<Answer> => askAt(port, shift, path, question);
  const ledgers = [2975, 3975, 4975] as const;
  const partyOf = async (port: number, user: string): Promise<string> => (await asked(port, `/v2/users/${user}`)).body.user.primaryParty;
  const activeAt = async (port: number, party: string): Promise<any[]> => {
    const { body } = await asked(port, "/v2/state/ledger-end");
    const eventFormat = { filtersByParty: { [party]: { cumulative: [] } }, verbose: false };
    return (await asked(port, "/v2/state/active-contracts?limit=200", { body: { activeAtOffset: body.offset, eventFormat } })).body;
  };

  it("each ledger's port, which the shift moves unless it is given as it comes to be, has a participant id, users and parties of its own", async () => {
    const ids = await Promise.all(ledgers.map(async (port) => (await asked(port, "/v2/parties/participant-id")).body.participantId));
    assert.equal(new Set(ids).size, 3);
    for (const id of ids) assert.match(id, /^participant::1220/, "what stands behind it is the namespace of its parties");
    const usersAt = async (port: number): Promise<string[]> =>
      (await asked(port, "/v2/users")).body.users.map(({ id }: { id: string }) => id).sort();
    assert.deepEqual(
      [await usersAt(3975), await usersAt(4975)],
      [
        ["app-provider", "ledger-api-user", "participant_admin"],
        ["ledger-api-user", "participant_admin", "sv"],
      ],
    );
    const local = async (port: number): Promise<string[]> =>
      (await asked(port, "/v2/parties")).body.partyDetails
        .filter(({ isLocal }: { isLocal: boolean }) => isLocal)
        .map(({ party }: { party: string }) => party.split("::")[0])
        .sort();
    // Beside them each has a party that is called as it is.
    assert.deepEqual(
      [await local(3975), await local(4975)],
      [
        ["app_provider_localnet-localparty-1", "participant"],
        ["DSO", "participant", "sv"],
      ],
    );
  });

  it("each ledger's port for gRPC has its participant, too", async () => {
    for (const [port, user] of [
      [3, "app-provider"],
      [4, "sv"],
    ] as const)
      assert.equal(await primaryPartyOverGrpc(port * 1_000 + 901 + shift), await partyOf(port * 1_000 + 975, user));
  });

  it("validators, Scan and registries are at the sites' other ports, as ever", async () => {
    for (const [digit, user] of [
      [2, "app-user"],
      [3, "app-provider"],
      [4, "sv"],
    ] as const)
      for (const port of [digit * 1_000 + 903, digit * 1_000]) {
        const { status, body } = await asked(port, "/api/validator/v0/validator-user");
        assert.deepEqual([status, body.user_name, body.party_id], [200, "ledger-api-user", await partyOf(2975, user)]);
      }
    assert.match((await asked(4000, "/api/scan/v0/dso-party-id", { host: "scan.localhost" })).body.dso_party_id, /^DSO::/);
  });

  it("whom a site's validator onboards is a user with a party at the site's own participant as well, until he is offboarded", async () => {
    const nils = token("nils"),
      registered = await asked(3903, "/api/validator/v0/register", { bearer: nils, body: {} });
    assert.equal(registered.status, 200, JSON.stringify(registered.body));
    const party: string = registered.body.party_id;
    assert.deepEqual([await partyOf(2975, "nils"), await partyOf(3975, "nils")], [party, party]);
    assert.equal((await asked(4975, "/v2/users/nils")).status, 404, "no other site has him");
    const again = await asked(3903, "/api/validator/v0/register", { bearer: nils, body: {} });
    assert.deepEqual([again.status, again.body.party_id], [200, party]);
    const rights = JSON.stringify((await asked(3975, "/v2/users/ledger-api-user/rights")).body);
    assert.ok(rights.includes(party), "the validator's user acts for him there");
    const templateId = "#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping",
      commands = [{ CreateCommand: { templateId, createArguments: { id: "ping", initiator: party, responder: party } } }];
    const body = { commands, commandId: "ping-nils", actAs: [party] };
    const pinged = await asked(3975, "/v2/commands/submit-and-wait", { body, bearer: nils });
    assert.equal(pinged.status, 200, JSON.stringify(pinged.body));
    assert.equal((await asked(3903, "/api/validator/v0/wallet/user-status", { bearer: nils })).body.party_id, party);
    const gone = await asked(3903, "/api/validator/v0/admin/users/offboard?username=nils", { body: {} });
    assert.equal(gone.status, 200, JSON.stringify(gone.body));
    for (const port of [2975, 3975]) assert.equal((await asked(port, "/v2/users/nils")).status, 404);
  });

  it("a party with a key of its own that a site's validator onboards is at home at the site's own participant as well", async () => {
    const admin = "/api/validator/v0/admin/external-party",
      { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const public_key = publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("hex");
    const generated = (await asked(3903, `${admin}/topology/generate`, { body: { party_hint: "keyholder", public_key } })).body;
    const signed_topology_txs = generated.topology_txs.map(({ topology_tx, hash }: { topology_tx: string; hash: string }) => ({
      topology_tx,
      signed_hash: sign(null, Buffer.from(hash, "hex"), privateKey).toString("hex"),
    }));
    const body = { public_key, signed_topology_txs };
    const { status, body: onboarded } = await asked(3903, `${admin}/topology/submit`, { body });
    assert.equal(status, 200, JSON.stringify(onboarded));
    assert.equal((await asked(3903, `${admin}/topology/submit`, { body })).status, 400, "it is there already");
    const party: string = onboarded.party_id;
    const isLocalAt = async (port: number): Promise<boolean | undefined> =>
      (await asked(port, `/v2/parties/${encodeURIComponent(party)}`)).body.partyDetails?.[0]?.isLocal;
    assert.deepEqual(await Promise.all(ledgers.map(isLocalAt)), [true, true, false]);
    const templateId = "#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping",
      commands = [{ CreateCommand: { templateId, createArguments: { id: "ping", initiator: party, responder: party } } }],
      [{ synchronizerId }] = (await asked(3975, "/v2/state/connected-synchronizers")).body.connectedSynchronizers;
    const prepared = await asked(3975, "/v2/interactive-submission/prepare", {
      body: { commands, commandId: "ping-keyholder", actAs: [party], synchronizerId, packageIdSelectionPreference: [] },
    });
    assert.equal(prepared.status, 200, JSON.stringify(prepared.body));
    const { preparedTransaction, preparedTransactionHash, hashingSchemeVersion } = prepared.body;
    const signature = {
      format: "SIGNATURE_FORMAT_CONCAT",
      signature: sign(null, Buffer.from(preparedTransactionHash, "base64"), privateKey).toString("base64"),
      signedBy: party.split("::")[1],
      signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
    };
    const executed = await asked(3975, "/v2/interactive-submission/executeAndWait", {
      body: {
        preparedTransaction,
        hashingSchemeVersion,
        submissionId: "ping-keyholder",
        deduplicationPeriod: { Empty: {} },
        partySignatures: { signatures: [{ party, signatures: [signature] }] },
      },
    });
    assert.equal(executed.status, 200, JSON.stringify(executed.body));
    for (const port of [2975, 3975]) assert.equal((await activeAt(port, party)).length, 1, `it is seen at ${port}`);
  });

  it("who is at home there sees its contracts there and acts for itself, and no other site hears of what is none of its business", async () => {
    const [user, provider] = [await partyOf(2975, "app-user"), await partyOf(3975, "app-provider")];
    assert.equal(provider, await partyOf(2975, "app-provider"), "one party, whoever is asked");
    assert.equal(await partyOf(3975, "ledger-api-user"), provider);
    const ends = await Promise.all(ledgers.map(async (port) => (await asked(port, "/v2/state/ledger-end")).body.offset as number));
    const ping = async (port: number, bearer: string, initiator: string, responder: string): Promise<number> => {
      const templateId = "#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping",
        commands = [{ CreateCommand: { templateId, createArguments: { id: "ping", initiator, responder } } }];
      const body = { commands, commandId: `ping-${initiator}-${port}`, actAs: [initiator] };
      return (await asked(port, "/v2/commands/submit-and-wait", { body, bearer: token(bearer) })).status;
    };
    assert.equal(await ping(3975, "app-provider", provider, user), 200);
    assert.equal(await ping(3975, "app-provider", user, provider), 403);
    assert.equal(await ping(2975, "app-user", user, provider), 200);
    const seen = JSON.stringify(await activeAt(3975, provider));
    assert.equal(seen.split("canton-builtin-admin-workflow-ping").length > 2, true, seen);
    assert.equal((await asked(4975, "/v2/state/ledger-end")).body.offset, ends[2], "sv has no part in it");
    const network = await asked(4975, "/v2/users/sv");
    const dso = (await asked(4000, "/api/scan/v0/dso-party-id", { host: "scan.localhost" })).body.dso_party_id as string;
    assert.ok(network.body.user.primaryParty.startsWith("sv::") && (await activeAt(4975, dso)).length > 0, "the DSO's contracts are at sv");
    const ofDso = { activeAtOffset: 0, eventFormat: { filtersByParty: { [dso]: { cumulative: [] } }, verbose: false } };
    assert.equal(
      (await asked(3975, "/v2/state/active-contracts?limit=200", { body: ofDso })).status,
      403,
      "and nobody reads them at app-provider",
    );
  });
});

it("automation: triggers have names of their own", () => assert.equal(new Set(triggers.map(({ name }) => name)).size, triggers.length));
