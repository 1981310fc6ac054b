/** A submission to a ledger in memory: by the rules of the engine, and what the reference's ledger for tests adds to them. */
import { isFailure } from "../../base/result.js";
import { HmacSha256 } from "../../base/sha256.js";
import {
  type Command,
  type ContractInstance,
  decodeContractInstance,
  type DefinitionId,
  type Interpretation,
  LedgerContract,
  type LedgerReader,
  type LedgerValue,
  type TemplateReference,
  type Transaction,
  type Type,
} from "../../lf/index.js";
import type { Disclosure, LedgerCommand, LedgerSubmission } from "../ledger.js";
import type { ScriptPackages } from "../packages.js";
import { typeOf } from "../values.js";
import { labelled } from "./labelled.js";
import { disclosedArchived, notAllocated, notVetted, refusedByEngine, type Refused, unreadableDisclosure } from "./refused.js";
import type { World } from "./world.js";

export type Interpreted = { readonly refused: Refused } | { readonly interpretation: Interpretation };

export function interpret(submission: LedgerSubmission, submissionSeed: Uint8Array, world: World): Interpreted {
  const { actAs, readAs, commands, disclosures } = submission,
    {
      packages,
      options: { mode },
      time,
    } = world;
  const parties = new Set([...actAs, ...readAs]),
    unknown = [...parties].filter((party) => !world.parties.has(party));
  if (unknown.length > 0) return { refused: notAllocated(unknown) };
  const packagePreference = world.vetting.preference(submission.packagePreference),
    unvetted = commands.find(({ template }) => !world.vetting.isVetted(template.packageId)),
    disclosed = decoded(disclosures);
  if (unvetted !== undefined) return { refused: notVetted(packages.package(unvetted.template.packageId)!) };
  if ("refused" in disclosed) return disclosed;
  const salt = new HmacSha256(submissionSeed);
  let soFar: Transaction | undefined;
  const result = packages.engine.interpret(
    {
      actAs,
      readAs,
      commands: commands.map((command) => engineCommand(command, packages, packagePreference)),
      disclosed: disclosed.instances,
      ledgerTime: time,
      preparationTime: time,
      submissionSeed,
      participantId: "script",
      packagePreference,
      mode,
    },
    {
      salt: (discriminator) => salt.digest(discriminator),
      reader: readerFor(parties, world),
      onFailure: (transaction) => {
        soFar = transaction;
      },
    },
  );
  if (isFailure(result)) return { refused: refusedByEngine(result.error, submission, soFar, world) };
  const refused = refusedWhole(result.ok, disclosures, world);
  return refused === undefined ? { interpretation: result.ok } : { refused: { ...refused, soFar: result.ok.transaction } };
}

/** What only a finished transaction shows. */
function refusedWhole({ blinding, metadata }: Interpretation, disclosures: readonly Disclosure[], world: World): Refused | undefined {
  const unknown = [...new Set(blinding.disclosure.flat())].filter((party) => !world.parties.has(party));
  if (unknown.length > 0) return notAllocated(unknown.sort());
  const archived = disclosures.find(({ contractId }) => world.contracts.get(contractId)?.archivedBy !== undefined);
  if (archived !== undefined) return disclosedArchived(archived.contractId, archived.templateId);
  const unvetted = metadata.usedPackages.find((packageId) => !world.vetting.isVetted(packageId));
  return unvetted === undefined ? undefined : notVetted(world.packages.package(unvetted)!);
}

function readerFor(parties: ReadonlySet<string>, { contracts, time }: World): LedgerReader {
  return {
    readContract: (contractId) => {
      const looked = contracts.lookUp(contractId, parties, time);
      return "found" in looked ? new LedgerContract(looked.found.instance, true) : undefined;
    },
    *readKey(keyHash) {
      for (const { instance } of contracts.withKey(keyHash))
        if ("found" in contracts.lookUp(instance.contractId, parties, time)) yield new LedgerContract(instance, true);
    },
  };
}

function decoded(disclosures: readonly Disclosure[]): { readonly instances: readonly ContractInstance[] } | { readonly refused: Refused } {
  const instances: ContractInstance[] = [];
  for (const { blob } of disclosures) {
    const instance = decodeContractInstance(Buffer.from(blob, "hex"));
    if (isFailure(instance)) return { refused: unreadableDisclosure(instance.error.message) };
    instances.push(instance.ok);
  }
  return { instances };
}

function engineCommand(command: LedgerCommand, packages: ScriptPackages, preference: ReadonlyMap<string, string>): Command {
  const { template: named, exactPackage } = command,
    template = reference(packages, named, exactPackage),
    isOther = "name" in template.package && preference.get(template.package.name) !== named.packageId;
  const { engine } = packages;
  /** As the version that runs reads it. */
  const given = (type: Type | undefined, value: LedgerValue) => ({
    value: isOther && type !== undefined ? labelled(engine.types.of(type), value) : value,
  });
  const definition = engine.packages.template(named) ?? engine.packages.interface(named);
  const argument = (choice: string, value: LedgerValue) => given(definition?.choices.get(choice)?.argBinder.type, value);
  switch (command.kind) {
    case "create":
      return { kind: "create", template, argument: given(typeOf(named), command.argument) };
    case "exercise": {
      const { contractId, choice } = command;
      return { kind: "exercise", template, contractId, choice, argument: argument(choice, command.argument) };
    }
    case "exerciseByKey": {
      const { choice } = command,
        key = given(engine.packages.template(named)?.key?.type, command.key);
      return { kind: "exerciseByKey", template, key, choice, argument: argument(choice, command.argument) };
    }
    case "createAndExercise": {
      const { choice } = command,
        createArgument = given(typeOf(named), command.createArgument);
      return { kind: "createAndExercise", template, createArgument, choice, argument: argument(choice, command.argument) };
    }
  }
}

function reference(packages: ScriptPackages, { packageId, module, name }: DefinitionId, exact: boolean): TemplateReference {
  const packageName = packages.package(packageId)?.name;
  return { package: exact || packageName === undefined ? { id: packageId } : { name: packageName }, module, name };
}
