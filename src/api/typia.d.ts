/**
 * typia as a name that exists at compile time only: its calls are replaced by generated code, and a real import would stay
 * in the output and load the whole library at every start (30 ms of a budget of 500).
 */
declare const typia: typeof import("typia").default;
