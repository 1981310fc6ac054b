/**
 * Two participants of one node. One of them keeps what the other has no business with; at the other's door every operation is driven
 * with the ids of it. No answer has any of what it was not told, and none differs from the answer to ids that nobody has.
 */
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { randomHex } from "../../src/base/random.js";
import type { Cleaner } from "../ledger/support.js";
import { Random } from "../support/random.js";
import { Generator, type Words } from "../properties/generate.js";
import { ask, type Asked, type Document } from "../properties/requests.js";
import { Channel, create, darOf, everything, exercise, type Json } from "../scenarios/world.js";
import { buildDar, buildPackage, ModuleBuilder, type } from "../support/lf-builder.js";
import { Client, startNodeProcess, type NodeProcess, type Reply } from "../support/node-process.js";
import { temporaryFolder } from "../support/folders.js";

const asset = "#ref-model:M:Asset",
  operationsInAll = 67;

/** Ids of one kind each, as a request names them. */
interface Ids {
  readonly contracts: readonly string[];
  readonly updates: readonly string[];
  readonly users: readonly string[];
  readonly provider: string;
  readonly reassignment: string;
  readonly packageId: string;
  readonly packageName: string;
  readonly tokens: readonly string[];
  readonly prepared: string;
}

const backwards = (name: string): string => [...name].reverse().join("");

/** Like real ones, but nobody's; of the same length, as a request that is cut off somewhere has to be cut off at the same place. */
const nobodysIds = (real: Ids): Ids => ({
  contracts: real.contracts.map((id) => `00${randomHex(32)}${id.slice(66, 72)}${randomHex((id.length - 72) / 2)}`),
  updates: real.updates.map((id) => `1220${randomHex(26)}${id.slice(-12)}`),
  users: real.users.map(backwards),
  provider: backwards(real.provider),
  reassignment: `001220${randomHex(32)}`,
  packageId: randomHex(32),
  packageName: backwards(real.packageName),
  tokens: real.tokens.map((token) => Buffer.from(randomHex(Buffer.from(token, "base64").length), "hex").toString("base64")),
  prepared: real.prepared,
});

class Keeper {
  /** What no request names. */
  readonly secrets: string[] = [];
  #number = 0;
  constructor(
    readonly client: Client,
    readonly synchronizers: readonly string[],
    readonly parties: readonly [string, string],
  ) {}

  secret(kind: string): string {
    const text = `hidden-${kind}-${this.#number++}`;
    this.secrets.push(text);
    return text;
  }

  async post(path: string, body: Json): Promise<Json> {
    const reply = await this.client.post(path, body);
    assert.equal(reply.status, 200, `${path}: ${reply.text}`);
    return reply.text === "" ? undefined : reply.json();
  }

  commands(commands: readonly unknown[]): Json {
    return {
      commands,
      commandId: this.secret("command"),
      submissionId: this.secret("submission"),
      workflowId: this.secret("workflow"),
      userId: "keeper",
      actAs: [this.parties[0]],
      synchronizerId: this.synchronizers[0],
    };
  }

  async contract(): Promise<{ readonly contractId: string; readonly updateId: string }> {
    const [issuer, owner] = this.parties,
      commands = this.commands([create(asset, { issuer, owner, name: this.secret("contract"), amount: "1" })]);
    const { transaction } = await this.post("/v2/commands/submit-and-wait-for-transaction", { commands });
    return { contractId: transaction.events[0].CreatedEvent.contractId, updateId: transaction.updateId };
  }

  async unassigned(): Promise<string> {
    const { contractId } = await this.contract(),
      [source, target] = this.synchronizers,
      submitter = this.parties[0];
    const reassignmentCommands = {
      userId: "keeper",
      commandId: this.secret("command"),
      workflowId: this.secret("workflow"),
      submitter,
      commands: [{ command: { UnassignCommand: { value: { contractId, source, target } } } }],
    };
    const { reassignment } = await this.post("/v2/commands/submit-and-wait-for-reassignment", {
      reassignmentCommands,
      eventFormat: { filtersByParty: { [submitter]: { cumulative: [everything] } }, verbose: false },
    });
    this.secrets.push(contractId, reassignment.updateId);
    return reassignment.events[0].JsUnassignedEvent.value.reassignmentId;
  }

  async user(id: string): Promise<string> {
    await this.post("/v2/users", {
      user: { id, primaryParty: this.parties[0], metadata: { annotations: { note: this.secret("annotation") } } },
      rights: [{ kind: { CanActAs: { value: { party: this.parties[0] } } } }],
    });
    return id;
  }

