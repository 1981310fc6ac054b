/** Every copy of a JSON tree with one leaf changed: what a comparison must notice. */
export function* mutants(json: unknown): IterableIterator<unknown> {
  if (typeof json === "object" && json !== null) {
    for (const [key, item] of Object.entries(json)) {
      for (const changed of mutants(item)) yield Array.isArray(json) ? json.with(Number(key), changed) : { ...json, [key]: changed };
    }
  } else yield typeof json === "string" ? `${json}~` : typeof json === "number" ? json + 1 : typeof json === "boolean" ? !json : "~";
}
