/** The licences of what a bundle is made of. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Native code beside it. Of what is optional npm installs what fits this platform and release of Node.js, if anything does. */
function nativesOf(root: string): readonly string[] {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Package,
    isInstalled = (name: string): boolean => existsSync(join(root, "node_modules", name));
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies).filter(isInstalled)];
}

/** `inputs`: files that went into it, as esbuild names them. */
export function licencesOf(root: string, inputs: Iterable<string>): string {
  const names = new Set(nativesOf(root));
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
