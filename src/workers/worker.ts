/** The entry of a thread that is told of no form of submissions: it interprets what was read elsewhere. */
import { engineThread } from "./thread.js";

export default engineThread(() => undefined);
