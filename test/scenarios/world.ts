/** A running node seen as its users see it: parties that submit commands and read what became of them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { completeDar } from "../support/lf-builder.js";
import { Client, startNodeProcess, type NodeProcess, type Reply } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { seriesOf } from "../telemetry/series.js";

export type Json = any; // answers of the node: what a test reads of them, it asserts
export type Command = Readonly<Record<string, unknown>>;
export type Shape = "TRANSACTION_SHAPE_ACS_DELTA" | "TRANSACTION_SHAPE_LEDGER_EFFECTS";
export const acsDelta: Shape = "TRANSACTION_SHAPE_ACS_DELTA";
export const ledgerEffects: Shape = "TRANSACTION_SHAPE_LEDGER_EFFECTS";

export const create = (templateId: string, createArguments: unknown): Command => ({ CreateCommand: { templateId, createArguments } });
export const exercise = (templateId: string, contractId: string, choice: string, choiceArgument: unknown = {}): Command => ({
  ExerciseCommand: { templateId, contractId, choice, choiceArgument },
});
export const exerciseByKey = (templateId: string, contractKey: unknown, choice: string, choiceArgument: unknown = {}): Command => ({
  ExerciseByKeyCommand: { templateId, contractKey, choice, choiceArgument },
});
export const createAndExercise = (templateId: string, createArguments: unknown, choice: string, choiceArgument: unknown = {}): Command => ({
  CreateAndExerciseCommand: { templateId, createArguments, choice, choiceArgument },
});

/** Filters of the cumulative form; none stands for everything. */
export const everything = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } };
export const everythingWithBlobs = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } };
export const ofTemplate = (templateId: string, includeCreatedEventBlob = false): Json => ({
  identifierFilter: { TemplateFilter: { value: { templateId, includeCreatedEventBlob } } },
});
export const ofInterface = (interfaceId: string, includeInterfaceView = true, includeCreatedEventBlob = false): Json => ({
  identifierFilter: { InterfaceFilter: { value: { interfaceId, includeInterfaceView, includeCreatedEventBlob } } },
});

export interface Reading {
  readonly parties?: readonly string[];
  readonly filters?: readonly Json[];
  readonly shape?: Shape;
  readonly begin?: number;
  readonly end?: number;
  readonly descending?: boolean;
}

export const eventFormat = ({ parties, filters = [everything] }: Reading): Json => ({
  filtersByParty: Object.fromEntries((parties ?? []).map((party) => [party, { cumulative: filters }])),
  ...(parties === undefined ? { filtersForAnyParty: { cumulative: filters } } : {}),
  verbose: true,
});
const updateFormat = (reading: Reading): Json => ({
  includeTransactions: { transactionShape: reading.shape ?? acsDelta, eventFormat: eventFormat(reading) },
});

/** The events of a transaction without their wrapping, with their kind beside. */
export const eventsOf = (transaction: Json): Json[] =>
  transaction.events.map((event: Json) => {
    const [kind] = Object.keys(event);
    return { kind: kind!.replace(/Event$/, "").toLowerCase(), ...event[kind!] };
  });
export const kindsOf = (transaction: Json): string[] => eventsOf(transaction).map(({ kind }) => kind);
export const createdIn = (transaction: Json, templateName?: string): Json => {
  const created = eventsOf(transaction).find(
    ({ kind, templateId }) => kind === "created" && (templateName === undefined || templateId.endsWith(`:${templateName}`)),
  );
  assert.ok(created, `a created event of ${templateName ?? "any template"}`);
  return created;
};

/** Of a created event with its blob: the contract as commands disclose it. */
export const disclosed = ({ contractId, templateId, createdEventBlob }: Json, synchronizerId = ""): Json => ({
  contractId,
  templateId,
  createdEventBlob,
  synchronizerId,
});

let commandNumber = 0;

export class World {
  readonly client: Client;
  private constructor(
    readonly node: NodeProcess,
    readonly port = node.port,
  ) {
    this.client = new Client(port, clientConnections);
  }

  static async start(dars: readonly Uint8Array[], args: readonly string[] = ["--memory"], preloaded?: URL): Promise<World> {
    const world = new World(await startNodeProcess(args, preloaded));
    for (const dar of dars) await world.upload(dar);
    return world;
  }

  /** A node that somebody else started, and stops. */
  static of(node: NodeProcess): World {
    return new World(node);
  }