  /** A package that is stored and not vetted: nobody else hears of it. */
  async packageOf(name: string): Promise<string> {
    const module = new ModuleBuilder("Hidden");
    module.record("Secret", { text: type.text });
    const before = new Set<string>((await this.client.get("/v2/packages")).json().packageIds);
    await this.post("/v2/dars?vetAllPackages=false", buildDar(buildPackage({ name, version: "1.0.0", modules: [module] })));
    return ((await this.client.get("/v2/packages")).json().packageIds as string[]).find((id) => !before.has(id))!;
  }
}

const areSame = (one: Asked, other: Asked): boolean => one.path === other.path && String(one.body) === String(other.body);

/** The same choice may give both requests the same new id: then the second is told of what the first one made. */
function isOwnTwin(first: Reply, second: Reply, firstBody: string): boolean {
  if (first.status !== 200 || second.status !== conflict) return false;
  const resources = second.json().resources as readonly (readonly [kind: string, id: string])[];
  return resources.length > 0 && resources.every(([, id]) => firstBody.includes(JSON.stringify(id)));
}
const conflict = 409;

export class Isolation {
  readonly counts: Record<string, number> = {};
  private constructor(
    private readonly node: NodeProcess,
    private readonly keeper: Keeper,
    private readonly other: Client,
    private readonly document: Document,
    private readonly words: { readonly real: Words; readonly nobodys: Words },
  ) {}

  static async begin(t: Cleaner): Promise<Isolation> {
    const folder = temporaryFolder("isolation"),
      ports = join(folder, "ports");
    const node = await startNodeProcess([
      "--memory",
      "--port-file",
      ports,
      "--synchronizers",
      "one,two",
      "--participant",
      "other=0",
      "--list-wait-ms",
      "5",
    ]);
    t.after(async () => {
      await node.stop("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    });
    const clients = [new Client(node.port), new Client(Number(/^other=(\d+)$/m.exec(readFileSync(ports, "utf8"))![1]))] as const,
      parties: string[] = [];
    const synchronizers = (await clients[0].get("/v2/state/connected-synchronizers"))
      .json()
      .connectedSynchronizers.map(({ synchronizerId }: Json) => synchronizerId) as string[];
    for (const client of clients)
      for (const id of synchronizers) await client.post(`/v2/dars?synchronizerId=${encodeURIComponent(id)}`, darOf("canton", "model1.dar"));
    for (const [client, hint] of [
      [clients[0], "keeper"],
      [clients[0], "friend"],
      [clients[1], "stranger"],
    ] as const) {
      let party = "";
      for (const synchronizerId of synchronizers)
        party = (await client.post("/v2/parties", { partyIdHint: hint, synchronizerId })).json().partyDetails.party;
      parties.push(party);
    }
    const keeper = new Keeper(clients[0], synchronizers, [parties[0]!, parties[1]!]),
      real = await keep(keeper);
    const wordsOf = (ids: Ids): Words => words(ids, { parties, synchronizers });
    return new Isolation(node, keeper, clients[1], (await clients[1].get("/docs/openapi")).json() as Document, {
      real: wordsOf(real),
      nobodys: wordsOf(nobodysIds(real)),
    });
  }

  /** Every operation once, with the ids of the keeper and with nobody's. */
  async round(seed: number): Promise<void> {
    const operations = Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    assert.equal(operations.length, operationsInAll);
    for (const { path, method, operation } of operations) {
      // The same choices with other words.
      const [nobodys, real] = [this.words.nobodys, this.words.real].map((of) =>
        ask(method.toUpperCase(), path, operation, new Generator(new Random(seed), this.document.components.schemas, of, 0)),
      );
      const [expected, told] = [await this.#send(nobodys!), await this.#send(real!)];
      this.#checkSecrets(told, real!);
      if (areSame(nobodys!, real!)) continue; // nothing of the keeper is asked for, and the second may meet what the first made
      if (isOwnTwin(expected, told, String(nobodys!.body))) {
        await this.#takeBack(path, JSON.parse(String(nobodys!.body)) as Json);
        continue;
      }
      assert.equal(
        outcomeOf(told),
        outcomeOf(expected),
        `${method} ${path} tells that there is something:\n${real!.path} ${String(real!.body)}\n${told.text}\n${expected.text}`,
      );
      this.#count(`times ${told.status}`);
    }
  }

  /** What the first of two made whose second was refused for it: later ones find all as it was. */
  async #takeBack(path: string, { identityProviderConfig, user }: Json): Promise<void> {
    const id = (identityProviderConfig?.identityProviderId ?? user?.id) as string;
    const { status, text } = await this.other.request("DELETE", `${path}/${encodeURIComponent(id)}`);
    assert.equal(status, 200, text);
  }

  /** What is no operation of the ledger, and streams: whatever they tell is not of the keeper. */
  async rest(): Promise<void> {
    for (const path of [
      "/metrics",
      "/livez",
      "/readyz",
      "/v2/version",
      "/docs/openapi",
      "/docs/asyncapi",
      "/admin/log",
      "/admin/time",
      "/v2/users",
      "/v2/idps",
      "/v2/packages",
      "/v2/parties",
    ]) {
      const reply = await this.other.get(path);
      this.#checkSecrets(reply, { method: "GET", path, body: undefined });
    }
    for (const list of ["/v2/users", "/v2/parties"]) {
      const { nextPageToken } = (await this.keeper.client.get(`${list}?pageSize=1`)).json(),
        reply = await this.other.get(`${list}?pageToken=${encodeURIComponent(nextPageToken)}`);
      assert.equal(outcomeOf(reply), "400 INVALID_ARGUMENT", `${list} goes on with the token of another participant`);
    }
    const anybody = { filtersByParty: {}, filtersForAnyParty: { cumulative: [everything] }, verbose: true },
      offset = (await this.other.get("/v2/state/ledger-end")).json().offset as number;
    const updateFormat = {
      includeTransactions: { eventFormat: anybody, transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" },
      includeReassignments: anybody,
      includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: [] } },
    };
    const streams: readonly (readonly [path: string, request: Json])[] = [
      ["/v2/updates", { beginExclusive: 0, endInclusive: offset, updateFormat }],
      ["/v2/state/active-contracts", { activeAtOffset: offset, eventFormat: anybody }],
      ["/v2/commands/completions", { userId: "keeper", parties: this.keeper.parties, beginExclusive: 0 }],
    ];
    for (const [path, request] of streams) {
      const channel = await Channel.open(this.other.port, path, request);
      if (path !== "/v2/commands/completions") await channel.closed;
      else await new Promise((resolve) => setTimeout(resolve, 200));
      this.#checkText(JSON.stringify(channel.elements), path);
      channel.close();
    }
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  #send({ method, path, body }: Asked): Promise<Reply> {
    return this.other.request(method, path, body, typeof body === "string" ? { "content-type": "application/json" } : undefined);
  }

  #checkSecrets({ text }: Reply, { method, path, body }: Asked): void {
    this.#checkText(text, `${method} ${path} ${String(body)}`);
  }
  #checkText(text: string, what: string): void {
    const told = this.keeper.secrets.filter((secret) => text.includes(secret));
    assert.deepEqual(told, [], what);
    this.#count("answers looked through");
  }

