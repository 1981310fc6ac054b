/** Submissions: several at once are sent in order, whatever becomes of those before, and each has its own answer. */
import type { ContractId, EnumValue, Value } from "../../lf/running-code.js";
import type { Disclosure, LedgerSubmission, SubmitAnswer } from "../ledger.js";
import { QuestionFailed, questionFailed } from "../stop.js";
import { definitionOf, elementsOf, fieldsOf, frameOf, left, list, optionOf, right, texts, tuple } from "../values.js";
import { commandOf } from "./commands.js";
import { keyToLedger } from "./conversions.js";
import { type Asked, question, type Questions } from "./question.js";
import { submitErrorValue } from "./submit-error-value.js";
import { committedValues } from "./transaction-tree.js";

export const submitQuestions: Questions = {
  /** Version 2 has contract keys in a type of the library. */
  Submit: question(
    async ([submissions], asked) => {
      const sent = elementsOf(submissions!).map((submission) => submissionOf(submission, asked)),
        answers: Value[] = [],
        failures: QuestionFailed[] = [];
      for (const submission of sent) {
        try {
          answers.push(await submit(submission, asked));
        } catch (error) {
          if (!(error instanceof QuestionFailed)) throw error;
          failures.push(error); // the others are sent all the same
        }
      }
      if (failures.length > 0) throw failures[0]!;
      return list(answers);
    },
    [1, 2],
  ),
};

async function submit(submission: LedgerSubmission, asked: Asked): Promise<Value> {
  return answerValue(submission, await asked.ledger.submit(submission), asked);
}

function answerValue(submission: LedgerSubmission, answer: SubmitAnswer, asked: Asked): Value {
  const { expects } = submission;
  if (answer.kind === "committed") {
    if (expects === "failure")
      throw questionFailed("SErrorDamlException", "Expected submit to fail but it succeeded", { submission: answer.submission });
    const { results, tree } = committedValues(submission.commands, answer.events, asked);
    return right(tuple(list(results), tree));
  }
  if (expects !== "success") return left(submitErrorValue(answer.error, answer.message, asked));
  throw questionFailed(answer.class_, answer.message, {
    submission: answer.submission,
    ...(answer.referenceText === undefined ? {} : { referenceText: answer.referenceText }),
    ...(answer.hint === undefined ? {} : { hint: answer.hint }),
  });
}

const expectations = { MustSucceed: "success", MustFail: "failure", Try: "either" } as const;

/** Libraries before 3.3 have no keys to be fetched ahead: the last fields are counted from the end. */
function submissionOf(value: Value, { packages }: Asked): LedgerSubmission {
  const fields = fieldsOf(value);
  const [actAs, readAs, disclosures, preference] = fields;
  const [behaviour, commands, location] = fields.slice(-3);
  const [first, others] = fieldsOf(actAs!);
  const preferred = optionOf(preference!),
    at = optionOf(location!);
  return {
    actAs: [...new Set([first as string, ...texts(others!)])],
    readAs: [...new Set(texts(readAs!))],
    disclosures: elementsOf(disclosures!).map(disclosureOf),
    packagePreference: preferred === undefined ? [] : elementsOf(preferred).map((packageId) => fieldsOf(packageId)[0] as string),
    prefetchKeys:
      fields.length < 8
        ? []
        : elementsOf(fields[4]!).map((key) => {
            const template = definitionOf(fieldsOf(key)[1]!);
            return { template, key: keyToLedger(packages, template, key) };
          }),
    expects: expectations[(behaviour as EnumValue).constructor_ as keyof typeof expectations],
    commands: elementsOf(commands!).map((command) => commandOf(packages, command)),
    location: at === undefined ? undefined : frameOf(at).location,
  };
}

function disclosureOf(value: Value): Disclosure {
  const [template, contractId, blob] = fieldsOf(value);
  return { templateId: definitionOf(template!), contractId: (contractId as ContractId).hex, blob: blob as string };
}
