/**
 * Loaded before the program, on each of its threads: an engine thread dies now and then, in one of several ways at one of several steps of
 * a task. Its address has the seed and the file where each death is told.
 */
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isMainThread, threadId } from "node:worker_threads";
import { Random } from "../../support/random.js";

type Way = "throws" | "exits" | "takes all memory" | "loops";
type Step = "as a task comes" | "before it answers" | "behind its answer";

interface Message {
  readonly task?: { readonly kind?: string };
  readonly taskId?: number;
}

const deathShare = 0.03,
  slowShare = 0.02;

function die(way: Way): void {
  const held: number[][] = [];
  switch (way) {
    case "throws":
      throw new Error("an engine thread was made to throw");
    case "exits":
      return process.exit(1);
    case "takes all memory":
      for (;;) held.push(new Array<number>(1_000_000).fill(held.length + 0.5));
    case "loops":
      for (;;);
  }
}

function dieNowAndThen(seed: number, told: string): void {
  const random = new Random(seed * 1_000 + threadId),
    threads = createRequire(import.meta.url)("node:worker_threads") as typeof import("node:worker_threads"),
    { receiveMessageOnPort } = threads,
    { postMessage } = threads.MessagePort.prototype;
  let isPlanned: Step | undefined;
  const perhaps = (step: Step): void => {
    if (isPlanned !== step) return;
    isPlanned = undefined;
    const way = random.chance(slowShare) ? random.one<Way>(["takes all memory", "loops"]) : random.one<Way>(["throws", "exits"]);
    appendFileSync(told, `${way} ${step}\n`);
    die(way);
  };
  threads.receiveMessageOnPort = (port) => {
    const received = receiveMessageOnPort(port),
      message = received?.message as Message | undefined;
    if (message?.task?.kind === "interpret" && random.chance(deathShare))
      isPlanned = random.one<Step>(["as a task comes", "before it answers", "behind its answer"]);
    perhaps("as a task comes");
    return received;
  };
  threads.MessagePort.prototype.postMessage = function (this: InstanceType<typeof threads.MessagePort>, ...message: unknown[]): void {
    const isAnswer = (message[0] as Message | undefined)?.taskId !== undefined;
    if (isAnswer) perhaps("before it answers");
    postMessage.apply(this, message as Parameters<typeof postMessage>);
    if (isAnswer) perhaps("behind its answer");
  } as typeof postMessage;
}

const { searchParams } = new URL(import.meta.url);
if (!isMainThread) dieNowAndThen(Number(searchParams.get("seed")), searchParams.get("told")!);
