/** Operations of this node that the Ledger API does not have; their paths begin with `/admin`. */
import { logOperations } from "./log.js";
import { packageOperations } from "./packages.js";
import { partyOperations } from "./parties.js";
import { pruningOperations } from "./pruning.js";
import { timeOperations } from "./time.js";
import { userOperations } from "./users.js";

export const nodeOperations = {
  ...logOperations,
  ...packageOperations,
  ...partyOperations,
  ...pruningOperations,
  ...timeOperations,
  ...userOperations,
};
