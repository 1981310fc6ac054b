/** JSON that was read, of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (json: unknown): json is JsonObject => typeof json === "object" && json !== null && !Array.isArray(json);
