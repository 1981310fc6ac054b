import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AnyOperation } from "../../src/api/operation.js";
import { methodOf, pathOf } from "../../src/api/operation.js";
import { decodeQuery } from "../../src/api/query.js";
import { ledgerOperations } from "../../src/api/ledger/index.js";
import { nodeOperations } from "../../src/api/node/index.js";
import { camelCase, decodeMessage, encodeMessage } from "../../src/grpc/codec/index.js";
import type { Json, JsonRequest, Method, UnaryMethod } from "../../src/grpc/method.js";
import { methods } from "../../src/grpc/methods/index.js";
import { type Field, type FieldType, type MessageType, messageNamed, protoFiles } from "../../src/grpc/schema/index.js";
import { positionsIn } from "./positions.js";

const messages = protoFiles.flatMap((file) => file.messages);
const fieldsOf = ({ members }: MessageType): readonly (readonly [name: string, field: Field])[] =>
  Object.entries(members).flatMap(([name, member]) => ("oneOf" in member ? Object.entries(member.oneOf) : [[name, member] as const]));
const twice = (all: readonly unknown[]): readonly unknown[] => all.filter((one, at) => all.indexOf(one) !== at);

const noValue = (): never => assert.fail("there are no values in this");
const noValues = { readValue: noValue, readRecord: noValue, writeValue: noValue, writeRecord: noValue };

describe("messages of the Ledger API", () => {
  it("have fields of distinct numbers", () => {
    for (const message of messages) assert.deepEqual(twice(fieldsOf(message).map(([, { number }]) => number)), [], message.name);
  });

  it("have fields of distinct names in JSON, also beside those of which there is one", () => {
    for (const { name, members } of messages) {
      const keys = Object.entries(members).flatMap(([member, declared]) => {
        if (!("oneOf" in declared)) return [declared.json ?? camelCase(member)];
        return declared.json === undefined ? Object.keys(declared.oneOf).map(camelCase) : [declared.json];
      });
      assert.deepEqual(twice(keys), [], name);
    }
  });

  it("are that one of their fields in JSON only where they have no other", () => {
    for (const { name, members } of messages)
      for (const member of Object.values(members))
        if ("oneOf" in member && member.json === "") assert.equal(Object.keys(members).length, 1, name);
  });

  it("say of such fields only that they have", () => {
    for (const { name, members } of messages)
      for (const member of Object.values(members)) {
        if (!("oneOf" in member)) continue;
        for (const field of [...member.unwrapped, ...Object.keys(member.cases)]) assert.ok(field in member.oneOf, `${name}: ${field}`);
      }
  });

  it("are in one file each, with all that they hold", () => {
    assert.deepEqual(twice(messages.map(({ name }) => name)), []);
    const known = new Set([...messages, ...protoFiles.flatMap(({ enums }) => enums)].map(({ name }) => name));
    for (const message of messages)
      for (const [name, { type }] of fieldsOf(message))
        for (const held of heldBy(type)) assert.ok(known.has(held), `${message.name}.${name} is a ${held}`);
  });

  it("have enums that begin with 0", () => {
    for (const { name, numbers } of protoFiles.flatMap(({ enums }) => enums)) assert.equal(Object.values(numbers)[0], 0, name);
  });
});

function heldBy(type: FieldType): readonly string[] {
  switch (type.kind) {
    case "message":
      return [type.of().name];
    case "enum":
      return [type.of.name];
    case "messageBytes":
      return [type.of];
    case "map":
      return heldBy(type.value);
    default:
      return [];
  }
}

describe("events over gRPC", () => {
  const created = messageNamed("com.daml.ledger.api.v2.CreatedEvent"),
    positions = (event: Json) => positionsIn(created, event).map(({ at }) => at);
  const event = { templateId: "p:M:T", createArgument: {}, contractKey: null, contractKeyHash: "" };

  it("have no key where JSON has null and no hash, and one that is null where it has a hash", () => {
    assert.deepEqual(positions(event), ["createArgument"]);
    assert.deepEqual(positions({ ...event, contractKeyHash: "AAEC" }).sort(), ["contractKey", "createArgument"]);
  });

  it("have no view where it could not be computed", () => {
    const view = { interfaceId: "p:M:I", viewStatus: { code: 9, message: "", details: [] } };
    assert.deepEqual(positions({ ...event, interfaceViews: [view, { ...view, viewValue: null }] }), ["createArgument"]);
    assert.deepEqual(positions({ ...event, interfaceViews: [{ ...view, viewValue: {} }] }).sort(), ["createArgument", "interfaceView"]);
  });

  it("of reassignments have a value in JSON where they unassign, and are one where they assign", () => {
    const type = messageNamed("com.daml.ledger.api.v2.ReassignmentEvent"),
      again = (json: Json) => decodeMessage(type, encodeMessage(type, json, noValues), noValues) as Record<string, Json>;
    assert.equal(
      (again({ JsUnassignedEvent: { value: { contractId: "00" } } })["JsUnassignedEvent"]!["value"] as Json)["contractId"],
      "00",
    );
    assert.equal(again({ JsAssignmentEvent: { reassignmentId: "01" } })["JsAssignmentEvent"]!["reassignmentId"], "01");
  });
});

