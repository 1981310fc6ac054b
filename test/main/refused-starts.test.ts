/** What a start refuses is one sentence that says what is wrong and what to do, and an exit code that the page of the command line has. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { CannotListen } from "../../src/http/index.js";
import { Batch, dataFile, formatNumber, journalFile, RecordWriter, openStore } from "../../src/store/index.js";
import { startNodeProcess, tested } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

const failure = 1,
  usage = 2,
  damaged = 3;
const folder = temporaryFolder("refused"),
  ledger = join(folder, "ledger");

before(async () => {
  const node = await startNodeProcess(["--data", ledger]);
  assert.equal(await node.stop(), 0);
});

const unprivileged = "/proc/sys/net/ipv4/ip_unprivileged_port_start",
  privilegedBelow = existsSync(unprivileged) ? Number(readFileSync(unprivileged, "utf8")) : 0;

/** Root may read everything, so it becomes somebody else; another user stays who he is. */
const nobody = 65_534,
  stranger = process.getuid?.() === 0 ? nobody : undefined;
/** Why there is nobody to become. */
const noStranger =
  stranger !== undefined
  && spawnSync(tested.file, [...tested.args, "version"], { uid: stranger, gid: stranger, cwd: "/" }).status !== 0
  && "another user may not read the program here, and root may read everything";

interface Refusal {
  readonly exit: number | null;
  readonly sentence: string;
}

/** `user`: by number, another than that of this process. */
function refusal(args: readonly string[], user?: number): Refusal {
  const { status, stdout, stderr } = spawnSync(tested.file, [...tested.args, ...args], {
    encoding: "utf8",
    timeout: 120_000,
    ...(user === undefined ? {} : { uid: user, gid: user, cwd: "/" }),
  });
  assert.equal(stdout, "");
  assert.match(stderr, /^[^\n]+\n$/, "one line");
  return { exit: status, sentence: stderr.trim() };
}

const start = (...flags: readonly string[]): readonly string[] => ["start", "--port", "0", "--log-level", "silent", ...flags];

function refused(args: readonly string[], exit: number, sentence: RegExp, user?: number): void {
  const told = refusal(args, user);
  assert.match(told.sentence, sentence);
  assert.equal(told.exit, exit, told.sentence);
}

/** A copy of the ledger, changed. */
function copied(name: string, change: (file: Buffer) => void): string {
  const copy = join(folder, name);
  mkdirSync(copy, { mode: 0o700 });
  const file = readFileSync(join(ledger, dataFile));
  change(file);
  writeFileSync(join(copy, dataFile), file, { mode: 0o600 });
  return copy;
}

