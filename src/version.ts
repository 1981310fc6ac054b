import { readFileSync } from "node:fs";

/** The version of package.json, two folders above the built file. */
export const version: string = (JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string })
  .version;
