import assert from "node:assert/strict";
import { test } from "node:test";
import { proves } from "../prove/as-test.js";
import { generatedRequests } from "../prove/fuzz/requests.js";
import { World } from "../scenarios/world.js";
import type { Document } from "./requests.js";
import { schemaProblem } from "./schema-check.js";

proves(generatedRequests);

test("generated requests: the canary: an answer that is not as the document says is seen", async (t) => {
  const world = await World.start([]);
  t.after(() => world.stop());
  const document = (await world.client.get("/docs/openapi")).json() as Document;
  const { content } = document.paths["/v2/state/ledger-end"]!["get"]!.responses["200"]!;
  const problem = (value: unknown): string | undefined =>
    schemaProblem(value, content!["application/json"]!.schema, document.components.schemas);
  assert.equal(problem({ offset: 7 }), undefined);
  assert.match(problem({ offset: "7" }) ?? "", /offset is no integer/);
  assert.match(problem({ offset: 7, more: 1 }) ?? "", /more is not in the document/);
  const { schemas } = document.components;
  assert.match(schemaProblem({ user: {} }, { $ref: "#/components/schemas/CreateUserResponse" }, schemas) ?? "", /user\.id is missing/);
});
