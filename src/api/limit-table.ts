import { limits } from "../config.js";

/** The limits that clients meet, with what happens at them. */
const clientLimits: readonly (readonly [keyof typeof limits, string])[] = [
  ["bodyBytesMax", "JSON body; larger is 413"],
  ["darBytesMax", "DAR upload"],
  ["bodiesBytesMax", "the bodies of all requests at once; more is 503"],
  ["webSocketMessageBytesMax", "message of a WebSocket; a larger one closes it"],
  ["darTotalBytesMax", "unpacked size of a DAR"],
  ["jsonDepthMax", "nesting of a JSON body"],
  ["jsonTextBytesMax", "bytes of one text in a JSON body, but for Daml values, disclosed contracts and prepared transactions"],
  ["jsonTextsBytesMax", "bytes of all such texts of a JSON body together"],
  [
    "requestElementsMax",
    "elements of one list, members of one object of a request; commands may be as many as `transactionNodesMax`, what is in Daml values does not count",
  ],
  ["requestValuesMax", "values of a request, without its commands"],
  ["valueNestingMax", "nesting of a Daml value"],
  ["listElementsMax", "elements of a list answer; more without `limit` is 413"],
  ["listElementsStreamedMax", "the same where a client asks for it by the header `Ledgerline-List-Elements-Max`"],
  ["listWaitMs", "idle time that ends an open list"],
  ["requestDeadlineMs", "answer to a request; then 503"],
  ["interpretDeadlineMs", "interpretation of one command"],
  ["stepsMax", "evaluation steps of one command"],
  ["textBytesMax", "one text value in a command"],
  ["collectionEntriesMax", "entries of one list or map value made by a builtin"],
  ["transactionNodesMax", "nodes of one transaction"],
  ["transactionBytesMax", "values of one transaction, about as they are written"],
  ["commandsInFlightMax", "commands at once; more wait in line"],
  ["commandInLineMs", "waiting in line; then 409 with retry information"],
  ["commandsAsideMax", "commands that wait for a later ledger time; of more those with the farthest times are 409 with retry information"],
  ["commandsAsideBytesMax", "what these hold; the same"],
  ["deduplicationDurationMaxSeconds", "deduplication window"],
  ["streamBufferedBytesMax", "unsent bytes of one stream before its reader waits"],
  ["framesBytesMax", "what all streams together have read for their sockets; above that others wait until some is taken"],
  ["webSocketStallMs", "time in which a WebSocket's peer takes nothing of what is to be sent; then it is closed"],
];

/** In Markdown. */
export const limitTable = (): string =>
  [
    "| limit | value | what |",
    "|---|---|---|",
    ...clientLimits.map(([name, what]) => `| \`${name}\` | ${limits[name].toLocaleString("en")} | ${what} |`),
  ].join("\n");
