/** Who leaves is not searched for any longer: lists, streamed lists, pages and WebSockets, over both transports. */
import assert from "node:assert/strict";
import http from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Cursor } from "../../src/base/element-writer.js";
import { readWhile } from "../../src/base/reading.js";
import { ok } from "../../src/base/result.js";
import type { Ledger } from "../../src/ledger/ledger.js";
import { behaviour, eventually, withTransport } from "../http/harness.js";
import { Collector } from "../ledger/support.js";
import { apiWith } from "./support.js";

/** Many more than whoever does not give up needs to read again. */
const turnsAfterwards = 100;

/** Looks for elements without end, a turn at a time, as a reader whose filter matches nothing. */
class VainCursor implements Cursor {
  looks = 0;
  reads = 0;
  closed = false;
  get ended(): boolean {
    return this.closed;
  }
  async read(): Promise<number> {
    this.reads++;
    while (!this.closed) {
      this.looks++;
      await nextTurn();
    }
    return 0;
  }
  wait(): Promise<void> {
    return Promise.resolve();
  }
  close(): void {
    this.closed = true;
  }
}

const updateFormat = { includeTransactions: { eventFormat: { filtersForAnyParty: {} }, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } };
const body = JSON.stringify({ beginExclusive: 0, updateFormat });

/** The client sends, waits until `isSearching`, and is gone. */
type Client = (port: number, isSearching: () => Promise<void>) => Promise<void>;

const posts =
  (path: string, headers: Readonly<Record<string, string>> = {}): Client =>
  async (port, isSearching) => {
    const request = http.request({
      host: "127.0.0.1",
      port,
      method: "POST",
      path,
      headers: { "content-type": "application/json", ...headers },
      agent: false,
    });
    request.on("error", () => undefined);
    request.end(body);
    await isSearching();
    request.destroy();
  };

const opensSocket: Client = async (port, isSearching) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v2/updates`, ["daml.ws.auth"]);
  socket.on("open", () => socket.send(body)).on("error", () => undefined);
  await isSearching();
  socket.terminate();
};

const ways: readonly (readonly [title: string, client: Client])[] = [
  ["a list", posts("/v2/updates")],
  ["a list of as many as the client wants", posts("/v2/updates", { "ledgerline-list-elements-max": "1000000" })],
  ["a page", posts("/v2/updates/get-updates-page")],
  ["a WebSocket", opensSocket],
];

for (const [title, client] of ways)
  behaviour(`${title}: the search for elements ends when its client leaves`, async (kind) => {
    const cursor = new VainCursor();
    const ledger: Partial<Ledger> = {
      openUpdates: () => ok(cursor),
      readUpdatesPage: async ({ taker }) => {
        await readWhile(taker!, cursor, 10, new Collector());
        return ok(Buffer.from("{}"));
      },
    };
    const { routes, webSockets } = apiWith(ledger);
    const leave = withTransport(kind, { routes, webSockets }, async ({ port }) => {
      await client(port, () => eventually("the search begins", () => cursor.looks > 3));
      await eventually("the cursor is closed", () => cursor.closed);
      const { reads } = cursor;
      for (let turn = 0; turn < turnsAfterwards; turn++) await nextTurn();
      assert.equal(cursor.reads, reads, "nobody reads after the client left");
    });
    await leave.finally(() => cursor.close());
  });
