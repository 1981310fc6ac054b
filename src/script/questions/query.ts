/** Active contracts: by template, by interface, by id and by key. */
import { isFailure } from "../../base/result.js";
import type { DefinitionId, LedgerValue } from "../../lf/index.js";
import { ContractId, fromCommandValue, type Value } from "../../lf/running-code.js";
import type { ActiveContract } from "../ledger.js";
import { questionFailed, senseless } from "../stop.js";
import { anyTemplate, definitionOf, elementsOf, fieldsOf, list, optional, templateRep, tuple } from "../values.js";
import { keyToLedger } from "./conversions.js";
import { type Asked, question, type Questions } from "./question.js";

export const queryQuestions: Questions = {
  QueryACS: question(async ([parties, template], asked) => {
    const id = definitionOf(template!);
    return list((await asked.ledger.activeContracts(partiesOf(parties!), id)).map((contract) => createdValue(asked, id, contract)));
  }),
  QueryContractId: question(async ([parties, template, contractId], asked) => {
    const id = definitionOf(template!);
    const contract = await asked.ledger.contract(partiesOf(parties!), id, (contractId as ContractId).hex);
    return optional(
      contract
        && tuple(
          anyTemplate(id, payloadOf(asked, id, contract.argument)),
          templateRep(contract.templateId),
          Buffer.from(contract.blob).toString("hex"),
        ),
    );
  }),
  QueryInterface: question(async ([parties, interface_], asked) => {
    const id = definitionOf(interface_!);
    const contracts = await asked.ledger.interfaceContracts(partiesOf(parties!), id);
    return list(contracts.map(({ contractId, view }) => tuple(new ContractId(contractId), optional(viewOf(asked, id, view)))));
  }),
  QueryInterfaceContractId: question(async ([parties, interface_, contractId], asked) => {
    const id = definitionOf(interface_!);
    const contract = await asked.ledger.interfaceContract(partiesOf(parties!), id, (contractId as ContractId).hex);
    return optional(viewOf(asked, id, contract?.view));
  }),
  /** What 3.3 and 3.4 call the next. */
  QueryContractKey: question(queryByKey),
  QueryByKey: question(queryByKey, [1, 2]),
  QueryNByKey: question(async ([parties, template, key, limit], asked) =>
    list(await byKey(asked, parties!, template!, key!, Number(limit))),
  ),
};

async function queryByKey([parties, template, key]: readonly Value[], asked: Asked): Promise<Value> {
  return optional((await byKey(asked, parties!, template!, key!, 1))[0]);
}

async function byKey(asked: Asked, parties: Value, template: Value, key: Value, limit: number): Promise<readonly Value[]> {
  const id = definitionOf(template);
  const contracts = await asked.ledger.contractsByKey(partiesOf(parties), id, keyToLedger(asked.packages, id, key), limit);
  return contracts.map((contract) => createdValue(asked, id, contract));
}

function partiesOf(parties: Value): readonly string[] {
  const listed = Array.isArray(parties) ? [fieldsOf(parties)[0]!, ...elementsOf(fieldsOf(parties)[1]!)] : elementsOf(parties);
  if (listed.length === 0) throw senseless("a query needs at least one party");
  return listed as string[];
}

const createdValue = (asked: Asked, template: DefinitionId, { contractId, argument }: ActiveContract): Value =>
  tuple(new ContractId(contractId), anyTemplate(template, payloadOf(asked, template, argument)));

/** As a payload of the template that was asked for, whatever version of it the contract is of. */
function payloadOf({ packages: { engine } }: Asked, template: DefinitionId, argument: LedgerValue): Value {
  const payload = fromCommandValue(engine.types.ofData(template), argument);
  if (isFailure(payload)) throw questionFailed("ConverterException", payload.error.message);
  return payload.ok;
}

function viewOf({ packages: { engine } }: Asked, interface_: DefinitionId, view: LedgerValue | undefined): Value | undefined {
  const type = engine.packages.interface(interface_)?.view;
  if (view === undefined || type === undefined) return undefined;
  const value = fromCommandValue(engine.types.of(type), view);
  if (isFailure(value)) throw questionFailed("ConverterException", value.error.message);
  return value.ok;
}
