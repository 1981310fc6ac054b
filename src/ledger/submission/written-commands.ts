/**
 * What is wrong with commands as they are written. The reference reads their values, by the packages that they name, before it looks for
 * who submits them. Here an engine thread does that, once somebody may: so it is asked for here where nobody may.
 */
import { isFailure } from "../../base/result.js";
import type { LedgerEnd } from "../commit/index.js";
import { type CommandSubmission, namingProblem } from "../intake/index.js";
import type { Interpreter } from "../interpretation/index.js";
import type { LedgerClock, LedgerErrorData } from "../model/index.js";
import { readableOn, type RoutingContext } from "./routing.js";
import { fromInterpretFailure } from "./selection-errors.js";

interface ReadingContext extends Pick<RoutingContext, "packages" | "parties" | "synchronizers"> {
  readonly interpreter: Interpreter;
  readonly ledgerEnd: LedgerEnd;
  readonly clock: LedgerClock;
}

export async function writtenProblem(submission: CommandSubmission, context: ReadingContext): Promise<LedgerErrorData | undefined> {
  const misnamed = namingProblem(submission, context);
  if (misnamed) return misnamed;
  const { commands, packageIdSelectionPreference, synchronizerId } = submission,
    { interpreter, packages, synchronizers } = context;
  const checked = await interpreter.checkCommands({
    commands,
    packageIdSelectionPreference,
    ledgerTime: context.clock.nowMicros(),
    atOffset: context.ledgerEnd.offset,
    packagesRevision: packages.revision,
    synchronizer: (synchronizers.find(synchronizerId) ?? synchronizers.first).number,
    readableOn: readableOn(submission, context),
  });
  if (!isFailure(checked)) return undefined;
  const problem = fromInterpretFailure(checked.error, submission, packages);
  return problem.code === "COMMAND_PREPROCESSING_FAILED" ? undefined : problem; // the reference finds that when it runs them
}
