/** Every question of every release of the library, by name. */
import { cryptoQuestions } from "./crypto.js";
import { exceptionQuestions } from "./exceptions.js";
import { packageQuestions } from "./packages.js";
import { partyQuestions } from "./parties.js";
import { queryQuestions } from "./query.js";
import type { Questions } from "./question.js";
import { submitQuestions } from "./submit.js";
import { timeQuestions } from "./time.js";
import { userQuestions } from "./users.js";

export const questions: Questions = {
  ...submitQuestions,
  ...queryQuestions,
  ...partyQuestions,
  ...timeQuestions,
  ...userQuestions,
  ...packageQuestions,
  ...exceptionQuestions,
  ...cryptoQuestions,
};

export type { Asked, Attempt } from "./question.js";
