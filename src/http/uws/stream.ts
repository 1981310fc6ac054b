import { limits } from "../../config.js";
import type { UwsResponse } from "./binding.js";

interface StreamEvents {
  /** Runs before the first chunk, corked with it. */
  writeHead(): void;
  /** The last byte is handed over; the response is no longer ours. */
  complete(): void;
  onError(error: unknown): void;
}

/** A chunked reply under way. */
export interface StreamUnderWay {
  /** The client is gone: the response must not be touched any more. */
  gone(): void;
}

/**
 * Pumps chunks at the reader's pace. Each write has a cork of its own and fits it with the head: when the cork buffer
 * overflows while the kernel's is full, this version of uWebSockets.js drops the write that did not fit.
 */
export function streamReply(response: UwsResponse, body: AsyncIterable<string | Uint8Array>, events: StreamEvents): StreamUnderWay {
  const writer = new StreamWriter(response, events);
  void writer.pump(body);
  return { gone: () => writer.gone() };
}

class StreamWriter {
  readonly #response: UwsResponse;
  readonly #events: StreamEvents;
  #begun = false;
  #gone = false;
  #wake: (() => void) | undefined;

  constructor(response: UwsResponse, events: StreamEvents) {
    this.#response = response;
    this.#events = events;
    response.onWritable(() => this.#writable());
  }

  async pump(body: AsyncIterable<string | Uint8Array>): Promise<void> {
    try {
      for await (const chunk of body) {
        await this.#write(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
        if (this.#gone) return;
      }
      await outsideCallback();
      this.#end();
    } catch (error) {
      this.#events.onError(error);
      if (!this.#gone) this.#response.close(); // a reset, so that nobody takes what came for the whole
    }
  }

  gone(): void {
    this.#gone = true;
    this.#wake?.();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await outsideCallback();
    for (let at = 0; at < bytes.length && !this.#gone; at += limits.replyPieceBytesMax) {
      if (!this.#writePiece(bytes.subarray(at, at + limits.replyPieceBytesMax))) await this.#room();
    }
  }

  #writePiece(piece: Uint8Array): boolean {
    let accepted = false;
    this.#response.cork(() => {
      this.#begin();
      accepted = this.#response.write(piece);
    });
    return accepted;
  }

  #end(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#response.cork(() => {
      this.#begin();
      this.#events.complete();
      this.#response.end();
    });
  }

  #begin(): void {
    if (!this.#begun) this.#events.writeHead();
    this.#begun = true;
  }

  async #room(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve));
    await outsideCallback();
  }

  /** With a handler the native code leaves its backlog to us; an empty cork flushes it. */
  #writable(): boolean {
    if (this.#gone) return true;
    this.#response.cork(() => undefined);
    this.#wake?.();
    return true;
  }
}

/** Native callbacks run corked, and microtasks run inside them: only a turn of its own has a cork of its own. */
const outsideCallback = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
