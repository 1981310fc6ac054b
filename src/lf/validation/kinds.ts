/** Kinds: what a type constructor takes (spec: Daml-LF 2, kinds and type well-formedness). */
import type { BuiltinType, DefDataType, Kind } from "../ast.js";
import { unreachable } from "../../base/assert.js";
import { kindArrow, nat, star } from "../type-forms.js";

const unary = kindArrow(star, star);
const binary = kindArrow(star, unary);
const ofNat = kindArrow(nat, star);

export function kindOfBuiltin(type: BuiltinType): Kind {
  switch (type) {
    case "UNIT":
    case "BOOL":
    case "INT64":
    case "DATE":
    case "TIMESTAMP":
    case "PARTY":
    case "TEXT":
    case "ANY":
    case "ANY_EXCEPTION":
    case "TYPE_REP":
    case "FAILURE_CATEGORY":
    case "BIGNUMERIC":
    case "ROUNDING_MODE":
      return star;
    case "NUMERIC":
      return ofNat;
    case "CONTRACT_ID":
    case "OPTIONAL":
    case "LIST":
    case "UPDATE":
    case "TEXTMAP":
      return unary;
    case "GENMAP":
    case "ARROW":
      return binary;
    default:
      return unreachable(type);
  }
}

export const kindOfDataType = ({ params }: DefDataType): Kind =>
  params.reduceRight<Kind>((result, param) => kindArrow(param.kind, result), star);

export const sameKind = (left: Kind, right: Kind): boolean =>
  left === right
  || (left.kind === "arrow"
    ? right.kind === "arrow" && sameKind(left.param, right.param) && sameKind(left.result, right.result)
    : left.kind === right.kind);

/** A natural number is never the result of a type constructor. */
export const isWellFormedKind = (kind: Kind): boolean =>
  kind.kind !== "arrow" || (kind.result.kind !== "nat" && isWellFormedKind(kind.param) && isWellFormedKind(kind.result));
