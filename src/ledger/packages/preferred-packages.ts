/** Which package version to use, so that all who host the parties have vetted it. */
import { fail, isFailure, ok } from "../../base/result.js";
import { timestampInRange } from "../../lf/value/index.js";
import {
  invalidArgument,
  invalidField,
  type LedgerClock,
  ledgerError,
  type LedgerErrorData,
  missingField,
  noCommonSynchronizer,
  notAllOn,
  type Outcome,
  packageNameProblem,
  packageNamesNotFound,
  type Party,
  partiesProblem,
  type Synchronizer,
  type Synchronizers,
  uniqueIdentifierProblem,
  unknownInformees,
  unknownPrescribed,
} from "../model/index.js";
import type { PackageSummary } from "../interpretation/index.js";
import { isVettedAt, onSynchronizer, type PackageRegistry, unbounded, type VettablePackage } from "./package-registry.js";
import { selectPackages } from "./package-selection.js";
import type { PartyRegistry } from "../parties/index.js";

export interface PreferenceRequest {
  readonly requirements: readonly { readonly parties: readonly Party[]; readonly packageName: string }[];
  readonly synchronizerId: string;
  /** Undefined: now. */
  readonly vettingValidAt: bigint | undefined;
}

export interface Preference {
  readonly packages: readonly PackageSummary[];
  readonly synchronizerId: string;
}

export interface PreferenceContext {
  readonly packages: PackageRegistry;
  readonly parties: PartyRegistry;
  readonly clock: LedgerClock;
  readonly synchronizers: Synchronizers;
  /** The other participants. */
  readonly others: readonly Pick<PreferenceContext, "parties" | "packages">[];
}

/** One version for each name, in the order of the request: what counts is what those have vetted who host the name's parties. */
export function preferredPackages(asked: PreferenceRequest, context: PreferenceContext): Outcome<Preference> {
  const request = lastOfEach(asked),
    problem = checkRequest(asked) ?? checkNames(request, context);
  if (problem) return fail(problem);
  const candidates = candidatesFor(request, context);
  if (isFailure(candidates)) return candidates;
  const tried = candidates.ok.map((synchronizer) => preferredOn(synchronizer, request, context));
  return tried.find((preference) => !isFailure(preference)) ?? tried[0]!;
}

/** Where all parties are: the one that is asked for, or all of them, the best first. */
function candidatesFor(
  { requirements, synchronizerId }: PreferenceRequest,
  { synchronizers, parties }: PreferenceContext,
): Outcome<readonly Synchronizer[]> {
  const prescribed = synchronizers.find(synchronizerId);
  if (synchronizerId !== "" && prescribed === undefined) return fail(unknownPrescribed(synchronizerId));
  const named = [...new Set(requirements.flatMap((requirement) => requirement.parties))].sort(),
    unknown = named.filter((party) => !parties.get(party));
  if (unknown.length > 0) return fail(unknownInformees(unknown));
  const common = synchronizers.ranked.filter(({ number }) => named.every((party) => parties.get(party)!.synchronizers.includes(number)));
  if (common.length === 0) return fail(noCommonSynchronizer(named, synchronizers));
  if (prescribed === undefined) return ok(common);
  return common.includes(prescribed) ? ok([prescribed]) : fail(notAllOn(prescribed, common));
}

function preferredOn({ number, id }: Synchronizer, request: PreferenceRequest, context: PreferenceContext): Outcome<Preference> {
  const { packages } = context,
    at = request.vettingValidAt ?? context.clock.nowMicros();
  const names = request.requirements.map(({ packageName }) => packageName),
    found: PackageSummary[] = [];
  const selection = selectPackages(vettedByHosts(request, number, context, at), { at, names: new Set(names), preferred: [] });
  for (const name of names) {
    const best = packages.get(selection.packages.get(name) ?? "");
    if (!best) return notFound(selection.reasonWithout(name));
    found.push(best.summary);
  }
  return ok({ packages: found, synchronizerId: id });
}

/** Who hosts a party: all of them have to have vetted what it uses. */
type Hosts = readonly Pick<PreferenceContext, "parties" | "packages">[];

/** Names that are not asked for count as vetted where they are vetted here. */
function vettedByHosts(
  { requirements }: PreferenceRequest,
  synchronizer: number,
  context: PreferenceContext,
  at: bigint,
): readonly VettablePackage[] {
  const records = onSynchronizer(context.packages.records(), synchronizer);
  if (context.others.length === 0) return records;
  const isVetted = (hosts: Hosts, packageId: string): boolean =>
    hosts.every(({ packages }) => isVettedAt(packages.get(packageId)?.vettings[synchronizer], at));
  const hosts = hostsOfNames(requirements, { records, isVetted, hostsOf: hostsOn(synchronizer, context) });
  return records.map((record) => {
    const { packageId, name } = record.summary,
      ofName = hosts.get(name);
    return ofName === undefined ? record : { ...record, vetting: isVetted([...ofName], packageId) ? unbounded : undefined };
  });
}

