import { stackOf } from "../../base/error-text.js";
import type { Log } from "../../base/log.js";

/** Resolves with what `work` answers, at once or in the end; what it throws after its answer nobody else hears of. */
export function answeredEarly<T>(log: Log, work: (answer: (reply: T) => void) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const answer = (reply: T): void => {
      isAnswered = true;
      resolve(reply);
    };
    work(answer).then(resolve, (error: unknown) => {
      if (isAnswered)
        log.error("a submission failed after it was accepted for processing", {
          error: stackOf(error),
        });
      else reject(error);
    });
  });
}
