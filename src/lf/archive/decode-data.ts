/** Expressions that build and read data: records, variants, enumerations, structs. */
import type { Expr, FieldWithExpr } from "../ast.js";
import { decodeInterfaceExpression } from "./decode-interface.js";
import type { NestedExpressions } from "./nested-expressions.js";
import { readMessage, type Message, type Slice } from "./wire-reader.js";

/** Interface conversions come last. */
export function decodeDataExpression(decoder: NestedExpressions, message: Message<"Expr">): Expr {
  const { tables } = decoder;
  const types = tables.typeDecoder;
  switch (message.case) {
    case "recCon": {
      const { tycon, fields } = readMessage("RecCon", message.value);
      return { kind: "recCon", type: types.typeConApp(tycon), fields: decodeFields(decoder, fields) };
    }
    case "recProj": {
      const { tycon, fieldInternedStr, record } = readMessage("RecProj", message.value);
      return { kind: "recProj", type: types.typeConApp(tycon), field: tables.name(fieldInternedStr), record: decoder.expr(record) };
    }
    case "recUpd": {
      const { tycon, fieldInternedStr, record, update } = readMessage("RecUpd", message.value);
      return {
        kind: "recUpd",
        type: types.typeConApp(tycon),
        field: tables.name(fieldInternedStr),
        record: decoder.expr(record),
        update: decoder.expr(update),
      };
    }
    case "variantCon": {
      const { tycon, variantConInternedStr, variantArg } = readMessage("VariantCon", message.value);
      return {
        kind: "variantCon",
        type: types.typeConApp(tycon),
        constructor_: tables.name(variantConInternedStr),
        arg: decoder.expr(variantArg),
      };
    }
    case "enumCon": {
      const { tycon, enumConInternedStr } = readMessage("EnumCon", message.value);
      return { kind: "enumCon", id: tables.definitionId(tycon), constructor_: tables.name(enumConInternedStr) };
    }
    case "structCon":
      return { kind: "structCon", fields: decodeFields(decoder, readMessage("StructCon", message.value).fields) };
    case "structProj": {
      const { fieldInternedStr, struct } = readMessage("StructProj", message.value);
      return { kind: "structProj", field: tables.name(fieldInternedStr), struct: decoder.expr(struct) };
    }
    case "structUpd": {
      const { fieldInternedStr, struct, update } = readMessage("StructUpd", message.value);
      return { kind: "structUpd", field: tables.name(fieldInternedStr), struct: decoder.expr(struct), update: decoder.expr(update) };
    }
    default:
      return decodeInterfaceExpression(decoder, message);
  }
}

function decodeFields(decoder: NestedExpressions, slices: readonly Slice<"FieldWithExpr">[]): FieldWithExpr[] {
  return slices.map((slice) => {
    const { fieldInternedStr, expr } = readMessage("FieldWithExpr", slice);
    return { name: decoder.tables.name(fieldInternedStr), expr: decoder.expr(expr) };
  });
}
