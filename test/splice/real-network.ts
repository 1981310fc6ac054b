/** A Splice network of the public packages on a node's ledger, with the users of a validator, asked over HTTP. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hs256, nowSeconds } from "../auth/tokens.js";
import { AnswerChecks } from "../conformance/splice-answers.js";
import { isPublishedAtHand } from "../conformance/splice-documents.js";
import type { Json } from "../scenarios/world.js";
import { Client, startNodeProcess, type NodeProcess } from "../support/node-process.js";
import { bootstrapArguments } from "./real-bootstrap.js";
import { missingDars } from "./real-dars.js";
import { text } from "../support/knobs.js";

export interface Packages {
  readonly name: string;
  readonly dars: readonly string[];
  readonly versions: Json;
  readonly hasFees: boolean;
}

const versions = (amulet: string, ans: string, governance: string, lifecycle: string, wallet: string, payments: string): Json => ({
  amulet,
  amuletNameService: ans,
  dsoGovernance: governance,
  validatorLifecycle: lifecycle,
  wallet,
  walletPayments: payments,
});
export const generations: readonly Packages[] = [
  {
    name: "first generation",
    hasFees: true,
    versions: versions("0.1.13", "0.1.13", "0.1.18", "0.1.5", "0.1.13", "0.1.13"),
    dars: ["splice-dso-governance-0.1.18", "splice-wallet-0.1.13", "splice-token-test-trading-app-1.0.0"],
  },
  {
    name: "second generation",
    hasFees: false,
    versions: versions("0.1.22", "0.1.23", "0.1.28", "0.1.8", "0.1.23", "0.1.22"),
    dars: [
      "splice-dso-governance-0.1.28",
      "splice-wallet-0.1.23",
      "splice-token-test-trading-app-1.0.0",
      "splice-token-test-trading-app-v2-1.0.0",
    ],
  },
];

const folder = text("LEDGERLINE_REAL_DARS");
/** Why there can be none. */
export const missing = ({ dars }: Packages): string | false => missingDars(dars);

export const audience = "https://canton.network.global",
  secret = "unsafe";
