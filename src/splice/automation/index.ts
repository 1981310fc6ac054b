/** What operators of a network do, done by the node. Apart from the rest of the room, like `bootstrap/`. */
export { Automation, type AutomationOptions } from "./automation.js";
export type { Due, Economy, Task, Trigger } from "./trigger.js";
export { automationTable, triggers } from "./triggers.js";
