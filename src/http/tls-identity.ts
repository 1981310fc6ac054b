/** What a transport shows its clients by TLS: exchanged while it serves, as certificates end. */
import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";

/** In PEM. */
export interface TlsMaterial {
  /** The certificate, and those between it and what clients trust. */
  readonly certChain: Buffer;
  readonly privateKey: Buffer;
  /** Who signs the certificates that clients have to show; undefined: they need none. */
  readonly trustCollection: Buffer | undefined;
}

/** As node:tls names it. */
export interface TlsContext {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer | undefined;
  readonly minVersion: "TLSv1.2";
}

const contextOf = ({ certChain, privateKey, trustCollection }: TlsMaterial): TlsContext => ({
  cert: certChain,
  key: privateKey,
  ca: trustCollection,
  minVersion: "TLSv1.2",
});

/** Why it cannot be served with: unreadable, or a key that is not the certificate's. Of `trustCollection` `trustProblem` tells more. */
export function tlsProblem(material: TlsMaterial): string | undefined {
  try {
    createSecureContext(contextOf(material));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** By all names that OpenSSL takes; blocks of other kinds it passes over. */
const certificateBegins = /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;

/**
 * What is wrong with who signs clients' certificates. OpenSSL says nothing of a collection without any certificate, nor of one that it
 * cannot read, behind which it takes no other: clients would be turned away for it.
 */
export function trustProblem(collection: Uint8Array): string | undefined {
  const blocks = new TextDecoder().decode(collection).split(/^(?=-----BEGIN )/m),
    certificates = blocks.filter((block) => certificateBegins.test(block));
  if (certificates.length === 0) return "holds no certificate in PEM";
  for (const [index, certificate] of certificates.entries())
    try {
      new X509Certificate(certificate);
    } catch (error) {
      return `holds a certificate that cannot be read, number ${index + 1} of ${certificates.length}: ${(error as Error).message}`;
    }
  return undefined;
}

export class TlsIdentity {
  readonly #followers = new Set<(context: TlsContext) => void>();
  #material: TlsMaterial;

  /** Of material without a problem. */
  constructor(material: TlsMaterial) {
    this.#material = material;
  }

  get context(): TlsContext {
    return contextOf(this.#material);
  }
  /** Whether clients have to show certificates, which cannot be exchanged. */
  get asksClients(): boolean {
    return this.#material.trustCollection !== undefined;
  }

  /** For connections that come from now on. */
  replace(material: TlsMaterial): void {
    this.#material = material;
    for (const follower of this.#followers) follower(this.context);
  }

  /** Gives how to be told no longer. */
  follow(follower: (context: TlsContext) => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }
}
