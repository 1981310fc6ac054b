/** Where the values of events stand on the ledger. */
import type { ValuePosition } from "./fields.js";

type Holder = Readonly<Record<string, unknown>>;
type OfExercise = Extract<ValuePosition, { readonly at: "choiceArgument" | "exerciseResult" }>;

const idIn = (holder: Holder, name: string): string => holder[name] as string;

export const createArgument = (created: Holder): ValuePosition => ({ at: "createArgument", templateId: idIn(created, "templateId") });

/** A key may be null, so it is the hash that tells whether there is one. */
export const contractKey = (created: Holder): ValuePosition | undefined =>
  (created["contractKeyHash"] ?? "") === "" ? undefined : { at: "contractKey", templateId: idIn(created, "templateId") };

/** One that could not be computed is not there. */
export const interfaceView = (view: Holder): ValuePosition | undefined =>
  view["viewValue"] == null ? undefined : { at: "interfaceView", interfaceId: idIn(view, "interfaceId") };

const ofExercise =
  (at: OfExercise["at"]) =>
  (exercised: Holder): ValuePosition => ({
    at,
    templateId: idIn(exercised, "templateId"),
    interfaceId: (exercised["interfaceId"] ?? null) as string | null,
    choice: exercised["choice"] as string,
  });
export const choiceArgument = ofExercise("choiceArgument");
export const exerciseResult = ofExercise("exerciseResult");
