/** `npm run bundle`: what the npm package consists of. */
import { fileURLToPath } from "node:url";
import { bundlePackage } from "./bundle.js";

await bundlePackage(fileURLToPath(new URL("../../bundle/", import.meta.url)));
