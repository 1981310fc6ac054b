import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { configureAuthentication, noAuthentication, ReloadableAuthentication, secretOf } from "../../src/auth/index.js";
import { TestDirectory } from "./directory.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("secret");

function secretFile(text: string, mode = 0o600): string {
  const path = join(folder, `secret-${mode}`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test("secrets: one stands for itself, or in a file without the line ends behind it", () => {
  const warnings: string[] = [];
  const read = (text: string) => secretOf(text, (message) => warnings.push(message)).ok;
  assert.deepEqual([read("plain"), read(`file:${secretFile(" in a file \r\n\n")}`)], ["plain", " in a file "]);
  assert.deepEqual(warnings, []);
});

test(
  "secrets: a file that others can read is warned of",
  { skip: process.platform === "win32" ? "files have no such modes here" : false },
  () => {
    for (const mode of [0o640, 0o604, 0o644]) {
      const warnings: string[] = [],
        path = secretFile("s", mode);
      assert.equal(secretOf(`file:${path}`, (message) => warnings.push(message)).ok, "s");
      assert.deepEqual(warnings, [`${path} holds a secret and can be read by other users: chmod 600 ${path}`]);
    }
  },
);

test("secrets: a file that is empty or not there is told by its name, and is no authentication", async () => {
  const asked = (service: string) =>
    configureAuthentication({ services: [service], listensOnLoopback: true, participantId: "p::1220", directory: new TestDirectory() });
  assert.match((await asked(`hs256:file:${join(folder, "none")}`)).error ?? "", /cannot read the secret in .*none: ENOENT/);
  assert.match((await asked(`hs256:file:${secretFile("\n")}`)).error ?? "", /the secret in .* is empty/);
  assert.equal((await asked(`hs256:file:${secretFile("s")}`)).ok?.enabled, true);
});

test("secrets: one that is published is known as such, wherever it comes from and whatever else is taken", async () => {
  const isPublished = async (...services: string[]) =>
    (await configureAuthentication({ services, listensOnLoopback: true, participantId: "p::1220", directory: new TestDirectory() })).ok
      ?.isSecretPublished;
  assert.equal(await isPublished("hs256:unsafe"), true);
  assert.equal(await isPublished(`hs256:file:${secretFile("unsafe\n")}`), true);
  assert.equal(await isPublished("jwks:https://keys.example", "hs256:unsafe"), true);
  for (const services of [["none"], ["hs256:unsafe "], ["hs256:s", "jwks:https://keys.example"]])
    assert.equal(await isPublished(...services), false, services.join());
  const exchanged = new ReloadableAuthentication(noAuthentication);
  assert.equal(exchanged.isSecretPublished, false);
  exchanged.replace({ ...noAuthentication, enabled: true, isSecretPublished: true });
  assert.equal(exchanged.isSecretPublished, true);
});

test("services: to take everybody without a token, and only those with one, is refused", async () => {
  const asked = (...services: string[]) =>
    configureAuthentication({ services, listensOnLoopback: true, participantId: "p::1220", directory: new TestDirectory() });
  assert.match((await asked("none", "hs256:s")).error ?? "", /^"none" takes everybody without a token, the other only those with one/);
  assert.match((await asked("jwks:https://keys.example", "none", "hs256:s")).error ?? "", /the others only those with one/);
  assert.equal((await asked("none", "none")).ok?.enabled, false);
});
