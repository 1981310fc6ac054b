import { existsSync, readFileSync } from "node:fs";

/** Of all that the program consists of, as `npm run bundle` gathers them; undefined where nobody did. */
export function licences(): string | undefined {
  const gathered = new URL("../bundle/licences.txt", import.meta.url);
  return existsSync(gathered) ? readFileSync(gathered, "utf8") : undefined;
}
