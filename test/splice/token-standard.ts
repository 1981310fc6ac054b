/** What arguments of the token standard's choices are made of. */
import type { Json } from "../scenarios/world.js";

/** From now on, as a time of Daml's JSON; below 0: before now. */
export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

export const noMeta = { values: {} };

/** With what a registry says that the choice needs, where it needs something. */
export const extraArgs = (context?: Json): Json => ({ context: context?.choiceContextData ?? { values: {} }, meta: noMeta });