test(
  "refused: a process that may not have the addresses that a ledger's file is mapped into is told so",
  { skip: !existsSync("/proc/self/limits") && "no bounds are set to a process here" },
  () => {
    const sentence =
      /^This process may have 61 GB of addresses, and the file of a ledger is mapped into [\d,]+ GB, .*\(ulimit -v unlimited, /;
    for (const args of [start("--data", ledger), start("--memory"), ["verify", "--data", ledger]]) {
      const { status, stderr } = spawnSync(
        "sh",
        ["-c", `ulimit -v ${61 * 1024 ** 2} && exec "$@"`, "sh", tested.file, ...tested.args, ...args],
        {
          encoding: "utf8",
          timeout: 30_000,
        },
      );
      assert.match(stderr, sentence);
      assert.equal(status, failure);
    }
  },
);

test("refused: a ledger of a later version is left as it is, and the way out is told", async () => {
  const data = copied("later", () => undefined),
    store = await openStore({ folder: data }),
    batch = new Batch();
  batch.put(store.tables.state, "format", new RecordWriter().u32(formatNumber + 1).finish(1));
  await batch.flush();
  await store.close();
  const before = readFileSync(join(data, dataFile)),
    sentence = new RegExp(`storage format ${formatNumber + 1}; .* format ${formatNumber}: take the later version .*, or restore a backup`);
  refused(start("--data", data), failure, sentence);
  refused(["verify", "--data", data], failure, sentence);
  assert.match(
    spawnSync(tested.file, [...tested.args, "doctor", "--port", "0", "--data", data], { encoding: "utf8" }).stdout,
    /^problem .*take the later/m,
  );
  refused(["backup", join(folder, "copy-of-later"), "--data", data], failure, sentence);
  assert.ok(before.equals(readFileSync(join(data, dataFile))), "it is as it was");
});

test("refused: a ledger of a machine of another byte order is told as that, and left as it is", () => {
  const magic = Buffer.from([0xde, 0xc0, 0xef, 0xbe]);
  const data = copied("other-order", (file) => {
    let metas = 0;
    for (let at = file.indexOf(magic); at >= 0; at = file.indexOf(magic, at + 1), metas++) file.set([...magic].reverse(), at);
    assert.equal(metas, 2, "both pages that say where everything is");
  });
  const before = readFileSync(join(data, dataFile)),
    sentence = /data\.mdb .*machine of another byte order, and can be read on such a machine only\.$/;
  refused(start("--data", data), damaged, sentence);
  refused(["backup", join(folder, "copy-of-other"), "--data", data], damaged, sentence);
  assert.ok(before.equals(readFileSync(join(data, dataFile))), "it is as it was");
});

test(
  "refused: a folder that belongs to somebody else is told with what it needs",
  { skip: process.platform === "win32" ? "no modes here" : noStranger },
  () => {
    const user = stranger;
    const data = copied("locked", () => undefined),
      parent = join(folder, "locked-parent");
    mkdirSync(parent, { mode: 0o500 });
    chmodSync(folder, 0o755);
    if (user === undefined) chmodSync(data, 0);
    const sentence =
      /locked.* (?:cannot hold a ledger|cannot be read): E(?:ACCES|PERM): .*\. It has to belong to the user who runs this\.?$/;
    try {
      refused(start("--data", data), failure, sentence, user);
      refused(start("--data", join(parent, "new")), failure, sentence, user);
      refused(["verify", "--data", data], failure, sentence, user);
      refused(["backup", join(folder, "copy-of-locked"), "--data", data], failure, sentence, user);
    } finally {
      chmodSync(data, 0o700);
    }
  },
);

test(
  "refused: a file of the ledger that cannot be read or written is told like its folder, by each command that opens it",
  { skip: process.platform !== "linux" ? "the journal is kept on Linux alone" : noStranger },
  () => {
    const user = stranger;
    chmodSync(folder, 0o755);
    const files = (name: string, change: (data: string) => void): string => {
      const data = copied(name, () => undefined);
      if (user !== undefined) for (const path of [data, join(data, dataFile)]) chownSync(path, user, user);
      change(data);
      return data;
    };
    const denied = /^\S+ cannot (?:hold a ledger|be read): .*\. Its owner needs the right to read(?: and write)? it and its files: .*\.$/,
      isFolder = /^\S+ cannot (?:hold a ledger|be read): EISDIR: .*\.$/,
      unread = files("unread", (data) => {
        chmodSync(join(data, dataFile), 0);
      }),
      unwritten = files("unwritten", (data) => chmodSync(join(data, dataFile), 0o400)),
      folders = files("folders", (data) => {
        mkdirSync(join(data, journalFile), { mode: 0o700 });
        if (user !== undefined) chownSync(join(data, journalFile), user, user);
      });
    for (const [data, sentence] of [
      [unread, denied],
      [folders, isFolder],
    ] as const) {
      for (const args of [start("--data", data), ["verify", "--data", data]]) refused(args, failure, sentence, user);
      const { stdout, status } = spawnSync(tested.file, [...tested.args, "doctor", "--port", "0", "--data", data], {
        encoding: "utf8",
        ...(user === undefined ? {} : { uid: user, gid: user, cwd: "/" }),
      });
      assert.match(stdout, /^problem .* cannot hold a ledger: /m);
      assert.equal(status, failure);
    }
    refused(start("--data", unwritten), failure, denied, user);
  },
);

test(
  "read-only: a backup that its owner took the right to write from is verified and restored, and damage in it is told by its own name",
  { skip: process.platform === "win32" ? "no modes here" : noStranger },
  () => {
    const user = stranger;
    chmodSync(folder, 0o755);
    const place = join(folder, "read-only"),
      copies = ["kept", "kept-damaged"].map((name) => copied(name, (file) => (name === "kept" ? file : file.fill(0xff, 2 * 8_192)))) as [
        string,
        string,
      ],
      as = user === undefined ? {} : { uid: user, gid: user, cwd: "/" };
    mkdirSync(place);
    for (const path of [place, ...copies, ...copies.map((copy) => join(copy, dataFile))])
      if (user !== undefined) chownSync(path, user, user);
    for (const copy of copies) {
      chmodSync(join(copy, dataFile), 0o400);
      chmodSync(copy, 0o500);
    }
    const run = (...args: readonly string[]) => spawnSync(tested.file, [...tested.args, ...args], { encoding: "utf8", ...as }),
      [kept, broken] = copies,
      verified = run("verify", "--data", kept),
      restored = run("restore", kept, "--data", join(place, "restored")),
      damagedOne = run("verify", "--data", broken);
    try {
      assert.match(verified.stdout, /The ledger is sound/, verified.stderr);
      assert.equal(restored.status, 0, restored.stdout + restored.stderr);
      assert.equal(damagedOne.status, damaged, damagedOne.stderr);
      assert.doesNotMatch(damagedOne.stdout, /ledgerline-memory-/);
      assert.deepEqual(readdirSync(kept), [dataFile]);
      refused(
        start("--data", kept),
        failure,
        /cannot hold a ledger: .* Its owner needs the right to read and write it and its files: /,
        user,
      );
    } finally {
      for (const copy of copies) chmodSync(copy, 0o700);
    }
  },
);

test(
  "refused: a runtime that is not Node.js, before it opens or locks anything",
  { skip: tested.file !== process.execPath && "an executable brings its Node.js" },
  () => {
    const asDeno = `data:text/javascript,${encodeURIComponent('Object.defineProperty(process.versions, "deno", { value: "2.9.6" })')}`;
    for (const args of [start("--memory"), ["verify", "--data", ledger]]) {
      const { status, stderr } = spawnSync(tested.file, ["--import", asDeno, ...tested.args, ...args], {
        encoding: "utf8",
        timeout: 120_000,
      });
      assert.equal(stderr, "Ledgerline needs Node.js, 20.15 or later; this is Deno 2.9.6.\n");
      assert.equal(status, failure);
    }
  },
);

test("refused: where no more files can be opened no other port is recommended", () => {
  const { message, isOfPlace } = new CannotListen("127.0.0.1", 1, Object.assign(new Error(), { code: "EMFILE" }));
  assert.match(message, /^Cannot listen on 127\.0\.0\.1:1: no more files can be opened by this process \(ulimit -n\)/);
  assert.equal(isOfPlace, false);
});

test("refused: a port that is taken, over both transports", async (t) => {
  const node = await startNodeProcess(["--memory"]);
  t.after(() => node.stop());
  for (const transport of [[], ["--transport", "node"]])
    refused(
      ["start", "--memory", "--log-level", "silent", "--port", String(node.port), ...transport],
      failure,
      /^Cannot listen on 127\.0\.0\.1:\d+: .*in use.* Give another by --port or --host\.$/,
    );
  refused(
    start("--memory", "--participant", `second=${node.port}`),
    failure,
    /^Cannot listen on 127\.0\.0\.1:\d+: .*in use.* Give another by --participant second=PORT or --host\.$/,
  );
});

test(
  "refused: a transport that does not load, for which no other port is a remedy",
  { skip: tested.file !== process.execPath && "an executable brings its Node.js" },
  () => {
    const withoutUws = `import Module from "node:module";
      const load = Module._load;
      Module._load = (name, ...more) => {
        if (name.startsWith("uWebSockets.js")) throw new Error("not for this machine");
        return load(name, ...more);
      };`;
    const args = [...tested.args, "start", "--memory", "--port", "0", "--log-level", "silent", "--transport", "uws"];
    const { status, stderr } = spawnSync(tested.file, ["--import", `data:text/javascript,${encodeURIComponent(withoutUws)}`, ...args], {
      encoding: "utf8",
      timeout: 120_000,
    });
    assert.match(stderr, /^uWebSockets\.js does not load here \(.*\): uWebSockets\.js: not for this machine; .*: not for this machine\n$/);
    assert.equal(status, failure);
  },
);

const portOfRoot = 79;
test("refused: a port or an address that cannot be had, over both transports, for its reason", () => {
  for (const transport of [[], ["--transport", "node"]]) {
    const told = (...flags: readonly string[]): string =>
      refusal(["start", "--memory", "--log-level", "silent", "--insecure", ...flags, ...transport], stranger).sentence;
    assert.match(told("--port", "0", "--host", "203.0.113.7"), /the address is not one of this machine/);
    if (privilegedBelow > portOfRoot) assert.match(told("--port", String(portOfRoot)), /the system does not allow this user that port/);
  }
});

test("refused: a port file that cannot be written, before anything listens; and a participant on a synchronizer that is none", () => {
  refused(start("--memory", "--port-file", "/nope/port"), failure, /^Cannot write \/nope\/port: ENOENT/);
  refused(
    start("--memory", "--participant", "foo=0@nosync"),
    failure,
    /^Participant foo is to be connected to synchronizer nosync \(--participant\), which is none of synchronizer-1\.$/,
  );
});

test("refused: a file of flags with an unknown key, a wrong type, or two spellings", () => {
  const files: readonly (readonly [name: string, text: string, sentence: RegExp])[] = [
    ["unknown.toml", "prot = 1\n", /^Unknown key prot in .*unknown\.toml\. Did you mean port\?$/],
    ["type.yaml", "port: [1]\n", /^port in .*type\.yaml must be a whole number\.$/],
    ["twice.json", '{"port":1,"port":2}', /^Cannot read .*twice\.json: .*unique/],
    ["spellings.toml", "list-wait-ms = 1\nlist_wait_ms = 2\n", /^Unknown key list_wait_ms in .*\. Did you mean list-wait-ms\?$/],
    ["spellings.json", '{"logLevel":"info"}', /^Unknown key logLevel in .*\. Did you mean log-level\?$/],
  ];
  for (const [name, text, sentence] of files) {
    const file = join(folder, name);
    writeFileSync(file, text);
    refused(["start", "--memory", "--config", file], usage, sentence);
  }
  refused(["start", "--memory", "--config", join(folder, "none.toml")], usage, /^Cannot read .*none\.toml: ENOENT/);
});

test("refused: a certificate that is missing, broken, cut off or of another kind, by its file and with the kind that is wanted", () => {
  const file = (name: string): string => join(folder, name),
    whole = readFileSync(testData("auth", "rs256.crt"), "utf8");
  writeFileSync(file("text.pem"), "no certificate");
  writeFileSync(file("cut.pem"), whole.slice(0, whole.length >> 1));
  writeFileSync(file("damaged.pem"), whole.replace(/\n.{64}\n/, `\n${"A".repeat(64)}\n`));
  copyFileSync(testData("auth", "rs256.crt"), file("rsa.crt"));
  const cases: readonly (readonly [auth: string, sentence: RegExp])[] = [
    [`es256:${file("none.pem")}`, /^--auth: cannot read the certificate .*none\.pem: ENOENT/],
    [`rs256:${file("text.pem")}`, /^--auth: .*text\.pem is not a certificate for RS256, which is X\.509 in PEM with an RSA key: /],
    [`rs256:${file("cut.pem")}`, /cut\.pem is not a certificate for RS256/],
    [`rs256:${file("damaged.pem")}`, /damaged\.pem is not a certificate for RS256/],
    [`es256:${file("rsa.crt")}`, /rsa\.crt is not a certificate for ES256, which is X\.509 in PEM with a key on P-256: /],
    [`hs256:file:${file("none")}`, /^--auth: cannot read the secret in .*none: ENOENT/],
  ];
  for (const [auth, sentence] of cases) refused(start("--memory", "--auth", auth), failure, sentence);
});

test("refused: an empty token for the figures, which anybody has, itself or in a file", () => {
  const empty = join(folder, "empty");
  writeFileSync(empty, "\n");
  for (const none of ["", "file:"]) refused(start("--memory", "--metrics-token", none), usage, /^--metrics-token: the secret is empty$/);
  refused(start("--memory", "--metrics-token", `file:${empty}`), failure, /^--metrics-token: the secret in .*empty is empty$/);
});

test("refused: a backup to what is no empty folder, or can be none", () => {
  const place = join(folder, "places");
  mkdirSync(place);
  writeFileSync(join(place, "file"), "");
  mkdirSync(join(place, "empty"));
  symlinkSync(join(place, "empty"), join(place, "link"));
  symlinkSync(join(place, "nowhere"), join(place, "dangling"));
  const cases: readonly (readonly [target: string, sentence: RegExp])[] = [
    ["file", /file is not a folder\.$/],
    ["file/below", /^The ledger cannot be copied to .*below: E(?:NOTDIR|EXIST): .*\.$/],
    ["link", /link is a symbolic link: name the folder itself, .*places\/empty\.$/],
    ["dangling", /dangling is a symbolic link: name the folder itself, .*places\/nowhere\.$/],
    ["x".repeat(250), /^The ledger cannot be copied to .*x: ENAMETOOLONG: .*\.$/],
  ];
  for (const [target, sentence] of cases) refused(["backup", join(place, target), "--data", ledger], failure, sentence);
  assert.deepEqual(readdirSync(place).sort(), ["dangling", "empty", "file", "link"], "nothing is left of them");
});

test("refused: a backup or its restoration to a disk without room names the folder, and leaves nothing there", (t) => {
  const disk = join(folder, "small-disk");
  mkdirSync(disk);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=100k", "tmpfs", disk]).status !== 0)
    return t.skip("a small disk cannot be mounted here");
  t.after(() => spawnSync("umount", ["--lazy", disk]));
  const sentence = /^The ledger cannot be copied to .*small-disk\/copy: No space left on device\.$/;
  refused(["backup", join(disk, "copy"), "--data", ledger], failure, sentence);
  refused(["restore", ledger, "--data", join(disk, "copy")], failure, sentence);
  assert.deepEqual(readdirSync(disk), []);
});

test(
  "refused: a backup to a folder that somebody else may write to",
  { skip: process.platform === "win32" ? "no modes here" : noStranger },
  () => {
    const user = stranger;
    const data = copied("others", () => undefined),
      closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o555 });
    chmodSync(folder, 0o755);
    if (user !== undefined) for (const path of [data, join(data, dataFile)]) chownSync(path, user, user);
    refused(["backup", join(closed, "copy"), "--data", data], failure, /^The ledger cannot be copied to .*copy: EACCES: .*\.$/, user);
  },
);
