import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import type { Status } from "../../src/grpc/call.js";
import { badRequest, shutDown, statusOfClose, statusOfFrame, statusOfReply, timedOut, unimplemented } from "../../src/grpc/json/status.js";
import { errorInfo, readStatus, requestInfo, resourceInfo, retryInfo } from "./rpc-status.js";

const tid = "0af7651916cd43dd8448eb211c80319c";

/** An error body of the JSON API, as far as it is not what most have. */
const bodyOf = (keys: object): string =>
  JSON.stringify({
    code: "",
    cause: "",
    correlationId: null,
    traceId: tid,
    context: {},
    resources: [],
    errorCategory: 8,
    grpcCodeValue: 3,
    retryInfo: null,
    definiteAnswer: null,
    ...keys,
  });

function told(status: Status) {
  assert.ok(status.details !== undefined);
  const read = readStatus(status.details);
  assert.deepEqual([read.code, read.message], [status.code, status.message]);
  return read;
}

/** What a Canton 3.5 node answered to the same request over both APIs; ids are others. */
const pairs = [
  {
    name: "a resource that is not there",
    httpStatus: 404,
    body: {
      code: "USER_NOT_FOUND",
      cause: 'getting user failed for unknown user "nobody"',
      context: { participant: "'sandbox'", definite_answer: "false", tid, category: "11" },
      resources: [["ErrorResource(USER)", "nobody"]],
      errorCategory: 11,
      grpcCodeValue: 5,
    },
    code: 5,
    message: 'USER_NOT_FOUND(11,0af76519): getting user failed for unknown user "nobody"',
    details: [
      errorInfo("USER_NOT_FOUND", [
        ["participant", "'sandbox'"],
        ["definite_answer", "false"],
        ["tid", tid],
        ["category", "11"],
      ]),
      requestInfo(tid),
      resourceInfo("USER", "nobody"),
    ],
  },
  {
    name: "one that goes by",
    httpStatus: 400,
    body: {
      code: "OFFSET_AFTER_LEDGER_END",
      cause: "Begin offset (99999) is after ledger end (8)",
      context: { participant: "'sandbox'", definite_answer: "false", tid, category: "12" },
      errorCategory: 12,
      grpcCodeValue: 11,
      retryInfo: "1 second",
    },
    code: 11,
    message: "OFFSET_AFTER_LEDGER_END(12,0af76519): Begin offset (99999) is after ledger end (8)",
    details: [
      errorInfo("OFFSET_AFTER_LEDGER_END", [
        ["participant", "'sandbox'"],
        ["definite_answer", "false"],
        ["tid", tid],
        ["category", "12"],
      ]),
      retryInfo(1),
      requestInfo(tid),
    ],
  },
  {
    name: "a submission, which has an id of its own",
    httpStatus: 400,
    body: {
      code: "MISSING_FIELD",
      cause: "The submitted command is missing a mandatory field: command_id",
      correlationId: "submission-7de1",
      context: { participant: "'sandbox'", category: "8", tid, definite_answer: "false", field_name: "command_id" },
    },
    code: 3,
    message: "MISSING_FIELD(8,submissi): The submitted command is missing a mandatory field: command_id",
    details: [
      errorInfo("MISSING_FIELD", [
        ["participant", "'sandbox'"],
        ["category", "8"],
        ["tid", tid],
        ["definite_answer", "false"],
        ["field_name", "command_id"],
      ]),
      requestInfo("submission-7de1"),
    ],
  },
  {
    name: "a cause of several lines, which the body tells with what stands before it",
    httpStatus: 404,
    body: {
      code: "CONTRACT_NOT_ACTIVE",
      cause: "CONTRACT_NOT_ACTIVE(11,sub-7de1): Interpretation error: Error: 00ab\nThe contract had been consumed",
      correlationId: "sub-7de159ef",
      context: { participant: "'sandbox'", category: "11", tid, definite_answer: "false" },
      resources: [
        ["ErrorResource(TEMPLATE_ID)", "pkg:M:T"],
        ["ErrorResource(CONTRACT_ID)", "00ab"],
      ],
      errorCategory: 11,
      grpcCodeValue: 5,
    },
    code: 5,
    message: "CONTRACT_NOT_ACTIVE(11,sub-7de1): Interpretation error: Error: 00ab\nThe contract had been consumed",
    details: [
      errorInfo("CONTRACT_NOT_ACTIVE", [
        ["participant", "'sandbox'"],
        ["category", "11"],
        ["tid", tid],
        ["definite_answer", "false"],
      ]),
      requestInfo("sub-7de159ef"),
      resourceInfo("TEMPLATE_ID", "pkg:M:T"),
      resourceInfo("CONTRACT_ID", "00ab"),
    ],
  },
  {
    name: "a token that is not there",
    httpStatus: 401,
    body: { code: "NA", cause: "A security-sensitive error has been received", correlationId: tid, errorCategory: -1, grpcCodeValue: 16 },
    code: 16,
    message: `An error occurred. Please contact the operator and inquire about the request ${tid} with tid ${tid}`,
    details: [requestInfo(tid)],
  },
  {
    name: "a user that is not there",
    httpStatus: 403,
    body: {
      code: "NA",
      cause: "A security-sensitive error has been received",
      correlationId: tid,
      context: { ledger_api_error: "invalid token" },
      errorCategory: -1,
      grpcCodeValue: 7,
    },
    code: 7,
    message: `An error occurred. Please contact the operator and inquire about the request ${tid} with tid ${tid}`,
    details: [requestInfo(tid)],
  },
];