/** The same object for parties of the same hosts. */
function hostsOn(synchronizer: number, context: PreferenceContext): (party: Party) => Hosts {
  const all: Hosts = [context, ...context.others],
    known = new Map<string, Hosts>();
  return (party) => {
    const hosts = all.filter(({ parties }) => parties.get(party)?.hostedOn.includes(synchronizer)),
      key = hosts.map((host) => all.indexOf(host)).join();
    return known.get(key) ?? (known.set(key, hosts), hosts);
  };
}

/**
 * By the names that are asked for, who hosts those who need them: the parties that they are required of, and those of whom a package is
 * required that was built with one of them.
 */
function hostsOfNames(
  requirements: PreferenceRequest["requirements"],
  {
    records,
    isVetted,
    hostsOf,
  }: {
    readonly records: readonly VettablePackage[];
    isVetted(hosts: Hosts, packageId: string): boolean;
    hostsOf(party: Party): Hosts;
  },
): ReadonlyMap<string, ReadonlySet<Hosts[number]>> {
  const found = new Map(requirements.map(({ packageName }) => [packageName, new Set<Hosts[number]>()])),
    summaries = new Map(records.map(({ summary }) => [summary.packageId, summary])),
    add = (name: string, hosts: Hosts): void => hosts.forEach((host) => found.get(name)?.add(host));
  for (const { packageName, parties } of requirements) {
    const versions = [...summaries.values()].filter(({ name }) => name === packageName);
    for (const hosts of new Set(parties.map(hostsOf))) {
      add(packageName, hosts);
      for (const { packageId } of versions.filter((version) => isVetted(hosts, version.packageId)))
        for (const name of namesBelow(packageId, summaries)) add(name, hosts);
    }
  }
  return found;
}

/** Of all packages that one was built with. */
function namesBelow(packageId: string, summaries: ReadonlyMap<string, PackageSummary>): ReadonlySet<string> {
  const ids = new Set(summaries.get(packageId)?.dependencies);
  for (const id of ids) for (const below of summaries.get(id)?.dependencies ?? []) ids.add(below); // grows while it is walked
  return new Set([...ids].flatMap((id) => summaries.get(id)?.name ?? []));
}

/** The older question for one name; nothing suitable is an answer, not an error. */
export function preferredPackageVersion(request: PreferenceRequest, context: PreferenceContext): Outcome<Preference | undefined> {
  const preference = preferredPackages(request, context);
  return isFailure(preference) && preference.error.code === "NO_PREFERRED_PACKAGES_FOUND" ? ok(undefined) : preference;
}

function checkRequest({ requirements, synchronizerId, vettingValidAt }: PreferenceRequest): LedgerErrorData | undefined {
  if (requirements.length === 0) return missingField("package_vetting_requirements/packageVettingRequirements");
  for (const { parties, packageName } of requirements) {
    if (packageName === "") return missingField("package_name/packageName");
    const noName = packageNameProblem(packageName);
    if (noName !== undefined) return invalidField("package_name/packageName", noName);
    if (parties.length === 0) return missingField("parties");
    const malformed = partiesProblem(parties);
    if (malformed !== undefined) return invalidArgument(malformed);
  }
  const malformed = synchronizerId === "" ? undefined : uniqueIdentifierProblem(synchronizerId);
  if (malformed !== undefined) return invalidField("synchronizer_id/synchronizerId", malformed);
  return vettingValidAt === undefined || timestampInRange(vettingValidAt)
    ? undefined
    : invalidField("vetting_valid_at/vettingValidAt", "it cannot be represented as a Daml timestamp");
}

/** Of several requirements for a name the last counts, in the place of the first. */
const lastOfEach = ({ requirements, ...request }: PreferenceRequest): PreferenceRequest => ({
  ...request,
  requirements: [...new Map(requirements.map((requirement) => [requirement.packageName, requirement])).values()],
});

function checkNames({ requirements }: PreferenceRequest, { packages }: PreferenceContext): LedgerErrorData | undefined {
  const unknown = requirements.map(({ packageName }) => packageName).filter((name) => packages.versionsOf(name).length === 0);
  return unknown.length > 0 ? packageNamesNotFound(unknown) : undefined;
}

const notFound = (reason: string): { readonly error: LedgerErrorData } =>
  fail(ledgerError("NO_PREFERRED_PACKAGES_FOUND", `There are no package preferences to give: ${reason}`));
