/** OpenAPI documents of the token standard's servers. */
import { version } from "../../version.js";
import { openApiOf, type DocumentedApi, type OpenApiDocument } from "../openapi.js";
import { isImplemented } from "./unimplemented.js";

type Surface = Pick<DocumentedApi, "title" | "servers" | "operations" | "schemas"> & { readonly tag: string; readonly prefix?: string };

/** Operations that are not there yet are not told of. */
export const documentOf = ({ tag, prefix = "", operations, ...surface }: Surface): OpenApiDocument =>
  openApiOf({
    ...surface,
    description: "Operations of Splice, by its names of paths and fields.",
    version,
    tags: [{ name: tag, description: surface.title }],
    tagOf: () => tag,
    operationId: (name) => name,
    prefix,
    operations: Object.fromEntries(Object.entries(operations).filter(([, operation]) => isImplemented(operation))),
    security: ({ claims }) => (claims === "none" ? [] : [{ httpAuth: [] }]),
  });
