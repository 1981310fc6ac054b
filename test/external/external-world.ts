/** External parties as their holders see a node: keys, onboarding, and transactions that they sign. */
import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import type { World } from "../scenarios/world.js";
import type { Reply } from "../support/node-process.js";

export type Json = any; // answers of the node: what a test reads of them, it asserts
export type Scheme = "HASHING_SCHEME_VERSION_V2" | "HASHING_SCHEME_VERSION_V3";

const kinds = {
  ed25519: {
    keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519",
    algorithm: "SIGNING_ALGORITHM_SPEC_ED25519",
    format: "SIGNATURE_FORMAT_CONCAT",
    digest: null,
  },
  p256: {
    keySpec: "SIGNING_KEY_SPEC_EC_P256",
    algorithm: "SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256",
    format: "SIGNATURE_FORMAT_DER",
    digest: "sha256",
  },
  p384: {
    keySpec: "SIGNING_KEY_SPEC_EC_P384",
    algorithm: "SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384",
    format: "SIGNATURE_FORMAT_DER",
    digest: "sha384",
  },
  secp256k1: {
    keySpec: "SIGNING_KEY_SPEC_EC_SECP256K1",
    algorithm: "SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256",
    format: "SIGNATURE_FORMAT_DER",
    digest: "sha256",
  },
} as const;
export type Kind = keyof typeof kinds;

function keysOf(kind: Kind): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  if (kind === "ed25519") return generateKeyPairSync("ed25519");
  return generateKeyPairSync("ec", { namedCurve: { p256: "prime256v1", p384: "secp384r1", secp256k1: "secp256k1" }[kind] });
}

export interface Prepared {
  readonly preparedTransaction: string;
  readonly preparedTransactionHash: string;
  readonly hashingSchemeVersion: Scheme;
  readonly hashingDetails: string | null;
}

let number = 0;

export class ExternalParty {
  private constructor(
    readonly party: string,
    readonly fingerprint: string,
    readonly kind: Kind,
    readonly secret: KeyObject,
  ) {}

  static async onboard(world: World, hint: string, kind: Kind = "ed25519"): Promise<ExternalParty> {
    const { publicKey, privateKey } = keysOf(kind),
      synchronizer = await synchronizerOf(world);
    const key = {
      format: "CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO",
      keyData: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
      keySpec: kinds[kind].keySpec,
    };
    const topology = succeeded(
      await world.client.post("/v2/parties/external/generate-topology", { synchronizer, partyHint: hint, publicKey: key }),
    );
    const party = new ExternalParty(topology.partyId, topology.publicKeyFingerprint, kind, privateKey);
    const onboardingTransactions = topology.topologyTransactions.map((transaction: string) => ({ transaction }));
    const allocated = succeeded(
      await world.client.post("/v2/parties/external/allocate", {
        synchronizer,
        onboardingTransactions,
        multiHashSignatures: [party.sign(topology.multiHash)],
      }),
    );
    assert.equal(allocated.partyId, party.party);
    return party;
  }

  /**
   * Hosted by all of these doors of one network, on each of the synchronizers or on the first that there is: the first is where its
   * topology is made, the last only observes.
   */
  static async onboardAt(
    doors: readonly World[],
    hint: string,
    confirmationThreshold: number,
    synchronizers?: readonly string[],
  ): Promise<ExternalParty> {
    const [first, ...others] = doors as readonly [World, ...World[]],
      { publicKey, privateKey } = keysOf("ed25519");
    const uids = await Promise.all(
      others.map(async (door) => succeeded(await door.client.get("/v2/parties/participant-id")).participantId),
    );
    let party: ExternalParty | undefined;
    for (const synchronizer of synchronizers ?? [await synchronizerOf(first)]) {
      const topology = succeeded(
        await first.client.post("/v2/parties/external/generate-topology", {
          synchronizer,
          partyHint: hint,
          publicKey: {
            format: "CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO",
            keyData: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
            keySpec: kinds.ed25519.keySpec,
          },
          otherConfirmingParticipantUids: uids.slice(0, -1),
          observingParticipantUids: uids.slice(-1),
          confirmationThreshold,
        }),
      );
      party ??= new ExternalParty(topology.partyId, topology.publicKeyFingerprint, "ed25519", privateKey);
      const onboardingTransactions = topology.topologyTransactions.map((transaction: string) => ({ transaction })),
        multiHashSignatures = [party.sign(topology.multiHash)];
      for (const [index, door] of doors.entries())
        succeeded(
          await door.client.post("/v2/parties/external/allocate", {
            synchronizer,
            onboardingTransactions,
            ...(index === 0 ? { multiHashSignatures } : {}),
          }),
        );
    }
    return party!;
  }

