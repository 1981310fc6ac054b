/** What a start would meet, without starting on the ledger; and whether a node that runs serves. Each finding says what to do. */
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { dirname, join, resolve } from "node:path";
import { X509Certificate } from "node:crypto";
import { keySetProblem, parseServiceOption } from "../auth/index.js";
import { isLoopback } from "../base/loopback.js";
import { openFilesMax } from "../base/open-files.js";
import { shellWord } from "../base/shell-word.js";
import { writeProblem } from "../base/whole-file.js";
import { limits } from "../config.js";
import { examineFile, namesProblemOf } from "../data-at-rest.js";
import { DataFolderInUse, DataFolderUnusable, lockDataFolder } from "../data-folder.js";
import { listenFailure, trustProblem } from "../http/index.js";
import { startNode } from "../node.js";
import { StartFailure } from "../start-failure.js";
import { portFlag, type StartOptions } from "../start-options.js";
import { dataFile } from "../store/index.js";
import { version } from "../version.js";
import { engineThreadsDefault } from "../workers/index.js";

export interface Finding {
  readonly grade: "ok" | "warning" | "problem";
  readonly text: string;
}

const ok = (text: string): Finding => ({ grade: "ok", text }),
  warning = (text: string): Finding => ({ grade: "warning", text }),
  problem = (text: string): Finding => ({ grade: "problem", text });

export async function examineStart(options: StartOptions): Promise<readonly Finding[]> {
  const found = [
    ok(`Ledgerline ${version} on Node.js ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores.`),
    ...(options.memory ? [ok("The ledger is in memory: no folder is needed.")] : await folderFindings(resolve(options.data), options)),
    ...(await portFindings(options)),
    ...(options.portFile === undefined ? [] : portFileFindings(options.portFile)),
    ...memoryFinding(options),
    ...openFilesFinding(),
    ...options.dars.map(fileFinding),
    ...tlsFindings(options),
    ...options.auth.flatMap(credentialFindings),
    ...(await Promise.all(options.auth.flatMap((service) => keySetFinding(service, options.host) ?? []))),
  ];
  return found.some(({ grade }) => grade === "problem") ? found : [...found, await rehearsalFinding(options)];
}

/** The start itself, on a ledger in memory and at ports that nobody else reaches: it knows best what it refuses. */
async function rehearsalFinding(options: StartOptions): Promise<Finding> {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < limits.doctorRehearsalBytes)
    return warning(`${tmpdir()} has no room for a rehearsal: what the flags name was only looked at.`);
  const rehearsed: StartOptions = {
    ...options,
    memory: true,
    durability: "none",
    host: "127.0.0.1",
    port: 0,
    participants: options.participants.map((participant) => ({ ...participant, port: 0 })),
    workers: 1,
    shownSecrets: [],
    unknownVariables: [],
    traces: undefined,
    logLevel: "silent",
  };
  try {
    const node = await startNode(rehearsed);
    await node.close(0, "it was a rehearsal");
    return ok("With these flags a node gets ready: a ledger in memory did.");
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return problem(`With these flags no node gets ready: ${error.message}`);
  }
}

async function folderFindings(folder: string, options: StartOptions): Promise<readonly Finding[]> {
  if (!existsSync(folder)) {
    const parent = nearest(folder);
    return [
      isWritable(parent)
        ? ok(`${folder} will be made.`)
        : problem(`${folder} cannot be made, as ${parent} cannot be written to: make it, and give it to the user who runs the node.`),
      roomFinding(parent),
    ];
  }
  if (!statSync(folder).isDirectory()) return [problem(`${folder} is not a folder: name another by --data.`)];
  if (!isWritable(folder)) return [problem(`${folder} cannot be written to: give it to the user who runs the node.`)];
  const { finding, isMade } = examineUse(folder),
    names = isMade && finding.grade === "ok" ? await namesProblemOf(folder, options) : undefined;
  return [finding, ...(names === undefined ? [] : [problem(names)]), roomFinding(folder, isMade), ...clockFinding(folder)];
}

const nearest = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearest(dirname(path)));

const isWritable = (folder: string): boolean => isAllowed(folder, constants.R_OK | constants.W_OK | constants.X_OK);

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

const hasFile = (folder: string): boolean => existsSync(join(folder, dataFile));

