/**
 * Parties with keys of their own at a validator: it hosts them, pays for their preapproval, and hands out what they sign.
 * Keys are Ed25519, in hexadecimal.
 */
import { randomUUID } from "node:crypto";
import { isFailure, ok, type Result } from "../../base/result.js";
import {
  decodePartyToParticipant,
  namespaceOf,
  type OnboardingRequest,
  readRawSigningKey,
  topologyHash,
  type Party,
  type Signature,
  type SigningKey,
} from "../../ledger/index.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { describeContracts, withState, type ContractWithState } from "../described-contract.js";
import { summaryWithFeesOf, type OwnerSummaryWithFees } from "../holdings-summary.js";
import { javaInstant } from "../instants.js";
import { asPreapprovalPurchase } from "../invalid-transfers.js";
import { templates } from "../names.js";
import { type Answer, identifierProblem, invalid, ledgerRefusal, notFound, type Refusal, refuse } from "../refusal.js";
import { commandsOf, type Submission } from "../submitter.js";
import { amuletInputs, holdingsOf, inputsOf, paymentContext, paymentContracts } from "./amulets.js";
import type { ExternalContext, PreparedForParty } from "./external-context.js";
import { prepareTransfer, type ExternalTransfer, type PreparedTransfer } from "./external-transfers.js";
import { hasExternalWallet } from "./external-wallets.js";
import { preapprovalMicros } from "./preapprovals.js";
import { spendAs } from "./spending.js";
import { disclosedFrom, type Owner } from "./wallet-context.js";

export interface TopologyToSign {
  readonly party: Party;
  readonly transactions: readonly { readonly transaction: Uint8Array; readonly hash: Uint8Array }[];
}
export interface SignedTopology {
  readonly transaction: Uint8Array;
  readonly signature: string;
}
export interface SignedSubmission {
  readonly party: Party;
  readonly transaction: Uint8Array;
  readonly signature: string;
  readonly publicKey: string;
}
export interface AcceptedSetup {
  readonly preapproval: string;
  readonly updateId: string;
}

interface SetupProposal {
  readonly validator: Party;
  readonly user: Party;
  readonly dso: Party;
}

export class ExternalPartyHosts {
  readonly #context: ExternalContext;
  constructor(context: ExternalContext) {
    this.#context = context;
  }

  /** Its namespace, its hosts and its key, in this order: guides number them. */
  topology(hint: string, publicKey: string): Result<TopologyToSign, Refusal> {
    const key = keyOf(publicKey),
      { ledger, home } = this.#context;
    if (isFailure(key)) return key;
    const generated = ledger.external.generateTopology({
      synchronizer: ledger.synchronizerId,
      partyHint: hint,
      publicKey: ok(key.ok),
      localParticipantObservationOnly: false,
      otherConfirmingParticipants: home ? [home.participantId] : [],
      observingParticipants: [],
      confirmationThreshold: 1,
      keysApart: true,
    });
    if (isFailure(generated)) return ledgerRefusal(generated.error);
    return ok({
      party: generated.ok.party,
      transactions: generated.ok.transactions.map((transaction) => ({ transaction, hash: topologyHash(transaction) })),
    });
  }

