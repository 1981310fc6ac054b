/** Patterns of a case. */
import type { Pattern } from "../ast.js";
import { decodeConstructor } from "./decode-literal.js";
import { parsing } from "./failure.js";
import type { Tables } from "./interning.js";
import { readMessage, type Message } from "./wire-reader.js";

export function decodePattern(tables: Tables, message: Message<"CaseAlt">): Pattern {
  switch (message.case) {
    case "default":
      readMessage("Unit", message.value);
      return { kind: "default" };
    case "nil":
      readMessage("Unit", message.value);
      return { kind: "nil" };
    case "optionalNone":
      readMessage("Unit", message.value);
      return { kind: "none" };
    case "optionalSome":
      return { kind: "some", body: tables.name(readMessage("CaseOptionalSome", message.value).varBodyInternedStr) };
    case "cons": {
      const { varHeadInternedStr, varTailInternedStr } = readMessage("CaseCons", message.value);
      return { kind: "cons", head: tables.name(varHeadInternedStr), tail: tables.name(varTailInternedStr) };
    }
    case "variant": {
      const { con, variantInternedStr, binderInternedStr } = readMessage("CaseVariant", message.value);
      return {
        kind: "variant",
        id: tables.definitionId(con),
        constructor_: tables.name(variantInternedStr),
        binder: tables.name(binderInternedStr),
      };
    }
    case "enum": {
      const { con, constructorInternedStr } = readMessage("CaseEnum", message.value);
      return { kind: "enum", id: tables.definitionId(con), constructor_: tables.name(constructorInternedStr) };
    }
    case "builtinCon":
      return decodeConstructor(message.value);
    case undefined:
      throw parsing("a pattern is missing");
  }
}
