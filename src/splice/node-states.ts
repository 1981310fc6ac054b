/** What the network's operators publish of their nodes: where their Scans and sequencers are found, by synchronizer. */
import type { Party } from "../ledger/index.js";
import type { OfDso } from "./network.js";

/** Contract of an operator, which holds a synchronizer's nodes by its id. */
export interface SvNodeState extends OfDso {
  readonly sv: Party;
  readonly svName: string;
  readonly state: { readonly synchronizerNodes: readonly (readonly [synchronizerId: string, SynchronizerNode])[] };
}
export interface SynchronizerNode {
  readonly scan?: { readonly publicUrl: string } | null;
  readonly sequencer?: (Sequencer & { readonly availableAfter?: string | null }) | null;
  readonly legacySequencerConfig?: Sequencer | null;
  /** By the serial of a physical synchronizer, in later releases. */
  readonly physicalSynchronizers?: readonly (readonly [serial: string, { readonly sequencer?: { readonly url: string } | null }])[] | null;
  readonly sequencerIdentity?: { readonly sequencerId: string; readonly availableAfter?: string | null } | null;
}
interface Sequencer {
  readonly migrationId: string;
  readonly sequencerId: string;
  readonly url: string;
}

/** As Scan's API has them. */
export interface PublishedScan {
  readonly publicUrl: string;
  readonly svName: string;
}
export interface PublishedSequencer {
  /** -1 where the serial says which synchronizer it is of. */
  readonly migrationId: number;
  readonly synchronizerSerial?: number;
  readonly id: string;
  readonly url: string;
  readonly svName: string;
  readonly availableAfter: string;
}
export interface OfSynchronizer<T> {
  readonly domainId: string;
  readonly nodes: readonly T[];
}

const noMigration = -1;
/** Java's first moment: from the beginning. */
const always = "-999999999-01-01T00:00:00+18:00";

export const scansOf = ({ scan }: SynchronizerNode, svName: string): readonly PublishedScan[] =>
  scan ? [{ publicUrl: scan.publicUrl, svName }] : [];

/** Without a time from which they may be used they are not to be used yet, and without an address of the web they cannot be. */
export function sequencersOf(node: SynchronizerNode, svName: string): readonly PublishedSequencer[] {
  const { sequencer, legacySequencerConfig: legacy, sequencerIdentity: identity, physicalSynchronizers } = node,
    found: PublishedSequencer[] = [];
  const add = ({ migrationId, sequencerId, url }: Sequencer, availableAfter: string, more: { readonly synchronizerSerial?: number } = {}) =>
    found.push({ migrationId: Number(migrationId), ...more, id: sequencerId, url, svName, availableAfter });
  if (legacy) add(legacy, always);
  if (sequencer?.availableAfter) add(sequencer, sequencer.availableAfter);
  for (const [serial, { sequencer: physical }] of physicalSynchronizers ?? [])
    if (physical && identity?.availableAfter)
      add({ migrationId: String(noMigration), sequencerId: identity.sequencerId, url: physical.url }, identity.availableAfter, {
        synchronizerSerial: Number(serial),
      });
  return found.filter(({ url }) => isOfWeb(url));
}

const isOfWeb = (url: string): boolean => URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);

/** By id; `known` is there also where nobody published any of it. */
export function bySynchronizer<T>(
  states: readonly SvNodeState[],
  of: (node: SynchronizerNode, svName: string) => readonly T[],
  known: string,
): readonly OfSynchronizer<T>[] {
  const found = new Map<string, T[]>([[known, []]]);
  for (const { svName, state } of states)
    for (const [domainId, node] of state.synchronizerNodes) {
      const nodes = of(node, svName);
      if (nodes.length > 0) found.set(domainId, [...(found.get(domainId) ?? []), ...nodes]);
    }
  return [...found].map(([domainId, nodes]) => ({ domainId, nodes })).sort((a, b) => (a.domainId < b.domainId ? -1 : 1));
}