  /** The same node at the port of another participant: `stop` of the first ends it. */
  beside(port: number): World {
    return new World(this.node, port);
  }

  async stop(): Promise<void> {
    this.client.close();
    const code = await this.node.stop();
    assert.equal(code, 0, this.node.stderr());
  }

  async upload(dar: Uint8Array): Promise<void> {
    const reply = await this.client.post("/v2/dars", dar);
    assert.equal(reply.status, 200, reply.text);
  }

  async party(hint: string): Promise<string> {
    const reply = await this.client.post("/v2/parties", { partyIdHint: hint, identityProviderId: "" });
    assert.equal(reply.status, 200, reply.text);
    return reply.json().partyDetails.party;
  }

  async parties<Names extends readonly string[]>(...hints: Names): Promise<{ [K in keyof Names]: string }> {
    return Promise.all(hints.map((hint) => this.party(hint))) as Promise<{ [K in keyof Names]: string }>;
  }

  commands(actAs: readonly string[], commands: readonly Command[], changes: Readonly<Record<string, unknown>> = {}): Json {
    return { commands, commandId: `command-${++commandNumber}`, userId: "tester", actAs, readAs: [], ...changes };
  }

  submit(actAs: readonly string[], commands: readonly Command[], changes: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    return this.client.post("/v2/commands/submit-and-wait", this.commands(actAs, commands, changes));
  }

  /** The transaction in ledger effects, as all that act and read see it. */
  async transact(actAs: readonly string[], commands: readonly Command[], changes: Readonly<Record<string, unknown>> = {}): Promise<Json> {
    const parties = [...actAs, ...((changes["readAs"] as string[] | undefined) ?? [])];
    const reply = await this.client.post("/v2/commands/submit-and-wait-for-transaction", {
      commands: this.commands(actAs, commands, changes),
      transactionFormat: { transactionShape: ledgerEffects, eventFormat: eventFormat({ parties, filters: [everythingWithBlobs] }) },
    });
    assert.equal(reply.status, 200, reply.text);
    return reply.json().transaction;
  }

  /** The contract that a lone create makes. */
  async create(actAs: readonly string[], templateId: string, createArguments: unknown): Promise<Json> {
    return createdIn(await this.transact(actAs, [create(templateId, createArguments)]));
  }

  /** The error of a command that must fail. */
  async refused(actAs: readonly string[], commands: readonly Command[], changes: Readonly<Record<string, unknown>> = {}): Promise<Json> {
    const reply = await this.submit(actAs, commands, changes);
    assert.notEqual(reply.status, 200, `accepted: ${reply.text}`);
    return { status: reply.status, ...reply.json() };
  }

  async ledgerEnd(): Promise<number> {
    return (await this.client.get("/v2/state/ledger-end")).json().offset;
  }

  async updatesReply(reading: Reading, query: string): Promise<Reply> {
    return this.client.post(`/v2/updates?${query}`, await this.#updatesRequest(reading));
  }

  async #updatesRequest(reading: Reading): Promise<Json> {
    return {
      beginExclusive: reading.begin ?? 0,
      endInclusive: reading.end ?? (await this.ledgerEnd()),
      updateFormat: updateFormat(reading),
      ...(reading.descending === undefined ? {} : { descendingOrder: reading.descending }),
    };
  }

  /** Transactions of the list, and the same ones of the WebSocket: they must agree. */
  async transactions(reading: Reading): Promise<Json[]> {
    const request = await this.#updatesRequest(reading),
      reply = await this.client.post("/v2/updates?limit=200", request);
    assert.equal(reply.status, 200, reply.text);
    const listed = reply.json();
    assert.deepEqual(await this.stream("/v2/updates", request), listed, "list and WebSocket");
    return transactionsOf(listed);
  }

  async activeContracts(reading: Reading & { readonly at?: number } = {}): Promise<Json[]> {
    const request = { activeAtOffset: reading.at ?? (await this.ledgerEnd()), eventFormat: eventFormat(reading) };
    const reply = await this.client.post("/v2/state/active-contracts?limit=200", request);
    assert.equal(reply.status, 200, reply.text);
    const listed = reply.json();
    const streamed = await this.stream("/v2/state/active-contracts", request);
    const withoutTokens = (entries: Json[]): Json[] => entries.map(({ streamContinuationToken: _, ...entry }) => entry);
    assert.deepEqual(withoutTokens(streamed), withoutTokens(listed), "list and WebSocket");
    return listed.map((entry: Json) => entry.contractEntry.JsActiveContract.createdEvent);
  }

