/**
 * A package in place of the one that comes with the reference's own participants, whose contracts scripts create to see that
 * a party works: the same name, template and fields, and the choice by which the responder answers.
 */
import { type DefDataType, type DefTemplate, type Expr, type Type, encodeDar, encodePackage, selfPackageId } from "../lf/index.js";

export const pingPackageName = "canton-builtin-admin-workflow-ping";
/** Below those of the reference, which are upgrades of it. */
const version = "1.0.0";

const module = "Canton.Internal.Ping",
  template = "Ping",
  choice = "Respond",
  contract = "this";
const builtin = (name: "TEXT" | "PARTY" | "UNIT"): Type => ({ kind: "builtin", builtin: name });
const party = builtin("PARTY"),
  unit = builtin("UNIT");
const idOf = (name: string) => ({ packageId: selfPackageId, module, name });
const record = (name: string, fields: readonly { readonly name: string; readonly type: Type }[]): DefDataType => ({
  name,
  params: [],
  serializable: true,
  cons: { kind: "record", fields },
});
const parties = (field: string): Expr => ({
  kind: "cons",
  type: party,
  tail: { kind: "nil", type: party },
  front: [{ kind: "recProj", type: { id: idOf(template), args: [] }, field, record: { kind: "var", name: contract } }],
});
const nobody: Expr = { kind: "nil", type: party };

const ping: DefTemplate = {
  name: template,
  param: contract,
  precondition: undefined,
  signatories: parties("initiator"),
  observers: parties("responder"),
  choices: new Map([
    [
      choice,
      {
        name: choice,
        consuming: true,
        selfBinder: "self",
        argBinder: { name: "arg", type: { kind: "con", id: idOf(choice) } },
        returnType: unit,
        controllers: parties("responder"),
        observers: nobody,
        authorizers: undefined,
        update: { kind: "update", update: { kind: "pure", type: unit, expr: { kind: "unit" } } },
      },
    ],
  ]),
  key: undefined,
  implements: [],
};
const fields = [
  { name: "id", type: builtin("TEXT") },
  { name: "initiator", type: party },
  { name: "responder", type: party },
];

export function pingDar(): Uint8Array {
  const none = new Map(),
    dataTypes = new Map([record(template, fields), record(choice, [])].map((type) => [type.name, type]));
  const definitions = {
    name: module,
    dataTypes,
    templates: new Map([[template, ping]]),
    synonyms: none,
    values: none,
    interfaces: none,
    exceptions: none,
  };
  const packageToEncode = { id: selfPackageId, name: pingPackageName, version, modules: new Map([[module, definitions]]) };
  return encodeDar(pingPackageName, encodePackage(packageToEncode), []);
}
