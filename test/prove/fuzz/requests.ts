/**
 * Requests made from our own OpenAPI document, valid and nearly valid, for every operation: no answer is an error of the
 * server (501 and 503 are told in advance), every answer is as the document says, and the node lives on.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Random } from "../../support/random.js";
import { Generator, type Wildness, type Words } from "../../properties/generate.js";
import { ask, vocabulary, type Document, type Operation } from "../../properties/requests.js";
import { schemaProblem } from "../../properties/schema-check.js";
import { World } from "../../scenarios/world.js";
import type { Reply } from "../../support/node-process.js";
import { testData } from "../../support/paths.js";
import type { Play, Scenario } from "../scenario.js";

const errorsOfTheServer = new Set([501, 503]),
  lanes = 8,
  operationsInAll = 67;

/** A list that waits for longer than a request may is told so as the reference does, in a text for which the document has no place. */
const notInTime = "The request was not answered in time.";

function replyProblem({ status, headers, text }: Reply, { responses }: Operation, { components }: Document): string | undefined {
  if (status >= 500 && !errorsOfTheServer.has(status)) return "an error of the server";
  const { content } = responses[status] ?? responses["default"]!;
  if (content === undefined) return text === "" ? undefined : "a body that the document does not tell of";
  const type = (headers["content-type"] ?? "").split(";")[0]!,
    told = content[type];
  if (told === undefined) return text.startsWith(notInTime) ? undefined : `content of type ${type}`;
  return type === "application/json" ? schemaProblem(JSON.parse(text), told.schema, components.schemas) : undefined;
}

class Requests {
  private constructor(
    readonly world: World,
    private readonly document: Document,
    private readonly words: Words,
  ) {}

  static async start(): Promise<Requests> {
    const dar = readFileSync(testData("quickstart.dar")),
      world = await World.start([dar], ["--memory", "--list-wait-ms", "5"]);
    const document = (await world.client.get("/docs/openapi")).json() as Document;
    return new Requests(world, document, await vocabulary(world, dar));
  }

  get operations(): readonly { readonly path: string; readonly method: string; readonly operation: Operation }[] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  }

  /** One request of every operation. */
  async round(play: Play, seed: number): Promise<void> {
    for (const { path, method, operation } of this.operations) {
      const random = new Random(seed),
        generator = new Generator(random, this.document.components.schemas, this.words, random.one<Wildness>([0, 0, 1, 2, 4]));
      const asked = ask(method.toUpperCase(), path, operation, generator);
      const reply = await this.world.client.request(
        asked.method,
        asked.path,
        asked.body,
        typeof asked.body === "string" ? { "content-type": "application/json" } : undefined,
      );
      const problem = replyProblem(reply, operation, this.document);
      assert.equal(
        problem,
        undefined,
        `${asked.method} ${asked.path} ${String(asked.body).slice(0, 2_000)}\n${reply.status} ${reply.text.slice(0, 1_000)}`,
      );
      play.count(`times ${reply.status}`);
    }
  }

  async stop(): Promise<void> {
    assert.deepEqual(
      this.world.node
        .stderr()
        .split("\n")
        .filter((line) => line !== "" && !/"(a request was|more requests were) refused"/.test(line)),
      [],
    );
    assert.equal((await this.world.client.get("/livez")).status, 200);
    const [party] = await this.world.parties("last");
    await this.world.create([party], "#ref-model:M:Asset", { issuer: party, owner: party, name: "gold", amount: "1" });
    await this.world.stop();
  }
}

export const generatedRequests: Scenario = {
  name: "requests",
  unit: "of each operation",
  sizes: { test: 20, ci: 60, night: 10_000 },
  holds: "requests made from the declared types, valid and damaged, are answered as the document says, and the node lives on",
  async run(play) {
    const requests = await Requests.start();
    play.after(() => requests.world.node.stop("SIGKILL"));
    assert.equal(requests.operations.length, operationsInAll);
    await play.cases((seed) => requests.round(play, seed), lanes);
    await requests.stop();
  },
};
