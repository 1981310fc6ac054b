/**
 * What an operation takes it gives back, however it ends: each of them again and again, and then nothing is held of the ledger's file
 * (LMDB has 126 places for readers), and no file, connection or thread is left.
 */
import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { openStore, type Store } from "../../src/store/index.js";
import { matrixRequests, type MatrixWorld } from "../auth/matrix-requests.js";
import { keyedDar, keyedTemplate } from "../scenarios/keyed-model.js";
import { anyShape, square, squaresDar } from "../scenarios/shapes-model.js";
import { create, eventFormat, everythingWithBlobs, exercise, exerciseByKey, ofInterface, World, type Json } from "../scenarios/world.js";
import { Client } from "../support/node-process.js";
import { temporaryFolder } from "../support/folders.js";

const times = 12,
  atOnce = 4;
/** Connections of whoever asked end a moment later, and Node.js has threads of its own, which come when they are needed. */
const settledWithinMs = 15_000,
  lookEveryMs = 50,
  threadsOfNode = 2;

const named = keyedTemplate("Named");

describe("resources", () => {
  let folder: string, world: World, store: Store, alice: string, bob: string, delegation: string, synchronizer: string;
  let settledAt: { readonly files: number; readonly threads: number };

  const count = (what: "fd" | "task"): number => readdirSync(`/proc/${world.node.child.pid}/${what}`).length;
  const left = (): Json => ({
    snapshots: store.readers().filter(({ pid }) => pid === world.node.child.pid).length,
    files: Math.max(0, count("fd") - settledAt.files),
    threads: Math.max(0, count("task") - settledAt.threads - threadsOfNode),
  });

  /** Each many times, some of them at once; `what` may be called with a client, or does something else with the node's port. */
  async function leavesNothing(what: Readonly<Record<string, (client: Client, index: number) => Promise<unknown>>>): Promise<void> {
    for (const [name, one] of Object.entries(what)) {
      const client = new Client(world.port, atOnce);
      let next = 0;
      const some = async (): Promise<void> => {
        while (next < times) await one(client, next++);
      };
      await Promise.all(Array.from({ length: atOnce }, some));
      client.close();
      const until = Date.now() + settledWithinMs,
        nothing = { snapshots: 0, files: 0, threads: 0 };
      let found = left();
      while (Object.values(found).some((number) => number !== 0) && Date.now() < until) {
        await sleep(lookEveryMs);
        found = left();
      }
      assert.deepEqual(found, nothing, name);
    }
    assert.equal(world.node.child.exitCode, null, world.node.stderr());
  }

  before(async () => {
    folder = temporaryFolder("resources");
    world = await World.start([keyedDar, squaresDar], ["--data", folder, "--durability", "none", "--workers", "1"]);
    [alice, bob] = (await world.parties("alice", "bob")) as [string, string];
    for (let index = 0; index < 20; index++) {
      await world.create([alice], named, { owner: alice, name: `name ${index}` });
      await world.create([alice], square, { owner: alice, viewer: bob, side: String(index) });
    }
    ({ contractId: delegation } = await world.create([alice], keyedTemplate("Delegation"), { owner: alice, delegate: bob }));
    ({ synchronizerId: synchronizer } = (await world.client.get("/v2/state/connected-synchronizers")).json().connectedSynchronizers[0]);
    await world.client.post("/v2/dars/validate", squaresDar); // the thread that reads DARs was there once
    world.client.close();
    store = await openStore({ folder, readOnly: true });
    await sleep(lookEveryMs);
    settledAt = { files: count("fd"), threads: count("task") };
  });
  after(async () => {
    await store.close();
    await world.node.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const submit = (client: Client, ...some: readonly Json[]) => client.post("/v2/commands/submit-and-wait", world.commands([alice], some));
  const formatOf = (): Json => eventFormat({ parties: [alice, bob], filters: [everythingWithBlobs, ofInterface(anyShape)] });
  const updateFormat = (): Json => ({
    includeTransactions: { transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS", eventFormat: formatOf() },
  });
  const answered = async (reply: Promise<{ readonly status: number; readonly text: string }>, status = 200): Promise<void> => {
    const { status: given, text } = await reply;
    assert.equal(given, status, text);
  };

  it("every operation of the Ledger API, by small requests of which most are refused", async () => {
    const directory = new Client(world.port);
    let number = 0;
    const fresh = (prefix: string): string => `${prefix}-${number++}`;
    const matrix: MatrixWorld = {
      A: alice,
      B: bob,
      P1: bob,
      user: "participant_admin",
      principal: "admin",
      fresh,
      victim: async (identityProviderId) => {
        const id = fresh("victim");
        await directory.post("/v2/users", { user: { id, identityProviderId }, rights: [] });
        return id;
      },
      provider: async () => {
        const identityProviderId = fresh("provider"),
          config = { identityProviderId, issuer: identityProviderId, jwksUrl: "https://keys.example/jwks", audience: "" };
        await directory.post("/v2/idps", { identityProviderConfig: { ...config, isDeactivated: false } });
        return identityProviderId;
      },
    };
    const requests = Object.entries(matrixRequests).filter(([operation]) => !operation.startsWith("WS "));
    await leavesNothing(
      Object.fromEntries(
        requests.map(([operation, targets]) => [
          operation,
          async (client) => {
            const [method] = operation.split(" ") as [string];
            for (const make of Object.values(targets)) {
              const { path, body } = await make(matrix);
              await client.request(method, path, body);
            }
          },
        ]),
      ),
    );
    directory.close();
  });

  it("commands that are done, by contract keys too, that fail, that come twice, and that nobody waits for", async () => {
    const write = create(named, { owner: alice, name: "another" }),
      greet = exerciseByKey(named, { owner: alice, name: "name 1" }, "Greet", { by: alice }),
      byKey = (choice: string) => (client: Client) =>
        client.post(
          "/v2/commands/submit-and-wait",
          world.commands([bob], [exercise(keyedTemplate("Delegation"), delegation, choice, { name: "name 2" })], { readAs: [alice] }),
        );
    await leavesNothing({
      create: (client) => answered(submit(client, create(square, { owner: alice, viewer: bob, side: "1" }))),
      "by key": (client) => answered(submit(client, greet)),
      "by an unknown key": (client) => answered(submit(client, exerciseByKey(named, { owner: alice, name: "" }, "Close")), 404),
      "fetch by key": (client) => answered(byKey("FetchByName")(client)),
      "query by key": (client) => answered(byKey("FindByName")(client)),
      "write and query by key": (client) => answered(byKey("WriteAndFind")(client)),
      "with keys that are prefetched": (client) =>
        answered(
          client.post(
            "/v2/commands/submit-and-wait",
            world.commands([alice], [greet], {
              prefetchContractKeys: [{ templateId: named, contractKey: { owner: alice, name: "name 1" } }],
            }),
          ),
        ),
      "of an unknown contract": (client) => answered(submit(client, exercise(named, `00${"ab".repeat(40)}`, "Close")), 404),
      "by the wrong party": (client) => answered(submit(client, create(named, { owner: bob, name: "" })), 400),
      "the same again": (client) =>
        client.post("/v2/commands/submit-and-wait", world.commands([alice], [write], { commandId: "the same" })),
      prepared: (client) =>
        answered(
          client.post("/v2/interactive-submission/prepare", {
            ...world.commands([alice], [create(square, { owner: alice, viewer: bob, side: "1" })]),
            disclosedContracts: [],
            synchronizerId: synchronizer,
            packageIdSelectionPreference: [],
          }),
        ),
      "for nobody": () => abandoned("POST", "/v2/commands/submit-and-wait", world.commands([alice], [greet])),
      "half of one": () => abandoned("POST", "/v2/commands/submit-and-wait", world.commands([alice], [greet]), 0.5),
    });
  });

  it("lists and WebSockets that are read to their end, that are left, and that wait for more", async () => {
    const end = await world.ledgerEnd(),
      asks: Readonly<Record<string, Json>> = {
        "/v2/state/active-contracts": { activeAtOffset: end, eventFormat: formatOf() },
        "/v2/updates": { beginExclusive: 0, updateFormat: updateFormat() },
        "/v2/commands/completions": { userId: "tester", parties: [alice], beginExclusive: 0 },
      };
    for (const [path, request] of Object.entries(asks))
      await leavesNothing({
        [`${path} as a list`]: (client) => client.post(`${path}?limit=200&stream_idle_timeout_ms=1`, request),
        [`${path} as a list of three`]: (client) => client.post(`${path}?limit=3`, request),
        [`${path} as a list, sent as it is read`]: (client) =>
          client.request("POST", `${path}?stream_idle_timeout_ms=1`, request, { "Ledgerline-List-Elements-Max": "10000" }),
        [`${path} as a list for nobody`]: () => abandoned("POST", `${path}?stream_idle_timeout_ms=15000`, request),
        [`${path} as a WebSocket that is closed`]: () => listened(path, request, (socket) => socket.close()),
        [`${path} as a WebSocket that is lost`]: () => listened(path, request, (socket) => socket.terminate()),
        [`${path} as a WebSocket without a request`]: () => listened(path, undefined, (socket) => socket.terminate()),
        [`${path} as a WebSocket with a wrong one`]: () => listened(path, [], (socket) => socket.close()),
      });
  });

  /** Sends a part of a request, and is gone. */
  const abandoned = (method: string, path: string, body: Json, part = 1): Promise<void> =>
    new Promise((resolve) => {
      const text = JSON.stringify(body),
        socket = connect(world.port, "127.0.0.1", () => {
          socket.write(
            `${method} ${path} HTTP/1.1\r\nhost: localhost:${world.port}\r\ncontent-type: application/json\r\n`
              + `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text.slice(0, Math.ceil(text.length * part))}`,
            () => setTimeout(() => socket.destroy(), 2),
          );
        });
      socket.on("close", () => resolve()).on("error", () => undefined);
    });

  /** `leave`: at the first element, or when it waited for one. */
  const listened = (path: string, request: Json, leave: (socket: WebSocket) => void): Promise<void> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${world.port}${path}`, ["daml.ws.auth"]);
      socket.on("open", () => {
        if (request !== undefined) socket.send(JSON.stringify(request));
        setTimeout(() => leave(socket), lookEveryMs);
      });
      socket.once("message", () => leave(socket));
      socket.on("close", () => resolve()).on("error", () => undefined);
    });
});
