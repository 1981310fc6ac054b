import { world } from "./world.js";
import { userSuite } from "./users.suite.js";

userSuite("users in memory", () => world());
