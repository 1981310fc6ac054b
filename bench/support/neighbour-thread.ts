/** What bad neighbours do, on a thread of their own: who measures beside them must not wait for them. */
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Expr } from "../../src/lf/ast.js";
import type { Archive } from "../../src/lf/archive/index.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../../test/support/lf-builder.js";
import * as http2 from "../../test/support/http2-frames.js";
import { Client } from "../../test/support/node-process.js";
import { create } from "./ledger.js";
import { httpRequest } from "./load.js";
import type { NeighbourName, NeighbourPlace } from "./neighbour.js";
import { countFrames } from "./stream.js";

type IsOver = () => boolean;

/** Makes ready what takes its time; then goes on until it is over, and tells what it did. */
type Neighbour = (place: NeighbourPlace) => (isOver: IsOver) => Promise<string>;

/** Between two turns of those who would go on without end: they are to be many, not all that the machine can do. */
const turnMs = 20;

const connected = async (port: number): Promise<net.Socket> => {
  const socket = net.connect({ host: "127.0.0.1", port, noDelay: true });
  socket.on("error", () => undefined); // that the node hangs up is what some of them are there for
  await once(socket, "connect");
  return socket;
};

const leavers: Neighbour = ({ port, bodyBytes, leaversPerSecond }) => {
  const head = `POST /v2/commands/submit-and-wait HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${bodyBytes}\r\n\r\n`,
    half = Buffer.concat([Buffer.from(head), Buffer.alloc(bodyBytes / 2, " ")]);
  const leave = async (): Promise<void> => {
    const socket = await connected(port);
    await new Promise((resolve) => socket.write(half, resolve));
    socket.destroy();
  };
  return async (isOver) => {
    const begin = performance.now();
    let left = 0;
    for (; !isOver(); await sleep(turnMs)) {
      const due = Math.ceil((leaversPerSecond * (performance.now() - begin)) / 1_000) - left;
      await Promise.all(Array.from({ length: due }, leave));
      left += due;
    }
    return `${left} left`;
  };
};

const pipeliner: Neighbour = ({ port, party, pipelined }) => {
  let commands = 0;
  const requests = (): Buffer =>
    Buffer.concat(
      Array.from({ length: pipelined }, () =>
        httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(party, `pipelined-${++commands}`))),
      ),
    );
  return async (isOver) => {
    let connections = 0,
      answered = 0;
    for (; !isOver(); await sleep(turnMs)) {
      const socket = await connected(port);
      connections++;
      let answers = "";
      socket.on("data", (chunk) => {
        answers += chunk.toString("latin1");
        if (answers.split("HTTP/1.1 ").length > pipelined) socket.destroy();
      });
      socket.write(requests());
      await new Promise((resolve) => socket.once("close", resolve));
      answered += answers.split("HTTP/1.1 200 ").length - 1;
    }
    return `${commands} creates on ${connections} connections, ${answered} answered`;
  };
};

const reader: Neighbour =
  ({ port, party, end }) =>
  async (isOver) => {
    const request = JSON.stringify({
      activeAtOffset: end,
      eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
    });
    let elements = 0;
    while (!isOver()) elements += await countFrames(port, "/v2/state/active-contracts", request);
    return `${elements} elements`;
  };

const uploader: Neighbour = ({ port, darBytes }) => {
  const dar = darOf(darBytes);
  return async () => {
    const began = performance.now(),
      { status } = await new Client(port, 1).request("POST", "/v2/dars", dar);
    return `${(dar.length / 1e6).toFixed(1)} MB, status ${status} after ${((performance.now() - began) / 1_000).toFixed(1)} s`;
  };
};

