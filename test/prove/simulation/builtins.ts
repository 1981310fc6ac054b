/**
 * The process's own timers, clock and randomness, replaced while a simulation runs: they are the ports through which all product code
 * meets time and chance, so none of it has to know that it is simulated, and none can be forgotten.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { randomBytes } from "../../../src/base/random.js";
import type { Random } from "../../support/random.js";
import type { Life, Scheduler } from "./scheduler.js";

export interface SimulatedProcess {
  readonly scheduler: Scheduler;
  readonly random: Random;
  /** Of the ledger that runs now. */
  readonly life: () => Life;
  /** By the clock on the wall. */
  readonly nowMs: () => number;
}

/** Reading the time takes some, so that work which gives way after a while does so. */
const lookMsMax = 0.3;
/** A turn of the event loop takes some, too: who asks in each turn whether something is done lets time pass. */
const turnMs = 0.02;
/** PKCS #8 of an Ed25519 key, before its 32 bytes. */
const ed25519Head = Buffer.from("302e020100300506032b657004220420", "hex");
/** More than `base/random.ts` keeps in stock. */
const stockBytes = 16 * 1024;

/** Runs the body in the simulated process, and puts everything back. */
export async function inProcess<T>(simulated: SimulatedProcess, body: () => Promise<T>): Promise<T> {
  const { scheduler, random, life, nowMs } = simulated;
  const later = (run: (...args: unknown[]) => void, ms: number, args: unknown[]): object => {
    const event = scheduler.after(ms * 1_000, life(), () => run(...args));
    return {
      event,
      unref() {
        return this;
      },
      ref() {
        return this;
      },
      hasRef: () => true,
    };
  };
  const cancel = (timer: { event: { isCancelled: boolean } } | undefined): void => {
    if (timer?.event !== undefined) timer.event.isCancelled = true;
  };
  const fill = <A extends ArrayBufferView>(bytes: A): A => {
    const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < view.length; at++) view[at] = random.below(256);
    return bytes;
  };
  let looked = 0;
  const globals = {
    setTimeout: (run: () => void, ms = 0, ...args: unknown[]) => later(run, Math.max(1, ms), args),
    setImmediate: (run: () => void, ...args: unknown[]) => later(run, turnMs, args),
    setInterval: () => {
      throw new Error("nothing that is simulated is done at intervals");
    },
    clearTimeout: cancel,
    clearImmediate: cancel,
    clearInterval: cancel,
  };
  const chance = {
    randomFillSync: fill,
    randomBytes: (count: number) => fill(Buffer.alloc(count)),
    randomUUID: () =>
      fill(Buffer.alloc(16))
        .toString("hex")
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
    generateKeyPairSync: () => {
      const privateKey = crypto.createPrivateKey({
        key: Buffer.concat([ed25519Head, fill(Buffer.alloc(32))]),
        format: "der",
        type: "pkcs8",
      });
      return { privateKey, publicKey: crypto.createPublicKey(privateKey) };
    },
  };
  const putBack = [
    replace(globalThis, globals),
    replace(crypto, chance),
    replace(Date, { now: nowMs }),
    replace(performance, { now: () => scheduler.now / 1_000 + (looked += lookMsMax * random.next()) }),
    replace(process.hrtime, { bigint: () => BigInt(Math.round(scheduler.now)) * 1_000n }),
  ];
  syncBuiltinESMExports();
  randomBytes(stockBytes); // what is left of the stock is not of this seed
  try {
    return await body();
  } finally {
    for (const undo of putBack) undo();
    syncBuiltinESMExports();
    randomBytes(stockBytes);
  }
}

function replace(target: object, replacements: Readonly<Record<string, unknown>>): () => void {
  const names = Object.keys(replacements),
    before = names.map((name) => Object.getOwnPropertyDescriptor(target, name));
  for (const name of names) Object.defineProperty(target, name, { value: replacements[name], configurable: true, writable: true });
  return () =>
    names.forEach((name, index) => {
      const descriptor = before[index];
      if (descriptor === undefined) delete (target as Record<string, unknown>)[name];
      else Object.defineProperty(target, name, descriptor);
    });
}
