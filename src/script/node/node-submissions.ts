/** Submissions to a node, and what it says of those that it refuses. */
import { randomUUID } from "node:crypto";
import { type DefinitionId, type LedgerValue, showId } from "../../lf/index.js";
import { failedSubmission } from "../failed-submission.js";
import type { Disclosure, LedgerCommand, LedgerSubmission, SubmitAnswer } from "../ledger.js";
import type { FailedSubmission } from "../outcome.js";
import { shortId } from "../show/index.js";
import { eventFormat, wildcard } from "./event-format.js";
import type { Json, JsonApi } from "./json-api.js";
import { submitErrorOfNode } from "./node-errors.js";
import type { NodeValues } from "./node-values.js";

export class NodeSubmissions {
  readonly #api: JsonApi;
  readonly #values: NodeValues;

  constructor(api: JsonApi, values: NodeValues) {
    this.#api = api;
    this.#values = values;
  }

  async submit(submission: LedgerSubmission): Promise<SubmitAnswer> {
    const { actAs, readAs, commands, disclosures, packagePreference, prefetchKeys } = submission;
    const answer = await this.#api.ask("POST", "/v2/commands/submit-and-wait-for-transaction", {
      commands: {
        commandId: randomUUID(),
        userId: this.#api.participant.userId,
        actAs,
        readAs,
        commands: commands.map((command) => this.#command(command)),
        packageIdSelectionPreference: packagePreference,
        disclosedContracts: disclosures.map(disclosed),
        prefetchContractKeys: prefetchKeys.map(({ template, key }) => ({
          templateId: this.#values.byName(template),
          contractKey: this.#key(template, key),
        })),
      },
      transactionFormat: {
        eventFormat: eventFormat(actAs, wildcard),
        transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
      },
    });
    const described = (): FailedSubmission =>
      failedSubmission({
        submission,
        soFar: undefined,
        engineError: undefined,
        packages: this.#values.packages,
        labelOf: shortId,
        step: 0,
      });
    if ("json" in answer)
      return { kind: "committed", events: this.#values.events(answer.json.transaction.events as Json[]), submission: described };
    const { refused } = answer,
      hint = hints[refused.code];
    return {
      kind: "failed",
      error: submitErrorOfNode(refused),
      class_: "StatusRuntimeException",
      message: `${refused.code}: ${refused.cause}`,
      referenceText: refused.statusText,
      ...(hint === undefined ? {} : { hint }),
      submission: described,
    };
  }

  #command(command: LedgerCommand): unknown {
    const { template, exactPackage } = command,
      templateId = exactPackage ? showId(template) : this.#values.byName(template);
    const choice = (given: Exclude<LedgerCommand, { kind: "create" }>) => ({
      choice: given.choice,
      choiceArgument: this.#values.show(this.#values.argumentType(template, given.choice), given.argument),
    });
    const payload = (argument: LedgerValue): unknown => this.#values.show({ kind: "con", id: template }, argument);
    switch (command.kind) {
      case "create":
        return { CreateCommand: { templateId, createArguments: payload(command.argument) } };
      case "exercise":
        return { ExerciseCommand: { templateId, contractId: command.contractId, ...choice(command) } };
      case "exerciseByKey":
        return { ExerciseByKeyCommand: { templateId, contractKey: this.#key(template, command.key), ...choice(command) } };
      case "createAndExercise":
        return { CreateAndExerciseCommand: { templateId, createArguments: payload(command.createArgument), ...choice(command) } };
    }
  }

  #key(template: DefinitionId, key: LedgerValue): unknown {
    return this.#values.show(this.#values.keyType(template), key);
  }
}

/** Without a synchronizer: the node knows where the contract is. */
const disclosed = ({ templateId, contractId, blob }: Disclosure): unknown => ({
  templateId: showId(templateId),
  contractId,
  createdEventBlob: Buffer.from(blob, "hex").toString("base64"),
  synchronizerId: "",
});

const bringPackages = "Does the node have the packages of the DAR? --upload-dar brings them there.";
const hints: Readonly<Record<string, string>> = {
  UNRESOLVED_PACKAGE_NAME: bringPackages,
  TEMPLATES_OR_INTERFACES_NOT_FOUND: bringPackages,
  PACKAGE_NAMES_NOT_FOUND: bringPackages,
  DAML_EFFECTFUL_ROLLBACK_ERROR:
    "An exception rolled back a create or an archive, which nodes with contract keys refuse. The ledger in memory can be one without: --memory --contract-mode keyless.",
};
