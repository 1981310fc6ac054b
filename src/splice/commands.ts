/** Commands in the Ledger JSON API's form. Packages go by name. */
import { reference, type Name } from "./names.js";

export const create = (template: Name, createArguments: object) => ({
  CreateCommand: { templateId: reference(template), createArguments },
});

/** Of a template, or of an interface. */
export const exercise = (template: Name, contractId: string, choice: string, choiceArgument: object) => ({
  ExerciseCommand: { templateId: reference(template), contractId, choice, choiceArgument },
});

export const createAndExercise = (template: Name, createArguments: object, choice: string, choiceArgument: object) => ({
  CreateAndExerciseCommand: { templateId: reference(template), createArguments, choice, choiceArgument },
});
