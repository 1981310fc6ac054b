import { none, type Optional, Some } from "../value/index.js";

const partyText = /^[A-Za-z0-9:\-_ ]{1,255}$/;

export const textToParty = (text: string): Optional => (partyText.test(text) ? new Some(text) : none);
