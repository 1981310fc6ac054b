import type { ValueType } from "./value-type.js";

const builtinNames: { readonly [K in ValueType["kind"]]?: string } = {
  unit: "Unit",
  bool: "Bool",
  int64: "Int64",
  date: "Date",
  timestamp: "Timestamp",
  party: "Party",
  text: "Text",
  contractId: "ContractId",
};

/** How deep the arguments of a type are shown: types that grow as they recurse have no end. */
const shownDepthMax = 4;

/** A type for messages: data types without their package, arguments in parentheses where they need them. */
export function showType(type: ValueType, depth = 0): string {
  switch (type.kind) {
    case "numeric":
      return `Numeric ${type.scale}`;
    case "optional":
      return application("Optional", [type.element], depth);
    case "list":
      return application("List", [type.element], depth);
    case "textMap":
      return application("TextMap", [type.value], depth);
    case "genMap":
      return application("GenMap", [type.key, type.value], depth);
    case "record":
    case "variant":
      return application(`${type.id.module}:${type.id.name}`, type.args, depth);
    case "enum":
      return `${type.id.module}:${type.id.name}`;
    default:
      return builtinNames[type.kind] ?? type.kind;
  }
}

function application(head: string, args: readonly ValueType[], depth: number): string {
  if (depth >= shownDepthMax && args.length > 0) return `${head} …`;
  return [head, ...args.map((arg) => showType(arg, depth + 1)).map((arg) => (arg.includes(" ") ? `(${arg})` : arg))].join(" ");
}
