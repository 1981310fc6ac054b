/** How what is vetted is changed. */
import { fail, isFailure, ok } from "../../base/result.js";
import { timestampInRange } from "../../lf/value/index.js";
import {
  type Answer,
  ledgerError,
  type LedgerErrorData,
  type Outcome,
  packageIdProblem,
  packageNameProblem,
  packageVersionProblem,
  type Synchronizer,
} from "../model/index.js";
import type { PackageSummary } from "../interpretation/index.js";
import { onSynchronizer, type PackageRegistry, type VettablePackage, type Vetting } from "./package-registry.js";
import { checkNewPackages, type PackagesContext, takeOver, vettingSynchronizer, withVetting, writeVetting } from "./packages.js";
import { stateOf, undecodable, unlawful, unreadable, type VettingState } from "./vetting-state.js";

/** Names one package, or all of a name. */
export interface PackageReference {
  readonly packageId: string;
  readonly name: string;
  readonly version: string;
}

export type VettingChange =
  | {
      readonly kind: "vet";
      readonly packages: readonly PackageReference[];
      readonly validFrom: bigint | undefined;
      readonly validUntil: bigint | undefined;
    }
  | { readonly kind: "unvet"; readonly packages: readonly PackageReference[] };

export interface VettingUpdate {
  /** Undefined stands for a change that says nothing. */
  readonly changes: readonly (VettingChange | undefined)[];
  readonly dryRun: boolean;
  readonly synchronizerId: string;
  readonly expectedSerial: "any" | "none" | number;
  readonly allowIncompatibleUpgrades: boolean;
}

export interface VettingContext extends PackagesContext {
  readonly participantId: string;
}

export interface VettingOutcome {
  readonly past: VettingState | undefined;
  readonly next: VettingState;
}

export async function updateVettedPackages(request: VettingUpdate, context: VettingContext): Answer<VettingOutcome> {
  const changes = checkChanges(request);
  if (isFailure(changes)) return changes;
  const synchronizer = vettingSynchronizer(request.synchronizerId, context);
  if (isFailure(synchronizer)) return synchronizer;
  return context.vettingChanges.run(() => applyChanges(changes.ok, request, synchronizer.ok, context));
}

function checkChanges({ changes, expectedSerial }: VettingUpdate): Outcome<readonly VettingChange[]> {
  for (const change of changes) {
    if (change === undefined) return undecodable("FieldNotSet(operation)");
    for (const reference of change.packages) {
      const malformed = referenceProblem(reference);
      if (malformed !== undefined) return malformed;
      if (!isComplete(reference))
        return unlawful(
          "package_name",
          "Either package_id must be set, or package_name and package_version must be set, or all three must be set.",
        );
    }
    const noTime = timeProblem(change);
    if (noTime !== undefined) return noTime;
  }
  if (typeof expectedSerial === "number" && expectedSerial <= 0)
    return unlawful(
      "expected_topology_serial",
      `Received the non-positive ${expectedSerial} as argument, but we require a positive value here.`,
    );
  return ok(changes as readonly VettingChange[]);
}

function timeProblem(change: VettingChange): { readonly error: LedgerErrorData } | undefined {
  if (change.kind === "unvet") return undefined;
  const times = [
    ["new_valid_from_inclusive", change.validFrom],
    ["new_valid_until_exclusive", change.validUntil],
  ] as const;
  for (const [field, micros] of times)
    if (micros !== undefined && !timestampInRange(micros)) return unreadable(field, "it cannot be represented as a Daml timestamp");
  return undefined;
}

function referenceProblem({ packageId, name, version }: PackageReference): { readonly error: LedgerErrorData } | undefined {
  const texts: readonly (readonly [string, string, (text: string) => string | undefined])[] = [
    ["package_id", packageId, packageIdProblem],
    ["package_name", name, packageNameProblem],
    ["package_version", version, packageVersionProblem],
  ];
  for (const [field, text, check] of texts) {
    const problem = text === "" ? undefined : check(text);
    if (problem !== undefined) return unreadable(field, problem);
  }
  return undefined;
}

const isComplete = ({ packageId, name, version }: PackageReference): boolean =>
  packageId === "" ? name !== "" : (name === "") === (version === "");

async function applyChanges(
  changes: readonly VettingChange[],
  request: VettingUpdate,
  synchronizer: Synchronizer,
  context: VettingContext,
): Answer<VettingOutcome> {
  const { packages, committer } = context,
    { number } = synchronizer,
    before = onSynchronizer(packages.records(), number);
  const targets = resolveTargets(changes, context);
  if (isFailure(targets)) return targets;
  const serial = packages.vettingSerial(number);
  const past = serial === 0 ? undefined : stateOf(before, serial, synchronizer, context);
  const mismatch = serialMismatch(request.expectedSerial, serial);
  if (mismatch) return fail(mismatch);
  const changed = before.flatMap(({ summary, vetting }) => {
    const target = targets.ok.get(summary.packageId);
    return target === undefined || isSame(target.vetting, vetting) ? [] : [{ summary, vetting: target.vetting }];
  });
  if (changed.length === 0) return ok({ past, next: past ?? stateOf([], serial, synchronizer, context) });
  const next = withChanges(before, changed);
  const empty = request.dryRun ? undefined : emptyPeriod(changed);
  if (empty) return fail(empty);
  const refused = request.allowIncompatibleUpgrades ? undefined : await checkVersions(before, next, context);
  if (refused) return fail(refused);
  if (!request.dryRun) {
    const records = changed.map(({ summary, vetting }) => ({
      summary,
      vettings: withVetting(packages.get(summary.packageId)!.vettings, number, vetting),
    }));
    const change = { records, vettedOn: [number] },
      written = await committer.commit((group) => writeVetting(group, change, packages));
    if (isFailure(written)) return written;
    takeOver(change, packages);
  }
  return ok({ past, next: stateOf(next, serial + 1, synchronizer, context) });
}

