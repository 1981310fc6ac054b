/** TLS as a node serves it: certificates and their keys from files, read again while it serves. */
import { readFileSync } from "node:fs";
import { isReadableByOthers } from "./base/readable-by-others.js";
import { TlsIdentity, tlsProblem, trustProblem, type TlsMaterial } from "./http/index.js";
import { StartFailure } from "./start-failure.js";
import type { TlsFiles } from "./start-options.js";

export interface OpenTls {
  readonly identity: TlsIdentity;
  /** Gives how what the files have now is taken over. */
  reread(): () => void;
}

/** `warn` hears of a key that others can read. */
export function openTls(files: TlsFiles, warn: (message: string) => void): OpenTls {
  const identity = new TlsIdentity(readTls(files, warn));
  return {
    identity,
    reread() {
      const material = readTls(files, warn);
      return () => identity.replace(material);
    },
  };
}

function readTls({ certChain, privateKey, trustCollection }: TlsFiles, warn: (message: string) => void): TlsMaterial {
  const material = {
    certChain: read("--tls-cert-chain", certChain),
    privateKey: read("--tls-private-key", privateKey),
    trustCollection: trustCollection === undefined ? undefined : readTrust(trustCollection),
  };
  const problem = tlsProblem(material);
  if (problem !== undefined)
    throw new StartFailure(`TLS cannot be served with ${[certChain, privateKey, trustCollection ?? []].flat().join(", ")}: ${problem}.`);
  if (isReadableByOthers(privateKey)) warn(`${privateKey} holds a private key and can be read by other users: chmod 600 ${privateKey}`);
  return material;
}

function readTrust(file: string): Buffer {
  const flag = "--tls-trust-collection",
    collection = read(flag, file),
    problem = trustProblem(collection);
  if (problem !== undefined) throw new StartFailure(`${flag}: ${file} ${problem}.`);
  return collection;
}

function read(flag: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartFailure(`${flag}: cannot read ${file}: ${(error as Error).message}`);
  }
}
