/** From what the ledger asks to what the engine takes. */
import { assert } from "../base/assert.js";
import { isFailure } from "../base/result.js";
import { HmacSha256 } from "../base/sha256.js";
import type { InterpretRequest } from "../ledger/engine/index.js";
import { decodeContractInstance, type ContractInstance, type ContractSalt, type Submission } from "../lf/index.js";
import { decodeCommands } from "./commands.js";

/** Packages are chosen for it, perhaps more than once. */
export type SelectingSubmission = Omit<Submission, "packagePreference"> & { packagePreference: Submission["packagePreference"] };

export function engineSubmission(request: InterpretRequest, mode: Submission["mode"], preparationTime: bigint): SelectingSubmission {
  return {
    actAs: request.actAs,
    readAs: request.readAs,
    commands: decodeCommands(request.commands),
    disclosed: request.disclosed.map(decodeDisclosed),
    ledgerTime: request.ledgerTime,
    submissionSeed: request.submissionSeed,
    participantId: request.participantId,
    mode,
    preparationTime,
    packagePreference: noPackages,
  };
}

const noPackages: Submission["packagePreference"] = new Map();

/** The same submission gives the same contract ids, another never does: its seed is random. */
export function saltFrom(seed: Uint8Array): ContractSalt {
  const key = new HmacSha256(seed);
  return (discriminator) => key.digest(discriminator);
}

function decodeDisclosed(blob: Uint8Array): ContractInstance {
  const decoded = decodeContractInstance(blob);
  assert(!isFailure(decoded), "disclosed contracts were decoded once before they came here");
  return decoded.ok;
}
