/** Parties. */
import type { Value } from "../../lf/running-code.js";
import { senseless } from "../stop.js";
import { list, optionalText, texts, tuple } from "../values.js";
import { type Asked, question, type Questions } from "./question.js";

export const partyQuestions: Questions = {
  /** Version 1 names one participant, version 2 a list. */
  AllocateParty: question(
    async ([requestedName, idHint, where], asked) =>
      asked.ledger.allocateParty(partyHint(requestedName as string, idHint as string, asked), participantsOf(where!, asked.version)),
    [1, 2],
  ),
  ListKnownParties: question(async ([participant], { ledger }) =>
    list((await ledger.knownParties(optionalText(participant!))).map(({ party, isLocal }) => tuple(party, isLocal))),
  ),
};

const participantsOf = (where: Value, version: number): readonly string[] => {
  if (version > 1) return texts(where);
  const participant = optionalText(where);
  return participant === undefined ? [] : [participant];
};

function partyHint(name: string, hint: string, { uniqueSuffix }: Asked): string {
  if (hint === "") return `${name === "" ? "party" : name}-${uniqueSuffix()}`;
  if (name !== "" && name !== hint) throw senseless(`Requested name '${name}' cannot be different from id hint '${hint}'`);
  return hint;
}
