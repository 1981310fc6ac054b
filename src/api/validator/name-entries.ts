import { ownEntries, requestEntry } from "../../splice/index.js";
import { jsonBody, noBody } from "../body.js";
import { json } from "../operation.js";
import { asOwnerAs } from "./owner.js";
import { claims, declare } from "./services.js";
import type { CreateAnsEntryRequest, CreateAnsEntryResponse, ListAnsEntriesResponse } from "./wallet-types.js";

/** Names that the caller asks the name service for. */
export const nameEntryOperations = {
  createAnsEntry: declare({
    route: "POST /v0/entry/create",
    summary: "Asks for a name, which is there when the subscription for it is paid.",
    claims,
    body: jsonBody(typia.createValidate<CreateAnsEntryRequest>(), typia.createAssert<CreateAnsEntryRequest>()),
    reply: json<CreateAnsEntryResponse>(),
    handle: (services, { caller, body: { name, url, description } }) =>
      asOwnerAs(
        services,
        caller,
        "createAnsEntry",
        (context, owner) => requestEntry(context, owner, { name, url, description }),
        (requested) => ({ ...requested, name, url, description }),
      ),
  }),
  listAnsEntries: declare({
    route: "GET /v0/entry/all",
    summary: "The caller's names, and what they cost.",
    claims,
    body: noBody(),
    reply: json<ListAnsEntriesResponse>(),
    handle: (services, { caller }) => asOwnerAs(services, caller, "listAnsEntries", ownEntries, (entries) => ({ entries })),
  }),
};
