/** `npm run bundle`: what the npm package consists of. */
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.js";

await bundle({ folder: fileURLToPath(new URL("../../bundle/", import.meta.url)), natives: "installed" });
