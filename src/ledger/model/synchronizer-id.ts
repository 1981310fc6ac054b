/** A synchronizer's id in its two forms: logical, and physical with protocol version and serial behind it. */
import { shortHash } from "./identifiers.js";

const physicalSuffix = "::35-0";

export const physicalSynchronizerId = (synchronizerId: string): string => `${synchronizerId}${physicalSuffix}`;

/** As errors name parties, participants and synchronizers in the middle of a sentence. */
export function shortIdentifier(id: string): string {
  const [name = "", namespace = "", ...suffix] = id.split("::");
  return [name, shortHash(namespace), ...suffix].join("::");
}

/** Either form to the logical one. */
export const logicalSynchronizerId = (text: string): string =>
  text.endsWith(physicalSuffix) ? text.slice(0, -physicalSuffix.length) : text;
