/** The public packages, and networks of them alone: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostedNetwork } from "../../src/splice/bootstrap/index.js";
import { text } from "../support/knobs.js";
import type { EconomyWorld } from "./economy-world.js";

const folder = text("LEDGERLINE_REAL_DARS");

export const realGenerations = {
  older: ["splice-dso-governance-0.1.18", "splice-wallet-0.1.13", "splice-validator-lifecycle-0.1.5"],
  newer: ["splice-dso-governance-0.1.28", "splice-wallet-0.1.23", "splice-validator-lifecycle-0.1.8"],
} as const;
export type RealGeneration = keyof typeof realGenerations;

/** Why there can be no network of them. */
export function missingDars(names: readonly string[]): string | false {
  if (folder === undefined) return "LEDGERLINE_REAL_DARS names no folder of DARs";
  const absent = names.find((name) => !existsSync(join(folder, `${name}.dar`)));
  return absent === undefined ? false : `${absent}.dar is not in the folder`;
}

/** By their files' names. */
export const realDars = (generation: RealGeneration): Readonly<Record<string, Buffer>> =>
  Object.fromEntries(realGenerations[generation].map((name) => [`${name}.dar`, readFileSync(join(folder!, `${name}.dar`))]));

export async function bootstrapReal(world: EconomyWorld, generation: RealGeneration): Promise<HostedNetwork> {
  const made = await world.bootstrap(world.folderOf("dars", realDars(generation)));
  return made.ok ?? assert.fail(made.error);
}