  /** The party; the validator's user may act as it, with its signatures. */
  async onboard(publicKey: string, signed: readonly SignedTopology[]): Answer<Party> {
    const key = keyOf(publicKey),
      { ledger, users } = this.#context;
    if (isFailure(key)) return key;
    const stranger = signed.map(({ transaction }) => ofAnotherKey(transaction, key.ok)).find((problem) => problem !== undefined);
    if (stranger) return stranger;
    const transactions: { readonly transaction: Uint8Array; readonly signatures: Result<readonly Signature[], never> }[] = [];
    for (const { transaction, signature } of signed) {
      const bytes = hexBytes(signature);
      if (!bytes) return invalid(`Failed to decode hex-encoded tx signature: ${signature}`);
      transactions.push({ transaction, signatures: ok([signatureOf(key.ok, bytes)]) });
    }
    const allocated = await this.#allocate({
      synchronizer: ledger.synchronizerId,
      transactions,
      combinedSignatures: ok([]),
      identityProviderId: "",
      trace: { traceparent: null, tracestate: null },
    });
    if (isFailure(allocated)) return allocated;
    if (!ledger.external.isExternal(allocated.ok))
      return invalid(`Party ${allocated.ok} is not hosted yet: other participants, or other keys, have to agree to it as well.`);
    const permitted = await users.letValidatorActAs(allocated.ok);
    return isFailure(permitted) ? ledgerRefusal(permitted.error) : ok(allocated.ok);
  }

  /** It is there once each participant that is to host it was asked for it. */
  async #allocate(request: OnboardingRequest): Answer<Party> {
    const { ledger, home } = this.#context;
    let allocated = await ledger.external.allocate(request);
    if (home && !isFailure(allocated)) allocated = await home.external.allocate(request);
    return isFailure(allocated) ? ledgerRefusal(allocated.error) : ok(allocated.ok.party);
  }

  /** Paid for by the validator. */
  async propose(validator: Owner, user: Party): Answer<string> {
    const malformed = identifierProblem(user);
    if (malformed) return malformed;
    const proposed = asPreapprovalPurchase(
      await spendAs(this.#context, validator, { payer: validator.party }, () => this.#prepareProposal(validator, user)),
    );
    return isFailure(proposed) ? proposed : ok((proposed.ok.exerciseResult as { readonly proposalCid: string }).proposalCid);
  }

  async #prepareProposal(validator: Owner, user: Party): Answer<Omit<Submission, "userId">> {
    const { ledger, network } = this.#context,
      contracts = await paymentContracts(this.#context);
    if (isFailure(contracts)) return contracts;
    const { rules, round } = contracts.ok,
      { dso } = rules.payload,
      open = await this.#proposalTo(validator, user);
    if (open) return refuse("conflict", `ExternalPartySetupProposal contract already exists: ${open.contractId}`);
    const preapproval = await network.transferPreapproval(dso, user, validator.party);
    if (preapproval) return refuse("conflict", `TransferPreapproval contract already exists: ${preapproval.contractId}`);
    return ok({
      actAs: [validator.party],
      commands: [
        exercise(templates.amuletRules, rules.contractId, "AmuletRules_CreateExternalPartySetupProposal", {
          context: paymentContext(contracts.ok),
          inputs: amuletInputs(await inputsOf(this.#context, validator.party, rules.payload)),
          user,
          validator: validator.party,
          preapprovalExpiresAt: javaInstant(ledger.nowMicros() + preapprovalMicros),
          expectedDso: dso,
        }),
      ],
      disclosed: disclosedFrom(this.#context, [rules, round]),
    });
  }

  async proposals(validator: Owner): Answer<readonly ContractWithState[]> {
    const described = await describeContracts(this.#context.types, await this.#proposals(validator));
    return ok(described.map((contract) => withState(contract, this.#context.ledger)));
  }

  /** For the user to sign. */
  async prepareAcceptance(
    validator: Owner,
    user: Party,
    contractId: string,
    { verboseHashing }: { readonly verboseHashing: boolean },
  ): Answer<PreparedForParty> {
    const malformed = identifierProblem(user);
    if (malformed) return malformed;
    const proposal = await this.#proposalTo(validator, user);
    if (!proposal) return notFound(`No ExternalPartySetupProposal contract found for ${user}`);
    if (proposal.contractId !== contractId) return invalid("Found contract does not match provided contractId.");
    const accept = exercise(templates.externalPartySetupProposal, contractId, "ExternalPartySetupProposal_Accept", {});
    const prepared = await this.#context.ledger.interactive.prepare({
      submission: commandsOf({ actAs: [user], commands: [accept] }, validator.userId),
      maxRecordTime: undefined,
      hashingScheme: "V2",
      verboseHashing,
    });
    if (isFailure(prepared)) return ledgerRefusal(prepared.error);
    const { transaction, hash, hashingDetails } = prepared.ok;
    return ok({ transaction, hash, hashingDetails });
  }

  async submitAcceptance(validator: Owner, signed: SignedSubmission): Answer<AcceptedSetup> {
    const malformed = identifierProblem(signed.party);
    if (malformed) return malformed;
    const executed = await this.#execute(validator, signed);
    if (isFailure(executed)) return executed;
    const dso = await this.#context.network.dso(),
      preapproval = isFailure(dso) ? undefined : await this.#context.network.transferPreapproval(dso.ok, signed.party, validator.party);
    return preapproval
      ? ok({ preapproval: preapproval.contractId, updateId: executed.ok })
      : invalid("TransferPreapproval contract was not created.");
  }

  prepareTransfer(validator: Owner, transfer: ExternalTransfer): Answer<PreparedTransfer> {
    return prepareTransfer(this.#context, validator, transfer);
  }

  /** The id of the update that leaves the command to its validator. */
  async submitTransfer(validator: Owner, signed: SignedSubmission): Answer<string> {
    return identifierProblem(signed.party) ?? this.#execute(validator, signed);
  }

  async #execute(validator: Owner, { party, transaction, signature, publicKey }: SignedSubmission): Answer<string> {
    const key = keyOf(publicKey),
      bytes = hexBytes(signature);
    if (isFailure(key)) return key;
    if (!bytes) return invalid("Unable to parse signed tx hash");
    const executed = await this.#context.ledger.interactive.execute({
      prepared: transaction,
      hashingScheme: "V2",
      signatures: ok([{ party, signatures: [signatureOf(key.ok, bytes)] }]),
      userId: validator.userId,
      submissionId: randomUUID(),
      deduplication: { kind: "none" },
      minLedgerTimeAbs: undefined,
      minLedgerTimeRel: undefined,
      trace: { traceparent: null, tracestate: null },
    });
    return isFailure(executed) ? ledgerRefusal(executed.error) : ok(executed.ok.updateId);
  }

  /** As of the open round of the lowest number. */
  async balance(validator: Owner, party: Party): Answer<OwnerSummaryWithFees & { readonly computed_as_of_round: number }> {
    const malformed = identifierProblem(party);
    if (malformed) return malformed;
    const { network } = this.#context;
    if (!(await hasExternalWallet(this.#context, party, validator))) return notFound(`No wallet for external party ${party}`);
    const dso = await network.dso();
    if (isFailure(dso)) return dso;
    const [round] = await network.openRounds(dso.ok);
    if (!round) return notFound("No open mining round found");
    const number = BigInt(round.payload.round.number);
    return ok({ ...summaryWithFeesOf(party, await holdingsOf(this.#context, party), number), computed_as_of_round: Number(number) });
  }

  async #proposals({ party }: Owner): Promise<readonly Contract<SetupProposal>[]> {
    return (await this.#context.contracts.all<SetupProposal>(templates.externalPartySetupProposal, party)).filter(
      ({ payload }) => payload.validator === party,
    );
  }
  async #proposalTo(validator: Owner, user: Party): Promise<Contract<SetupProposal> | undefined> {
    return (await this.#proposals(validator)).find(({ payload }) => payload.user === user);
  }
}

/** Where a transaction hosts a party, but one that another key speaks for: then the ledger would pass over its signature. */
function ofAnotherKey(transaction: Uint8Array, { fingerprint }: SigningKey): Result<never, Refusal> | undefined {
  const hosting = decodePartyToParticipant(transaction);
  if (isFailure(hosting) || namespaceOf(hosting.ok.party) === fingerprint) return undefined;
  return invalid(`The public key, whose fingerprint is ${fingerprint}, is not that of the party ${hosting.ok.party}.`);
}

function keyOf(publicKey: string): Result<SigningKey, Refusal> {
  const bytes = hexBytes(publicKey);
  if (!bytes) return invalid(`Could not decode public key ${publicKey} as a hex string`);
  const key = readRawSigningKey(bytes, "ed25519");
  return isFailure(key) ? invalid(`Failed to decode public key: ${key.error}`) : key;
}

const hexPattern = /^(?:[0-9a-fA-F]{2})+$/;
const hexBytes = (text: string): Uint8Array | undefined => (hexPattern.test(text) ? Buffer.from(text, "hex") : undefined);
const signatureOf = ({ fingerprint }: SigningKey, bytes: Uint8Array): Signature => ({
  format: "concat",
  bytes,
  signedBy: fingerprint,
  algorithm: "ed25519",
});
