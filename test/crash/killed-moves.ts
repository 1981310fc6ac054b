/**
 * A node of two participants and two synchronizers that is killed while contracts are created, moved and archived: after each start
 * every contract is in one place, the same for both participants, and all that was acknowledged has happened.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { verifyLedger } from "../../src/ledger/keeping/index.js";
import { Random } from "../support/random.js";
import { create, darOf, everything, exercise, type Json } from "../scenarios/world.js";
import { Client, startNodeProcess, type NodeProcess, type Reply } from "../support/node-process.js";

const asset = "#ref-model:M:Asset",
  writers = 6,
  killAfterMsMax = 400,
  pageElements = 200;

interface Side {
  readonly client: Client;
  readonly party: string;
}

/** After a minute the node assigns what nobody did: before a client's assignment is looked at, or while it is processed. */
const isTooLate = ({ status, text }: Reply): boolean =>
  (status === 400 && /reassignment already completed/.test(text))
  || (status === 409 && /"code":"(ASSIGNMENT_ALREADY_COMPLETED|LOCAL_VERDICT_LOCKED_CONTRACTS)"/.test(text));

interface Told {
  readonly place: string;
  readonly steps: number;
}

export class KilledMoves {
  readonly counts: Record<string, number> = {};
  readonly folder = mkdtempSync(join(tmpdir(), "ledgerline-killed-moves-"));
  readonly #random: Random;
  #synchronizers: readonly [string, string] = ["", ""];
  #parties: readonly [string, string] = ["", ""];
  /** By contract: how many steps of it were acknowledged. */
  readonly #acknowledged = new Map<string, number>();
  #number = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  async run(kills: number, onKill: () => void): Promise<void> {
    for (let kill = 0; kill <= kills; kill++) {
      const { node, clients } = await this.#start();
      try {
        if (kill === 0) await this.#prepare(clients);
        const sides = clients.map((client, index) => ({ client, party: this.#parties[index]! })),
          told = await this.#check(sides);
        if (kill < kills) await this.#writeUntilKilled(node, sides, told);
      } finally {
        for (const client of clients) client.close();
        await node.stop(kill < kills ? "SIGKILL" : "SIGTERM");
      }
      const report = await verifyLedger(join(this.folder, "data"));
      assert.ok(report.sound, report.text);
      onKill();
    }
  }

  #count(what: string, times = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  }

  async #start(): Promise<{ readonly node: NodeProcess; readonly clients: readonly Client[] }> {
    const ports = join(this.folder, "ports"),
      node = await startNodeProcess([
        "--data",
        join(this.folder, "data"),
        "--port-file",
        ports,
        "--synchronizers",
        "one,two",
        "--participant",
        "other=0",
      ]);
    return {
      node,
      clients: [new Client(node.port, writers), new Client(Number(/^other=(\d+)$/m.exec(readFileSync(ports, "utf8"))![1]), writers)],
    };
  }

  async #prepare(clients: readonly Client[]): Promise<void> {
    const { connectedSynchronizers } = (await clients[0]!.get("/v2/state/connected-synchronizers")).json();
    this.#synchronizers = connectedSynchronizers.map(({ synchronizerId }: Json) => synchronizerId);
    const parties: string[] = [];
    for (const [index, client] of clients.entries())
      for (const synchronizerId of this.#synchronizers) {
        assert.equal(
          (await client.post(`/v2/dars?synchronizerId=${encodeURIComponent(synchronizerId)}`, darOf("canton", "model1.dar"))).status,
          200,
        );
        parties[index] = (await client.post("/v2/parties", { partyIdHint: `party-${index}`, synchronizerId })).json().partyDetails.party;
      }
    this.#parties = parties as [string, string];
  }

