/** The published documents as test data: paths, ids, parameters, schemas; no prose. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../support/paths.js";

export interface JsonSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string;
  readonly format?: string;
  readonly oneOf?: readonly JsonSchema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  /** The AsyncAPI document writes pairs so; OpenAPI 3.0 has no word for them. */
  readonly prefixItems?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly enum?: readonly string[];
  readonly nullable?: boolean;
  readonly allOf?: readonly JsonSchema[];
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>> | null;

export interface PublishedOperation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: JsonSchema }[];
  readonly body: Content;
  readonly reply: Content;
}

export interface PublishedOpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

export interface PublishedAsyncApi {
  readonly channels: Readonly<
    Record<string, Readonly<Record<"subscribe" | "publish", { readonly operationId: string; readonly message: { readonly $ref: string } }>>>
  >;
  readonly messages: Readonly<Record<string, { readonly payload: JsonSchema }>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(repositoryRoot(), "test/data/openapi", file), "utf8"));

export const publishedOpenApi = read("ledger-json-api.openapi.json") as PublishedOpenApi;
export const publishedAsyncApi = read("ledger-json-api.asyncapi.json") as PublishedAsyncApi;