for (const { name, httpStatus, body, code, message, details } of pairs)
  test(`statuses: ${name} is told as the reference tells it`, () => {
    const status = statusOfReply({ status: httpStatus, body: bodyOf(body) }, undefined);
    assert.deepEqual(told(status), { code, message, details });
  });

test("statuses: bytes are those of the reference", () => {
  const status = statusOfReply({ status: 401, body: bodyOf(pairs[4]!.body) }, undefined);
  const sentence = `An error occurred. Please contact the operator and inquire about the request ${tid} with tid ${tid}`;
  assert.deepEqual(
    Buffer.from(status.details!).toString("latin1"),
    `\x08\x10\x12\x97\x01${sentence}\x1aP\n*type.googleapis.com/google.rpc.RequestInfo\x12"\n ${tid}`,
  );
});

test("statuses: what the JSON layer found gets the entries that gRPC has", () => {
  const body = bodyOf({ code: "INVALID_ARGUMENT", cause: "no", correlationId: tid, definiteAnswer: false, resources: [["PARTY", "p"]] });
  assert.deepEqual(told(statusOfReply({ status: 400, body }, undefined)).details, [
    errorInfo("INVALID_ARGUMENT", [
      ["definite_answer", "false"],
      ["tid", tid],
      ["category", "8"],
    ]),
    requestInfo(tid),
    resourceInfo("PARTY", "p"),
  ]);
});

test("statuses: an error that names no request has none; a status without details has its text alone", () => {
  const nameless = bodyOf({ code: "C", cause: "no", traceId: null, context: { category: "8" } });
  const status = statusOfReply({ status: 400, body: nameless }, tid);
  assert.equal(status.message, "C(8,0): no");
  assert.deepEqual(told(status).details, [errorInfo("C", [["category", "8"]])]);
  const bare = { code: "Signatures fail", cause: "INVALID_ARGUMENT: Signatures fail", errorCategory: -1, traceId: null };
  assert.deepEqual(statusOfReply({ status: 400, body: bodyOf(bare) }, tid), { code: 3, message: "Signatures fail", details: undefined });
});

test("statuses: delays are read in any unit", () => {
  const delayOf = (text: string | null) =>
    told(
      statusOfReply({ status: 409, body: bodyOf({ code: "C", context: { category: "2" }, errorCategory: 2, retryInfo: text }) }, tid),
    ).details.filter(([type]) => type === "RetryInfo");
  assert.deepEqual(delayOf("2 minutes"), [retryInfo(120)]);
  assert.deepEqual(delayOf("250 milliseconds"), [["RetryInfo", [[1, [[2, 250_000_000]]]]]]);
  assert.deepEqual(delayOf("soon"), []);
  assert.deepEqual(delayOf(null), []);
});

