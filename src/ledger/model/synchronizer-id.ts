/** A synchronizer's id in its two forms: logical, and physical with protocol version and serial behind it. */

const physicalSuffix = "::35-0";

export const physicalSynchronizerId = (synchronizerId: string): string => `${synchronizerId}${physicalSuffix}`;

/** Either form to the logical one. */
export const logicalSynchronizerId = (text: string): string => (text.endsWith(physicalSuffix) ? text.slice(0, -physicalSuffix.length) : text);
