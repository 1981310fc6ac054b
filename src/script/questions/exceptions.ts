/** Exceptions and failures of scripts: thrown, and caught. */
import type { LfMap, Value } from "../../lf/running-code.js";
import { fieldsOf, failureStatusValue, left, right, tuple } from "../values.js";
import { type Attempt, question, type Questions } from "./question.js";

const either = <T>(attempt: Attempt<T>, show: (caught: T) => Value): Value =>
  "caught" in attempt ? left(show(attempt.caught)) : right(attempt.value);

export const exceptionQuestions: Questions = {
  Catch: question(async ([act], { catchException }) => either(await catchException(act!), (exception) => exception)),
  TryFailureStatus: question(async ([act], { catchFailureStatus }) => either(await catchFailureStatus(act!), failureStatusValue)),
  TryCommands: question(async ([script], { catchFailedQuestion }) =>
    either(await catchFailedQuestion(script!), ({ question: name, class_, message }) => tuple(name, class_, message)),
  ),
  Throw: question(async ([exception], { throwException }) => throwException(exception!)),
  FailWithStatus: question(async ([status], { throwFailureStatus }) => {
    const [errorId, category, message, metadata] = fieldsOf(status!);
    return throwFailureStatus({
      errorId: errorId as string,
      category: Number(category),
      message: message as string,
      metadata: [...(metadata as LfMap).entries()] as (readonly [string, string])[],
    });
  }),
};