  /**
   * Completions of the list, and the same ones of the WebSocket: they must agree. Where there are none, the socket says so by a
   * checkpoint.
   */
  async completions(parties: readonly string[], begin = 0, userId = "tester"): Promise<Json[]> {
    const request = { userId, parties, beginExclusive: begin },
      end = await this.ledgerEnd();
    const reply = await this.client.post("/v2/commands/completions?limit=200&stream_idle_timeout_ms=50", request);
    assert.equal(reply.status, 200, reply.text);
    const listed = completionsOf(reply.json()),
      last = listed[listed.length - 1]?.offset ?? end;
    const channel = await this.open("/v2/commands/completions", request);
    await channel.until(
      ({ completionResponse: { Completion, OffsetCheckpoint } }) =>
        (listed.length > 0 ? Completion : OffsetCheckpoint)?.value.offset >= last,
    );
    assert.deepEqual(
      completionsOf(channel.elements).filter(({ offset }) => offset <= last),
      listed,
      "list and WebSocket",
    );
    await channel.close();
    return listed;
  }

  /** Status and code of a read that must fail: of the list, and the same code in the only frame of the WebSocket. */
  async refusedRead(path: string, request: Json): Promise<readonly [status: number, code: string]> {
    const listed = await this.client.post(path, request),
      frames = await this.stream(path, request);
    assert.notEqual(listed.status, 200, listed.text);
    assert.deepEqual(
      frames.map(({ code }) => code),
      [listed.json().code],
      "list and WebSocket",
    );
    return [listed.status, listed.json().code];
  }

  /** The node's figures, as its operator reads them. */
  async figures(): Promise<Map<string, number>> {
    const reply = await this.client.get("/metrics");
    assert.equal(reply.status, 200, reply.text);
    return seriesOf(reply.text);
  }

  eventsByContractId(contractId: string, parties: readonly string[]): Promise<Reply> {
    return this.client.post("/v2/events/events-by-contract-id", { contractId, eventFormat: eventFormat({ parties }) });
  }

  /** All elements of a channel that ends by itself. */
  async stream(path: string, request: Json): Promise<Json[]> {
    const channel = await this.open(path, request);
    await channel.closed;
    return channel.elements;
  }

  open(path: string, request: Json): Promise<Channel> {
    return Channel.open(this.port, path, request);
  }
}

const completionsOf = (elements: readonly Json[]): Json[] =>
  elements.flatMap((element) => (element.completionResponse.Completion ? [element.completionResponse.Completion.value] : []));
export const transactionsOf = (elements: readonly Json[]): Json[] =>
  elements.flatMap((element) => (element.update.Transaction ? [element.update.Transaction.value] : []));

/** That a world has open at most, beside its channels. */
export const clientConnections = 64;

/** One WebSocket of the node. */
export class Channel {
  readonly elements: Json[] = [];
  readonly closed: Promise<number>;
  readonly #waiting = new Set<() => void>();

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data: Buffer) => {
      this.elements.push(JSON.parse(data.toString()));
      this.#wake();
    });
    this.closed = new Promise((resolve, reject) =>
      socket
        .once("close", (code) => {
          this.#wake();
          resolve(code);
        })
        .once("error", reject),
    );
    void this.closed.catch(() => undefined); // who opens it is told, too
  }

  static async open(port: number, path: string, request: Json): Promise<Channel> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, ["daml.ws.auth"]);
    const channel = new Channel(socket);
    await new Promise<void>((resolve, reject) => socket.once("open", resolve).once("error", reject));
    socket.send(JSON.stringify(request));
    return channel;
  }

  /** Waits until an element of the channel satisfies the condition; `ms` ends what hangs. */
  async until(condition: (element: Json) => boolean, ms = 120_000): Promise<Json> {
    const deadline = Date.now() + ms;
    for (;;) {
      const found = this.elements.find(condition);
      if (found !== undefined) return found;
      assert.ok(
        Date.now() < deadline && this.socket.readyState <= WebSocket.OPEN,
        `no such element within ${ms} ms; received ${this.elements.length}`,
      );
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          this.#waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, 100);
        this.#waiting.add(done);
      });
    }
  }

  close(): Promise<number> {
    this.socket.close();
    return this.closed;
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

/** A DAR of the test data, with the stable packages that it refers to. */
export const darOf = (...path: string[]): Uint8Array => completeDar(readFileSync(testData(...path)));