/** Sends frames turn by turn, on one connection after the other. `nextOn`: of a new one; undefined: it has had its all. */
async function flood({ grpcPort }: NeighbourPlace, isOver: IsOver, nextOn: () => () => Buffer | undefined): Promise<string> {
  let connections = 0,
    bytes = 0;
  while (!isOver()) {
    const socket = await http2.connected(grpcPort),
      next = nextOn(),
      closed = new Promise((resolve) => socket.once("close", resolve));
    connections++;
    for (let frames = next(); frames !== undefined && !socket.destroyed && !isOver(); frames = next()) {
      bytes += frames.length;
      const taken = new Promise((resolve) => socket.write(frames!, resolve));
      await Promise.race([taken, closed, sleep(stuckMs)]);
      await sleep(turnMs);
    }
    socket.destroy();
  }
  return `${(bytes / 1e6).toFixed(1)} MB on ${connections} connections`;
}
const stuckMs = 1_000;

const headOf = (path: string, stream: number, more = 0): Buffer =>
  http2.frame(http2.headersFrame, http2.endsHeaders | more, stream, http2.firstHead(path));

/** Begins more and more calls on one connection. */
const beginning = (place: NeighbourPlace, isOver: IsOver, callOn: (stream: number) => Buffer): Promise<string> =>
  flood(place, isOver, () => {
    let begun = 0;
    return () => {
      const numbers = http2.streamNumbers(place.calls, begun);
      begun += numbers.length;
      return Buffer.concat(numbers.map(callOn));
    };
  });

const callers: Neighbour = (place) => (isOver) => beginning(place, isOver, (stream) => headOf("/nobody/Serves", stream, http2.endsStream));

const ledgerEnd = "/com.daml.ledger.api.v2.StateService/GetLedgerEnd";

const resetters: Neighbour = (place) => (isOver) =>
  beginning(place, isOver, (stream) =>
    Buffer.concat([headOf(ledgerEnd, stream), http2.frame(http2.resetFrame, 0, stream, http2.cancelled)]),
  );

const bytewise: Neighbour = (place) => {
  const messageHead = Buffer.alloc(5);
  messageHead.writeUInt32BE(2 * place.pieces, 1);
  const byte = http2.frame(http2.dataFrame, 0, 1, Buffer.of(0)),
    bytes = Buffer.concat(Array.from({ length: place.pieces }, () => byte)),
    begin = [headOf(ledgerEnd, 1), http2.frame(http2.dataFrame, 0, 1, messageHead), bytes];
  return (isOver) =>
    flood(place, isOver, () => {
      const writes = [Buffer.concat(begin)];
      return () => writes.shift();
    });
};

const modulesPerPackage = 20,
  valuesPerModule = 50,
  sumDepth = 8;

/** At least so many bytes: packages of functions that add up what they get. */
function darOf(bytes: number): Uint8Array {
  const modules = Array.from({ length: modulesPerPackage }, (_, number) => {
    const module = new ModuleBuilder(`M${number}`);
    for (let value = 0; value < valuesPerModule; value++)
      module.value(`v${value}`, type.arrow(type.int64, type.int64), expr.lambda({ x: type.int64 }, sumOf(sumDepth, BigInt(value))));
    return module;
  });
  const archives: Archive[] = [];
  for (let left = bytes; left > 0; left -= archives.at(-1)!.payload.length)
    archives.push(buildPackage({ name: `large-${archives.length}`, version: "1.0.0", modules }));
  return buildDar(archives[0]!, archives.slice(1));
}

const sumOf = (depth: number, number: bigint): Expr =>
  depth === 0
    ? expr.apply(expr.builtin("ADD_INT64"), expr.variable("x"), expr.int64(number))
    : expr.apply(expr.builtin("ADD_INT64"), sumOf(depth - 1, number), sumOf(depth - 1, number));

const neighbours: Readonly<Record<NeighbourName, Neighbour>> = { leavers, pipeliner, reader, uploader, callers, bytewise, resetters };

const { name, place, over } = workerData as { readonly name: NeighbourName; readonly place: NeighbourPlace; readonly over: Int32Array },
  goOn = neighbours[name](place);
parentPort!.once("message", () => {
  void goOn(() => Atomics.load(over, 0) === 1).then((told) => parentPort!.postMessage({ told }));
});
parentPort!.postMessage({ told: "ready" });
