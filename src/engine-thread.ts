/** The entry of a node's engine threads: they read the API's submissions themselves. */
import { readPlainSubmission } from "./api/ledger/plain-submissions.js";
import { engineThread } from "./workers/thread.js";

export default engineThread(readPlainSubmission);
