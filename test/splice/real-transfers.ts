/** Transfers by the token standard, with factories and contexts from a registry, whatever the token. */
import assert from "node:assert/strict";
import type { Json } from "../scenarios/world.js";
import { type RealNetwork, resultOf } from "./real-network.js";

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
const meta = { values: {} },
  inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const extraArgs = (context?: Json): Json => ({ context: context?.choiceContextData ?? { values: {} }, meta });

/** Makes a transfer three times: the receiver accepts the first and rejects the second, the sender withdraws the third. */
export async function transferThrice(net: RealNetwork, flow: TransferFlow): Promise<void> {
  const { version, addresses, instrumentId, sender, receiver, amount } = flow,
    isFirst = version === "v1",
    at = `${addresses}/transfer-instruction/${version}`;
  const account = (owner: string): Json => (isFirst ? owner : { owner, provider: null, id: "" });
  const offer = async (): Promise<string> => {
    const transfer = {
      sender: account(sender),
      receiver: account(receiver),
      amount,
      instrumentId,
      requestedAt: inSeconds(-5),
      executeBefore: inSeconds(600),
      inputHoldingCids: await flow.inputs(),
      meta,
    };
    const argument = { transfer, ...(isFirst ? { expectedAdmin: instrumentId.admin } : { actors: [sender] }), extraArgs: extraArgs() };
    const { factoryId, choiceContext } = await net.ask(undefined, "POST", `${at}/transfer-factory`, { choiceArguments: argument });
    return resultOf(
      await net.exercise(
        [sender],
        standard(version, "TransferFactory"),
        factoryId,
        "TransferFactory_Transfer",
        { ...argument, extraArgs: extraArgs(choiceContext) },
        choiceContext.disclosedContracts,
      ),
    ).output.value.transferInstructionCid;
  };
  for (const [step, actor, tag] of [
    ["accept", receiver, "Completed"],
    ["reject", receiver, "Failed"],
    ["withdraw", sender, "Failed"],
  ] as const) {
    const instruction = await offer(),
      context = await net.ask(undefined, "POST", `${at}/${instruction}/choice-contexts/${step}`, {});
    const ended = await net.exercise(
      [actor],
      standard(version, "TransferInstruction"),
      instruction,
      `TransferInstruction_${step[0]!.toUpperCase()}${step.slice(1)}`,
      { ...(isFirst ? {} : { actors: [actor] }), extraArgs: extraArgs(context) },
      context.disclosedContracts,
    );
    assert.equal(resultOf(ended).output.tag, `TransferInstructionResult_${tag}`);
  }
}
