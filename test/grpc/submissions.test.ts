/** Submissions over gRPC as the ledger takes them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import protobuf from "protobufjs";
import { readPlainSubmission } from "../../src/api/ledger/plain-submissions.js";
import { decodeMessage } from "../../src/grpc/codec/index.js";
import { commandMethods } from "../../src/grpc/methods/commands.js";
import { requestValues } from "../../src/grpc/values/index.js";

const proto = protobuf.parse(
  `syntax = "proto3";
  message Identifier { string package_id = 1; string module_name = 2; string entity_name = 3; }
  message Value { oneof sum { string party = 7; string text = 8; } }
  message Field { string label = 1; Value value = 2; }
  message Record { repeated Field fields = 2; }
  message Create { Identifier template_id = 1; Record create_arguments = 2; }
  message Command { Create create = 1; }
  message Commands { string user_id = 2; string command_id = 3; repeated Command commands = 4; repeated string act_as = 9; }
  message Request { Commands commands = 1; }`,
  { keepCase: true },
).root;

const commands = {
  user_id: "alice",
  command_id: "1",
  act_as: ["Alice::1220"],
  commands: [
    {
      create: {
        template_id: { package_id: "#model", module_name: "M", entity_name: "T" },
        create_arguments: { fields: [{ label: "p", value: { party: "Alice::1220" } }] },
      },
    },
  ],
};

test("gRPC submissions: an engine thread reads those with nothing special about them as it reads those of the JSON API, at once", () => {
  const bytes = proto.lookupType("Request").encode({ commands }).finish();
  const submissions = commandMethods.filter(({ name }) => ["Submit", "SubmitAndWait", "SubmitAndWaitForTransaction"].includes(name));
  assert.equal(submissions.length, 3);
  for (const method of submissions) {
    assert(method.kind === "unary");
    const asked = method.ask(decodeMessage(method.request, bytes, requestValues())),
      plain = readPlainSubmission(Buffer.from(JSON.stringify(asked.ok!.body)));
    assert.equal(plain?.commandId, "1", method.name);
    assert.deepEqual(plain?.actAs, ["Alice::1220"]);
  }
});
