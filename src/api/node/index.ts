/** Operations of this node that the Ledger API does not have. */
import { pruningOperations } from "./pruning.js";

export const nodeOperations = { ...pruningOperations };
