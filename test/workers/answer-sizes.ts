/**
 * Loaded before the program, on each of its threads: an engine thread notes how many bytes each of its answers is when it is copied to the
 * main thread. Its address has the file for that.
 */
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { serialize } from "node:v8";
import { isMainThread } from "node:worker_threads";

const told = new URL(import.meta.url).searchParams.get("told")!;

if (!isMainThread) {
  const { MessagePort } = createRequire(import.meta.url)("node:worker_threads") as typeof import("node:worker_threads"),
    { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (this: InstanceType<typeof MessagePort>, ...message: unknown[]): void {
    const answer = message[0] as { readonly taskId?: number; readonly result?: unknown } | undefined;
    if (answer?.taskId !== undefined) appendFileSync(told, `${serialize(answer.result).length}\n`);
    postMessage.apply(this, message as Parameters<typeof postMessage>);
  } as typeof postMessage;
}
