/** Messages of the engine for people: packages without their ids, contracts by their labels. */
import type { ScriptPackages } from "../packages.js";

/** A contract id, or the part of it that one has before its transaction is finished. */
const contractId = /\b00[0-9a-f]{64}(?:ca[0-9a-f]{70})?\b/g;
const packageOfName = /\b([0-9a-f]{64}):(?=[A-Z])/g;

export type Readable = (message: string) => string;

/** The version is told where a DAR has several of a package. */
export function readableBy(packages: ScriptPackages, labelOf: (contractId: string) => string): Readable {
  const prefix = (id: string, shown: string): string => {
    const own = packages.package(id);
    if (own === undefined) return shown;
    return [...packages.all].some(({ name, id: other }) => name === own.name && other !== id) ? `${own.name}-${own.version}:` : "";
  };
  return (message) => message.replaceAll(contractId, labelOf).replaceAll(packageOfName, (shown, id: string) => prefix(id, shown));
}

/** What a contract is called that no ledger in memory knows. */
export const shortId = (contractId_: string): string => `${contractId_.slice(0, 12)}...`;
