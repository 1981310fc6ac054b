/** Which snapshot a request means, and what is wrong with it otherwise. */
import { ok, type Result } from "../base/result.js";
import { javaInstant, offsetDateTimeText, parseInstant } from "./instants.js";
import { identifiersProblem, invalid, notFound, type Refusal } from "./refusal.js";
import type { Snapshot, Snapshots } from "./snapshots.js";

/** A ledger has one migration: there is no other network before or after it. */
export const migrationId = 0;

export interface SnapshotQuery {
  readonly migrationId: number;
  readonly recordTime: string;
  readonly match: "exact" | "at_or_before";
}

/** In an exact query what else may be wrong with the request is told before a snapshot that is not there, in the other after it. */
export function findSnapshot(
  snapshots: Snapshots,
  query: SnapshotQuery,
  checks: () => { readonly error: Refusal } | undefined,
): Result<Snapshot, Refusal> {
  const time = parseInstant(query.recordTime);
  if (time === undefined) return invalid(`Invalid timestamp: ${query.recordTime} is no date-time with an offset`);
  const isHere = query.migrationId === migrationId;
  if (query.match === "at_or_before") {
    const found = isHere ? snapshots.atOrBefore(time) : undefined;
    return found ? (checks() ?? ok(found)) : notFound(`No snapshots found before ${offsetDateTimeText(query.recordTime)}`);
  }
  const problem = checks();
  if (problem) return problem;
  const found = isHere ? snapshots.at(time) : undefined;
  return found ? ok(found) : notFound(`Failed to find ACS snapshot for migration id ${query.migrationId} at ${javaInstant(time)}`);
}

/** `name`: of the field that names them. */
export const ownersProblem = (name: string, owners: readonly string[]): { readonly error: Refusal } | undefined =>
  owners.length === 0 ? invalid(`Expected '${name}' to contain at least one item, but contained none.`) : identifiersProblem(owners);
