import { beside } from "./beside.js";
import { console_ } from "./console.js";
import { engine } from "./engine.js";
import { grpc } from "./grpc.js";
import { growth } from "./growth.js";
import { latency } from "./latency.js";
import { list } from "./list.js";
import { neighbours } from "./neighbours.js";
import { overload } from "./overload.js";
import { places } from "./places.js";
import { readers } from "./readers.js";
import { scripts } from "./scripts.js";
import { splice } from "./splice.js";
import { start } from "./start.js";
import { stream } from "./stream.js";
import { submit } from "./submit.js";
import { transactions } from "./transactions.js";

export const benches = [
  submit,
  transactions,
  latency,
  list,
  stream,
  grpc,
  readers,
  start,
  growth,
  places,
  overload,
  neighbours,
  engine,
  splice,
  scripts,
  console_,
  beside,
];
