/**
 * The physical ceiling beside our figures, in a process of its own: the same native server, JSON.parse of the body, the
 * same number of LMDB puts and the same flush, or the copy of the same bytes from LMDB, and nothing else.
 * Arguments: puts per request, bytes of a put, elements stored, bytes of an element.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "lmdb";
import { limits } from "../../src/config.js";

const [puts, putBytes, elements, elementBytes] = process.argv.slice(2).map(Number) as [number, number, number, number];
const require = createRequire(import.meta.url);
const uws = require(process.versions.modules === "115" ? "uWebSockets.js" : "uWebSockets.js-node22") as {
  App(): any;
  us_socket_local_port(socket: unknown): number;
};

const folder = mkdtempSync(join(tmpdir(), "ledgerline-ceiling-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGTERM", () => process.exit(0));

const environment = open({ path: folder, pageSize: limits.pageSizeBytes, mapSize: limits.mapSizeBytes, overlappingSync: false, maxDbs: 4 } as never);
const log = environment.openDB<Uint8Array, number>({ name: "log", encoding: "binary", keyEncoding: "uint32" });
const list = environment.openDB<Uint8Array, number>({ name: "list", encoding: "binary", keyEncoding: "uint32" });

const record = Buffer.alloc(putBytes, "x");
const element = Buffer.from(JSON.stringify({ text: "x".repeat(Math.max(0, elementBytes - 11)) }));
for (let index = 0; index < elements; index++) void list.put(index, element);
await list.flushed;

let key = 0;
const answer = Buffer.from(JSON.stringify({ updateId: `1220${"0".repeat(64)}`, completionOffset: 1_000_000 }));

async function store(): Promise<void> {
  let last: Promise<boolean> | undefined;
  for (let put = 0; put < puts; put++) last = log.put(key++, record);
  await last;
}

const page = Buffer.alloc(limits.listElementsMax * (element.length + 1) + 2);
function copyPage(from: number): Buffer {
  let at = 0;
  page[at++] = 0x5b;
  for (let index = from; index < from + limits.listElementsMax; index++) {
    if (index > from) page[at++] = 0x2c;
    const bytes = list.getBinaryFast(index)!;
    page.set(bytes.subarray(0, bytes.length), at);
    at += bytes.length;
  }
  page[at++] = 0x5d;
  return page.subarray(0, at);
}

function readBody(response: any, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  response.onAborted(() => { response.aborted = true; });
  response.onData((chunk: ArrayBuffer, last: boolean) => {
    chunks.push(Buffer.from(Buffer.from(chunk)));
    if (last) done(Buffer.concat(chunks));
  });
}

uws.App()
  .post("/submit", (response: any) => readBody(response, (body) => {
    JSON.parse(body.toString());
    void store().then(() => { if (!response.aborted) response.cork(() => response.writeHeader("content-type", "application/json").end(answer)); });
  }))
  .post("/list", (response: any) => readBody(response, (body) => {
    const { from } = JSON.parse(body.toString()) as { from: number };
    const bytes = copyPage(from);
    if (!response.aborted) response.cork(() => { response.writeHeader("content-type", "application/json").tryEnd(bytes, bytes.length); });
  }))
  .listen("127.0.0.1", 0, (socket: unknown) => console.log(uws.us_socket_local_port(socket)));
