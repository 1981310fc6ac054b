/** Routes that are loaded when the first request below their place comes. */
import assert from "node:assert/strict";
import type { LaterRoutes, Route } from "../../src/http/index.js";
import { behaviour, get, route, text, withTransport } from "./harness.js";
import { ask, post, request } from "./raw-client.js";

const bodyBytesMax = 1_000;
const laterRoutes: readonly Route[] = [
  {
    ...route(
      "POST",
      "/later/{name}/echo",
      async ({ params, body }, context) => text(`${params["name"]} ${String(context)} ${body.length}`),
      100,
    ),
    admit: ({ headers }) => (headers.get("x-let") === "no" ? { reply: text("not you", 403) } : { context: "let in" }),
  },
  route("GET", "/later/list", async () => text("list"), 0),
];

/** Counts how often it loads; fails `failures` times before. */
function laterOf(failures = 0) {
  const counted = { loads: 0 };
  const load: LaterRoutes["load"] = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (++counted.loads <= failures) throw new Error("not now");
    return laterRoutes;
  };
  return { counted, later: { prefixes: ["/later"], bodyBytesMax, load } };
}

behaviour("routes are loaded by the first request below their place, once, and serve all who wait for them", async (kind) => {
  const { counted, later } = laterOf();
  await withTransport(kind, { routes: [get("/now", async () => text("now"))], later }, async ({ port, errors }) => {
    for (const path of ["/now", "/nothing", "/laterally", "/%later"]) await ask(port, request("GET", path));
    assert.equal(counted.loads, 0, "nobody asked for them");
    const first = await Promise.all([
      ask(port, post("/later/a%20b/echo", "12345")),
      ask(port, post("//later/c/echo", "")),
      ask(port, request("GET", "/later/list")),
      ask(port, post("/later/c/echo", "1", ["X-Let: no"])),
      ask(port, request("GET", "/later")),
      ask(port, request("DELETE", "/later/list")),
    ]);
    const expected = [
      [200, "a b let in 5"],
      [200, "c let in 0"],
      [200, "list"],
      [403, "not you"],
      [404, "nothing at GET /later"],
      [405, "try GET HEAD"],
    ];
    const told = (answers: readonly (typeof first)[number][]) => answers.map((answer) => [answer?.status, answer?.body.toString()]);
    assert.deepEqual(told(first), expected);
    const again = await Promise.all([ask(port, post("/later/a%20b/echo", "12345")), ask(port, request("GET", "/later/none"))]);
    assert.deepEqual(told(again), [expected[0], [404, "nothing at GET /later/none"]]);
    assert.equal((await ask(port, post("/later/a/echo", "x".repeat(101))))?.status, 413);
    assert.deepEqual([counted.loads, errors], [1, []]);
  });
});

behaviour("a request that comes while they cannot be loaded is told so, and the next one tries again", async (kind) => {
  const { counted, later } = laterOf(1);
  await withTransport(kind, { later }, async ({ port, errors }) => {
    assert.equal((await ask(port, request("GET", "/later/list")))?.status, 500);
    assert.equal((await ask(port, request("GET", "/later/list")))?.status, 200);
    assert.deepEqual([counted.loads, errors.length], [2, 1]);
  });
});

behaviour("a body that is longer than any of them takes is refused", async (kind) => {
  const { later } = laterOf();
  await withTransport(kind, { later }, async ({ port }) => {
    assert.equal((await ask(port, post("/later/a/echo", "x".repeat(bodyBytesMax + 1))))?.status, 413);
  });
});
