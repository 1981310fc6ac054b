/** The licences of what a bundle is made of. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Native code beside it. Of transports npm installs the one for this platform and release of Node.js, or none. */
const natives = ["lmdb", "fs-native-extensions"],
  transports = ["uWebSockets.js", "uWebSockets.js-node22"];

/** `inputs`: files that went into it, as esbuild names them. */
export function licencesOf(root: string, inputs: Iterable<string>): string {
  const names = new Set<string>([...natives, ...transports.filter((name) => existsSync(join(root, "node_modules", name)))]);
  for (const input of inputs) {
    const name = [...input.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1)?.[1];
    if (name !== undefined) names.add(name);
  }
  const own = [readFileSync(join(root, "LICENSE"), "utf8"), readFileSync(join(root, "NOTICE"), "utf8")];
  return [`Ledgerline\n\n${own.join("\n")}`, ...[...names].sort().map((name) => licenceOf(join(root, "node_modules", name), name))].join(
    `\n${"=".repeat(80)}\n\n`,
  );
}

function licenceOf(folder: string, name: string): string {
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly version: string;
    readonly license?: string;
  };
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return `${name} ${version} (${license ?? "see below"})\n\n${texts.join("\n\n")}\n`;
}
