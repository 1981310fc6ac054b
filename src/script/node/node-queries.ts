/** Active contracts of a node, at its ledger end. */
import { isFailure } from "../../base/result.js";
import { type DefinitionId, type LedgerValue, showId } from "../../lf/index.js";
import { definitionOfText } from "../definition-text.js";
import type { ActiveContract, InterfaceContract } from "../ledger.js";
import { questionFailed } from "../stop.js";
import { eventFormat, type EventFilter, ofInterface, ofTemplate } from "./event-format.js";
import { absentOr, type Json, type JsonApi } from "./json-api.js";
import type { NodeValues } from "./node-values.js";

export class NodeQueries {
  readonly #api: JsonApi;
  readonly #values: NodeValues;

  constructor(api: JsonApi, values: NodeValues) {
    this.#api = api;
    this.#values = values;
  }

  async byTemplate(parties: readonly string[], template: DefinitionId): Promise<readonly ActiveContract[]> {
    return (await this.#active(parties, ofTemplate(this.#values, template))).map((created) => this.#contract(created));
  }

  async byId(parties: readonly string[], template: DefinitionId, contractId: string): Promise<ActiveContract | undefined> {
    const created = await this.#created(parties, contractId, ofTemplate(this.#values, template));
    return created && this.#contract(created);
  }

  /** A node lists by template: those with another key are left out here. */
  async byKey(parties: readonly string[], template: DefinitionId, key: LedgerValue, limit: number): Promise<readonly ActiveContract[]> {
    const { engine } = this.#values.packages,
      type = this.#values.keyType(template),
      wanted = engine.keyHash(template, key);
    if (isFailure(wanted))
      throw questionFailed("RuntimeException", `the key is none that ${showId(template)} could have: ${wanted.error.message}`);
    const found = (await this.#active(parties, ofTemplate(this.#values, template))).filter(({ contractKey }: Json) => {
      const hash =
        contractKey === undefined || contractKey === null ? undefined : engine.keyHash(template, this.#values.read(type, contractKey));
      return hash !== undefined && !isFailure(hash) && hash.ok === wanted.ok;
    });
    return found
      .reverse()
      .slice(0, limit)
      .map((created) => this.#contract(created)); // the newest first
  }

  async byInterface(parties: readonly string[], interface_: DefinitionId): Promise<readonly InterfaceContract[]> {
    return (await this.#active(parties, ofInterface(this.#values, interface_))).map((created) => this.#viewed(created, interface_));
  }

  async throughInterface(parties: readonly string[], interface_: DefinitionId, contractId: string): Promise<InterfaceContract | undefined> {
    const created = await this.#created(parties, contractId, ofInterface(this.#values, interface_));
    return created && this.#viewed(created, interface_);
  }

  /** Created events of all pages, at one offset. */
  async #active(parties: readonly string[], filter: EventFilter): Promise<Json[]> {
    const { offset: activeAtOffset } = await this.#api.get("/v2/state/ledger-end");
    const found: Json[] = [],
      body = { activeAtOffset, eventFormat: eventFormat(parties, filter) };
    for await (const page of this.#api.pages((token) => this.#api.post("/v2/state/active-contracts-page", { ...body, ...token }))) {
      for (const { contractEntry } of page.activeContracts as Json[])
        if (contractEntry?.JsActiveContract !== undefined) found.push(contractEntry.JsActiveContract.createdEvent);
    }
    return found;
  }

  /** Undefined when it is archived, or not seen. */
  async #created(parties: readonly string[], contractId: string, filter: EventFilter): Promise<Json | undefined> {
    const answer = await this.#api.ask("POST", "/v2/events/events-by-contract-id", {
      contractId,
      eventFormat: eventFormat(parties, filter),
    });
    if ("refused" in answer) return absentOr(answer, ["CONTRACT_EVENTS_NOT_FOUND", "CONTRACT_NOT_FOUND"]);
    const { created, archived } = answer.json;
    return archived || !created ? undefined : created.createdEvent;
  }

  #contract(created: Json): ActiveContract {
    const known = this.#values.templateOf(created.templateId as string, created.packageName as string);
    return {
      contractId: created.contractId as string,
      // Who discloses it has to name the node's version, though the DAR may have another.
      templateId: definitionOfText(created.templateId as string),
      argument: this.#values.read({ kind: "con", id: known }, created.createArgument),
      blob: Buffer.from((created.createdEventBlob as string | null) ?? "", "base64"),
    };
  }

  #viewed(created: Json, interface_: DefinitionId): InterfaceContract {
    const [view] = (created.interfaceViews ?? []) as Json[],
      type = this.#values.packages.engine.packages.interface(interface_)?.view;
    const isComputed = view?.viewValue !== undefined && view.viewValue !== null && type !== undefined;
    return { contractId: created.contractId as string, view: isComputed ? this.#values.read(type, view.viewValue) : undefined };
  }
}
