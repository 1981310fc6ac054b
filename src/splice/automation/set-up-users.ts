/** Whom validators of this node have set up: each gave his validator a right, by which it acts for him. */
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { templates } from "../names.js";
import type { ValidatorRight } from "../wallet-installs.js";
import type { Economy } from "./trigger.js";

/** Of these users, each with his validators among those of this node; the others are left out. */
export async function setUpUsers(
  { contracts, validators }: Economy,
  users: readonly Party[],
): Promise<ReadonlyMap<Party, ReadonlySet<Party>>> {
  const rights = await contracts.page<ValidatorRight>({
    templates: [templates.validatorRight],
    stakeholders: [...new Set(users)],
    limit: Infinity,
  });
  assert(!isFailure(rights), `what is active now can be read: ${rights.error?.cause}`);
  const validatorsOf = new Map<Party, Set<Party>>();
  for (const { payload } of rights.ok) {
    if (!validators.includes(payload.validator)) continue;
    const known = validatorsOf.get(payload.user);
    if (known === undefined) validatorsOf.set(payload.user, new Set([payload.validator]));
    else known.add(payload.validator);
  }
  return validatorsOf;
}
