import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { HttpServer } from "./http-server.js";

/**
 * Serves a request that asked for a protocol we do not speak there as the plain request it also is (RFC 9110 section 7.8).
 * With a listener for upgrades, node:http leaves the connection to us after the head, body included;
 * the head is put back without the offer and the connection starts again.
 */
export function replay({ server, speaking }: HttpServer, request: IncomingMessage, socket: Socket, first: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  const { rawHeaders } = request;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const value = rawHeaders[at + 1] ?? "";
    if (name.toLowerCase() === "connection") lines.push(`${name}: ${withoutUpgrade(value)}`);
    else if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), first]));
  server.emit(speaking, socket);
}

function withoutUpgrade(connection: string): string {
  const tokens = connection.split(",").filter((token) => token.trim().toLowerCase() !== "upgrade");
  return tokens.join(",").trim() || "keep-alive";
}
