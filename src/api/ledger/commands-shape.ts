/**
 * The JSON of what has commands in it: they are checked one by one, as there may be many, and the values in them are the engine's to read.
 * Prefetched keys go to the engine as they were parsed.
 */
import type { JsonShape } from "../json-walk.js";

const daml: JsonShape = { opaque: true };
const command: JsonShape = {
  members: new Map([
    ["createArguments", daml],
    ["choiceArgument", daml],
    ["contractKey", daml],
  ]),
};

const disclosed: JsonShape = { members: new Map([["createdEventBlob", { base64: true }]]) };
const duration: JsonShape = { members: new Map([["seconds", { int64: true }]]) };
/** Which of the three it is says the name of its one member. */
export const deduplicationShape: JsonShape = {
  members: new Map([
    ["DeduplicationOffset", { members: new Map([["value", { int64: true }]]) }],
    ["DeduplicationDuration", { members: new Map([["value", duration]]) }],
  ]),
};
export const commandsShape: JsonShape = {
  members: new Map([
    ["commands", { apart: true, each: { each: command } }],
    ["disclosedContracts", { each: disclosed }],
    ["deduplicationPeriod", deduplicationShape],
  ]),
};
