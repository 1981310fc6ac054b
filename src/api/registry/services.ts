import type { Metadata, Splice } from "../../splice/index.js";
import { operationFor } from "../operation.js";

export interface RegistryServices {
  readonly registry: Splice["registry"];
  readonly metadata: Metadata;
}

export const declare = operationFor<RegistryServices>();

export const contextOptions = (body: { readonly excludeDebugFields?: boolean | null }): { readonly excludeDebugFields: boolean } => ({
  excludeDebugFields: body.excludeDebugFields ?? false,
});
