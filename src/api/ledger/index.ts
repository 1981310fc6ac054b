import { commandOperations } from "./commands.js";
import { completionOperations } from "./completions.js";
import { deprecatedOperations } from "./deprecated.js";
import { eventOperations } from "./events.js";
import { externalPartyOperations } from "./external-parties.js";
import { identityProviderOperations } from "./identity-providers.js";
import { interactiveOperations } from "./interactive.js";
import { packageOperations } from "./packages.js";
import { partyAdministrationOperations } from "./party-admin.js";
import { partyOperations } from "./parties.js";
import { preferredPackageOperations } from "./preferred-packages.js";
import { reassignmentOperations } from "./reassignments.js";
import { stateOperations } from "./state.js";
import { updateOperations } from "./updates.js";
import { userOperations } from "./users.js";
import { versionOperations } from "./version.js";
import { vettingOperations } from "./vetting.js";

/** The Ledger JSON API: 67 operations, six of them streams. */
export const ledgerOperations = {
  ...commandOperations,
  ...completionOperations,
  ...reassignmentOperations,
  ...updateOperations,
  ...stateOperations,
  ...eventOperations,
  ...packageOperations,
  ...vettingOperations,
  ...partyOperations,
  ...partyAdministrationOperations,
  ...externalPartyOperations,
  ...userOperations,
  ...identityProviderOperations,
  ...interactiveOperations,
  ...preferredPackageOperations,
  ...versionOperations,
  ...deprecatedOperations,
};

export { ledgerApiVersion } from "./version.js";
export { logged } from "./administration-calls.js";
export { rightOf } from "./rights.js";
export { toInt32, toInt64, toMicroseconds, toOptionalInt64, toWholeInt64 } from "./decoding.js";
