/** The browser of this machine. LEDGERLINE_BROWSER names it, otherwise Chromium or Chrome is looked for. */
import { spawnSync } from "node:child_process";
import { text } from "./knobs.js";

const candidates = [text("LEDGERLINE_BROWSER"), "chromium", "chromium-browser", "google-chrome"].filter((name) => name !== undefined);

const pathOf = (name: string): string => spawnSync("/bin/sh", ["-c", `command -v "${name}"`], { encoding: "utf8" }).stdout?.trim() ?? "";

/** Its path; undefined where none starts. Some systems have a script of its name that only says how to install it. */
export const browserProgram: string | undefined = candidates
  .map(pathOf)
  .find((path) => path !== "" && spawnSync(path, ["--version"], { timeout: 20_000 }).status === 0);

/** Why nothing is tested in a browser; false where there is one. */
export const noBrowser: string | false = browserProgram === undefined && `no browser here (looked for ${candidates.join(", ")})`;
