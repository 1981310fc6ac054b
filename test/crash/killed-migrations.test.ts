import { proves } from "../prove/as-test.js";
import { killedMigrations } from "../prove/real/killed-migrations.js";

proves(killedMigrations);
