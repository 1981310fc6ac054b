/** What a start would meet, looked at without starting; and whether a node that runs serves. Each finding says what to do. */
import { accessSync, constants, existsSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { createServer } from "node:net";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join, resolve } from "node:path";
import { X509Certificate } from "node:crypto";
import type { StartOptions } from "../command-line.js";
import { limits } from "../config.js";
import { DataFolderUnusable, lockDataFolder } from "../data-folder.js";
import { version } from "../version.js";

export interface Finding {
  readonly grade: "ok" | "warning" | "problem";
  readonly text: string;
}

const ok = (text: string): Finding => ({ grade: "ok", text }),
  warning = (text: string): Finding => ({ grade: "warning", text }),
  problem = (text: string): Finding => ({ grade: "problem", text });

export async function examineStart(options: StartOptions): Promise<readonly Finding[]> {
  return [
    ok(`Ledgerline ${version} on Node.js ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores.`),
    ...(options.memory ? [ok("The ledger is in memory: no folder is needed.")] : folderFindings(resolve(options.data))),
    await portFinding(options),
    ...memoryFinding(options),
    ...openFilesFinding(),
    ...options.dars.map(fileFinding),
    ...options.auth.flatMap(credentialFindings),
  ];
}

function folderFindings(folder: string): readonly Finding[] {
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
  return [useFinding(folder), roomFinding(folder), ...clockFinding(folder)];
}

const nearest = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearest(dirname(path)));

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function useFinding(folder: string): Finding {
  const holdsLedger = readdirSync(folder).includes("data.mdb");
  try {
    lockDataFolder(folder).release();
    return ok(
      holdsLedger
        ? `${folder} holds a ledger that no process runs; ledgerline verify --data ${folder} proves it.`
        : `${folder} is empty of ledgers: a new one will be made there.`,
    );
  } catch (error) {
    if (!(error instanceof DataFolderUnusable)) throw error;
    return problem(`${error.message} Stop that process, or name another folder by --data.`);
  }
}

const gigabyte = 1024 ** 3,
  networkFileSystems: Readonly<Record<number, string>> = { 0x6969: "NFS", 0xff534d42: "CIFS", 0xfe534d42: "SMB", 0x01021997: "9p" };

function roomFinding(folder: string): Finding {
  const { bavail, bsize, type } = statfsSync(folder),
    free = bavail * bsize,
    network = networkFileSystems[type];
  if (network !== undefined) return problem(`${folder} is on ${network}: LMDB needs a disk of this machine.`);
  const room = `${(free / gigabyte).toFixed(1)} GB are free on the disk of ${folder}`;
  if (free < limits.storageRoomBytesAgain) return problem(`${room}: commands will be refused until there is more.`);
  return free < gigabyte ? warning(`${room}: make more, or prune.`) : ok(`${room}.`);
}

/** A ledger that was written in the future makes its commands wait. */
function clockFinding(folder: string): readonly Finding[] {
  const file = join(folder, "data.mdb"),
    ahead = existsSync(file) ? (statSync(file).mtimeMs - Date.now()) / 1_000 : 0;
  return ahead <= 1
    ? []
    : [warning(`The clock is ${Math.round(ahead)} s behind the last change of ${file}: set it, or commands run by the ledger's time.`)];
}

async function portFinding({ host, port, localnet }: StartOptions): Promise<Finding> {
  if (localnet !== undefined) return ok("LocalNet has ports of its own; a start names the one that is taken.");
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer()
      .once("error", resolve)
      .listen(port, host, () => server.close(() => resolve(undefined)));
  });
  if (failure === undefined) return ok(port === 0 ? `A port of ${host} can be had.` : `Port ${port} of ${host} is free.`);
  if (failure.code === "EADDRINUSE") return problem(`Port ${port} of ${host} is taken: stop who listens there, or take another by --port.`);
  return problem(
    `${host}:${port} cannot be listened on (${failure.code ?? failure.message}): take another address by --host, or a port from 1024 on.`,
  );
}

/** What a node takes when it works, see the figures of its README on metrics. */
const baseMegabytes = 200,
  threadMegabytes = 100;

function memoryFinding({ workers }: StartOptions): readonly Finding[] {
  const needs = baseMegabytes + threadMegabytes * (workers ?? Math.max(1, availableParallelism() - 1));
  const constrained = process.constrainedMemory(),
    has = Math.min(totalmem(), constrained > 0 ? constrained : Infinity) / 1024 ** 2;
  return [
    has < needs
      ? warning(`${Math.round(has)} MB of memory are little for about ${needs} MB: fewer engine threads by --workers take less.`)
      : ok(`${Math.round(has)} MB of memory, of which a node that works takes about ${needs}.`),
  ];
}

const openFilesWanted = 10_000;

function openFilesFinding(): readonly Finding[] {
  if (!existsSync("/proc/self/limits")) return [];
  const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  if (soft === undefined || soft === "unlimited" || Number(soft) >= openFilesWanted) return [];
  return [
    warning(
      `Only ${soft} files may be open, and each connection is one: ulimit -n ${openFilesWanted} before the start, LimitNOFILE in a unit.`,
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

const day = 86_400_000,
  soonDays = 30;

/** Never says a secret. */
function credentialFindings(service: string): readonly Finding[] {
  const [kind, ...rest] = service.split(":"),
    value = rest.join(":");
  if (kind === "hs256" && value.startsWith("file:")) return [fileFinding(value.slice("file:".length))];
  if (kind === "hs256")
    return [warning("A secret stands among the arguments, where every user of the machine sees it: use hs256:file:FILE.")];
  if (kind !== "rs256" && kind !== "es256" && kind !== "es512") return [];
  try {
    const { validTo } = new X509Certificate(readFileSync(value)),
      days = Math.floor((Date.parse(validTo) - Date.now()) / day);
    if (days < 0) return [problem(`The certificate ${value} expired on ${validTo}: its tokens come from somebody else's key by now.`)];
    return [
      days < soonDays
        ? warning(`The certificate ${value} expires on ${validTo}.`)
        : ok(`The certificate ${value} is good until ${validTo}.`),
    ];
  } catch (error) {
    return [problem(`${value} is no certificate that can be read: ${(error as Error).message}`)];
  }
}

const answerMs = 5_000;

/** By its own words at `/readyz`. */
export async function examineNode(url: string): Promise<readonly Finding[]> {
  const answer = await new Promise<{ readonly status: number; readonly text: string } | Error>((resolve) => {
    const client = url.startsWith("https:") ? https : http;
    client
      .get(`${url}/readyz`, { agent: false, timeout: answerMs }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          if (text.length < limits.bodyGrowthBytes) text += chunk.toString();
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text })).on("error", resolve);
      })
      .on("timeout", function (this: http.ClientRequest) {
        this.destroy(new Error(`no answer in ${answerMs} ms`));
      })
      .on("error", resolve);
  });
  if (answer instanceof Error) return [problem(`Nobody answers at ${url}: ${answer.message}`)];
  const said = answer.text.split("\n", 1)[0] ?? "";
  return [
    answer.status === 200 ? ok(`The node at ${url} serves.`) : problem(`The node at ${url} does not serve (${answer.status}): ${said}`),
  ];
}