test("statuses: a request that nobody can read is a bad argument, or misses a field", () => {
  const plain = (fault: string) => statusOfReply({ status: 400, body: `Invalid value for: ${fault}` }, tid);
  assert.equal(
    plain("body (Got value '3' with wrong type, expecting string at 'updateId')").message,
    "INVALID_ARGUMENT(8,0af76519): The submitted request has invalid arguments: "
      + "body (Got value '3' with wrong type, expecting string at 'updateId')",
  );
  assert.deepEqual(told(plain("body (Missing required field at 'commands.commandId', Missing required field at 'x')")), {
    code: 3,
    message: "MISSING_FIELD(8,0af76519): The submitted command is missing a mandatory field: command_id",
    details: [
      errorInfo("MISSING_FIELD", [
        ["field_name", "command_id"],
        ["definite_answer", "false"],
        ["tid", tid],
        ["category", "8"],
      ]),
      requestInfo(tid),
    ],
  });
  assert.equal(badRequest("x").message, "INVALID_ARGUMENT(8,0): The submitted request has invalid arguments: x");
});

test("statuses: answers without an error body have the code of their HTTP status", () => {
  const codes = [401, 403, 404, 405, 413, 415, 429, 500, 503, 504, 418].map((status) => statusOfReply({ status, body: "no" }, tid).code);
  assert.deepEqual(codes, [16, 7, 12, 12, 8, 3, 8, 13, 14, 4, 2]);
  const hidden = statusOfReply({ status: 500, body: "There was an internal server error." }, undefined);
  assert.match(hidden.message, /inquire about the request <no-correlation-id> with tid <no-tid>$/);
  assert.deepEqual(told(hidden).details, []);
  assert.deepEqual(unimplemented("why"), { code: 12, message: "why", details: undefined });
});

test("statuses: a frame that is no error hides what happened", () => {
  assert.equal(statusOfFrame(bodyOf({ code: "C", cause: "no" }), tid).message, "C(8,0af76519): no");
  assert.equal(statusOfFrame("{", tid).code, 13);
});

test("statuses: a stream that ends with the node is unavailable, and may come again later", () => {
  assert.deepEqual(told(shutDown(tid)), {
    code: 14,
    message: "ABORTED_DUE_TO_SHUTDOWN(1,0af76519): request aborted due to shutdown",
    details: [
      errorInfo("ABORTED_DUE_TO_SHUTDOWN", [
        ["tid", tid],
        ["category", "1"],
      ]),
      retryInfo(10),
      requestInfo(tid),
    ],
  });
  const codes = [1000, 1001, 1009, 1011, 1013, undefined].map((code) => statusOfClose(code, tid)?.code);
  assert.deepEqual(codes, [undefined, 14, 8, 13, 14, 1]);
  assert.match(timedOut("late", tid).message, /^REQUEST_TIME_OUT\(3,0af76519\): late$/);
});

test("statuses: causes are cut, and not within a character", () => {
  const causeOf = (cause: string) =>
    statusOfReply({ status: 400, body: bodyOf({ code: "C", cause, context: { category: "8" } }) }, tid).message.slice(
      "C(8,0af76519): ".length,
    );
  const most = "x".repeat(limits.grpcCauseCharsMax);
  assert.equal(causeOf(most), most);
  assert.equal(causeOf(`${most}y`), `${most}...`);
  assert.equal(causeOf(`${most}...`), `${most}...`);
  assert.equal(causeOf(`C(8,0af76519): ${most}\ny`), `${most}...`);
  assert.equal(causeOf(`${most.slice(1)}\u{1f600}`), `${most.slice(1)}...`);
});

test("statuses: details fit in what clients take; what names the error stays", () => {
  const context = {
    small: "s",
    empty: "",
    large: "l".repeat(9_000),
    larger: "ü".repeat(9_000),
    category: "8",
    tid,
    definite_answer: "false",
  };
  const resources = Array.from({ length: 60 }, (_, index) => ["ErrorResource(PARTY)", `party-${index}::${"ab".repeat(34)}`]);
  const status = statusOfReply({ status: 400, body: bodyOf({ code: "C", cause: "no", context, resources }) }, tid);
  assert.ok(status.details!.length <= limits.grpcStatusBytesMax, String(status.details!.length));
  const { details } = told(status);
  const entries = details[0]![1].slice(1).map(([, entry]) => (entry as readonly (readonly [number, string])[]).map(([, text]) => text));
  assert.deepEqual(
    entries.map(([name]) => name),
    ["small", "large", "category", "tid", "definite_answer"],
  );
  assert.match(entries[1]![1]!, /^l+\.\.\.$/);
  const kept = details.filter(([type]) => type === "ResourceInfo").length;
  assert.ok(kept > 20 && kept < 60, String(kept));
  assert.deepEqual(details[1], requestInfo(tid));
});
