/** Operations of this node that the Ledger API does not have; their paths begin with `/admin`. */
import { logOperations } from "./log.js";
import { packageOperations } from "./packages.js";
import { pruningOperations } from "./pruning.js";
import { timeOperations } from "./time.js";

export const nodeOperations = { ...logOperations, ...packageOperations, ...pruningOperations, ...timeOperations };
