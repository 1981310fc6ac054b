/**
 * What the reference logs of a request while it serves it. Errors that it makes meanwhile carry these entries in their
 * context, in the log's notation (Canton's `LoggingValueStringSerializer`): texts in quotation marks, lists in brackets,
 * records in braces.
 */
import { limits } from "../../config.js";
import { shortened } from "./errors.js";
import type { EventFormat, LedgerErrorData, PartyFilter } from "./model.js";

export type LogValue = string | number | bigint | boolean | undefined | readonly LogValue[] | { readonly [entry: string]: LogValue };

const isList = (value: LogValue): value is readonly LogValue[] => Array.isArray(value);

export function logText(value: LogValue): string {
  if (value === undefined) return "";
  if (typeof value === "string") return `'${value}'`;
  if (typeof value !== "object") return String(value);
  if (isList(value)) return `[${value.map(logText).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([name, entry]) => `${name}: ${logText(entry)}`)
    .join(", ")}}`;
}

/** The error as one that was made with the request's log at hand, or with more of it. */
export function whileLogging<E extends LedgerErrorData>(error: E, entries: Readonly<Record<string, LogValue>> = {}): E {
  return {
    ...error,
    requestLog: {
      ...error.requestLog,
      ...Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, shortened(logText(value), limits.errorDetailCharsMax)])),
    },
  };
}

type NamedId = PartyFilter["templates"][number] | PartyFilter["interfaces"][number];
const references = (ids: readonly NamedId[]): readonly string[] => [
  ...new Set(ids.map(({ packageName, module, name }) => `#${packageName}:${module}:${name}`)),
];

const filterEntries = ({ wildcard, templates, interfaces }: PartyFilter): LogValue => ({
  templates: references(templates),
  interfaces: references(interfaces),
  ...(wildcard && { "all-templates, created_event_blob": wildcard.includeBlob }),
});

/** The entry `filters` of a format: what each party asks for. */
export const filtersEntry = ({ parties, anyParty }: EventFormat): LogValue => ({
  ...Object.fromEntries([...parties].map(([party, filter]) => [party, filterEntries(filter)])),
  ...(anyParty && { anyParty: filterEntries(anyParty) }),
});
