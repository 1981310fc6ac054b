/** One archive: the `.dalf` file, an envelope of hash and payload. */
import type { PackageId } from "../ast.js";
import { parsing } from "./failure.js";
import { checkPackageId } from "./identifier.js";
import { checkPackageHash } from "./package-id.js";
import { outermost, readMessage } from "./wire-reader.js";

export interface Archive {
  readonly id: PackageId;
  /** The bytes that the id is the hash of; kept as they are and given back unchanged. Of a known entry unpacked at each call. */
  readonly payload: Uint8Array;
}

const archiveDepthMax = 1;
const sha256 = 0;

/** Throws `ArchiveFailure`. */
export function openArchive(bytes: Uint8Array): Archive {
  const { hashFunction, hash, payload } = readMessage("Archive", outermost("Archive", bytes, archiveDepthMax));
  if (hashFunction !== sha256) throw parsing(`there is no hash function with number ${hashFunction}`);
  return { id: checkPackageHash(payload, checkPackageId(hash)), payload };
}