export const tokenOf = (sub: string, aud = audience, more: Json = {}): string =>
  hs256({ sub, aud, exp: nowSeconds() + 290, ...more }, secret);

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export class RealNetwork {
  readonly client: Client;
  readonly checks: AnswerChecks | undefined;
  dso = "";
  #commands = 0;
  readonly #name: string;
  private constructor(
    readonly node: NodeProcess,
    { name }: Packages,
    private readonly answers: "checked" | "unchecked",
  ) {
    this.#name = name;
    this.checks = isPublishedAtHand && answers === "checked" ? new AnswerChecks() : undefined;
    this.client = new Client(node.port, 16);
  }

  /** In memory, unless the arguments name a folder. `answers`: whether they are held against their documents, and asked for twice. */
  static async start(packages: Packages, args: readonly string[] = [], answers: "checked" | "unchecked" = "checked"): Promise<RealNetwork> {
    const { dars, versions: packageVersions, hasFees } = packages,
      storage = args.includes("--data") ? [] : ["--memory"];
    const network = new RealNetwork(
      await startNodeProcess([...args, ...storage, "--auth", `hs256:${secret}`, "--auth-audience", audience]),
      packages,
      answers,
    );
    for (const dar of dars) {
      const bytes = readFileSync(join(folder!, `${dar}.dar`)),
        upload = () => network.client.request("POST", "/v2/dars", bytes, network.#headers("participant_admin"));
      let reply = await upload();
      for (let tries = 0; reply.status === 503 && tries < 5; tries++) reply = await upload(); // what is there already is not uploaded again
      assert.equal(reply.status, 200, reply.text);
    }
    network.dso = await network.party("DSO");
    const sv1 = await network.party("sv1"),
      [synchronizer] = (await network.ask("participant_admin", "GET", "/v2/state/connected-synchronizers")).connectedSynchronizers;
    const createArguments = bootstrapArguments({
      dso: network.dso,
      sv1,
      synchronizerId: synchronizer.synchronizerId,
      packageVersions,
      hasFees,
    });
    await network.#bootstrap({
      CreateAndExerciseCommand: {
        templateId: "#splice-dso-governance:Splice.DsoBootstrap:DsoBootstrap",
        createArguments,
        choice: "DsoBootstrap_Bootstrap",
        choiceArgument: {},
      },
    });
    return network;
  }

  /** The first command compiles all there is: on a busy machine that takes longer than a request may, as large uploads do. */
  async #bootstrap(command: Json): Promise<void> {
    await this.ask("participant_admin", "POST", "/v2/commands/async/submit", {
      commands: [command],
      commandId: "bootstrap",
      actAs: [this.dso],
    });
    for (let tries = 0; (await this.request(undefined, "GET", "/api/scan/v0/dso-party-id")).status !== 200; tries++) {
      assert.ok(tries < 240, "the network is made");
      await delay(500);
    }
  }

  /** Every answer so far was what is published for its operation. */
  async stop(): Promise<void> {
    this.client.close();
    assert.equal(await this.node.stop(), 0, this.node.stderr());
    if (this.checks === undefined) return;
    console.log(`# ${this.#name}: ${this.checks.operations.size} operations, ${this.checks.answers} answers checked`);
    assert.deepEqual(this.checks.problems, []);
  }

  #headers = (user: string | undefined): Readonly<Record<string, string>> =>
    user === undefined ? {} : { authorization: `Bearer ${tokenOf(user)}` };

  async request(user: string | undefined, method: string, path: string, body?: Json): Promise<Answer> {
    const { status, text } = await this.client.request(method, path, body, this.#headers(user));
    const answer = { status, body: text === "" ? undefined : JSON.parse(text) };
    this.checks?.check(method, path, status, answer.body);
    if (path.startsWith("/registry/") && this.answers === "checked") await this.#askProxy(method, path, body, answer);
    return answer;
  }
  /** Whoever has a token gets the same from his validator as everybody from the registry. */
  async #askProxy(method: string, path: string, body: Json, answer: Answer): Promise<void> {
    assert.deepEqual(await this.request("participant_admin", method, `/api/validator/v0/scan-proxy${path}`, body), answer);
  }
  /** The body of a request that must succeed. */
  async ask(user: string | undefined, method: string, path: string, body?: Json): Promise<Json> {
    const answer = await this.request(user, method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Of whom the operator may act as. */
  async party(partyIdHint: string): Promise<string> {
    const { partyDetails } = await this.ask("participant_admin", "POST", "/v2/parties", { partyIdHint, identityProviderId: "" });
    await this.mayActAs("participant_admin", partyDetails.party);
    return partyDetails.party;
  }
  mayActAs(userId: string, party: string): Promise<void> {
    return this.#grant(userId, { CanActAs: { value: { party } } });
  }
  async #grant(userId: string, kind: Json): Promise<void> {
    await this.ask("participant_admin", "POST", `/v2/users/${userId}/rights`, { userId, identityProviderId: "", rights: [{ kind }] });
  }
  /** With a wallet; the user's name is the hint of his party. */
  async user(name: string): Promise<string> {
    const { party_id: party } = await this.ask("participant_admin", "POST", "/api/validator/v0/admin/users", { name });
    await this.mayActAs("participant_admin", party);
    return party;
  }
  /** The user of the validator, who operates it. */
  async operator(): Promise<string> {
    const party = await this.user("ledger-api-user");
    await this.#grant("ledger-api-user", { ParticipantAdmin: { value: {} } });
    return party;
  }

  async command(actAs: readonly string[], commands: readonly Json[], changes: Json = {}): Promise<Json> {
    const readAll = {
      filtersByParty: Object.fromEntries(
        actAs.map((party) => [
          party,
          { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }] },
        ]),
      ),
      verbose: false,
    };
    const { transaction } = await this.ask("participant_admin", "POST", "/v2/commands/submit-and-wait-for-transaction", {
      commands: { commands, commandId: `test-${++this.#commands}`, actAs, readAs: [], ...changes },
      transactionFormat: { transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS", eventFormat: readAll },
    });
    return transaction;
  }
  exercise(
    actAs: readonly string[],
    templateId: string,
    contractId: string,
    choice: string,
    choiceArgument: Json,
    disclosedContracts: Json = [],
  ): Promise<Json> {
    return this.command(actAs, [{ ExerciseCommand: { templateId, contractId, choice, choiceArgument } }], { disclosedContracts });
  }
}

export const resultOf = (transaction: Json): Json =>
  transaction.events.find(({ ExercisedEvent }: Json) => ExercisedEvent).ExercisedEvent.exerciseResult;
export const createdIn = (transaction: Json, entity: string): Json =>
  transaction.events.flatMap(({ CreatedEvent }: Json) => (CreatedEvent?.templateId.endsWith(`:${entity}`) ? [CreatedEvent] : []))[0];
