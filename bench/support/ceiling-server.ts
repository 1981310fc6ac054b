/**
 * The physical ceiling beside our figures, in a process of its own: the same native server, JSON.parse of the body, the
 * eight LMDB puts of as many bytes and the same flush, or the copy of the same bytes from LMDB, and nothing else.
 * Arguments: puts and bytes of a put for /create, the same two for /exercise, elements stored, bytes of an element.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { limits } from "../../src/config.js";

const [createPuts, createBytes, exercisePuts, exerciseBytes, elements, elementBytes] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
  number,
  number,
];
const require = createRequire(import.meta.url);
const uws = require(process.versions.modules === "115" ? "uWebSockets.js" : "uWebSockets.js-node22") as {
  App(): any;
  us_socket_local_port(socket: unknown): number;
};

const folder = mkdtempSync(join(tmpdir(), "ledgerline-ceiling-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGTERM", () => process.exit(0));

const environment = open({
  path: folder,
  pageSize: limits.pageSizeBytes,
  mapSize: limits.mapSizeBytes,
  overlappingSync: false,
  maxDbs: 4,
} as never);
const log = environment.openDB<Uint8Array, number>({ name: "log", encoding: "binary", keyEncoding: "uint32" });
const list = environment.openDB<Uint8Array, number>({ name: "list", encoding: "binary", keyEncoding: "uint32" });

const element = Buffer.from(JSON.stringify({ text: "x".repeat(Math.max(0, elementBytes - 11)) }));
let stored: Promise<boolean> | undefined;
for (let index = 0; index < elements; index++) stored = list.put(index, element);
await stored;

let key = 0;
const answer = Buffer.from(JSON.stringify({ updateId: `1220${"0".repeat(64)}`, completionOffset: 1_000_000 }));

async function store(puts: number, record: Buffer): Promise<void> {
  let last: Promise<boolean> | undefined;
  for (let put = 0; put < puts; put++) last = log.put(key++, record);
  await last;
}

const submit = (puts: number, bytes: number) => {
  const record = Buffer.alloc(bytes, "x");
  return (response: any): void =>
    readBody(response, (body) => {
      JSON.parse(body.toString());
      void store(puts, record).then(() => {
        if (!response.aborted) response.cork(() => response.writeHeader("content-type", "application/json").end(answer));
      });
    });
};

let page = Buffer.alloc(0);
function copyPage(from: number, count: number): Buffer {
  const most = count * (element.length + 1) + 2;
  if (page.length < most) page = Buffer.alloc(most);
  let at = 0;
  page[at++] = 0x5b;
  for (let index = from; index < from + count; index++) {
    if (index > from) page[at++] = 0x2c;
    const bytes = list.getBinaryFast(index)!;
    page.set(bytes.subarray(0, bytes.length), at);
    at += bytes.length;
  }
  page[at++] = 0x5d;
  return page.subarray(0, at);
}

/** The elements of the list from an index on, each a frame, as fast as the socket takes them. */
const sendElements = (socket: any): void => {
  const state = socket.getUserData() as { next: number };
  while (state.next < elements) {
    if (socket.getBufferedAmount() > limits.streamBufferedBytesMax) return;
    const bytes = list.getBinaryFast(state.next++)!;
    socket.send(bytes.subarray(0, bytes.length), false, false);
  }
  socket.end(1000, "");
};

function readBody(response: any, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  response.onAborted(() => {
    response.aborted = true;
  });
  response.onData((chunk: ArrayBuffer, last: boolean) => {
    chunks.push(Buffer.from(Buffer.from(chunk)));
    if (last) done(Buffer.concat(chunks));
  });
}

uws
  .App()
  .ws("/stream", {
    maxBackpressure: 0,
    upgrade: (response: any, request: any, context: unknown) =>
      response.upgrade({ next: 0 }, request.getHeader("sec-websocket-key"), "", "", context),
    message: sendElements,
    drain: (socket: any) => setImmediate(() => sendElements(socket)),
  })
  .post("/create", submit(createPuts, createBytes))
  .post("/exercise", submit(exercisePuts, exerciseBytes))
  .post("/list", (response: any) =>
    readBody(response, (body) => {
      const { from, count = limits.listElementsMax } = JSON.parse(body.toString()) as { from: number; count?: number };
      const bytes = copyPage(from, count);
      if (!response.aborted)
        response.cork(() => {
          response.writeHeader("content-type", "application/json").tryEnd(bytes, bytes.length);
        });
    }),
  )
  .listen("127.0.0.1", 0, (socket: unknown) => console.log(uws.us_socket_local_port(socket)));
