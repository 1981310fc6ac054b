/**
 * Requests made from our own OpenAPI document, valid and nearly valid, for every operation: no answer is an error of the
 * server (501 and 503 are told in advance), every answer is as the document says, and the node lives on.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test, type TestContext } from "node:test";
import { Random } from "../lf/validation/random.js";
import { World } from "../scenarios/world.js";
import type { Reply } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { Generator, type Wildness, type Words } from "./generate.js";
import { ask, vocabulary, type Document, type Operation } from "./requests.js";
import { schemaProblem } from "./schema-check.js";

/** The long form: LEDGERLINE_REQUESTS=1000 npm test -- generated-requests; LEDGERLINE_SEED takes the seed that a failure names. */
const seed = Number(process.env["LEDGERLINE_SEED"] ?? 20_261_121);
const count = Number(process.env["LEDGERLINE_REQUESTS"] ?? 20);
const lanes = 8;

const errorsOfTheServer = new Set([501, 503]);

let world: World, words: Words, document: Document;

before(async () => {
  const dar = readFileSync(testData("quickstart.dar"));
  world = await World.start([dar], ["--memory", "--list-wait-ms", "5"]);
  document = (await world.client.get("/docs/openapi")).json() as Document;
  words = await vocabulary(world, dar);
});
after(() => world.stop());

function replyProblem({ status, headers, text }: Reply, { responses }: Operation): string | undefined {
  if (status >= 500 && !errorsOfTheServer.has(status)) return "an error of the server";
  const { content } = responses[status] ?? responses["default"]!;
  if (content === undefined) return text === "" ? undefined : "a body that the document does not tell of";
  const type = (headers["content-type"] ?? "").split(";")[0]!, told = content[type];
  if (told === undefined) return `content of type ${type}`;
  return type === "application/json" ? schemaProblem(JSON.parse(text), told.schema, document.components.schemas) : undefined;
}

const generatorOf = (from: number): Generator => {
  const random = new Random(from);
  return new Generator(random, document.components.schemas, words, random.pick<Wildness>([0, 0, 1, 2, 4]));
};

async function tryOperation(path: string, method: string, operation: Operation, round: number): Promise<string> {
  const asked = ask(method.toUpperCase(), path, operation, generatorOf(seed + round));
  const headers = typeof asked.body === "string" ? { "content-type": "application/json" } : undefined;
  const reply = await world.client.request(asked.method, asked.path, asked.body, headers);
  const problem = replyProblem(reply, operation);
  assert.equal(problem, undefined, `LEDGERLINE_SEED=${seed + round}: ${asked.method} ${asked.path} ${String(asked.body).slice(0, 2_000)}\n${reply.status} ${reply.text.slice(0, 1_000)}`);
  return String(reply.status);
}

test(`generated requests: ${count} of every operation are answered as the document says, and the node lives on`, { timeout: 1_800_000 }, async (context: TestContext) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  assert.equal(operations.length, 67);
  const statuses = new Map<string, number>(), answered = new Map<string, number>();
  const queue = Array.from({ length: count }, (_, round) => operations.map((one) => ({ ...one, round }))).flat();
  await Promise.all(Array.from({ length: lanes }, async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const status = await tryOperation(next.path, next.method, next.operation, next.round);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === "200") answered.set(next.operation.operationId, (answered.get(next.operation.operationId) ?? 0) + 1);
    }
  }));
  context.diagnostic(`seed ${seed}: ${[...statuses].sort().map(([status, times]) => `${times} times ${status}`).join(", ")}; ${answered.size} of ${operations.length} operations did what was asked`);
  assert.deepEqual(world.node.stderr().split("\n").filter((line) => line !== "" && !line.includes("a request was refused")), []);
  assert.equal((await world.client.get("/livez")).status, 200);
  const [party] = await world.parties("last");
  await world.create([party], "#ref-model:M:Asset", { issuer: party, owner: party, name: "gold", amount: "1" });
});

test("generated requests: the canary, an answer that is not as the document says is seen", () => {
  const { content } = document.paths["/v2/state/ledger-end"]!["get"]!.responses["200"]!;
  const problem = (value: unknown): string | undefined => schemaProblem(value, content!["application/json"]!.schema, document.components.schemas);
  assert.equal(problem({ offset: 7 }), undefined);
  assert.match(problem({ offset: "7" }) ?? "", /offset is no integer/);
  assert.match(problem({ offset: 7, more: 1 }) ?? "", /more is not in the document/);
  const { schemas } = document.components;
  assert.match(schemaProblem({ user: {} }, { $ref: "#/components/schemas/CreateUserResponse" }, schemas) ?? "", /user\.id is missing/);
});
