/** What Daml calls a ledger string: ids of commands, workflows, submissions and identity providers. */
export const ledgerStringPattern = /^[A-Za-z0-9._:\-#/ ]*$/;
export const ledgerStringCharsMax = 255;
