/** Uploading, vetting and reading packages. Known and vetted with one commit; uploading the same again changes nothing. */
import { assert } from "../../base/assert.js";
import type { Exclusive } from "../../base/exclusive.js";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import type { CommitGroup, Committer } from "../commit/index.js";
import {
  type Answer,
  fromArchiveError,
  invalidArgument,
  type LedgerClock,
  ledgerError,
  type LedgerErrorData,
  type Outcome,
  packageIdProblem,
  shortIdentifier,
  type Synchronizer,
  type Synchronizers,
  uniqueIdentifierProblem,
  whileLogging,
} from "../model/index.js";
import type { DarContents, Interpreter, PackageSummary } from "../interpretation/index.js";
import {
  encodePackage,
  encodeVettingSerial,
  onSynchronizer,
  type PackageRecord,
  type PackageRegistry,
  unbounded,
  type Vetting,
} from "./package-registry.js";
import { payloadBytes, type PayloadRecord, payloadRecords, readPayload } from "./package-payloads.js";
import { checkLineages, type UpgradePair } from "./lineages.js";
import { ReadDars } from "./read-dars.js";

/** Is each of these a valid upgrade? `added`: what is new, whose bytes need not be stored yet. */
export type UpgradeCheck = (pairs: readonly UpgradePair[], added: DarContents["packages"]) => Promise<LedgerErrorData | undefined>;

export interface PackagesContext {
  readonly tables: Tables;
  readonly packages: PackageRegistry;
  readonly committer: Committer;
  readonly interpreter: Interpreter;
  readonly clock: LedgerClock;
  readonly synchronizers: Synchronizers;
  readonly checkUpgrade: UpgradeCheck;
  /** Checks of what may be vetted hold until it is: such changes come one after another. */
  readonly vettingChanges: Exclusive;
  readonly readDars: ReadDars;
}

/** Where packages are to be vetted: no name will do where there is no choice. */
export function vettingSynchronizer(
  synchronizerId: string,
  { synchronizers }: Pick<PackagesContext, "synchronizers">,
): Outcome<Synchronizer> {
  const found = synchronizerId === "" ? synchronizers.only : synchronizers.find(synchronizerId);
  return found === undefined ? fail(synchronizerId === "" ? cannotDetect(synchronizers) : notConnected(synchronizerId)) : ok(found);
}

function cannotDetect({ connected }: Synchronizers): LedgerErrorData {
  const ids = connected.map(({ id }) => shortIdentifier(id)).join(", ");
  return ledgerError(
    "PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER",
    `The request does not say which synchronizer is meant (synchronizerId); this node is connected to ${ids}.`,
    { context: { synchronizers: `List(${ids})` } },
  );
}

function notConnected(synchronizerId: string): LedgerErrorData {
  const malformed = malformedSynchronizer(synchronizerId);
  if (malformed) return malformed;
  return ledgerError(
    "PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER",
    `Cannot upload a dar because the participant is not connected to synchronizer '${synchronizerId}'.`,
    { context: { synchronizerId } },
  );
}

function malformedSynchronizer(synchronizerId: string): LedgerErrorData | undefined {
  const malformed = uniqueIdentifierProblem(synchronizerId);
  if (malformed === undefined) return undefined;
  return ledgerError("PROTO_DESERIALIZATION_FAILURE", "Deserialization of protobuf message failed", {
    context: { reason: `ValueConversionError(synchronizer_id,${malformed})` },
  });
}

/** `added`: what was not vetted, not even for another time. `staying`: what stays vetted beside it. */
export async function checkNewPackages(
  added: DarContents["packages"],
  staying: readonly PackageSummary[],
  { packages, checkUpgrade }: Pick<PackagesContext, "packages" | "checkUpgrade">,
): Promise<LedgerErrorData | undefined> {
  const summaries = added.map(({ summary }) => summary),
    byId = new Map(summaries.map((summary) => [summary.packageId, summary]));
  const { pairs, refusal } = checkLineages(
    summaries,
    [...staying, ...summaries],
    (packageId) => byId.get(packageId) ?? packages.get(packageId)?.summary,
  );
  return (await checkUpgrade(pairs, added)) ?? refusal;
}

function checkVetting(
  dar: DarContents,
  { number }: Synchronizer,
  context: Pick<PackagesContext, "packages" | "checkUpgrade">,
): Promise<LedgerErrorData | undefined> {
  const vetted = onSynchronizer(context.packages.records(), number)
    .filter(({ vetting }) => vetting !== undefined)
    .map(({ summary }) => summary);
  const ids = new Set(vetted.map(({ packageId }) => packageId));
  return checkNewPackages(
    dar.packages.filter(({ summary }) => !ids.has(summary.packageId)),
    vetted,
    context,
  );
}

