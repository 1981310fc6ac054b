/** What is kept of a party; also the number that stands for it in keys. */
import { RecordReader, RecordWriter, unseal } from "../../store/index.js";
import type { Party } from "../model/index.js";

/** Of a party that is hosted on the first synchronizer only, of others, and of one that is only proposed. */
const version = 1,
  versionWithSynchronizers = 2,
  versionOfProposed = 3;

export interface PartyRecord {
  readonly party: Party;
  /** `numberOfProposed` while nobody hosts it. */
  readonly number: number;
  /** Hosted here with the right to submit. */
  readonly isLocal: boolean;
  /** Submits only by external signatures. */
  readonly isExternal: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  /** Undefined until administration has written something about the party: it is then known from its topology only. */
  readonly resourceVersion: number | undefined;
  readonly identityProviderId: string;
  /** Numbers of those on which somebody hosts it, as far as this participant is connected to them; sorted. */
  readonly synchronizers: readonly number[];
  /** Those on which it is hosted here. */
  readonly hostedOn: readonly number[];
}

/** The ledger does not know such a party yet, and what is kept is only what is local about it. In keys this number stands for any party. */
const numberOfProposed = 0;

export const isProposed = ({ number }: Pick<PartyRecord, "number">): boolean => number === numberOfProposed;

export const proposedParty = (party: Party, local: LocalToParty): PartyRecord => ({
  party,
  number: numberOfProposed,
  isLocal: false,
  isExternal: true,
  synchronizers: nowhere,
  hostedOn: nowhere,
  ...local,
});

/** Where a party is that nobody placed elsewhere. */
const firstSynchronizer: readonly number[] = [0];
const nowhere: readonly number[] = [];

/** What a participant keeps about a party for itself. */
export type LocalToParty = Pick<PartyRecord, "annotations" | "resourceVersion" | "identityProviderId">;

/** Stands for a party without a version. */
const unversioned = 0xffff_ffff;

export function encodeParty(party: PartyRecord): Buffer {
  const writer = new RecordWriter()
    .u32(party.number)
    .u8((party.isLocal ? 1 : 0) | (party.isExternal ? 2 : 0))
    .u32(party.resourceVersion ?? unversioned)
    .text(party.identityProviderId)
    .text(JSON.stringify(party.annotations));
  const { synchronizers, hostedOn } = party;
  if (isProposed(party)) return writer.finish(versionOfProposed);
  if (isPlain(party)) return writer.finish(version);
  for (const numbers of [synchronizers, hostedOn]) {
    writer.u32(numbers.length);
    for (const number of numbers) writer.u32(number);
  }
  return writer.finish(versionWithSynchronizers);
}

/** On the first synchronizer alone, and where it is local hosted there. */
const isPlain = ({ synchronizers, hostedOn, isLocal }: PartyRecord): boolean =>
  synchronizers.join() === "0" && hostedOn.join() === (isLocal ? "0" : "");

export function decodeParty(party: Party, record: Buffer): PartyRecord {
  const reader = new RecordReader(unseal(record, versionOfProposed, "parties"));
  const number = reader.u32(),
    flags = reader.u8(),
    counted = reader.u32(),
    identityProviderId = reader.text();
  const annotations = JSON.parse(reader.text()) as Record<string, string>;
  const isLocal = (flags & 1) !== 0,
    numbers = (): number[] => Array.from({ length: reader.u32() }, () => reader.u32());
  const isShort = reader.isAtEnd,
    synchronizers = isProposed({ number }) ? nowhere : isShort ? firstSynchronizer : numbers(),
    hostedOn = isShort ? (isLocal ? firstSynchronizer : nowhere) : numbers();
  const resourceVersion = counted === unversioned ? undefined : counted;
  return {
    party,
    number,
    isLocal,
    isExternal: (flags & 2) !== 0,
    annotations,
    resourceVersion,
    identityProviderId,
    synchronizers,
    hostedOn,
  };
}
