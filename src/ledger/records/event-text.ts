/** The text of an event of a transaction, with the places marked where readers differ. */
import { jsonText } from "../../base/json-text.js";
import type { StoredEvent } from "../model/index.js";
import type { MarkedText } from "./marked-text.js";

/** A slot that a kind of event does not have. */
export const noMark = -1;

/** The event's marks, in the order of its entry. */
export function addEvent(text: MarkedText, event: StoredEvent, offset: number, first: boolean): readonly number[] {
  const isCreate = event.kind === "create";
  if (!first) text.add(",");
  const start = text.mark();
  text.add(isCreate ? `{"CreatedEvent":` : `{"ExercisedEvent":`);
  const object = addObject(text, event, offset);
  text.add("}");
  return [start, ...object, text.mark()];
}

/** The marks of the inner object, the one behind it being the last. */
export function addObject(text: MarkedText, event: StoredEvent, offset: number): readonly number[] {
  const isCreate = event.kind === "create";
  const objectStart = text.mark();
  text.add(`{"offset":${offset},"nodeId":${event.nodeId},"contractId":"${event.contractId}","templateId":"${event.templateId}"`);
  const identityEnd = text.mark();
  text.add(event.json);
  let blobSlot = noMark,
    interfacesSlot = noMark;
  if (isCreate) {
    text.add(`,"createdEventBlob":"`);
    blobSlot = text.mark();
    text.add(`","interfaceViews":[`);
    interfacesSlot = text.mark();
    text.add("]");
  }
  text.add(`,"witnessParties":[`);
  const witnessesStart = text.mark();
  text.add(event.witnesses.map(jsonText).join(","));
  const witnessesEnd = text.mark();
  text.add(`],${event.jsonAfter}`);
  if (!isCreate) {
    text.add(`,"implementedInterfaces":[`);
    interfacesSlot = text.mark();
    text.add("]");
  }
  text.add(`,"acsDelta":`);
  const acsDeltaStart = text.mark();
  text.add((isCreate ? event.activates : event.deactivates) ? "true" : "false");
  const acsDeltaEnd = text.mark();
  text.add("}");
  return [objectStart, identityEnd, blobSlot, interfacesSlot, witnessesStart, witnessesEnd, acsDeltaStart, acsDeltaEnd, text.mark()];
}