function examineUse(folder: string): { readonly finding: Finding; readonly isMade: boolean } {
  try {
    const lock = lockDataFolder(folder);
    try {
      const { damage, isMade } = examineFile(folder);
      return { finding: damage === undefined ? ledgerFinding(folder, isMade) : problem(damage), isMade };
    } finally {
      lock.release();
    }
  } catch (error) {
    if (!(error instanceof DataFolderUnusable)) throw error;
    const remedy = error instanceof DataFolderInUse ? " Stop that process, or name another folder by --data." : "";
    return { finding: problem(`${error.message}${remedy}`), isMade: hasFile(folder) };
  }
}

function ledgerFinding(folder: string, isMade: boolean): Finding {
  if (isMade) return ok(`${folder} holds a ledger that no process runs; ledgerline verify --data ${shellWord(folder)} proves it.`);
  return ok(
    hasFile(folder)
      ? `${folder} holds what a first start left that did not end: the next one makes a ledger of it.`
      : `${folder} is empty of ledgers: a new one will be made there.`,
  );
}

const gigabyte = 1024 ** 3,
  networkFileSystems: Readonly<Record<number, string>> = { 0x6969: "NFS", 0xff534d42: "CIFS", 0xfe534d42: "SMB", 0x01021997: "9p" };

/** A ledger that is there is read without room, too; a new one is not made. */
function roomFinding(folder: string, isThere = false): Finding {
  const { bavail, bsize, type } = statfsSync(folder),
    free = bavail * bsize,
    network = networkFileSystems[type];
  if (network !== undefined) return problem(`${folder} is on ${network}: LMDB needs a disk of this machine.`);
  const room = `${(free / gigabyte).toFixed(1)} GB are free on the disk of ${folder}`;
  if (free < limits.storageRoomBytesAgain)
    return (isThere ? warning : problem)(`${room}: ${isThere ? "commands will be refused" : "no ledger can be made"} until there is more.`);
  return free < gigabyte ? warning(`${room}: make more, or prune.`) : ok(`${room}.`);
}

/** Up to `clockBehindMaxSeconds` commands of a ledger that was written in the future run by its time, and none beyond that. */
function clockFinding(folder: string): readonly Finding[] {
  const file = join(folder, dataFile),
    ahead = existsSync(file) ? (statSync(file).mtimeMs - Date.now()) / 1_000 : 0;
  return ahead <= 1
    ? []
    : [warning(`The clock is ${Math.round(ahead)} s behind the last change of ${file}: set it, or commands run by the ledger's time.`)];
}

/** Those of a LocalNet the rehearsal finds out about. */
async function portFindings(options: StartOptions): Promise<readonly Finding[]> {
  const { host, port, localnet, participants } = options,
    own = localnet === undefined ? [portFinding(host, port, portFlag(options))] : [];
  return Promise.all([...own, ...participants.map((each) => portFinding(host, each.port, portFlag(options, each.name)))]);
}

async function portFinding(host: string, port: number, flag: string): Promise<Finding> {
  const failure = await listenFailure(host, port);
  if (failure === undefined) return ok(port === 0 ? `A port of ${host} can be had.` : `Port ${port} of ${host} is free.`);
  if (failure.code === "EADDRINUSE")
    return problem(`Port ${port} of ${host} is taken: stop who listens there, or take another by ${flag}.`);
  return problem(
    `${host}:${port} cannot be listened on (${failure.code ?? failure.message}): take another address by --host, or a port from 1024 on.`,
  );
}

function portFileFindings(file: string): readonly Finding[] {
  if (writeProblem(file) === undefined) return [];
  return [problem(`${file} cannot be written: name another file by --port-file, in a folder that is there.`)];
}

function memoryFinding({ workers }: StartOptions): readonly Finding[] {
  const needs = limits.doctorNodeMegabytes + limits.doctorThreadMegabytes * (workers ?? engineThreadsDefault());
  const constrained = process.constrainedMemory(),
    has = Math.min(totalmem(), constrained > 0 ? constrained : Infinity) / 1024 ** 2;
  return [
    has < needs
      ? warning(`${Math.round(has)} MB of memory are little for about ${needs} MB: fewer engine threads by --workers take less.`)
      : ok(`${Math.round(has)} MB of memory, of which a node that works takes about ${needs}.`),
  ];
}

