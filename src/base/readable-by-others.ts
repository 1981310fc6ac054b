import { statSync } from "node:fs";

const groupOrOthers = 0o044;

/** Whether other users of the machine can read a file, where that can be told. */
export const isReadableByOthers = (file: string): boolean => process.platform !== "win32" && (statSync(file).mode & groupOrOthers) !== 0;
