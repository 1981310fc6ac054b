export type { Api, ApiDocument, CallerSource, ErrorForm } from "./api.js";
export { errorTable } from "./error-table.js";
export { ledgerApi, type LedgerApiOptions } from "./ledger-api.js";
export { nodeApi } from "./node-api.js";
export { operationTable } from "./operation-table.js";
export type { ServingOptions } from "./dispatch.js";
export type { Served } from "./serve.js";
export { serveApis } from "./serve.js";
export type { Services } from "./services.js";
