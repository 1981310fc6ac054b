/** The APIs that every node serves, whatever else it is asked to serve. */
import type { Api } from "./api.js";
import { ledgerApi, type LedgerApiOptions } from "./ledger-api.js";
import { nodeApi } from "./node-api.js";

export const ownApis = (options: LedgerApiOptions): readonly Api[] => [ledgerApi(options), nodeApi(options)];
