/** Every method of the Ledger API, and what it asks of its JSON twin. */
import type { Method } from "../method.js";
import { commandMethods } from "./commands.js";
import { identityProviderMethods } from "./identity-providers.js";
import { interactiveMethods } from "./interactive.js";
import { nodeMethods } from "./node.js";
import { packageMethods } from "./packages.js";
import { partyMethods } from "./parties.js";
import { stateMethods } from "./state.js";
import { updateMethods } from "./updates.js";
import { userMethods } from "./users.js";

export { timeService, versionService } from "./node.js";

/** Those of a service are together, in the order in which it has them. */
export const methods: readonly Method[] = [
  ...commandMethods,
  ...updateMethods,
  ...stateMethods,
  ...packageMethods,
  ...interactiveMethods,
  ...partyMethods,
  ...userMethods,
  ...identityProviderMethods,
  ...nodeMethods,
];
