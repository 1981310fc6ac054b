/** The tarball that would be published, and a folder where somebody installed it; without network. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleFiles, bundlePackage } from "../../src/packaging/bundle.js";
import { repositoryRoot } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

const root = repositoryRoot();

export const hasNpm = spawnSync("npm", ["--version"]).status === 0;

export interface Run {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
  readonly tookMs: number;
}

export function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string | undefined>> },
): Promise<Run> {
  const since = performance.now(),
    child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let out = "",
    err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (exit) => resolve({ exit, out, err, tookMs: performance.now() - since }));
  });
}

export interface Packed {
  readonly file: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
  readonly files: readonly string[];
}

/** The program of this build in the files that are published; made anew where the build is newer. */
export async function freshBundle(): Promise<void> {
  const folder = join(root, "dist", "bundle"),
    made = join(folder, bundleFiles.licences),
    built = join(root, "dist", ".tsbuildinfo");
  if (!existsSync(made) || statSync(made).mtimeMs < statSync(built).mtimeMs) await bundlePackage(folder);
}

export async function pack(folder: string): Promise<Packed> {
  await freshBundle();
  const { exit, out, err } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], { cwd: root });
  if (exit !== 0) throw new Error(`npm pack: ${err}`);
  const [{ filename, size, unpackedSize, files }] = JSON.parse(out) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
  ];
  return { file: join(folder, filename), bytes: size, unpackedBytes: unpackedSize, files: files.map(({ path }) => path).sort() };
}

/** What would be published, as far as it is there: pages need no bundle. */
export async function publishedFiles(): Promise<readonly string[]> {
  const { exit, out, err } = await run("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], { cwd: root });
  if (exit !== 0) throw new Error(`npm pack: ${err}`);
  const [{ files }] = JSON.parse(out) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What the package needs, and what that needs, as far as it is installed beside this checkout. */
function neededPackages(): readonly string[] {
  const read = (file: string): any => JSON.parse(readFileSync(join(root, file), "utf8"));
  const { packages } = read("package-lock.json") as { readonly packages: Readonly<Record<string, LockedPackage>> };
  const namesOf = ({ dependencies = {}, optionalDependencies = {} }: LockedPackage): string[] => [
    ...Object.keys(dependencies),
    ...Object.keys(optionalDependencies),
  ];
  const needed = new Set<string>(),
    waiting = namesOf(read("package.json") as LockedPackage);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (needed.has(name) || !existsSync(join(root, "node_modules", name))) continue;
    needed.add(name);
    waiting.push(...namesOf(packages[`node_modules/${name}`] ?? {}));
  }
  return [...needed];
}

/** `npm install` of the tarball in an empty folder; what would come from a registry comes from beside this checkout. */
export async function install({ file }: Packed, folder: string): Promise<void> {
  const beside = neededPackages().map((name) => [name, `file:${join(root, "node_modules", name)}`]);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({
      name: "empty",
      version: "1.0.0",
      private: true,
      dependencies: { ledgerline: `file:${file}`, ...Object.fromEntries(beside) },
    }),
  );
  const { exit, err } = await run("npm", ["install", "--offline", "--install-links", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
  });
  if (exit !== 0) throw new Error(`npm install: ${err}`);
}

export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder("package");
  mkdirSync(join(folder, "project"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
