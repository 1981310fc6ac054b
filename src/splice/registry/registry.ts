/** The registry of the token standard: which contract a request means, and who has its context. */
import { isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { isOf, type Contract } from "../contracts.js";
import { isOfNetwork } from "../dso-of.js";
import { interfaces, templates } from "../names.js";
import { type Answer, identifiersProblem, invalid, malformedContractId, notFound } from "../refusal.js";
import { AmuletContexts, type FactoryContext, type RegistryEnvironment } from "./amulet.js";
import type { ChoiceContext, ContextOptions } from "./choice-context.js";
import { readChoiceArguments } from "./choice-arguments.js";
import type { TokenRegistry } from "./configuration.js";
import { TokenContexts } from "./generic.js";

export type Generation = "v1" | "v2";
const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

interface AllocationV1 {
  readonly lockedAmulet: string;
  readonly allocation: { readonly settlement: { readonly executor: Party; readonly settleBefore: string } };
  readonly expiresAt?: string | null;
}
interface AllocationV2 {
  readonly lockedAmulet?: string | null;
  readonly allocation: { readonly settlementDeadline?: string | null };
}
interface TransferInstruction {
  readonly lockedAmulet: string;
  readonly transfer: { readonly executeBefore: string };
}

interface TransferArguments {
  readonly transfer: { readonly sender: Party; readonly receiver: Party; readonly instrumentId: { readonly admin: Party } };
}
interface Account {
  readonly owner?: Party | null;
  readonly provider?: Party | null;
  readonly id?: string;
}
/** A party may have several accounts. */
const isSameAccount = (a: Account, b: Account): boolean =>
  given(a.owner) === given(b.owner) && given(a.provider) === given(b.provider) && a.id === b.id;

interface TransferSides {
  readonly sender: Party;
  readonly receiver: Party;
  /** From an account to the same. */
  readonly isSelf: boolean;
  readonly admin: Party | undefined;
}
interface TransferArgumentsV2 {
  readonly transfer: { readonly sender: Account; readonly receiver: Account; readonly instrumentId?: { readonly admin: Party } };
}
interface SettleBatch {
  readonly transferLegs: readonly { readonly sender: Account; readonly receiver: Account }[];
  readonly allocations: readonly { readonly allocationCid: string }[];
}
interface AllocateV2 {
  readonly allocation: { readonly admin: Party; readonly transferLegSides: readonly { readonly otherside: Account }[] };
}

export class Registry {
  readonly #environment: RegistryEnvironment;
  readonly #amulet: AmuletContexts;
  readonly #tokens: TokenContexts;
  readonly #own: TokenRegistry | undefined;

  /** `own`: the registry whose own address this is, at which nothing is Amulet's; left out: the common address. */
  constructor(environment: RegistryEnvironment, registries: readonly TokenRegistry[], own?: TokenRegistry) {
    this.#environment = environment;
    this.#amulet = new AmuletContexts(environment);
    this.#tokens = new TokenContexts(environment, registries, own);
    this.#own = own;
  }

  async allocationContext(
    generation: Generation,
    allocationId: string,
    step: "executeTransfer" | "withdraw" | "cancel",
    options: ContextOptions,
  ): Answer<ChoiceContext> {
    const { contracts } = this.#environment,
      interface_ = interfaces[generation].allocation,
      malformed = malformedContractId(allocationId);
    if (malformed) return malformed;
    const allocation = await this.#find(allocationId);
    if (!allocation || !contracts.implements(allocation, interface_)) return notFound(`AmuletAllocation '${allocationId}' not found.`);
    const requiresLock = step === "executeTransfer";
    if (this.#own) return this.#tokens.forContract(allocationId, interface_, options);
    if (isOf(allocation, templates.amuletAllocation))
      return this.#ofAllocationV1(generation, allocation as Contract<AllocationV1>, requiresLock, options);
    if (isOf(allocation, templates.amuletAllocationV2))
      return this.#ofAllocationV2(allocation as Contract<AllocationV2>, requiresLock, options);
    return this.#tokens.forContract(allocationId, interface_, options);
  }

  #ofAllocationV1(
    generation: Generation,
    { contractId, payload }: Contract<AllocationV1>,
    requiresLock: boolean,
    options: ContextOptions,
  ): Answer<ChoiceContext> {
    const { settlement } = payload.allocation,
      isV1 = generation === "v1";
    return this.#amulet.twoStep(
      {
        description: isV1 ? `AmuletAllocation '${contractId}'` : `AmuletAllocationV2 '${contractId}'`,
        lockedAmulet: payload.lockedAmulet,
        expiresAt: isV1 ? settlement.settleBefore : given(payload.expiresAt),
        requiresLock,
        provider: requiresLock ? settlement.executor : undefined,
      },
      options,
    );
  }

  #ofAllocationV2({ contractId, payload }: Contract<AllocationV2>, requiresLock: boolean, options: ContextOptions): Answer<ChoiceContext> {
    return this.#amulet.twoStep(
      {
        description: `AmuletAllocationV2 '${contractId}'`,
        lockedAmulet: given(payload.lockedAmulet),
        expiresAt: given(payload.allocation.settlementDeadline),
        requiresLock,
        provider: undefined,
      },
      options,
    );
  }

  async transferInstructionContext(
    generation: Generation,
    instructionId: string,
    step: "accept" | "reject" | "withdraw",
    options: ContextOptions,
  ): Answer<ChoiceContext> {
    const { contracts } = this.#environment,
      interface_ = interfaces[generation].transferInstruction,
      malformed = malformedContractId(instructionId);
    if (malformed) return malformed;
    const instruction = await this.#find<TransferInstruction>(instructionId);
    if (!instruction || !contracts.implements(instruction, interface_))
      return notFound(`AmuletTransferInstruction '${instructionId}' not found.`);
    if (this.#own || !isOf(instruction, templates.amuletTransferInstruction))
      return this.#tokens.forContract(instructionId, interface_, options);
    const { lockedAmulet, transfer } = instruction.payload;
    return this.#amulet.twoStep(
      {
        description: `AmuletTransferInstruction '${instructionId}'`,
        lockedAmulet,
        expiresAt: transfer.executeBefore,
        requiresLock: step === "accept",
        provider: undefined,
      },
      options,
    );
  }

  async transferFactory(
    generation: Generation,
    choiceArguments: unknown,
    options: ContextOptions,
  ): Answer<FactoryContext & { readonly transferKind: "self" | "direct" | "offer" }> {
    const sides = generation === "v1" ? await this.#transferV1(choiceArguments) : await this.#transferV2(choiceArguments);
    if (isFailure(sides)) return sides;
    const malformed = identifiersProblem([sides.ok.sender, sides.ok.receiver]);
    if (malformed) return malformed;
    const registry = await this.#tokens.registryOf(sides.ok.admin);
    if (isFailure(registry)) return registry;
    if (!registry.ok) return this.#amulet.transferFactory(sides.ok, options);
    const made = await this.#tokens.factory(registry.ok, "transfer", options);
    return isFailure(made) ? made : ok({ ...made.ok, transferKind: sides.ok.isSelf ? "self" : "offer" });
  }

  async #transferV1(json: unknown): Answer<TransferSides> {
    const choice = { interface: interfaces.v1.transferFactory, choice: "TransferFactory_Transfer", separator: ":" };
    const read = await readChoiceArguments<TransferArguments>(this.#environment, choice, json);
    if (isFailure(read)) return read;
    const { sender, receiver, instrumentId } = read.ok.transfer;
    return ok({ sender, receiver, isSelf: sender === receiver, admin: instrumentId.admin });
  }

  async #transferV2(json: unknown): Answer<TransferSides> {
    const choice = { interface: interfaces.v2.transferFactory, choice: "TransferFactory_Transfer", separator: ":" };
    const read = await readChoiceArguments<TransferArgumentsV2>(this.#environment, choice, json);
    if (isFailure(read)) return read;
    const { sender, receiver, instrumentId } = read.ok.transfer;
    const ownerless = [sender, receiver].find(({ owner }) => given(owner) === undefined);
    if (ownerless) return invalid(`expected regular account, but got a special account without an owner: ${JSON.stringify(ownerless)}`);
    return ok({ sender: sender.owner!, receiver: receiver.owner!, isSelf: isSameAccount(sender, receiver), admin: instrumentId?.admin });
  }

  /** The first generation does not look at the arguments of Amulet's. */
  async allocationFactory(generation: Generation, choiceArguments: unknown, options: ContextOptions): Answer<FactoryContext> {
    if (generation === "v2") return this.#allocationFactoryV2(choiceArguments, options);
    const registry = await this.#tokens.registryOf(instrumentAdminOf(choiceArguments));
    if (isFailure(registry)) return registry;
    return registry.ok ? this.#tokens.factory(registry.ok, "allocation", options) : this.#amulet.allocationFactory(options);
  }

  async #allocationFactoryV2(json: unknown, options: ContextOptions): Answer<FactoryContext> {
    const choice = { interface: interfaces.v2.allocationFactory, choice: "AllocationFactory_Allocate", separator: ". Error:" };
    const read = await readChoiceArguments<AllocateV2>(this.#environment, choice, json);
    if (isFailure(read)) return read;
    const { admin, transferLegSides } = read.ok.allocation;
    const problem = sizeProblem({
      legs: transferLegSides.length,
      parties: countOwners(transferLegSides.map(({ otherside }) => otherside)),
      allocations: 0,
    });
    if (problem !== undefined) return invalid(problem);
    const registry = await this.#tokens.registryOf(admin);
    if (isFailure(registry)) return registry;
    return registry.ok ? this.#tokens.factory(registry.ok, "allocation", options) : this.#amulet.factoryV2([], options);
  }

  async settlementFactory(choiceArguments: unknown, options: ContextOptions): Answer<FactoryContext> {
    const choice = { interface: interfaces.v2.settlementFactory, choice: "SettlementFactory_SettleBatch", separator: ". Error:" };
    const read = await readChoiceArguments<SettleBatch>(this.#environment, choice, choiceArguments);
    if (isFailure(read)) return read;
    const { transferLegs, allocations } = read.ok;
    const problem = sizeProblem({
      legs: transferLegs.length,
      parties: countOwners(transferLegs.flatMap(({ sender, receiver }) => [sender, receiver])),
      allocations: allocations.length,
    });
    if (problem !== undefined) return invalid(problem);
    const malformed = allocations.map(({ allocationCid }) => malformedContractId(allocationCid)).find((each) => each !== undefined);
    if (malformed) return malformed;
    const found = await Promise.all(
      [...new Set(allocations.map(({ allocationCid }) => allocationCid))].map((id) =>
        this.#find<{ readonly lockedAmulet?: string | null }>(id),
      ),
    );
    const listed = found.filter((allocation) => allocation !== undefined);
    const registry = await this.#registryOfAllocations(listed);
    if (isFailure(registry)) return registry;
    if (registry.ok)
      return this.#tokens.factory(
        registry.ok,
        "settlement",
        options,
        listed.map(({ contractId }) => ({ contractId, interface: interfaces.v2.allocation })),
      );
    return this.#amulet.factoryV2(await this.#locksOf(listed), options);
  }

  /** All allocations of a batch are of one admin. */
  async #registryOfAllocations([first]: readonly Contract[]): Answer<TokenRegistry | undefined> {
    const isAmulets = first && [templates.amuletAllocation, templates.amuletAllocationV2].some((template) => isOf(first, template));
    if (!first || (isAmulets && !this.#own)) return this.#tokens.registryOf(undefined);
    const view = await this.#environment.contracts.view<{ readonly allocation?: { readonly admin?: Party } }>(
      first.contractId,
      interfaces.v2.allocation,
    );
    return this.#tokens.registryOf(view?.allocation?.admin);
  }

  /** None of Amulet's templates with another DSO: who makes one names locks in it that he may not see. */
  async #find<P>(contractId: string): Promise<Contract<P> | undefined> {
    const { contracts, network } = this.#environment,
      contract = await contracts.find<P>(contractId);
    const isAmulets = [templates.amuletAllocation, templates.amuletAllocationV2, templates.amuletTransferInstruction].some(
      (template) => contract && isOf(contract, template),
    );
    return isAmulets && !isOfNetwork(contract!.payload, (await network.dso()).ok) ? undefined : contract;
  }

  /** Of both generations, those of the second first. */
  async #locksOf(allocations: readonly Contract<{ readonly lockedAmulet?: string | null }>[]): Promise<readonly Contract[]> {
    const inOrder = [templates.amuletAllocationV2, templates.amuletAllocation].flatMap((template) =>
      allocations.filter((allocation) => isOf(allocation, template)),
    );
    const ids = inOrder.map(({ payload }) => given(payload.lockedAmulet)).filter((id) => id !== undefined);
    const locks = await Promise.all([...new Set(ids)].map((id) => this.#environment.contracts.findOf(templates.lockedAmulet, id)));
    return locks.filter((lock) => lock !== undefined);
  }
}

/** Allocations of the first generation say in their leg whose instrument it is. */
function instrumentAdminOf(json: unknown): Party | undefined {
  const { allocation } = (json ?? {}) as {
    readonly allocation?: { readonly transferLeg?: { readonly instrumentId?: { readonly admin?: unknown } } } | null;
  };
  const admin = allocation?.transferLeg?.instrumentId?.admin;
  return typeof admin === "string" ? admin : undefined;
}

const countOwners = (accounts: readonly Account[]): number =>
  new Set(accounts.map(({ owner }) => given(owner)).filter((owner) => owner !== undefined)).size;

function sizeProblem(sizes: { readonly legs: number; readonly parties: number; readonly allocations: number }): string | undefined {
  const tooMany = (what: string, count: number, max: number): string | undefined =>
    count > max ? `Too many ${what} in the settle batch: ${count}. Maximum allowed: ${max}` : undefined;
  return (
    tooMany("transfer legs", sizes.legs, limits.settlementLegsMax)
    ?? tooMany("parties", sizes.parties, limits.settlementPartiesMax)
    ?? tooMany("allocations", sizes.allocations, limits.settlementAllocationsMax)
  );
}
