import assert from "node:assert/strict";
import { test } from "node:test";
import { startTransport } from "../../src/http/index.js";
import { Router } from "../../src/http/router.js";
import { loadBinding } from "../../src/http/uws/binding.js";
import { behaviour, get, text, withTransport } from "./harness.js";
import { ownTurns } from "../support/turns.js";

const answer = async (): Promise<ReturnType<typeof text>> => text("x");

const options = {
  host: "127.0.0.1",
  port: 0,
  routes: [],
  webSockets: [],
  turns: ownTurns(),
  notFound: () => text("", 404),
  methodNotAllowed: () => text("", 405),
  bodyTooLarge: () => text("", 413),
  noRoomForBody: () => text("", 503),
  deadlinePassed: () => text("", 503),
  onError: (error: unknown) => assert.fail(String(error)),
};

test("the choice: auto takes uWebSockets.js where it loads, and a named transport is that one or fails", async () => {
  const available = loadBinding().error === undefined;
  const auto = await startTransport({ ...options, transport: "auto" });
  assert.equal(auto.kind, available ? "uws" : "node");
  await auto.close(0);
  if (!available) await assert.rejects(startTransport({ ...options, transport: "uws" }), /uWebSockets\.js does not load here/);
  const node = await startTransport({ ...options, transport: "node" });
  assert.equal(node.kind, "node");
  await node.close(0);
});

behaviour("other ports serve the same and close with the first; one that is taken leaves none open", async (kind) => {
  const routes = [get("/", answer)],
    free = async (): Promise<number> => {
      const probe = await startTransport({ ...options, transport: kind }),
        { port } = probe;
      await probe.close(0);
      return port;
    };
  const [first, second, third] = [await free(), await free(), await free()];
  const transport = await startTransport({ ...options, routes, port: first, otherPorts: [second], transport: kind });
  const asked = (port: number): Promise<string> =>
    fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } }).then((reply) => reply.text());
  assert.deepEqual([transport.port, await asked(first), await asked(second)], [first, "x", "x"]);
  await assert.rejects(
    startTransport({ ...options, port: third, otherPorts: [second], transport: kind }),
    new RegExp(`Cannot listen on 127\\.0\\.0\\.1:${second}`),
  );
  await assert.rejects(asked(third));
  await transport.close(0);
  for (const port of [first, second]) await assert.rejects(asked(port));
});

behaviour("a port that is taken is an error", async (kind) => {
  await withTransport(kind, {}, async ({ port }) => {
    await assert.rejects(startTransport({ ...options, port, transport: kind }), /^Error: Cannot listen on 127\.0\.0\.1:\d+: /);
  });
});

test("router: a literal segment wins over a parameter, and a dead end is left again", () => {
  const paths = ["/a/{x}", "/a/b", "/a/{y}/c", "/a/b/{z}/d", "/{any}/b/e", "/"];
  const router = new Router(
    paths.map((path) => get(path, answer)),
    [],
  );
  const where = (path: string): string => {
    const found = router.find(path);
    if (typeof found === "string") return found;
    return `${found.match.endpoint.routes.get("GET")?.target.path} ${found.match.values.join()}`;
  };
  assert.equal(where("/a/b"), "/a/b ");
  assert.equal(where("/a/q"), "/a/{x} q");
  assert.equal(where("/a/b/c"), "/a/{y}/c b");
  assert.equal(where("/a/b/e"), "/{any}/b/e a");
  assert.equal(where("/a/b/1/d"), "/a/b/{z}/d 1");
  assert.equal(where("/a%2Fb/b/e"), "/{any}/b/e a/b");
  assert.equal(where("//a//b/"), "/a/b ");
  assert.equal(where("/a//c"), "/a/{x} c");
  assert.equal(where("/a/%20"), "/a/{x}  ");
  assert.equal(where("/"), "/ ");
  assert.equal(where("//"), "/ ");
  assert.equal(where("/a/%"), "undecodable");
  assert.equal(where("/constructor"), "unknown");
});

test("router: two routes for one method and path are refused at start", () => {
  assert.throws(() => new Router([get("/a/{x}", answer), get("/a/{y}", answer)], []), /two routes for GET/);
  assert.throws(() => new Router([get("a", answer)], []), /does not start with/);
});