type Targets = ReadonlyMap<string, { readonly vetting: Vetting | undefined }>;

/** Of several changes of one package the last holds. Unvetting what is not there is no error: such a script may run twice. */
function resolveTargets(changes: readonly VettingChange[], context: VettingContext): Outcome<Targets> {
  const targets = new Map<string, { readonly vetting: Vetting | undefined }>();
  for (const change of changes) {
    for (const reference of change.packages) {
      const found = candidates(reference, context.packages)
        .filter((summary) => isReferred(summary, reference))
        .map(({ packageId }) => packageId);
      if (change.kind === "vet" && found.length !== 1)
        return fail(found.length === 0 ? unresolved(reference) : ambiguous(reference, found));
      const vetting = change.kind === "vet" ? { validFrom: change.validFrom, validUntil: change.validUntil } : undefined;
      for (const packageId of found) targets.set(packageId, { vetting });
    }
  }
  return ok(targets);
}

function candidates({ packageId, name }: PackageReference, packages: PackageRegistry): readonly PackageSummary[] {
  if (packageId === "") return packages.versionsOf(name);
  const summary = packages.get(packageId)?.summary;
  return summary === undefined ? [] : [summary];
}

const isReferred = (summary: PackageSummary, { packageId, name, version }: PackageReference): boolean =>
  (packageId === "" || summary.packageId === packageId)
  && (name === "" || summary.name === name)
  && (version === "" || summary.version === version);

const referenceText = ({ packageId, name, version }: PackageReference): string =>
  [
    ["package-id", packageId],
    ["package-name", name],
    ["package-version", version],
  ]
    .filter(([, text]) => text !== "")
    .map(([what, text]) => `${what}: '${text}'`)
    .join(", ");
const unresolved = (reference: PackageReference): LedgerErrorData =>
  ledgerError(
    "UNRESOLVED_VETTING_REFERENCE",
    `The vetted package reference ${referenceText(reference)} does not match any package of this node.`,
    {
      context: {
        reference: referenceText(reference),
        reason: reference.packageId === "" ? "no such package" : `No packages with package ID ${reference.packageId}`,
      },
    },
  );
const ambiguous = (reference: PackageReference, found: readonly string[]): LedgerErrorData =>
  ledgerError(
    "AMBIGUOUS_VETTING_REFERENCE",
    `The package reference ${referenceText(reference)} matches multiple packages: ${found.join(", ")}`,
    { context: { reference: referenceText(reference), matchingPackages: found.join(", ") } },
  );

function serialMismatch(expected: VettingUpdate["expectedSerial"], serial: number): LedgerErrorData | undefined {
  if (expected === "any" || (expected === "none" ? 0 : expected) === serial) return undefined;
  const text = (value: number): string => (value === 0 ? "None" : `Some(${value})`);
  const [actual, wanted] = [text(serial), text(expected === "none" ? 0 : expected)];
  return ledgerError("TOPOLOGY_SERIAL_MISMATCH", `The serial ${actual} of the vetting state did not match the expected serial ${wanted}.`, {
    context: { actual, expected: wanted },
  });
}

/** Found where the state is written, as by the reference: a dry run does not tell of it. */
function emptyPeriod(changed: readonly VettablePackage[]): LedgerErrorData | undefined {
  const isEmpty = ({ validFrom, validUntil }: Vetting): boolean =>
    validFrom !== undefined && validUntil !== undefined && validFrom >= validUntil;
  const empty = changed.filter(({ vetting }) => vetting !== undefined && isEmpty(vetting)).map(({ summary }) => summary.packageId);
  if (empty.length === 0) return undefined;
  const description = `The packages ${empty.join(", ")} would be vetted for a period that does not end later than it begins.`;
  return ledgerError("TOPOLOGY_INVALID_MAPPING", description, { context: { description } });
}

const isSame = (a: Vetting | undefined, b: Vetting | undefined): boolean =>
  a && b ? a.validFrom === b.validFrom && a.validUntil === b.validUntil : a === b;

function withChanges(records: readonly VettablePackage[], changed: readonly VettablePackage[]): readonly VettablePackage[] {
  const byId = new Map(changed.map((record) => [record.summary.packageId, record]));
  return records.map((record) => byId.get(record.summary.packageId) ?? record);
}

const vettedOf = (records: readonly VettablePackage[]): readonly PackageSummary[] =>
  records.filter(({ vetting }) => vetting !== undefined).map(({ summary }) => summary);

/**
 * Whether the versions that will be vetted fit together. A package whose window alone changes was checked when it came.
 * That what they were built with is vetted as well is asked for no more from protocol version 35 on.
 */
async function checkVersions(
  before: readonly VettablePackage[],
  next: readonly VettablePackage[],
  context: VettingContext,
): Promise<LedgerErrorData | undefined> {
  const was = new Set(vettedOf(before)),
    will = vettedOf(next),
    added = will.filter((summary) => !was.has(summary)).map((summary) => ({ summary, payload: undefined }));
  if (added.length === 0) return undefined;
  const staying = will.filter((summary) => was.has(summary));
  return checkNewPackages(added, staying, context);
}
