/** Whether a format wants labels and ids of types in values. */
export interface EventFormat {
  readonly verbose: boolean;
}
export interface TransactionFormat {
  readonly eventFormat?: EventFormat;
}
export interface UpdateFormat {
  readonly includeTransactions?: TransactionFormat;
  readonly includeReassignments?: EventFormat;
}

export const areEventsVerbose = ({ eventFormat }: { readonly eventFormat?: EventFormat }): boolean => eventFormat?.verbose === true;

/** Of the transaction that a submission is answered with: those who do not say how they want it get all. */
export const isTransactionVerbose = ({ transactionFormat }: { readonly transactionFormat?: TransactionFormat }): boolean =>
  transactionFormat === undefined || areEventsVerbose(transactionFormat);

/** Who wants them in transactions gets them in reassignments, and the other way round. */
export const isUpdateVerbose = ({ updateFormat }: { readonly updateFormat?: UpdateFormat }): boolean =>
  areEventsVerbose(updateFormat?.includeTransactions ?? {}) || updateFormat?.includeReassignments?.verbose === true;
