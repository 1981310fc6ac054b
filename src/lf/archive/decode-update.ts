/** Update expressions. */
import type { Update } from "../ast.js";
import { parsing } from "./failure.js";
import type { NestedExpressions } from "./nested-expressions.js";
import { requireFeature } from "./version.js";
import { readMessage, type Message, type Slice } from "./wire-reader.js";

export function decodeUpdate(decoder: NestedExpressions, slice: Slice<"Update">): Update {
  const { tables } = decoder;
  const types = tables.typeDecoder;
  const message = readMessage("Update", slice);
  switch (message.case) {
    case "pure": {
      const { type, expr } = readMessage("TypedExpr", message.value);
      return { kind: "pure", type: types.type(type), expr: decoder.expr(expr) };
    }
    case "block": {
      const { bindings, body } = readMessage("Block", message.value);
      return { kind: "block", bindings: decoder.bindings(bindings), body: decoder.expr(body) };
    }
    case "getTime":
      readMessage("Unit", message.value);
      return { kind: "getTime" };
    case "ledgerTimeLt":
      return { kind: "ledgerTimeLt", time: decoder.expr(message.value) };
    case "embedExpr": {
      const { type, body } = readMessage("EmbedExpr", message.value);
      return { kind: "embed", type: types.type(type), expr: decoder.expr(body) };
    }
    case "tryCatch": {
      const { returnType, tryExpr, varInternedStr, catchExpr } = readMessage("TryCatch", message.value);
      return {
        kind: "tryCatch",
        returnType: types.type(returnType),
        body: decoder.expr(tryExpr),
        binder: tables.name(varInternedStr),
        handler: decoder.expr(catchExpr),
      };
    }
    case undefined:
      throw parsing("an update is missing");
    default:
      return decodeContractUpdate(decoder, message);
  }
}

function decodeContractUpdate(decoder: NestedExpressions, message: Message<"Update">): Update {
  const { tables } = decoder;
  switch (message.case) {
    case "create": {
      const { template, expr } = readMessage("Create", message.value);
      return { kind: "create", template: tables.definitionId(template), arg: decoder.expr(expr) };
    }
    case "createInterface": {
      const { interface: id, expr } = readMessage("OfInterface", message.value);
      return { kind: "createInterface", interface: tables.definitionId(id), arg: decoder.expr(expr) };
    }
    case "fetch": {
      const { template, cid } = readMessage("Fetch", message.value);
      return { kind: "fetch", template: tables.definitionId(template), contractId: decoder.expr(cid) };
    }
    case "fetchInterface": {
      const { interface: id, cid } = readMessage("FetchInterface", message.value);
      return { kind: "fetchInterface", interface: tables.definitionId(id), contractId: decoder.expr(cid) };
    }
    case "exercise": {
      const { template, choiceInternedStr, cid, arg } = readMessage("Exercise", message.value);
      return {
        kind: "exercise",
        template: tables.definitionId(template),
        choice: tables.name(choiceInternedStr),
        contractId: decoder.expr(cid),
        arg: decoder.expr(arg),
      };
    }
    case "exerciseInterface":
      return decodeExerciseInterface(decoder, readMessage("ExerciseInterface", message.value));
    default:
      return decodeKeyUpdate(decoder, message);
  }
}

function decodeExerciseInterface(decoder: NestedExpressions, message: Message<"ExerciseInterface">): Update {
  const { tables } = decoder;
  if (message.guard !== undefined) requireFeature(tables.version, "Guards in interfaces");
  return {
    kind: "exerciseInterface",
    interface: tables.definitionId(message.interface),
    choice: tables.name(message.choiceInternedStr),
    contractId: decoder.expr(message.cid),
    arg: decoder.expr(message.arg),
    ...(message.guard === undefined ? {} : { guard: decoder.expr(message.guard) }),
  };
}

function decodeKeyUpdate(decoder: NestedExpressions, message: Message<"Update">): Update {
  const { tables } = decoder;
  switch (message.case) {
    case "exerciseByKey": {
      requireFeature(tables.version, "Contract Keys");
      const { template, choiceInternedStr, key, arg } = readMessage("ExerciseByKey", message.value);
      return {
        kind: "exerciseByKey",
        template: tables.definitionId(template),
        choice: tables.name(choiceInternedStr),
        key: decoder.expr(key),
        arg: decoder.expr(arg),
      };
    }
    case "fetchByKey":
    case "queryNByKey":
      requireFeature(tables.version, "Contract Keys");
      return { kind: message.case, template: tables.definitionId(readMessage("ByKey", message.value).template) };
    case "lookupByKey":
      requireFeature(tables.version, "Lookup by key");
      return { kind: "lookupByKey", template: tables.definitionId(readMessage("ByKey", message.value).template) };
    default:
      throw parsing(`an update ${String(message.case)} stands where it cannot`);
  }
}