async function readDar(bytes: Uint8Array, context: PackagesContext): Answer<DarContents> {
  const hash = await ReadDars.hash(bytes),
    before = hash === undefined ? undefined : readBefore(hash, context);
  if (before !== undefined) return ok(before);
  const dar = await context.interpreter.readDar(bytes);
  if (isFailure(dar)) return fail("phase" in dar.error ? fromArchiveError(dar.error) : dar.error);
  const { mainPackageId, packages } = dar.ok;
  if (hash !== undefined) context.readDars.set(hash, { mainPackageId, packageIds: packages.map(({ summary }) => summary.packageId) });
  return dar;
}

/** The same bytes again, all of whose packages are stored. */
function readBefore(hash: string, { readDars, packages }: PackagesContext): DarContents | undefined {
  const dar = readDars.get(hash),
    records = dar?.packageIds.map((id) => packages.get(id));
  if (dar === undefined || records === undefined || records.includes(undefined)) return undefined;
  return { mainPackageId: dar.mainPackageId, packages: records.map((record) => ({ summary: record!.summary, payload: undefined })) };
}

export async function validateDar(bytes: Uint8Array, synchronizerId: string, context: PackagesContext): Answer<void> {
  const synchronizer = vettingSynchronizer(synchronizerId, context);
  if (isFailure(synchronizer)) return synchronizer;
  const dar = await readDar(bytes, context);
  if (isFailure(dar)) return dar;
  const problem = await checkVetting(dar.ok, synchronizer.ok, context);
  return problem ? fail(problem) : ok(undefined);
}

/**
 * A DAR that may not be vetted is stored all the same, as the reference does: its interfaces and names are known from then on. Where
 * nothing is to be vetted, the synchronizer is not asked for.
 */
export async function uploadDar(
  bytes: Uint8Array,
  options: { readonly vetAllPackages: boolean; readonly synchronizerId: string },
  context: PackagesContext,
): Answer<void> {
  const { vetAllPackages, synchronizerId } = options;
  const malformed = synchronizerId === "" ? undefined : malformedSynchronizer(synchronizerId);
  if (malformed) return fail(malformed);
  const synchronizer: Outcome<Synchronizer | undefined> = vetAllPackages ? vettingSynchronizer(synchronizerId, context) : ok(undefined);
  if (isFailure(synchronizer)) return synchronizer;
  const vetOn = synchronizer.ok;
  const dar = await readDar(bytes, context);
  if (isFailure(dar)) return dar;
  return context.vettingChanges.run(async () => {
    const problem = vetOn && (await checkVetting(dar.ok, vetOn, context));
    const stored = await storePackages(dar.ok.packages, vetOn && !problem ? [vetOn.number] : [], context);
    return problem ? fail({ ...problem, context: { ...problem.context, action: "package-vetting" } }) : stored;
  });
}

const isUnbounded = (vetting: Vetting | undefined): boolean =>
  vetting !== undefined && vetting.validFrom === undefined && vetting.validUntil === undefined;

type StoredPackages = DarContents["packages"];

/**
 * Vetting by upload has no bounds, also where there were some. `vetOn`: numbers of synchronizers. Nobody knows a package before its record
 * is there, so the bytes of many go ahead of it, some at a time: others' commits would stand behind all of them.
 */
export async function storePackages(
  uploaded: StoredPackages,
  vetOn: readonly number[],
  context: Pick<PackagesContext, "packages"> & { readonly committer: Pick<Committer, "commit" | "commitPlain"> },
): Answer<void> {
  const { packages, committer } = context,
    parts = inParts(uploaded.filter(({ summary }) => packages.get(summary.packageId) === undefined)),
    last = parts.pop() ?? [];
  for (const [index, part] of parts.entries()) {
    const written = await committer.commitPlain((group) => writePayloads(group, part), { isToldEarly: true });
    if (isFailure(written)) return undone(written, parts.slice(0, index), context);
  }
  const changed = await committer.commit((group) => {
    const records: PackageRecord[] = [];
    for (const { summary } of uploaded) {
      const known = packages.get(summary.packageId);
      if (known && vetOn.every((number) => isUnbounded(known.vettings[number]))) continue;
      records.push({
        summary: known?.summary ?? summary,
        vettings: vetOn.reduce((vettings, number) => withVetting(vettings, number, unbounded), known?.vettings ?? [undefined]),
      });
    }
    writePayloads(group, last);
    const change = { records, vettedOn: records.length > 0 ? vetOn : [] };
    writeVetting(group, change, packages);
    return change;
  });
  if (isFailure(changed)) return undone(changed, parts, context);
  takeOver(changed.ok, packages);
  return ok(undefined);
}

/** In their order, as much in each as a commit stores. */
function inParts(all: StoredPackages): PayloadRecord[][] {
  const parts: PayloadRecord[][] = [];
  let bytes = Infinity;
  for (const { summary, payload } of all) {
    assert(payload, "who leaves out the bytes of a package found it stored");
    for (const record of payloadRecords(summary.packageId, payload)) {
      if ((bytes += record.bytes) > limits.packageBytesPerCommit) {
        parts.push([]);
        bytes = record.bytes;
      }
      parts.at(-1)!.push(record);
    }
  }
  return parts;
}

