/** Where our answers differ from the recorded ones on purpose. Anything else that differs is a failure. */
export interface Exception {
  /** Names of recorded requests. */
  readonly requests: RegExp;
  /** JSON path of the difference, as the comparator prints it. */
  readonly path: RegExp;
  readonly why: string;
  /** Depends on the clock or on who comes first: not there in every run. */
  readonly byChance?: true;
}

const any = /./;
const errorContext = String.raw`^\$\.(body|frames\.\d+)\.context\.`;
const inErrors = (...keys: readonly string[]): RegExp => new RegExp(`${errorContext}(${keys.join("|")})$`);

export const exceptions: readonly Exception[] = [
  // Sets
  { requests: /^execute-and-wait-tx$/, path: /\.witnessParties\.\d+$/, why: "a set of parties: ours is sorted" },
  // Time
  {
    requests: /^async-submit-dup$/,
    path: any,
    why: "ours has usually committed the first submission before the second one comes, and then tells of the duplicate by a completion",
    byChance: true,
  },
  { requests: /^completions-(since|nolimit)$/, path: /^\$\.body(\.length$|\.\d+\.)/, why: "that completion", byChance: true },
  { requests: /^echo-time$/, path: /\.exerciseResult$/, why: "Daml prints no zeros at the end of a time", byChance: true },
  // Texts of the reference's own log
  {
    requests:
      /^(external-(generate-topology-(badkey|missing)|allocate-notx)|swt-create-(tplfilter-unknown|shape-unspecified|noeventformat)|swr-assign-bad)/,
    path: inErrors("participant"),
    why: "the node's name has quotation marks where the reference made the error with a log",
  },
  {
    requests: any,
    path: inErrors("entries", "throwable", "throwableO"),
    why: "Scala exceptions with the words of the libraries that threw them",
  },
  { requests: any, path: inErrors("reason", "upgradeError", "action"), why: "prose, or what the cause says already" },
  // Better
  {
    requests: /^swt-create-tplfilter-unknown/,
    path: /^\$\.body\.(traceId|context\.tid)$/,
    why: "ours names the trace of the request here too",
  },
  { requests: /^root-404$/, path: /^\$\.(status|contentType|body)$/, why: "ours says there what it is and where things are" },
  {
    requests: /^options-cors$/,
    path: /^\$\.(status|contentType|body)$/,
    why: "browsers are answered: pages that may use the node by what they may send, others by why not",
  },
  {
    requests: /^ws-updates-badjson$/,
    path: /^\$\.frames\.0\.(code|errorCategory|grpcCodeValue)$/,
    why: "a message that is no request is the client's fault",
  },
  {
    requests: /^ws-updates-no-subprotocol$/,
    path: /^\$\.(close|error)$/,
    why: "a protocol that was not offered is not answered, so the client goes on (RFC 6455)",
  },
  {
    requests: /^(sw-create-(no-userid|empty-userid|minimal)|(ws-)?completions-nouser)$/,
    path: /^\$\.(body|frames\.0)\.(code|context\.field_name)$/,
    why: "without tokens a missing user id is a missing field, and is called one",
  },
  {
    requests: /^minledgertime-rel-neg$/,
    path: /^\$\.(status|contentType|body|error)$/,
    why: "the reference never answers; ours names the field",
  },
];

/** The reference's node starts with three packages of its own beside the stable ones. */
export const packagesOfTheReference: readonly string[] = [
  "590736e6f7bc01492007ecb27f3fe75995c19fbd3d41b384aada69619fd4f76c", // daml-prim 0.0.0
  "99ea07e101ed25cdb8584e072278d8df62e10d72c172bfe1621ba0a51cee61ce", // daml-stdlib 3.4.0
  "de2cc2f90eb523414ff54e899951dadd8789a4c07e0f71f6d6c9eaf57d412a54", // what it runs itself
];