  async #writeUntilKilled(node: NodeProcess, sides: readonly Side[], told: ReadonlyMap<string, Told>): Promise<void> {
    let killed = false;
    const isKilled = (): boolean => killed,
      before = this.counts["acknowledged"] ?? 0;
    const left = [...told].filter(([, { place }]) => place !== "archived").map(([contractId]) => contractId);
    const lanes = Array.from({ length: writers }, (_, lane) =>
      this.#write(
        sides,
        left.filter((_name, index) => index % writers === lane),
        told,
        isKilled,
      ),
    );
    void Promise.allSettled(lanes);
    while ((this.counts["acknowledged"] ?? 0) < before + writers) await sleep(5);
    await sleep(this.#random.below(killAfterMsMax));
    killed = true;
    await node.stop("SIGKILL");
    await Promise.all(lanes);
  }

  /** One contract after another: made, moved to and fro, archived; each of a lane is used by that lane only. */
  async #write(sides: readonly Side[], left: readonly string[], told: ReadonlyMap<string, Told>, isKilled: () => boolean): Promise<void> {
    const contracts = left.map((contractId) => ({ contractId, ...told.get(contractId)! }));
    while (!isKilled()) {
      const dice = this.#random.next(),
        side = this.#random.one(sides),
        one = contracts[this.#random.below(contracts.length)];
      if (one === undefined || dice < 0.25) {
        const reply = await this.#send(
          sides[0]!.client,
          "submit-and-wait-for-transaction",
          {
            commands: this.#commands(
              sides[0]!,
              [create(asset, { issuer: this.#parties[0], owner: this.#parties[1], name: "moved", amount: "1" })],
              this.#random.one(this.#synchronizers),
            ),
          },
          isKilled,
        );
        if (reply === undefined) return;
        const [
            {
              CreatedEvent: { contractId },
            },
          ] = reply.json().transaction.events,
          place = reply.json().transaction.synchronizerId as string;
        contracts.push({ contractId, place, steps: 1 });
        this.#acknowledge(contractId, 1);
        continue;
      }
      const isUnderWay = !this.#synchronizers.includes(one.place),
        index = contracts.indexOf(one);
      if (!isUnderWay && dice < 0.4) {
        // Brought to a synchronizer that is drawn: some have to be moved first.
        const reply = await this.#send(
          side.client,
          "submit-and-wait",
          this.#commands(
            side,
            [exercise(asset, one.contractId, side === sides[0] ? "Archive" : "GetAmount")],
            this.#random.one(this.#synchronizers),
          ),
          isKilled,
        );
        if (reply === undefined) return;
        if (side === sides[0]) {
          contracts.splice(index, 1);
          this.#acknowledge(one.contractId, one.steps + 1);
        } else contracts.splice(index, 1); // it may have been moved: what is left of it is read after the kill
        continue;
      }
      const step = isUnderWay ? await this.#assign(sides, one, isKilled) : await this.#unassign(sides, one, isKilled);
      if (step === undefined) return;
      if (step === "arrived") {
        contracts.splice(index, 1);
        this.#acknowledged.set(one.contractId, one.steps + 1); // by the answer it is there already
        this.#count("assigned by the node");
        continue;
      }
      contracts[index] = { contractId: one.contractId, place: step, steps: one.steps + 1 };
      this.#acknowledge(one.contractId, one.steps + 1);
    }
  }

  #acknowledge(contractId: string, steps: number): void {
    this.#acknowledged.set(contractId, steps);
    this.#count("acknowledged");
  }

  #commands({ party }: Side, commands: readonly unknown[], synchronizerId: string): Json {
    return { commands, commandId: `command-${this.#number++}`, userId: "crash", actAs: [party], synchronizerId };
  }

  #reassignment({ party }: Side, command: Json): Json {
    const filters = { filtersByParty: { [party]: { cumulative: [everything] } }, verbose: false };
    return {
      reassignmentCommands: { userId: "crash", commandId: `command-${this.#number++}`, submitter: party, commands: [{ command }] },
      eventFormat: filters,
    };
  }

  /** Undefined once the node is gone. */
  async #send(client: Client, path: string, body: Json, isKilled: () => boolean, mayBeTooLate = false): Promise<Reply | undefined> {
    const reply = await client.post(`/v2/commands/${path}`, body).catch((error: unknown) => {
      if (!isKilled()) throw error;
      return undefined;
    });
    if (reply !== undefined && reply.status !== 200 && !(mayBeTooLate && isTooLate(reply)))
      assert.fail(`${path}: ${reply.status} ${reply.text}`);
    return reply;
  }

  async #unassign(
    sides: readonly Side[],
    { contractId, place }: Told & { readonly contractId: string },
    isKilled: () => boolean,
  ): Promise<string | undefined> {
    const side = this.#random.one(sides),
      target = this.#synchronizers.find((id) => id !== place)!;
    const reply = await this.#send(
      side.client,
      "submit-and-wait-for-reassignment",
      this.#reassignment(side, { UnassignCommand: { value: { contractId, source: place, target } } }),
      isKilled,
    );
    return reply && this.#wayOf(reply.json().reassignment.events[0].JsUnassignedEvent.value);
  }

  #wayOf = ({ reassignmentId, source, target, submitter }: Json): string => [reassignmentId, source, target, submitter].join(" ");

  async #assign(sides: readonly Side[], { place }: Told, isKilled: () => boolean): Promise<string | undefined> {
    const [reassignmentId, source, target, submitter] = place.split(" "),
      side = sides.find(({ party }) => party === submitter)!;
    const reply = await this.#send(
      side.client,
      "submit-and-wait-for-reassignment",
      this.#reassignment(side, { AssignCommand: { value: { reassignmentId, source, target } } }),
      isKilled,
      true,
    );
    return reply && (reply.status === 200 ? target : "arrived");
  }

  /** Where each contract is, by the list of active contracts and by the log, at both participants. */
  async #check(sides: readonly Side[]): Promise<ReadonlyMap<string, Told>> {
    const [here, there] = await Promise.all(sides.map((side) => this.#read(side)));
    assert.deepEqual(here, there, "both participants tell the same");
    for (const [contractId, steps] of this.#acknowledged) {
      const told = here!.get(contractId);
      assert.ok(
        told !== undefined && told.steps >= steps,
        `${contractId}: ${steps} steps were acknowledged, ${told?.steps ?? 0} are there`,
      );
    }
    for (const [contractId, { place }] of here!)
      this.#count(
        place === "archived" ? "seen archived" : this.#synchronizers.includes(place) ? "seen active" : "seen under way",
        this.#acknowledged.has(contractId) ? 1 : 0,
      );
    return here!;
  }

  async #read({ client, party }: Side): Promise<ReadonlyMap<string, Told>> {
    const offset = (await client.get("/v2/state/ledger-end")).json().offset as number,
      eventFormat = { filtersByParty: { [party]: { cumulative: [everything] } }, verbose: false };
    const told = await this.#readLog(client, offset, eventFormat),
      places = new Map<string, string>();
    for (let pageToken: string | undefined, more = offset > 0; more;) {
      const page = (
        await client.post("/v2/state/active-contracts-page", {
          activeAtOffset: offset,
          eventFormat,
          maxPageSize: pageElements,
          ...(pageToken === undefined ? {} : { pageToken }),
        })
      ).json();
      for (const {
        contractEntry: { JsActiveContract: active, JsIncompleteUnassigned: underWay },
      } of page.activeContracts) {
        const { contractId } = (active ?? underWay).createdEvent;
        assert.ok(!places.has(contractId), `${contractId} is in two places`);
        places.set(contractId, active ? active.synchronizerId : this.#wayOf(underWay.unassignedEvent));
      }
      pageToken = page.nextPageToken ?? undefined;
      more = pageToken !== undefined;
    }
    assert.deepEqual(
      Object.fromEntries([...told].filter(([, { place }]) => place !== "archived").map(([contractId, { place }]) => [contractId, place])),
      Object.fromEntries(places),
      "the list is what the log comes to",
    );
    return told;
  }

  async #readLog(client: Client, endInclusive: number, eventFormat: Json): Promise<Map<string, Told>> {
    const told = new Map<string, Told>(),
      updateFormat = {
        includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat },
        includeReassignments: eventFormat,
      };
    for (let beginExclusive = 0, more = endInclusive > 0; more;) {
      const reply = await client.post(`/v2/updates?limit=${pageElements}`, { beginExclusive, endInclusive, updateFormat });
      assert.equal(reply.status, 200, reply.text);
      const all: Json[] = reply.json().map(({ update }: Json) => (update.Transaction ?? update.Reassignment).value);
      for (const { synchronizerId, events, offset } of all) {
        beginExclusive = offset;
        for (const { CreatedEvent, ArchivedEvent, JsUnassignedEvent, JsAssignmentEvent } of events) {
          const { contractId } = CreatedEvent ?? ArchivedEvent ?? JsUnassignedEvent?.value ?? JsAssignmentEvent.createdEvent,
            before = told.get(contractId);
          assert.equal(before === undefined, CreatedEvent !== undefined, `${contractId} is created once, and first`);
          if (ArchivedEvent || JsUnassignedEvent) assert.equal(before!.place, synchronizerId, `${contractId} leaves from where it is`);
          if (JsAssignmentEvent)
            assert.ok(before!.place.startsWith(JsAssignmentEvent.reassignmentId), `${contractId} arrives from its way`);
          told.set(contractId, {
            place: ArchivedEvent ? "archived" : JsUnassignedEvent ? this.#wayOf(JsUnassignedEvent.value) : synchronizerId,
            steps: (before?.steps ?? 0) + 1,
          });
        }
      }
      more = all.length > 0;
    }
    return told;
  }

  cleanUp(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
