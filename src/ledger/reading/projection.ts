/** What a reader gets of an update: selected events + event format + shape + witnesses -> JSON. */
import type { ElementWriter } from "../../base/element-writer.js";
import type { EventPlace, Tables } from "../../store/index.js";
import { type EventMarks, readInstance, type TemplateNames, type UpdateMarks } from "../records/index.js";
import type { EventFilter, TemplateMatch } from "./filters.js";
import type { TransactionShape } from "../model/index.js";
import type { PartyRegistry } from "../parties/index.js";
import { isActivationAsStored, isAsStored, type Selection, type TransactionFilter } from "./selection.js";
import { Splicer } from "./splicer.js";
import type { InterfaceViews } from "./views.js";

/** How a transaction is written: as an element of a stream, or as the bare transaction; flat or as a tree. */
export type TransactionForm = "element" | "treeElement" | "bare" | "bareTree";

const isTree = (form: TransactionForm): boolean => form === "treeElement" || form === "bareTree";

/** A transaction that is written part by part. */
export interface TransactionParts {
  add(selection: Selection): void;
  end(): void;
}

/** A reassignment as an element of a stream, or by itself. */
export type ReassignmentForm = "element" | "bare";

const comma = Buffer.from(",");
const offsetField = ({ offset }: UpdateMarks): string => `"offset":${offset},`;

export interface ProjectionContext {
  readonly tables: Tables;
  readonly parties: PartyRegistry;
  readonly templates: TemplateNames;
  readonly views: InterfaceViews;
  readonly pruning: { readonly offset: number };
}

export class Projection {
  readonly #splicer = new Splicer();
  readonly #context: ProjectionContext;

  constructor(context: ProjectionContext) {
    this.#context = context;
  }

  /** Writes a transaction; `selection` may be empty (then it has no events). */
  writeTransaction(
    out: ElementWriter,
    update: UpdateMarks,
    selection: Selection | undefined,
    asked: TransactionFilter,
    form: TransactionForm,
  ): void {
    const splicer = this.#splicer;
    // Without events it is the answer to the submitter, whatever parties the format names.
    const isSubmitter = selection === undefined || asked.filter.asksOneOf(update.submitters);
    out.begin();
    if (form === "element" && isSubmitter && selection && isAsStored(update.events, selection, asked)) {
      out.run(update.bytes, update.start, update.end);
      out.end();
      return;
    }
    splicer.start(out, update.bytes);
    this.#openTransaction(update, form, isSubmitter);
    if (selection) this.#addEvents(update, selection, true, asked, form);
    this.#closeTransaction(update, form, isSubmitter);
    splicer.flush();
    out.end();
  }

  /** The same part by part, over several turns of the event loop. `isEmpty`: no part will come. */
  transactionInParts(
    out: ElementWriter,
    update: UpdateMarks,
    asked: TransactionFilter,
    form: TransactionForm,
    isEmpty: boolean,
  ): TransactionParts {
    const own = new Projection(this.#context), // others write by this one before all parts are there
      splicer = own.#splicer,
      isSubmitter = isEmpty || asked.filter.asksOneOf(update.submitters);
    let isFirst = true;
    out.begin();
    splicer.start(out, update.bytes);
    own.#openTransaction(update, form, isSubmitter);
    return {
      add: (selection) => {
        const added = own.#addEvents(update, selection, isFirst, asked, form);
        splicer.flush();
        isFirst &&= added === 0;
      },
      end: () => {
        own.#closeTransaction(update, form, isSubmitter);
        splicer.flush();
        out.end();
      },
    };
  }

  /** Up to its first event. */
  #openTransaction(update: UpdateMarks, form: TransactionForm, isSubmitter: boolean): void {
    const splicer = this.#splicer;
    if (form === "element") splicer.keep(update.start, update.bodyStart);
    else splicer.text(form === "treeElement" ? `{"update":{"TransactionTree":{"value":{` : "{");
    splicer.keep(update.bodyStart, isSubmitter ? update.commandIdEnd : update.commandIdStart);
    splicer.keep(update.commandIdEnd, update.eventsFieldStart);
    if (isTree(form)) splicer.text(`${offsetField(update)}"eventsById":{`);
    else splicer.keep(update.eventsFieldStart, update.eventsStart);
  }

