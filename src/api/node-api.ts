/** What this node offers beside the Ledger API, in its manner. */
import type { Api } from "./api.js";
import { callersByToken, ledgerErrors, type LedgerApiOptions } from "./ledger-api.js";
import { nodeOperations } from "./node/index.js";

export const nodeApi = ({ services, authentication }: LedgerApiOptions): Api => ({
  label: "",
  prefixes: ["/admin"],
  operations: nodeOperations,
  services,
  errors: ledgerErrors(services),
  credentials: callersByToken(authentication),
  documents: [],
});
