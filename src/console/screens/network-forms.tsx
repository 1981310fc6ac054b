/** Forms of the token standard: a transfer, and new Amulet where the network allows it. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { fieldOf } from "../client/errors.js";
import { partyName } from "../daml/names.js";
import { type Holding, type Instrument, sumsOf } from "../daml/token-standard.js";
import { Problem } from "../parts/bits.js";
import { Outcome } from "../parts/move.js";
import { Picker, type Choice } from "../parts/picker.js";
import { FormFrame, Submitted, useAction } from "../parts/request.js";
import { PartyPicker } from "../parts/value-form.js";
import {
  readTapContext,
  type Sending,
  sendTransfer,
  type Sent,
  tapRequest,
  transferArgument,
  transferFactoryPath,
} from "../state/network.js";
import { useDraft } from "../state/drafts.js";
import { node } from "../state/session.js";
import { useLoaded, useStore } from "../state/store.js";
import { newCommandId, submit, submitPath } from "../state/submission.js";

interface FormProps {
  readonly party: string | undefined;
  readonly onDone: () => void;
}

const amountOf = (typed: string): string => (/^\d+$/.test(typed.trim()) ? `${typed.trim()}.0` : typed.trim());

function Text({
  name,
  value,
  hint,
  isWrong = false,
  onChange,
}: {
  readonly name: string;
  readonly value: string;
  readonly hint: string;
  readonly isWrong?: boolean;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const id = `token-${name.toLowerCase()}`;
  return (
    <div class="form-row">
      <label class="form-label" for={id}>
        <span class="field">{name}</span>
      </label>
      <input
        id={id}
        class="input"
        spellcheck={false}
        placeholder={hint}
        value={value}
        aria-invalid={isWrong}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

function PartyRow({
  name,
  value,
  onPick,
}: {
  readonly name: string;
  readonly value: string;
  readonly onPick: (party: string) => void;
}): JSX.Element {
  return (
    <div class="form-row">
      <span class="form-label">
        <span class="field">{name}</span>
      </span>
      <PartyPicker label={name} value={value} onPick={onPick} />
    </div>
  );
}

export function TapForm({ amuletName, party, onDone }: FormProps & { readonly amuletName: string }): JSX.Element {
  const [receiver, setReceiver] = useDraft("tap", "receiver", () => party ?? ""),
    [amount, setAmount] = useDraft("tap", "amount", () => "100.0"),
    [commandId, setCommandId] = useState(newCommandId),
    { end } = useStore(node);
  const { value: context, failure: unread } = useLoaded(readTapContext, [end]),
    request = context && tapRequest(context, { receiver, amount: amountOf(amount), commandId });
  const { isBusy, done, failure, start } = useAction(async () => {
    const made = await submit(request!);
    setCommandId(newCommandId());
    onDone();
    return made;
  });
  const outcome = failure ? <Problem error={failure} /> : done && <Submitted done={done} />;
  return (
    <div class="page">
      <FormFrame
        title={`Tap ${amuletName.slice(0, 40)}`}
        requests={request ? [{ path: submitPath, body: request }] : []}
        onSubmit={start}
        action="Tap"
        isBusy={isBusy}
        isReady={request !== undefined && receiver !== "" && amount !== ""}
        outcome={outcome}
      >
        {unread && <Problem error={unread} />}
        <PartyRow name="Receiver" value={receiver} onPick={setReceiver} />
        <Text
          name="Amount"
          value={amount}
          hint="like 100.0"
          isWrong={failure !== undefined && fieldOf(failure)?.endsWith("amount") === true}
          onChange={setAmount}
        />
        <p class="dim">Development networks make it from nowhere.</p>
      </FormFrame>
    </div>
  );
}

export function SendForm({ holdings, party, onDone }: FormProps & { readonly holdings: readonly Holding[] }): JSX.Element {
  const [sender, setSender] = useDraft("send", "sender", () => party ?? ""),
    [receiver, setReceiver] = useDraft("send", "receiver", () => ""),
    [amount, setAmount] = useDraft("send", "amount", () => ""),
    [reason, setReason] = useDraft("send", "reason", () => ""),
    [key, setKey] = useDraft<string | undefined>("send", "token", () => undefined),
    [sent, setSent] = useState<Sent>();
  const held = useMemo(() => sumsOf(holdings.filter(({ owner }) => owner === sender)), [holdings, sender]);
  const instruments = held.map(({ instrument, free }): Choice => ({
    value: JSON.stringify(instrument),
    text: instrument.id,
    note: `${free} of ${partyName(instrument.admin)}`,
  }));
  const chosen = instruments.find(({ value }) => value === key) ?? instruments[0],
    instrument = chosen && (JSON.parse(chosen.value) as Instrument);
  const sending: Sending = { sender, receiver, amount: amountOf(amount), reason, instrument: instrument ?? { admin: "", id: "" } };
  const { isBusy, failure, start } = useAction(async () => {
    setSent(await sendTransfer(sending, holdings));
    onDone();
  });
  const asked = sent?.asked ?? [{ path: transferFactoryPath, body: { choiceArguments: transferArgument(sending, holdings) } }];
  const isReady = sender !== "" && receiver !== "" && instrument !== undefined && amount !== "";
  return (
    <div class="page">
      <FormFrame
        title="Send a token"
        requests={asked}
        onSubmit={start}
        action="Send"
        isBusy={isBusy}
        isReady={isReady}
        outcome={failure ? <Problem error={failure} /> : sent && <Outcome sent={sent} />}
      >
        <PartyRow
          name="Sender"
          value={sender}
          onPick={(one) => {
            setSender(one);
            setKey(undefined);
          }}
        />
        <PartyRow name="Receiver" value={receiver} onPick={setReceiver} />
        <div class="form-row">
          <span class="form-label">
            <span class="field">Token</span>
          </span>
          {instruments.length === 0 ? (
            <span class="dim">{sender === "" ? "of the sender" : "the sender holds none"}</span>
          ) : (
            <Picker
              label="of"
              choices={instruments}
              value={chosen?.value}
              none="choose one"
              isRequired
              onPick={setKey}
              shown={({ text }) => text}
            />
          )}
        </div>
        <Text
          name="Amount"
          value={amount}
          hint="like 10.5"
          isWrong={failure !== undefined && fieldOf(failure)?.endsWith("amount") === true}
          onChange={setAmount}
        />
        <Text name="Reason" value={reason} hint="what it is for" onChange={setReason} />
        <p class="dim">It arrives at once where the receiver approved of transfers; else it waits for the receiver under Transfers.</p>
      </FormFrame>
    </div>
  );
}
