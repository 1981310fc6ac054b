/** Which events a node is asked for, and for whom. */
import type { DefinitionId } from "../../lf/index.js";
import type { NodeValues } from "./node-values.js";

export type EventFilter = Readonly<Record<string, unknown>>;

export const wildcard: EventFilter = { WildcardFilter: { value: { includeCreatedEventBlob: false } } };
export const ofTemplate = (values: NodeValues, template: DefinitionId): EventFilter => ({
  TemplateFilter: { value: { templateId: values.byName(template), includeCreatedEventBlob: true } },
});
export const ofInterface = (values: NodeValues, interface_: DefinitionId): EventFilter => ({
  InterfaceFilter: { value: { interfaceId: values.byName(interface_), includeInterfaceView: true } },
});

export const eventFormat = (parties: readonly string[], identifierFilter: EventFilter) => ({
  filtersByParty: Object.fromEntries([...new Set(parties)].map((party) => [party, { cumulative: [{ identifierFilter }] }])),
  verbose: false,
});
