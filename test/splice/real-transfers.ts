/** Transfers by the token standard, with factories and contexts from a registry, whatever the token. */
import assert from "node:assert/strict";
import type { Json } from "../scenarios/world.js";
import { type RealNetwork, resultOf } from "./real-network.js";
import { extraArgs, inSeconds, noMeta } from "./token-standard.js";

export interface TransferFlow {
  readonly version: "v1" | "v2";
  /** Where the registry stands. */
  readonly addresses: string;
  readonly instrumentId: { readonly admin: string; readonly id: string };
  readonly sender: string;
  readonly receiver: string;
  readonly amount: string;
  /** Holdings that the next transfer takes. */
  readonly inputs: () => Promise<readonly string[]>;
}

const standard = (version: string, entity: string): string =>
  `#splice-api-token-transfer-instruction-${version}:Splice.Api.Token.TransferInstruction${version.toUpperCase()}:${entity}`;

/** Transfers of one kind, from one holder to one other. */
class Transfers {
  readonly #account: (owner: string) => Json;
  readonly #at: string;
  constructor(
    private readonly net: RealNetwork,
    private readonly flow: Omit<TransferFlow, "inputs">,
  ) {
    const { version, addresses } = flow;
    this.#account = (owner) => (version === "v1" ? owner : { owner, provider: null, id: "" });
    this.#at = `${addresses}/transfer-instruction/${version}`;
  }

  /** The result of the factory's choice. */
  async offer(inputHoldingCids: readonly string[]): Promise<Json> {
    const { version, instrumentId, sender, receiver, amount } = this.flow;
    const transfer = {
      sender: this.#account(sender),
      receiver: this.#account(receiver),
      amount,
      instrumentId,
      requestedAt: inSeconds(-5),
      executeBefore: inSeconds(600),
      inputHoldingCids,
      meta: noMeta,
    };
    const more = version === "v1" ? { expectedAdmin: instrumentId.admin } : { actors: [sender] },
      argument = { transfer, ...more, extraArgs: extraArgs() };
    const { factoryId, choiceContext } = await this.net.ask(undefined, "POST", `${this.#at}/transfer-factory`, {
      choiceArguments: argument,
    });
    return resultOf(
      await this.net.exercise(
        [sender],
        standard(version, "TransferFactory"),
        factoryId,
        "TransferFactory_Transfer",
        { ...argument, extraArgs: extraArgs(choiceContext) },
        choiceContext.disclosedContracts,
      ),
    );
  }

  /** The result of the instruction's choice. */
  async end(instruction: string, step: "accept" | "reject" | "withdraw"): Promise<Json> {
    const { version, sender, receiver } = this.flow,
      actor = step === "withdraw" ? sender : receiver;
    const context = await this.net.ask(undefined, "POST", `${this.#at}/${instruction}/choice-contexts/${step}`, {});
    return resultOf(
      await this.net.exercise(
        [actor],
        standard(version, "TransferInstruction"),
        instruction,
        `TransferInstruction_${step[0]!.toUpperCase()}${step.slice(1)}`,
        { ...(version === "v1" ? {} : { actors: [actor] }), extraArgs: extraArgs(context) },
        context.disclosedContracts,
      ),
    );
  }
}

const instructionOf = (offered: Json): string => offered.output.value.transferInstructionCid;

/** Makes a transfer three times: the receiver accepts the first and rejects the second, the sender withdraws the third. */
export async function transferThrice(net: RealNetwork, flow: TransferFlow): Promise<void> {
  const transfers = new Transfers(net, flow);
  for (const [step, tag] of [
    ["accept", "Completed"],
    ["reject", "Failed"],
    ["withdraw", "Failed"],
  ] as const) {
    const ended = await transfers.end(instructionOf(await transfers.offer(await flow.inputs())), step);
    assert.equal(ended.output.tag, `TransferInstructionResult_${tag}`);
  }
}

/** A holder of Amulet, and another to whom he sends one after the other. */
export class TransferLane {
  readonly #transfers: Transfers;
  private constructor(
    net: RealNetwork,
    sender: string,
    receiver: string,
    /** What he has. */
    private holdings: readonly string[],
  ) {
    const instrumentId = { admin: net.dso, id: "Amulet" };
    this.#transfers = new Transfers(net, { version: "v1", addresses: "/registry", instrumentId, sender, receiver, amount: "0.001" });
  }

  static async begin(net: RealNetwork, name: string): Promise<TransferLane> {
    const sender = await net.user(name),
      receiver = await net.user(`${name}-other`);
    const { contract_id: holding } = await net.ask(name, "POST", "/api/validator/v0/wallet/tap", { amount: "10000", command_id: name });
    return new TransferLane(net, sender, receiver, [holding]);
  }

  async run(count: number): Promise<void> {
    for (let done = 0; done < count; done++) {
      const offered = await this.#transfers.offer(this.holdings),
        ended = await this.#transfers.end(instructionOf(offered), "accept");
      this.holdings = [...offered.senderChangeCids, ...ended.senderChangeCids];
    }
  }
}