  async end(): Promise<void> {
    this.keeper.client.close();
    this.other.close();
    assert.equal(await this.node.stop(), 0, this.node.stderr());
  }
}

/** Status and code: a message names the ids that were asked for. */
function outcomeOf({ status, text }: Reply): string {
  const code = status >= 400 && text.startsWith("{") ? ((JSON.parse(text) as { readonly code?: string }).code ?? "") : "";
  return `${status} ${code}`;
}

/** Some of it is named in requests, the rest is never told to anybody. */
async function keep(keeper: Keeper): Promise<Ids> {
  const [asked, archived, unasked] = [await keeper.contract(), await keeper.contract(), await keeper.contract()];
  keeper.secrets.push(unasked.contractId, unasked.updateId);
  await keeper.post("/v2/commands/submit-and-wait", keeper.commands([exercise(asset, archived.contractId, "Archive")]));
  const users = [await keeper.user("hidden-user"), await keeper.user("another-user")];
  await keeper.user(keeper.secret("user"));
  for (const id of ["hidden-provider", keeper.secret("provider")])
    await keeper.post("/v2/idps", {
      identityProviderConfig: {
        identityProviderId: id,
        issuer: `https://${id}.example`,
        jwksUrl: `https://${id}.example/${keeper.secret("path")}`,
      },
    });
  await keeper.client.request(
    "PATCH",
    `/v2/parties/${encodeURIComponent(keeper.parties[0])}`,
    JSON.stringify({
      partyDetails: {
        party: keeper.parties[0],
        localMetadata: { resourceVersion: "", annotations: { note: keeper.secret("annotation") } },
      },
      updateMask: { paths: ["local_metadata.annotations"] },
    }),
    { "content-type": "application/json" },
  );
  keeper.secrets.push(await keeper.packageOf(keeper.secret("package")));
  const packageId = await keeper.packageOf("hidden-package"),
    eventFormat = { filtersByParty: { [keeper.parties[0]]: { cumulative: [everything] } }, verbose: false };
  const offset = (await keeper.client.get("/v2/state/ledger-end")).json().offset as number,
    updateFormat = { includeTransactions: { eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" } };
  const tokens = [
    (await keeper.post("/v2/state/active-contracts-page", { activeAtOffset: offset, eventFormat, maxPageSize: 1 })).nextPageToken as string,
    (
      await keeper.post("/v2/updates/get-updates-page", {
        beginOffsetExclusive: 0,
        endOffsetInclusive: offset,
        updateFormat,
        maxPageSize: 1,
      })
    ).nextPageToken as string,
  ];
  assert.ok(
    tokens.every((token) => typeof token === "string" && token.length > 0),
    JSON.stringify(tokens),
  );
  const preparation = {
    ...keeper.commands([
      create(asset, { issuer: keeper.parties[0], owner: keeper.parties[1], name: keeper.secret("contract"), amount: "1" }),
    ]),
    synchronizerId: "",
    packageIdSelectionPreference: [],
  };
  const { preparedTransaction } = await keeper.post("/v2/interactive-submission/prepare", preparation);
  return {
    contracts: [asked.contractId, archived.contractId],
    updates: [asked.updateId],
    users,
    provider: "hidden-provider",
    reassignment: await keeper.unassigned(),
    packageId,
    packageName: "hidden-package",
    tokens,
    prepared: preparedTransaction,
  };
}

function words(
  ids: Ids,
  { parties, synchronizers }: { readonly parties: readonly string[]; readonly synchronizers: readonly string[] },
): Words {
  const lists = [parties, [parties[0]!], [parties[2]!]],
    users = ids.users,
    create = { issuer: parties[2], owner: parties[2], name: "own", amount: "1" },
    offsets = [0, 1, 5, 20];
  return {
    "": parties,
    party: parties,
    parties: lists,
    actAs: lists,
    readAs: lists,
    requestingParties: lists,
    queryingParties: lists,
    submitter: parties,
    primaryParty: parties,
    "filter-party": [parties[0]!, ""],
    partyIdHint: ["a", "b", "c"].map((hint) => `${hint}-${ids.provider}`),
    partyHint: [`d-${ids.provider}`],
    synchronizer: synchronizers,
    synchronizerId: synchronizers,
    "synchronizer-id": synchronizers,
    source: synchronizers,
    target: synchronizers,
    participantIds: [[]],
    synchronizerIds: [[]],
    participantId: [""],
    templateId: [asset],
    interfaceId: ["#ref-model:M:I"],
    contractId: ids.contracts,
    choice: ["Archive", "GetAmount"],
    choiceArgument: [{}],
    createArguments: [create],
    createdEventBlob: [""],
    reassignmentId: [ids.reassignment],
    packageId: [ids.packageId],
    "package-id": [ids.packageId],
    packageIds: [[ids.packageId]],
    packageName: [ids.packageName],
    "package-name": [ids.packageName],
    packageNamePrefixes: [[ids.packageName]],
    packageIdSelectionPreference: [[], [ids.packageId]],
    packageVersion: ["1.0.0", ""],
    userId: users,
    "user-id": users,
    id: users,
    identityProviderId: ["", ids.provider],
    "identity-provider-id": ["", ids.provider],
    "idp-id": [ids.provider],
    sourceIdentityProviderId: ["", ids.provider],
    targetIdentityProviderId: ["", ids.provider],
    issuer: [`https://${ids.provider}.example`],
    jwksUrl: [`https://${ids.provider}.example/keys`],
    paths: [["is_deactivated"], ["primary_party"], ["metadata"], ["local_metadata.annotations"]],
    resourceVersion: [""],
    annotations: [{}],
    audience: [""],
    updateId: ids.updates,
    "update-id": ids.updates,
    offset: offsets,
    beginExclusive: [0],
    endInclusive: offsets,
    activeAtOffset: [0, 1, 5],
    beginOffsetExclusive: [0],
    endOffsetInclusive: offsets,
    limit: [10],
    maxPageSize: [1, 10],
    pageSize: [0, 2],
    pageToken: ["", ...ids.tokens],
    streamContinuationToken: ids.tokens,
    stream_idle_timeout_ms: [1],
    minLedgerTimeRel: [null],
    minLedgerTime: [null],
    minLedgerTimeAbs: [null],
    seconds: [0],
    nanos: [0],
    tapsMaxPasses: [null],
    commandId: Array.from({ length: 50 }, (_, index) => `${ids.provider}-command-${index}`),
    submissionId: [""],
    workflowId: [""],
    preparedTransaction: [ids.prepared],
    hashingSchemeVersion: ["HASHING_SCHEME_VERSION_V2"],
    bytes: [Buffer.from("zz")],
  };
}
