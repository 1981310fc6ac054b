import { isFailure, ok } from "../../base/result.js";
import type { Json } from "../method.js";
import { get, posting, required } from "./requests.js";
import { serviceOf } from "./service.js";
import { areEventsVerbose, type EventFormat } from "./verbosity.js";

interface Formatted extends Json {
  readonly eventFormat?: EventFormat;
}
interface Connected {
  readonly party: string;
  readonly participantId: string;
  readonly identityProviderId: string;
}

const state = serviceOf("com.daml.ledger.api.v2.StateService"),
  eventQuery = serviceOf("com.daml.ledger.api.v2.EventQueryService"),
  contract = serviceOf("com.daml.ledger.api.v2.ContractService");

export const stateMethods = [
  state.stream<Formatted>("GetActiveContracts", {
    path: "/v2/state/active-contracts",
    ask: (request) => {
      const format = required(request.eventFormat, "event_format"); // JSON has older fields beside it
      return isFailure(format) ? format : ok(request);
    },
    isVerbose: areEventsVerbose,
  }),
  state.unary<Formatted>("GetActiveContractsPage", { ask: posting("/v2/state/active-contracts-page"), isVerbose: areEventsVerbose }),
  state.unary<Connected>("GetConnectedSynchronizers", {
    ask: ({ party, participantId, identityProviderId }) =>
      ok(get("/v2/state/connected-synchronizers", { party, participantId, identityProviderId })),
  }),
  state.unary("GetLedgerEnd", { ask: () => ok(get("/v2/state/ledger-end")) }),
  state.unary("GetLatestPrunedOffsets", { ask: () => ok(get("/v2/state/latest-pruned-offsets")) }),

  eventQuery.unary<Formatted>("GetEventsByContractId", { ask: posting("/v2/events/events-by-contract-id"), isVerbose: areEventsVerbose }),
  contract.unary("GetContract", { ask: posting("/v2/contracts/contract-by-id") }),
];