function openFilesFinding(): readonly Finding[] {
  const may = openFilesMax();
  if (may >= limits.doctorOpenFilesMin) return [];
  return [
    warning(
      `Only ${may} files may be open, and each connection is one: ulimit -n ${limits.doctorOpenFilesMin} before the start, LimitNOFILE in a unit.`,
    ),
  ];
}

function fileFinding(file: string): Finding {
  try {
    accessSync(file, constants.R_OK);
    return ok(`${file} can be read.`);
  } catch (error) {
    return problem(`${file} cannot be read: ${(error as Error).message}`);
  }
}

const day = 86_400_000;

/** Never says a secret. */
function credentialFindings(service: string): readonly Finding[] {
  const [kind, ...rest] = service.split(":"),
    value = rest.join(":");
  if (kind === "hs256" && value.startsWith("file:")) return [fileFinding(value.slice("file:".length))];
  if (kind === "hs256")
    return [warning("A secret stands among the arguments, where every user of the machine sees it: use hs256:file:FILE.")];
  if (kind !== "rs256" && kind !== "es256" && kind !== "es512") return [];
  return [certificateFinding(value, "its tokens come from somebody else's key by now")];
}

function tlsFindings({ tls }: StartOptions): readonly Finding[] {
  if (tls === undefined) return [];
  const { certChain, privateKey, trustCollection } = tls,
    trust = trustCollection === undefined ? [] : [trustFinding(trustCollection)];
  return [certificateFinding(certChain, "clients turn away from it"), fileFinding(privateKey), ...trust];
}

function trustFinding(file: string): Finding {
  try {
    const why = trustProblem(readFileSync(file));
    return why === undefined ? ok(`${file} can be read.`) : problem(`${file} ${why}.`);
  } catch (error) {
    return problem(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Of the first one in a file. */
function certificateFinding(file: string, onceExpired: string): Finding {
  try {
    const { validTo } = new X509Certificate(readFileSync(file)),
      days = Math.floor((Date.parse(validTo) - Date.now()) / day);
    if (days < 0) return problem(`The certificate ${file} expired on ${validTo}: ${onceExpired}.`);
    return days < limits.doctorCertificateDaysMin
      ? warning(`The certificate ${file} expires on ${validTo}.`)
      : ok(`The certificate ${file} is good until ${validTo}.`);
  } catch (error) {
    return problem(`${file} is no certificate that can be read: ${(error as Error).message}`);
  }
}

/** Undefined: it is of another kind. Of its address what may be secret is not told. */
function keySetFinding(service: string, host: string): Promise<Finding> | undefined {
  const { ok: option } = parseServiceOption(service);
  if (option?.kind !== "keySet") return undefined;
  const { origin, pathname } = new URL(option.url),
    keySet = `The key set at ${origin}${pathname}`;
  return keySetProblem(option.url, { listensOnLoopback: isLoopback(host) }).then((why) =>
    why === undefined
      ? ok(`${keySet} can be fetched.`)
      : warning(`${keySet} cannot be fetched (${why}): until it can, tokens that need it are refused.`),
  );
}

/** By its own words at `/readyz`. */
export async function examineNode(url: string): Promise<readonly Finding[]> {
  const answer = await new Promise<{ readonly status: number; readonly text: string } | Error>((resolve) => {
    const client = url.startsWith("https:") ? https : http;
    client
      .get(`${url}/readyz`, { agent: false, timeout: limits.doctorAnswerMs }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          if (text.length < limits.doctorAnswerCharsMax) text += chunk.toString();
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text })).on("error", resolve);
      })
      .on("timeout", function (this: http.ClientRequest) {
        this.destroy(new Error(`no answer in ${limits.doctorAnswerMs} ms`));
      })
      .on("error", resolve);
  });
  if (answer instanceof Error)
    return [
      isAboutCertificate(answer)
        ? problem(`Who answers at ${url} is not trusted here: ${answer.message}. NODE_EXTRA_CA_CERTS=FILE names whom to trust as well.`)
        : problem(`Nobody answers at ${url}: ${answer.message}`),
    ];
  const said = answer.text.split("\n", 1)[0] ?? "";
  return [
    answer.status === 200 ? ok(`The node at ${url} serves.`) : problem(`The node at ${url} does not serve (${answer.status}): ${said}`),
  ];
}

/** By the codes that Node.js has for it, of which some are OpenSSL's. */
const isAboutCertificate = ({ code }: NodeJS.ErrnoException): boolean => code !== undefined && /CERT|LEAF_SIGNATURE/.test(code);
