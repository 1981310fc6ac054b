/** A copy of the built program with one place changed, and the harness run against it. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../support/paths.js";

/** What the program and its tests look for around the build. */
const beside = ["node_modules", "package.json", "test", "proto", "src", "README.md"];

export interface Copy {
  readonly folder: string;
  remove(): void;
}

export function copyOfBuild(): Copy {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-planted-")),
    root = repositoryRoot();
  for (const name of beside) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, "dist"));
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Change {
  readonly file: string;
  readonly text: string;
  readonly instead: string;
}

/** Runs `use` while the copy has the change; fails where the text is not there exactly once. */
export async function changed<T>({ folder }: Copy, { file, text, instead }: Change, use: () => Promise<T>): Promise<T> {
  const path = join(folder, "dist", file),
    before = readFileSync(path, "utf8");
  assert.equal(before.split(text).length, 2, `${file} has this once: ${text}`);
  writeFileSync(
    path,
    before.replace(text, () => instead),
  );
  try {
    return await use();
  } finally {
    writeFileSync(path, before);
  }
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** A program of the copy. */
export const runIn = ({ folder }: Copy, program: string, args: readonly string[], timeoutMs: number): Promise<Ran> =>
  new Promise((resolve) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "NODE_TEST_CONTEXT"));
    execFile(
      process.execPath,
      [join(folder, "dist", program), ...args],
      { cwd: folder, env, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : null, output: stdout + stderr }),
    );
  });
