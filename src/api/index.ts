export type { Api, ApiOptions } from "./api.js";
export { createApi } from "./api.js";
export { errorTable } from "./error-table.js";
export { operationTable } from "./operation-table.js";
export type { OriginRules } from "./origins.js";
export type { Services } from "./services.js";
