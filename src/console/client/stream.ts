/** A list of the API as a WebSocket: elements until it is closed, by whichever side. */
import type { Client } from "./client.js";
import { errorObject, RequestFailed } from "./errors.js";

export interface StreamHandlers<E> {
  /** `chars`: how long the element's text was. */
  onElement(element: E, chars: number): void;
  onEnd(failure: RequestFailed | undefined): void;
}

export interface OpenStream {
  close(): void;
}

/** What gRPC calls it when a server does not serve now. */
const unavailable = 14;

export function openStream<E>(client: Client, path: string, request: unknown, handlers: StreamHandlers<E>): OpenStream {
  const socket = client.socket(path, request);
  let isOver = false,
    failure: RequestFailed | undefined;
  const end = (why: RequestFailed | undefined): void => {
    if (isOver) return;
    isOver = true;
    socket.close();
    handlers.onEnd(why);
  };
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    if (isOver) return;
    const error = data.startsWith('{"code"') ? errorObject(data) : undefined;
    if (error !== undefined)
      failure = new RequestFailed(error.grpcCodeValue === unavailable ? 503 : 400, error.code, error.cause, error.context);
    else handlers.onElement(JSON.parse(data) as E, data.length);
  };
  socket.onclose = ({ code, reason }) =>
    end(failure ?? (code === 1000 ? undefined : new RequestFailed(0, "DISCONNECTED", reason || "the connection ended")));
  return {
    close() {
      isOver = true;
      socket.close();
    },
  };
}