  /** Hosted on another synchronizer, too. */
  async join(world: World, synchronizer: string): Promise<void> {
    const keyData = createPublicKey(this.secret).export({ type: "spki", format: "der" }).toString("base64"),
      [partyHint] = this.party.split("::");
    const publicKey = { format: "CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO", keyData, keySpec: kinds[this.kind].keySpec };
    const topology = succeeded(await world.client.post("/v2/parties/external/generate-topology", { synchronizer, partyHint, publicKey }));
    const onboardingTransactions = topology.topologyTransactions.map((transaction: string) => ({ transaction }));
    succeeded(
      await world.client.post("/v2/parties/external/allocate", {
        synchronizer,
        onboardingTransactions,
        multiHashSignatures: [this.sign(topology.multiHash)],
      }),
    );
  }

  sign(base64: string): Json {
    const { algorithm, format, digest } = kinds[this.kind];
    return {
      format,
      signature: sign(digest, Buffer.from(base64, "base64"), this.secret).toString("base64"),
      signedBy: this.fingerprint,
      signingAlgorithmSpec: algorithm,
    };
  }
}

export const succeeded = (reply: Reply): Json => {
  assert.equal(reply.status, 200, reply.text);
  return reply.json();
};

const synchronizerOf = async (world: World): Promise<string> =>
  succeeded(await world.client.get("/v2/state/connected-synchronizers")).connectedSynchronizers[0].synchronizerId;

export const prepareReply = (
  world: World,
  actAs: readonly string[],
  commands: readonly unknown[],
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Reply> =>
  world.client.post("/v2/interactive-submission/prepare", {
    userId: "tester",
    commandId: `external-${++number}`,
    commands,
    actAs,
    readAs: [],
    disclosedContracts: [],
    synchronizerId: "",
    packageIdSelectionPreference: [],
    verboseHashing: false,
    ...changes,
  });

export const prepare = async (
  world: World,
  actAs: readonly ExternalParty[],
  commands: readonly unknown[],
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Prepared> =>
  succeeded(
    await prepareReply(
      world,
      actAs.map(({ party }) => party),
      commands,
      changes,
    ),
  );

export const executionOf = (
  prepared: Prepared,
  signers: readonly ExternalParty[],
  changes: Readonly<Record<string, unknown>> = {},
): Json => ({
  preparedTransaction: prepared.preparedTransaction,
  hashingSchemeVersion: prepared.hashingSchemeVersion,
  userId: "tester",
  submissionId: `submission-${++number}`,
  deduplicationPeriod: { Empty: {} },
  partySignatures: { signatures: signers.map((one) => ({ party: one.party, signatures: [one.sign(prepared.preparedTransactionHash)] })) },
  ...changes,
});

export const execute = (
  world: World,
  prepared: Prepared,
  signers: readonly ExternalParty[],
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Reply> => world.client.post("/v2/interactive-submission/executeAndWait", executionOf(prepared, signers, changes));

/** The transaction as the signers see it, with all its effects. */
export const executeForTransaction = async (world: World, prepared: Prepared, signers: readonly ExternalParty[]): Promise<Json> =>
  succeeded(
    await world.client.post(
      "/v2/interactive-submission/executeAndWaitForTransaction",
      executionOf(prepared, signers, {
        transactionFormat: {
          transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
          eventFormat: {
            verbose: true,
            filtersByParty: Object.fromEntries(
              signers.map(({ party }) => [
                party,
                { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } }] },
              ]),
            ),
          },
        },
      }),
    ),
  ).transaction;

export async function submit(
  world: World,
  signers: readonly ExternalParty[],
  command: unknown,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Json> {
  return executeForTransaction(world, await prepare(world, signers, [command], changes), signers);
}