  /** Gives how many were written. */
  #addEvents(update: UpdateMarks, selection: Selection, isFirst: boolean, asked: TransactionFilter, form: TransactionForm): number {
    if (isTree(form)) return this.#addToTree(update, selection, isFirst, asked);
    this.#addFlat(update, selection, isFirst, asked);
    return selection.events.length;
  }

  #addFlat(update: UpdateMarks, { events, matches }: Selection, isFirst: boolean, { filter, shape }: TransactionFilter): void {
    const splicer = this.#splicer;
    events.forEach((event, index) => {
      const match = matches[index]!,
        hasComma = index > 0 || !isFirst;
      if (shape === "acsDelta" && !event.isCreate) {
        if (hasComma) splicer.bytes(comma);
        splicer.text(`{"ArchivedEvent":`);
        this.#writeArchived(event, match, filter);
        splicer.text("}");
        return;
      }
      // Stored events but the first have a comma before them.
      splicer.keep(hasComma ? event.start - comma.length : event.start, event.objectStart);
      this.#writeEvent(update, event, match, filter, shape);
      splicer.keep(event.objectEnd, event.end);
    });
  }

  /** A tree has no place for archived events, which are what a delta has in place of exercises. */
  #addToTree(update: UpdateMarks, { events, matches }: Selection, isFirst: boolean, { filter, shape }: TransactionFilter): number {
    const splicer = this.#splicer;
    let written = 0;
    events.forEach((event, index) => {
      if (shape === "acsDelta" && !event.isCreate) return;
      const before = written++ === 0 && isFirst ? "" : ",";
      splicer.text(`${before}"${event.nodeId}":{"${event.isCreate ? "CreatedTreeEvent" : "ExercisedTreeEvent"}":{"value":`);
      this.#writeEvent(update, event, matches[index]!, filter, shape);
      splicer.text("}}");
    });
    return written;
  }

  /** From behind its last event on. */
  #closeTransaction(update: UpdateMarks, form: TransactionForm, isSubmitter: boolean): void {
    const splicer = this.#splicer;
    if (isTree(form)) {
      splicer.text("},");
      splicer.keep(update.tailStart + offsetField(update).length, update.recordTimeEnd);
    } else {
      splicer.keep(update.eventsEnd, update.paidTrafficCostStart);
      if (isSubmitter) splicer.keep(update.paidTrafficCostStart, update.bodyEnd);
      else splicer.text("null");
    }
    if (form === "element") splicer.keep(update.bodyEnd, update.end);
    else splicer.text(form === "treeElement" ? "}}}}" : "}");
  }

  #writeEvent(update: UpdateMarks, event: EventMarks, match: TemplateMatch, filter: EventFilter, shape: TransactionShape): void {
    const seenBy = shape === "acsDelta" ? event.stakeholders : event.witnesses;
    const isDelta = event.changesActiveContracts && (shape === "acsDelta" || filter.asksAnyParty || filter.asksOneOf(event.stakeholders));
    if (event.isCreate) this.#writeCreated(update, event, match, seenBy, filter, isDelta, event.objectStart);
    else this.#writeExercised(event, match, seenBy, filter, isDelta);
  }

  /**
   * The object of a created event, without its `{"CreatedEvent":..}`; for reads of single contracts and active contracts, and their
   * stakeholders.
   */
  writeCreatedObject(out: ElementWriter, update: UpdateMarks, event: EventMarks, match: TemplateMatch, filter: EventFilter): void {
    if (isActivationAsStored(event, match, filter)) {
      out.run(update.bytes, event.objectStart, event.objectEnd);
      return;
    }
    this.#splicer.start(out, update.bytes);
    this.#writeCreated(update, event, match, event.stakeholders, filter, event.changesActiveContracts, event.objectStart);
    this.#splicer.flush();
  }

  /** The same with offset 1, node 0 and no ACS delta, as contracts are given that are read by id alone. */
  writeContractObject(out: ElementWriter, update: UpdateMarks, event: EventMarks, match: TemplateMatch, filter: EventFilter): void {
    this.#splicer.start(out, update.bytes);
    this.#splicer.text(`{"offset":1,"nodeId":0`);
    this.#writeCreated(
      update,
      event,
      match,
      event.stakeholders,
      filter,
      false,
      event.objectStart + `{"offset":${update.offset},"nodeId":${event.nodeId}`.length,
    );
    this.#splicer.flush();
  }

  /** The object of an unassigned event, without what is around it. */
  writeUnassignedObject(out: ElementWriter, update: UpdateMarks, event: EventMarks, filter: EventFilter): void {
    this.#splicer.start(out, update.bytes);
    this.#writeUnassigned(event, filter, event.objectStart, event.objectEnd);
    this.#splicer.flush();
  }

  #writeUnassigned(event: EventMarks, filter: EventFilter, from: number, to: number): void {
    this.#splicer.keep(from, event.witnessesStart);
    this.#writeWitnesses(event, event.stakeholders, filter);
    this.#splicer.keep(event.witnessesEnd, to);
  }

  /** A reassignment for its stakeholders; without a selection it has no events, and is the answer to who submitted it. */
  writeReassignment(
    out: ElementWriter,
    update: UpdateMarks,
    selection: Selection | undefined,
    filter: EventFilter | undefined,
    form: ReassignmentForm,
  ): void {
    const splicer = this.#splicer,
      isSubmitter = selection === undefined || filter?.asksOneOf(update.submitters) === true;
    out.begin();
    splicer.start(out, update.bytes);
    if (form === "bare") splicer.text("{");
    else splicer.keep(update.start, update.bodyStart);
    splicer.keep(update.bodyStart, isSubmitter ? update.commandIdEnd : update.commandIdStart);
    splicer.keep(update.commandIdEnd, update.eventsStart);
    selection?.events.forEach((event, index) => {
      const start = index === 0 ? event.start : event.start - comma.length;
      if (event.isUnassigned) {
        this.#writeUnassigned(event, filter!, start, event.end);
        return;
      }
      splicer.keep(start, event.objectStart);
      this.#writeCreated(update, event, selection.matches[index]!, event.stakeholders, filter!, true, event.objectStart);
      splicer.keep(event.objectEnd, event.end);
    });
    splicer.keep(update.eventsEnd, update.paidTrafficCostStart);
    if (isSubmitter) splicer.keep(update.paidTrafficCostStart, update.bodyEnd);
    else splicer.text("null");
    if (form === "bare") splicer.text("}");
    else splicer.keep(update.bodyEnd, update.end);
    splicer.flush();
    out.end();
  }

  writeArchivedObject(out: ElementWriter, update: UpdateMarks, event: EventMarks, match: TemplateMatch, filter: EventFilter): void {
    this.#splicer.start(out, update.bytes);
    this.#writeArchived(event, match, filter);
    this.#splicer.flush();
  }

  #writeCreated(
    update: UpdateMarks,
    event: EventMarks,
    match: TemplateMatch,
    seenBy: readonly number[],
    filter: EventFilter,
    isDelta: boolean,
    from: number,
  ): void {
    const splicer = this.#splicer;
    const place = { offset: update.offset, nodeId: event.nodeId };
    splicer.keep(from, event.blobSlot);
    if (match.blob) splicer.text(this.#blob(place));
    splicer.keep(event.blobSlot, event.interfacesSlot);
    if (match.views.length > 0)
      splicer.text(
        match.views
          .map((interfaceId) => this.#context.views.json({ place, template: event.template, interfaceId }, filter.traceId))
          .join(","),
      );
    splicer.keep(event.interfacesSlot, event.witnessesStart);
    this.#writeWitnesses(event, seenBy, filter);
    splicer.keep(event.witnessesEnd, event.acsDeltaStart);
    this.#writeAcsDelta(event, isDelta);
    splicer.keep(event.acsDeltaEnd, event.objectEnd);
  }

  #writeExercised(event: EventMarks, match: TemplateMatch, seenBy: readonly number[], filter: EventFilter, isDelta: boolean): void {
    const splicer = this.#splicer;
    splicer.keep(event.objectStart, event.witnessesStart);
    this.#writeWitnesses(event, seenBy, filter);
    splicer.keep(event.witnessesEnd, event.interfacesSlot);
    // As for an archived event: what uses a contract without ending it tells of no interfaces.
    if (event.isConsuming && match.views.length > 0) splicer.text(JSON.stringify(match.views).slice(1, -1));
    splicer.keep(event.interfacesSlot, event.acsDeltaStart);
    this.#writeAcsDelta(event, isDelta);
    splicer.keep(event.acsDeltaEnd, event.objectEnd);
  }

  #writeArchived(event: EventMarks, match: TemplateMatch, filter: EventFilter): void {
    const splicer = this.#splicer;
    const packageName = this.#context.templates.nameOf(event.template).split(":")[0];
    splicer.keep(event.objectStart, event.identityEnd);
    splicer.text(`,"witnessParties":[`);
    this.#writeParties(event.stakeholders, filter);
    splicer.text(`],"packageName":"${packageName}","implementedInterfaces":${JSON.stringify(match.views)}}`);
  }

  #writeAcsDelta(event: EventMarks, isDelta: boolean): void {
    if (isDelta === event.changesActiveContracts) this.#splicer.keep(event.acsDeltaStart, event.acsDeltaEnd);
    else this.#splicer.text(String(isDelta));
  }

  /** Most readers ask for all who see an event. */
  #writeWitnesses(event: EventMarks, seenBy: readonly number[], filter: EventFilter): void {
    if (seenBy === event.witnesses && filter.asksAll(seenBy)) this.#splicer.keep(event.witnessesStart, event.witnessesEnd);
    else this.#writeParties(seenBy, filter);
  }

  /** Those of `parties` that the reader asks for; they are stored in the order of their names. */
  #writeParties(parties: readonly number[], filter: EventFilter): void {
    let written = 0;
    for (let i = 0; i < parties.length; i++) {
      if (!filter.isAsked(parties[i]!)) continue;
      if (written++ > 0) this.#splicer.bytes(comma);
      this.#splicer.bytes(this.#context.parties.jsonOf(parties[i]!));
    }
  }

  #blob(place: EventPlace): string {
    return readInstance(this.#context, place).instance.toString("base64");
  }
}
