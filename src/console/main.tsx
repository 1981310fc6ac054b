/** The console: the ledger of the node that this page came from. */
import { render } from "preact";
import { App } from "./app.js";
import { begin, follow } from "./state/session.js";

render(<App />, document.getElementById("app")!);
void begin();
follow();