function writePayloads({ batch, tables }: CommitGroup, some: readonly PayloadRecord[]): void {
  for (const record of some) batch.put(tables.packagePayloads, record.key, record.encode());
}

/** What went ahead of what was refused leaves again. Where that is refused as well it lies there until the same is uploaded again. */
async function undone<F>(
  refusal: Result<never, F>,
  parts: readonly (readonly PayloadRecord[])[],
  { committer }: { readonly committer: Pick<Committer, "commit"> },
): Promise<Result<never, F>> {
  const remove = ({ batch, tables }: CommitGroup): void => {
    for (const { key } of parts.flat()) batch.remove(tables.packagePayloads, key);
  };
  if (parts.length > 0) await committer.commit(remove, { removes: true });
  return refusal;
}

export const withVetting = (
  vettings: PackageRecord["vettings"],
  synchronizer: number,
  vetting: Vetting | undefined,
): PackageRecord["vettings"] =>
  Array.from({ length: Math.max(vettings.length, synchronizer + 1) }, (_, number) =>
    number === synchronizer ? vetting : vettings[number],
  );

/** Records that are new or changed, and the synchronizers on which what is vetted is another. */
export interface VettingWrite {
  readonly records: readonly PackageRecord[];
  readonly vettedOn: readonly number[];
}

export function writeVetting(group: CommitGroup, { records, vettedOn }: VettingWrite, packages: PackageRegistry): void {
  for (const record of records) group.batch.put(group.tables.packages, record.summary.packageId, encodePackage(record));
  for (const number of vettedOn) {
    const encoded = encodeVettingSerial(number, packages.vettingSerial(number) + 1);
    group.batch.put(group.tables.state, encoded.name, encoded.record);
  }
}

/** Known to others only when durable. */
export function takeOver({ records, vettedOn }: VettingWrite, packages: PackageRegistry): void {
  for (const record of records) packages.set(record);
  for (const number of vettedOn) packages.setVettingSerial(number, packages.vettingSerial(number) + 1);
  if (records.length > 0) packages.tellChange();
}

/** `after`: a package id, or "" for the first page. */
export interface PackageListing {
  readonly after: string;
  readonly elementsMax: number;
  readonly namesMax: number;
}
export interface PackagePage {
  readonly packages: readonly PackageSummary[];
  readonly hasMore: boolean;
}

/** In the order of their ids. */
export function listPackageSummaries({ after, elementsMax, namesMax }: PackageListing, packages: PackageRegistry): PackagePage {
  const ids = packages
      .ids()
      .filter((id) => id > after)
      .sort(),
    page: PackageSummary[] = [];
  for (let names = 0; page.length < Math.min(ids.length, elementsMax) && names < namesMax;) {
    const { summary } = packages.get(ids[page.length]!)!;
    names += summary.templates.length + summary.interfaces.length;
    page.push(summary);
  }
  return { packages: page, hasMore: page.length < ids.length };
}

/** A package with the length of its payload. */
export interface SizedPackage {
  readonly summary: PackageSummary;
  readonly bytes: number;
}

/** All but those that are not in the file yet. */
export function listPackageSizes(
  { tables, packages }: Pick<PackagesContext, "tables" | "packages">,
  turns: Turns,
): Promise<readonly SizedPackage[]> {
  const summaries = Array.from(packages.records(), ({ summary }) => summary);
  return turns.through(sized(summaries, tables));
}

/** Each by itself is looked up in the file. */
function* sized(summaries: readonly PackageSummary[], tables: Tables): Steps<readonly SizedPackage[]> {
  const found: SizedPackage[] = [];
  for (const summary of summaries) {
    yield;
    const bytes = payloadBytes(tables, summary.packageId);
    if (bytes !== undefined) found.push({ summary, bytes });
  }
  return found;
}

export async function describePackage(packageId: string, context: Pick<PackagesContext, "packages" | "interpreter">): Answer<string> {
  if (context.packages.get(packageId) === undefined) return fail(noSuchPackage(packageId));
  const described = await context.interpreter.describePackage(packageId);
  return isFailure(described)
    ? fail(invalidArgument(`the package declares more than can be told in ${described.error.charsMax} characters: read its bytes instead`))
    : described;
}

export function readPackage(packageId: string, { tables, packages }: Pick<PackagesContext, "tables" | "packages">): Outcome<Uint8Array> {
  const payload = packages.get(packageId) && readPayload(tables, packageId);
  return payload ? ok(payload) : fail(noSuchPackage(packageId));
}

/** What is said of a text that is no package id. */
export function malformedPackageId(packageId: string): LedgerErrorData | undefined {
  const malformed = packageIdProblem(packageId);
  return malformed === undefined ? undefined : whileLogging(invalidArgument(`Invalid package id: ${malformed}`), { packageId });
}

const noSuchPackage = (packageId: string): LedgerErrorData =>
  malformedPackageId(packageId)
  ?? whileLogging(ledgerError("PACKAGE_NOT_FOUND", "Could not find package.", { resources: [["PACKAGE", packageId]] }), { packageId });