describe("transactions over gRPC", () => {
  it("have the bytes of a hash that is hexadecimal in JSON, and counters without a sign", () => {
    const transaction = messageNamed("com.daml.ledger.api.v2.Transaction"),
      hashed = encodeMessage(transaction, { externalTransactionHash: "1220ff" }, noValues);
    assert.deepEqual([...hashed], [(10 << 3) | 2, 3, 0x12, 0x20, 0xff]);
    assert.equal(decodeMessage(transaction, hashed, noValues)["externalTransactionHash"], "1220ff");

    const assigned = messageNamed("com.daml.ledger.api.v2.AssignedEvent"),
      most = (2n ** 64n - 1n).toString();
    assert.equal(
      decodeMessage(assigned, encodeMessage(assigned, { reassignmentCounter: most }, noValues), noValues)["reassignmentCounter"],
      most,
    );
  });
});

/** A request in JSON that says something everywhere, and of several the one of this index. */
function fullJson({ members }: MessageType, choice: number): Json {
  const json: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(members)) {
    if (!("oneOf" in member)) {
      json[member.json ?? camelCase(name)] = fullField(member, choice);
      continue;
    }
    const names = Object.keys(member.oneOf),
      chosen = names[choice % names.length]!,
      camel = camelCase(chosen),
      value = fullField(member.oneOf[chosen]!, choice),
      cased = {
        [member.cases[chosen] ?? camel[0]!.toUpperCase() + camel.slice(1)]:
          member.isWrapped && !member.unwrapped.includes(chosen) ? { value } : value,
      };
    if (member.json === "") return cased;
    json[member.json!] = cased;
  }
  return json;
}

function fullField({ type, isRepeated }: Field, choice: number): unknown {
  const one = type.kind === "map" ? { key: fullOf(type.value, choice) } : fullOf(type, choice);
  return isRepeated ? [one, one] : one;
}

function fullOf(type: FieldType, choice: number): unknown {
  switch (type.kind) {
    case "string":
      return "some-text";
    case "bool":
      return true;
    case "enum":
      return Object.keys(type.of.numbers).at(-1);
    case "bytes":
    case "messageBytes":
      return "AAEC";
    case "octets":
      return Uint8Array.of(1, 2, 3);
    case "identifier":
      return "p:M:E";
    case "timestamp":
      return "2026-01-02T03:04:05.000000006Z";
    case "message":
      return fullJson(type.of(), choice);
    case "value":
    case "record":
      return {};
    default:
      return 7;
  }
}

const operations: readonly (readonly [path: string, operation: AnyOperation])[] = [
  ...Object.values(ledgerOperations).map((operation) => [pathOf(operation.route), operation] as const),
  ...Object.values(nodeOperations).map((operation) => [`/admin${pathOf(operation.route)}`, operation] as const),
];

/** Of those with no parameters first. */
function operationFor(method: string, path: string): AnyOperation | undefined {
  const segments = path.split("/"),
    matches = (declared: string) => {
      const parts = declared.split("/");
      return (
        parts.length === segments.length && parts.every((part, at) => part === segments[at] || (part[0] === "{" && segments[at] !== ""))
      );
    };
  return operations
    .filter(([declared, operation]) => methodOf(operation.route) === method && matches(declared))
    .sort(([a], [b]) => Number(a.includes("{")) - Number(b.includes("{")))[0]?.[1];
}

const noTurns = { next: noValue, through: noValue } as unknown as Parameters<AnyOperation["body"]["decode"]>[1];

async function assertTaken(what: string, { method, path, query, body }: JsonRequest): Promise<void> {
  const operation = operationFor(method, path);
  assert.ok(operation, `${what}: nobody does ${method} ${path}`);
  for (const name of new URLSearchParams(query).keys()) assert.ok(name in operation.query, `${what}: nobody reads ${name}`);
  const decoded = decodeQuery(operation.query, query);
  assert.equal(decoded.error, undefined, `${what}: ${query}`);
  const isOctets = operation.body.contentType === "application/octet-stream";
  assert.equal(body instanceof Uint8Array, isOctets, `${what}: octets`);
  assert.equal(body === undefined, operation.body.contentType === undefined, `${what}: a body`);
  if (isOctets || body === undefined) return;
  const taken = await operation.body.decode(Buffer.from(JSON.stringify(body)), noTurns);
  assert.equal(taken.error, undefined, `${what}: ${String(taken.error)} in ${JSON.stringify(body)}`);
}

