/** How many of so many SVs have to agree: two thirds of those that are not faulty. */
export const votesNeeded = (svs: number): number => Math.ceil((svs + Math.floor((svs - 1) / 3) + 1) / 2);
