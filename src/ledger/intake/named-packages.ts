/**
 * What is wrong with the packages that commands name. The reference looks for them before it looks at any field of a submission but its
 * first submitter, as it reads the values in commands by them. Here an engine thread does that, once the fields are in order: so it is
 * asked for here where they are not.
 */
import { limits } from "../../config.js";
import {
  invalidField,
  type LedgerClock,
  ledgerError,
  type LedgerErrorData,
  malformedPackageReference,
  namedElsewhere,
  packageIdProblem,
  packageNameProblem,
  packageNamesNotFound,
  shortHash,
  type Synchronizers,
  uniqueIdentifierProblem,
  unknownInformees,
  unknownPrescribed,
  whileRouting,
} from "../model/index.js";
import { onSynchronizer, type PackageRegistry, selectPackages } from "../packages/index.js";
import type { PartyRegistry } from "../parties/index.js";
import type { CommandSubmission } from "./command-submission.js";

export interface NamingContext {
  readonly packages: PackageRegistry;
  readonly parties: Pick<PartyRegistry, "get">;
  readonly synchronizers: Synchronizers;
  readonly clock: Pick<LedgerClock, "nowMicros">;
}

export function namingProblem(submission: CommandSubmission, context: NamingContext): LedgerErrorData | undefined {
  if (submission.commands.length > limits.namingCommandsCharsMax) return undefined;
  const references = packagesIn(submission.commands),
    malformed = references.map(referenceProblem).find((problem) => problem !== undefined);
  if (malformed !== undefined) return malformedPackageReference(malformed);
  const names = references.filter(isName).map((reference) => reference.slice(1));
  return names.length === 0 ? undefined : problemOfNames(names, submission, context);
}

function problemOfNames(names: readonly string[], submission: CommandSubmission, context: NamingContext): LedgerErrorData | undefined {
  const { packages, parties, synchronizers } = context,
    { actAs, packageIdSelectionPreference: preferred, synchronizerId } = submission;
  const unknownId = preferred.find((id) => packages.get(id) === undefined);
  if (unknownId !== undefined) return ledgerError("JSON_API_PACKAGE_SELECTION_FAILED", `Package-id ${shortHash(unknownId)} not known`);
  const malformed = synchronizerId === "" ? undefined : uniqueIdentifierProblem(synchronizerId);
  if (malformed !== undefined) return whileRouting(invalidField("synchronizer_id", malformed));
  const unknown = names.filter((name) => !packages.hasName(name));
  if (unknown.length > 0) return packageNamesNotFound(unknown);
  const prescribed = synchronizers.find(synchronizerId);
  if (synchronizerId !== "" && prescribed === undefined) return unknownPrescribed(synchronizerId);
  const party = parties.get(actAs[0]!);
  if (party === undefined) return unknownInformees(actAs.slice(0, 1));
  const elsewhere = namedElsewhere(synchronizerId, party.synchronizers, synchronizers);
  if (elsewhere !== undefined) return elsewhere;
  return unfitProblem(names, { preferred, numbers: prescribed ? [prescribed.number] : party.synchronizers }, context);
}

interface Choice {
  readonly preferred: readonly string[];
  /** Of synchronizers where it may be chosen. */
  readonly numbers: readonly number[];
}

function unfitProblem(names: readonly string[], { preferred, numbers }: Choice, context: NamingContext): LedgerErrorData | undefined {
  const { packages, clock } = context,
    needs = { at: clock.nowMicros(), names: new Set(names), preferred: lastOfEachName(preferred, packages) };
  const selections = numbers.map((number) => selectPackages(onSynchronizer(packages.records(), number), needs)),
    lacking = selections.map((selection) => names.filter((name) => !selection.packages.has(name)));
  if (lacking.some((without) => without.length === 0)) return undefined;
  const message =
    lacking[0]
      ?.slice(0, limits.unknownNamesToldMax)
      .map((name) => selections[0]!.reasonWithout(name))
      .join(" ") ?? "";
  return ledgerError("JSON_API_PACKAGE_SELECTION_FAILED", message);
}

/** Several of a name are refused later; until then the last one counts. */
function lastOfEachName(ids: readonly string[], packages: PackageRegistry): readonly string[] {
  const byName = new Map([...new Set(ids)].map((id) => [packages.get(id)?.summary.name, id] as const));
  return [...byName.values()];
}

const isName = (reference: string): boolean => reference.startsWith("#");

const referenceProblem = (reference: string): string | undefined =>
  isName(reference) ? packageNameProblem(reference.slice(1)) : packageIdProblem(reference);

interface Named {
  readonly templateId: string;
}
/** What is read of a command's JSON: its kind is the first of these that is there, as for who interprets it. */
interface WireCommand {
  readonly CreateCommand?: Named;
  readonly ExerciseCommand?: Named;
  readonly ExerciseByKeyCommand?: Named;
  readonly CreateAndExerciseCommand?: Named;
}

/** Package ids, and names behind a #: each once, in the order of the commands, which are JSON text. */
function packagesIn(commands: string): readonly string[] {
  const templates = (JSON.parse(commands) as readonly WireCommand[]).flatMap(
    ({ CreateCommand, ExerciseCommand, ExerciseByKeyCommand, CreateAndExerciseCommand }) =>
      (CreateCommand ?? ExerciseCommand ?? ExerciseByKeyCommand ?? CreateAndExerciseCommand)?.templateId ?? [],
  );
  return [...new Set(templates.map((template) => template.split(":", 1)[0]!))];
}