/** What is asked of JSON where this is asked, or the code of the refusal. */
function askedBy(method: Method, request: Json): JsonRequest | string {
  assert.notEqual(method.kind, "missing");
  if (method.kind === "stream") {
    const asked = method.ask(request);
    return asked.error?.code ?? { method: "POST", path: method.path, query: "", body: asked.ok as Json };
  }
  const asked = (method as UnaryMethod).ask(request);
  return asked.error?.code ?? (asked.ok as JsonRequest);
}

const present = methods.filter(({ kind }) => kind !== "missing");
const methodNamed = (name: string): UnaryMethod => methods.find((method) => method.name === name) as UnaryMethod;

describe("methods of the Ledger API", () => {
  it("are declared once, by services that a file has", () => {
    const services = protoFiles.flatMap((file) => file.services);
    assert.deepEqual(twice(methods.map(({ service, name }) => `${service}/${name}`)), []);
    assert.deepEqual([...new Set(methods.map(({ service }) => service))].sort(), [...services].sort());
    assert.equal(methods.length, 59);
  });

  it("ask an operation of the JSON API that takes what they are asked, whatever is chosen in it", async () => {
    const choicesMax = 7; // kinds of rights
    for (const method of present)
      for (let choice = 0; choice < choicesMax; choice++) {
        const asked = askedBy(method, fullJson(method.request, choice));
        assert.ok(typeof asked !== "string", `${method.name}: ${String(asked)}`);
        await assertTaken(method.name, asked);
      }
  });

  it("tell what is missing where they are asked nothing, or ask what is taken", async () => {
    const refused: string[] = [];
    for (const method of present) {
      const asked = askedBy(method, decodeMessage(method.request, new Uint8Array(), noValues));
      if (typeof asked !== "string") await assertTaken(method.name, asked);
      else refused.push(asked);
    }
    assert.deepEqual([...new Set(refused)].sort(), ["INVALID_ARGUMENT", "MISSING_FIELD"]);
  });

  it("tell what a command misses by the name that it has in gRPC", () => {
    const submit = methodNamed("SubmitAndWait"),
      missing = (command: Json) => submit.ask({ commands: { commands: [command], prefetchContractKeys: [] } }).error?.context["field_name"];
    assert.equal(missing({}), "command");
    assert.equal(missing({ CreateCommand: { createArguments: {} } }), "template_id");
    assert.equal(missing({ CreateCommand: { templateId: "p:M:T" } }), "create_arguments");
    assert.equal(missing({ ExerciseCommand: { templateId: "p:M:T" } }), "value");
    assert.equal(missing({ ExerciseByKeyCommand: { templateId: "p:M:T", choiceArgument: {} } }), "contract_key");
    assert.equal(missing({ CreateCommand: { templateId: "p:M:T", createArguments: null } }), undefined);
  });

  it("name in paths what they are asked for, however it is written", () => {
    const asked = askedBy(methodNamed("GetIdentityProviderConfig"), { identityProviderId: "a/b c?" }) as JsonRequest;
    assert.equal(asked.path, "/v2/idps/a%2Fb%20c%3F");
  });

  it("ask for the user of the token where none is named", () => {
    const askedOf = (name: string): string => {
      const { path, query } = askedBy(methodNamed(name), { userId: "", identityProviderId: "idp" }) as JsonRequest;
      return `${path}?${query}`;
    };
    assert.equal(askedOf("GetUser"), "/v2/authenticated-user?identity-provider-id=idp");
    assert.equal(askedOf("ListUserRights"), "/admin/authenticated-user/rights?identity-provider-id=idp");
  });

  it("name the identity provider of users and parties wherever they are asked with one", () => {
    for (const method of present.filter(({ service }) => /\.(User|Party)ManagementService$/.test(service))) {
      const request = fullJson(method.request, 0);
      if (!("identityProviderId" in request)) continue;
      const { query, body } = askedBy(method, request) as JsonRequest;
      assert.match(`${query} ${JSON.stringify(body)}`, /identity-provider-id=|"identityProviderId"/, method.name);
    }
  });

  it("find parties also beside some that are none, and none where none is asked for", () => {
    const find = methodNamed("GetParties"),
      of = (...parties: string[]): Json => ({ parties, identityProviderId: "" });
    const { path, query } = askedBy(find, of("", "a::b", "c")) as JsonRequest;
    assert.equal(`${path}?${query}`, "/v2/parties/a%3A%3Ab?parties=&parties=c");
    assert.equal(askedBy(find, of("")), "INVALID_ARGUMENT");
    assert.deepEqual(find.answer!({ participantId: "p" }, of()), { partyDetails: [] });
  });

  it("vet what a DAR brings unless they are told not to", () => {
    const queryOf = (vettingChange: string) =>
      (askedBy(methodNamed("UploadDarFile"), { darFile: Uint8Array.of(1), vettingChange, synchronizerId: "" }) as JsonRequest).query;
    assert.equal(queryOf("VETTING_CHANGE_UNSPECIFIED"), "vetAllPackages=true");
    assert.equal(queryOf("VETTING_CHANGE_DONT_VET_ANY_PACKAGES"), "vetAllPackages=false");
  });
});
