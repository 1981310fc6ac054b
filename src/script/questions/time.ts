/** Time: of the ledger, and sleeping. */
import { unit } from "../../lf/running-code.js";
import { fieldsOf } from "../values.js";
import { question, type Questions } from "./question.js";

export const timeQuestions: Questions = {
  GetTime: question((_, { ledger }) => ledger.time()),
  SetTime: question(async ([time], { ledger }) => {
    await ledger.setTime(time as bigint);
    return unit;
  }),
  /** RelTime is a record of microseconds. */
  Sleep: question(async ([duration], { sleep }) => {
    await sleep(BigInt(fieldsOf(duration!)[0] as number));
    return unit;
  }),
};
