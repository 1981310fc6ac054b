/** The WebSocket ending of a stream: one element per frame, as fast as the socket takes them. */
import { limits } from "../config.js";
import type { Cursor } from "../base/element-writer.js";
import type { RawSocket } from "../http/index.js";
import { FrameBuffer } from "./element-buffers.js";
import { frameBytes } from "./spare-bytes.js";

/** The reference answers it unasked too, and clients that keep to RFC 6455 then fail. */
export const spokenProtocol = "daml.ws.auth";
export const normalClosure = 1000;
export const goingAway = 1001;

/** Sends until the stream ends or `until` aborts, and releases the cursor; gives why the stream ended early. */
export async function sendFrames<F>(cursor: Cursor<F>, socket: RawSocket, until: AbortSignal): Promise<F | undefined> {
  const batch = new FrameBuffer();
  let elementsMax: number = limits.streamBatchElementsFirst;
  const close = (): void => cursor.close();
  until.addEventListener("abort", close, { once: true }); // also while it looks for elements, which may take turns
  try {
    while (!until.aborted) {
      if (!frameBytes.hasRoom) await frameBytes.room(until);
      if (until.aborted) break;
      const written = await cursor.read(elementsMax, batch);
      if (written > 0) elementsMax = elementsFor(batch.bytesWritten / written);
      const { wasRefused } = batch;
      await socket.sendAll(batch.frames());
      batch.release();
      if (written > 0 || wasRefused) continue;
      if (cursor.ended) break;
      await cursor.wait(limits.readerWakesMs, until);
    }
    return cursor.failure;
  } finally {
    until.removeEventListener("abort", close);
    close();
    batch.release(); // of which nobody takes the rest
  }
}

/** How many elements a batch should have where they are so long. */
const elementsFor = (bytesEach: number): number =>
  Math.max(1, Math.min(limits.streamBatchElements, Math.floor(limits.streamBatchBytes / bytesEach)));
