/** What can be done: create, exercise, allocate a party, upload a DAR. Every form shows the request that it makes. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CreatedEvent, GetEventsByContractIdRequest, JsGetEventsByContractIdResponse } from "../../api/ledger/types/events.js";
import type { AllocatePartyRequest, AllocatePartyResponse } from "../../api/ledger/types/parties.js";
import { limits } from "../../config.js";
import { curlOfFile } from "../client/client.js";
import { asFailure, fieldOf, type RequestFailed } from "../client/errors.js";
import { count, entityName, partyName, qualifiedName } from "../daml/names.js";
import { describe, moduleOf, noBindings, typeOf, type TypeReference } from "../daml/types.js";
import { initialValue } from "../daml/values.js";
import { Entity, Icon, Party, Problem } from "../parts/bits.js";
import { type Choice, Picker } from "../parts/picker.js";
import { FormFrame, Submitted, useAction } from "../parts/request.js";
import { PartyPicker, ValueForm } from "../parts/value-form.js";
import { adjust, hrefOf, route } from "../route.js";
import { isDrafted, useDraft } from "../state/drafts.js";
import { byName, client, eventFormat, node, packages, parties, readPackages, readParties } from "../state/session.js";
import { useLoaded, useStore } from "../state/store.js";
import { newCommandId, submission, submit, submitPath } from "../state/submission.js";

const forms = [
  ["create", "Create"],
  ["exercise", "Exercise"],
  ["party", "Allocate a party"],
  ["dar", "Upload a DAR"],
] as const;

export function DoScreen(): JSX.Element {
  const { query } = useStore(route),
    form = query["form"] ?? "create";
  return (
    <div class="page">
      <nav class="tabs" aria-label="Forms">
        {forms.map(([name, title]) => (
          <a key={name} href={hrefOf("do", { form: name })} aria-current={form === name ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {form === "create" && <CreateForm key={query["template"]} template={query["template"]} />}
      {form === "exercise" && (
        <ExerciseForm
          key={`${query["contract"]} ${query["choice"]} ${query["template"]}`}
          template={query["template"]}
          contract={query["contract"] ?? ""}
          choice={query["choice"]}
        />
      )}
      {form === "party" && <PartyForm />}
      {form === "dar" && <DarForm />}
    </div>
  );
}

function PartiesField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (parties: readonly string[]) => void;
}): JSX.Element {
  return (
    <div class="form-row">
      <span class="form-label">
        <span class="field">{label}</span>
      </span>
      <span class="parties">
        {value.map((party) => (
          <button
            key={party}
            type="button"
            class="chip"
            title={`Remove ${party}`}
            onClick={() => onChange(value.filter((one) => one !== party))}
          >
            <Party party={party} isPlain />
            <Icon name="close" />
          </button>
        ))}
        <PartyPicker
          label="add"
          value=""
          onPick={(party) => {
            if (party !== "" && !value.includes(party)) onChange([...value, party]);
          }}
        />
      </span>
    </div>
  );
}

/** What a user may act as, where that is only one. */
function initialActAs(): readonly string[] {
  const { actAs } = node.value.scope;
  return actAs?.length === 1 ? actAs : [];
}

/** Of those that several versions of a package have, the version belongs to the name. */
function useTemplates(): readonly Choice[] {
  const known = useStore(packages);
  return useMemo(() => {
    const all = [...known.values()].flatMap(({ templates, ...of }) => templates.map((name) => ({ name, ...of })));
    const versions = new Map<string, number>(),
      fullName = ({ packageName, name }: (typeof all)[number]): string => `${packageName}:${name}`;
    for (const one of all) versions.set(fullName(one), (versions.get(fullName(one)) ?? 0) + 1);
    return all
      .map((one): Choice => {
        const { name, packageId, packageName, packageVersion } = one,
          value = `${packageId}:${name}`;
        return versions.get(fullName(one)) === 1
          ? { value, text: name, note: `${packageName} ${packageVersion}` }
          : { value, text: `${name} ${packageVersion}`, note: packageName };
      })
      .sort((left, right) => (left.text < right.text ? -1 : 1));
  }, [known]);
}

function CreateForm({ template }: { readonly template: string | undefined }): JSX.Element {
  const templates = useTemplates(),
    form = `create ${template ?? ""}`,
    [value, setValue] = useDraft<unknown>(form, "arguments", () => ({})),
    [actAs, setActAs] = useDraft(form, "actAs", initialActAs),
    [commandId, setCommandId] = useState(newCommandId);
  const type = useMemo(
    () => (template === undefined ? undefined : typeOf(entityName(template).packageId, qualifiedName(template))),
    [template],
  );
  useEffect(() => {
    if (type && !isDrafted(form, "arguments")) void initialValue(type).then(setValue, () => undefined);
  }, [type]);
  const body = submission(
    { CreateCommand: { templateId: template === undefined ? "" : byName(template), createArguments: value as object } },
    { actAs, commandId, packageId: type?.packageId },
  );
  const { isBusy, done, failure, start } = useAction(async () => {
    const made = await submit(body);
    setCommandId(newCommandId());
    return made;
  });
  return (
    <FormFrame
      title="Create a contract"
      requests={[{ path: submitPath, body }]}
      onSubmit={start}
      action="Create"
      isBusy={isBusy}
      isReady={template !== undefined && actAs.length > 0}
      outcome={failure ? <Problem error={failure} /> : done && <Submitted done={done} />}
    >
      <div class="form-row">
        <span class="form-label">
          <span class="field">Template</span>
        </span>
        <Picker
          label="of"
          choices={templates}
          value={template}
          none="choose a template"
          isRequired
          onPick={(picked) => adjust({ template: picked })}
        />
      </div>
      <PartiesField label="Act as" value={actAs} onChange={setActAs} />
      {type && (
        <fieldset class="arguments">
          <legend>Arguments</legend>
          <ValueForm name="" type={type} value={value} path="" wrong={failure && fieldOf(failure)} onChange={setValue} />
        </fieldset>
      )}
    </FormFrame>
  );
}

interface Exercisable {
  readonly names: readonly string[];
  readonly argument: TypeReference | undefined;
  readonly contract: CreatedEvent | undefined;
}

/** The choices of a template or interface, and the type of one's argument. */
async function readChoices(of: string | undefined, choice: string | undefined, contractId: string): Promise<Exercisable> {
  const request: GetEventsByContractIdRequest = { contractId, eventFormat: eventFormat(undefined) };
  const contract =
    contractId === ""
      ? undefined
      : (await client.post<GetEventsByContractIdRequest, JsGetEventsByContractIdResponse>("/v2/events/events-by-contract-id", request))
          .created?.createdEvent;
  const id = of ?? contract?.templateId;
  if (id === undefined) return { names: [], argument: undefined, contract };
  const { packageId, module, entity } = entityName(id),
    found = moduleOf(await describe(packageId), module);
  const choices = [...(found?.templates ?? []), ...(found?.interfaces ?? [])].find(({ name }) => name === entity)?.choices ?? [],
    one = choices.find(({ name }) => name === choice);
  return { names: choices.map(({ name }) => name), argument: one && { type: one.argument, packageId, bindings: noBindings }, contract };
}

function ExerciseForm({
  template,
  contract: contractId,
  choice,
}: {
  readonly template: string | undefined;
  readonly contract: string;
  readonly choice: string | undefined;
}): JSX.Element {
  const form = `exercise ${choice ?? ""} ${template ?? ""} ${contractId}`,
    [value, setValue] = useDraft<unknown>(form, "argument", () => ({})),
    [actAs, setActAs] = useDraft(form, "actAs", initialActAs),
    [readAs, setReadAs] = useDraft<readonly string[]>(form, "readAs", () => []),
    [attempts, setAttempts] = useState(0),
    [commandId, setCommandId] = useState(newCommandId);
  const { value: found, failure: unread } = useLoaded(
    () => readChoices(template, choice, contractId),
    [template, choice, contractId, attempts],
  );
  const of = template ?? found?.contract?.templateId,
    argument = found?.argument;
  useEffect(() => {
    if (argument && !isDrafted(form, "argument")) void initialValue(argument).then(setValue, () => undefined);
  }, [argument]);
  const body = submission(
    {
      ExerciseCommand: {
        templateId: of === undefined ? "" : byName(of),
        contractId,
        choice: choice ?? "",
        choiceArgument: value as object,
      },
    },
    { actAs, readAs, commandId },
  );
  const { isBusy, done, failure, start } = useAction(async () => {
    const made = await submit(body);
    setCommandId(newCommandId());
    return made;
  });
  const names = found?.names ?? [],
    suggestions = found?.contract
      ? [...new Set([...found.contract.signatories, ...(found.contract.observers ?? [])])].filter((party) => !actAs.includes(party))
      : [];
  return (
    <FormFrame
      title={
        <>
          Exercise {choice ?? "a choice"}
          {of !== undefined && (
            <>
              {" "}
              on <Entity id={of} />
            </>
          )}
        </>
      }
      requests={[{ path: submitPath, body }]}
      onSubmit={start}
      action="Exercise"
      isBusy={isBusy}
      isReady={choice !== undefined && contractId !== "" && actAs.length > 0}
      outcome={failure ? <Problem error={failure} /> : done && <Submitted done={done} />}
    >
      {unread && <Problem error={unread} onRetry={() => setAttempts(attempts + 1)} />}
      <ContractField contract={contractId} />
      {names.length > 0 && <ChoiceField names={names} choice={choice} />}
      <PartiesField label="Act as" value={actAs} onChange={setActAs} />
      {suggestions.length > 0 && actAs.length === 0 && (
        <p class="suggest">
          Of this contract:{" "}
          {suggestions.slice(0, 8).map((party) => (
            <button key={party} type="button" class="link" onClick={() => setActAs([...actAs, party])}>
              {partyName(party)}
            </button>
          ))}
        </p>
      )}
      <PartiesField label="Read as" value={readAs} onChange={setReadAs} />
      {argument && (
        <fieldset class="arguments">
          <legend>Argument</legend>
          <ValueForm name="" type={argument} value={value} path="" wrong={failure && fieldOf(failure)} onChange={setValue} />
        </fieldset>
      )}
    </FormFrame>
  );
}

function ContractField({ contract }: { readonly contract: string }): JSX.Element {
  const [typed, setTyped] = useState(contract);
  return (
    <div class="form-row">
      <label class="form-label" for="contract">
        <span class="field">Contract</span>
      </label>
      <input
        id="contract"
        class="input mono"
        spellcheck={false}
        placeholder="00… a contract id, from the ledger"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={() => adjust({ contract: typed.trim(), template: undefined, choice: undefined }, true)}
      />
    </div>
  );
}

function ChoiceField({ names, choice }: { readonly names: readonly string[]; readonly choice: string | undefined }): JSX.Element {
  return (
    <div class="form-row">
      <label class="form-label" for="choice">
        <span class="field">Choice</span>
      </label>
      <select id="choice" value={choice ?? ""} onChange={(event) => adjust({ choice: event.currentTarget.value }, true)}>
        <option value="" disabled>
          choose one
        </option>
        {names.slice(0, 1_000).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function PartyForm(): JSX.Element {
  const [hint, setHint] = useDraft("party", "hint", () => ""),
    body: AllocatePartyRequest = { partyIdHint: hint };
  const { isBusy, done, failure, start } = useAction(async () => {
    const made = await client.post<AllocatePartyRequest, AllocatePartyResponse>("/v2/parties", body);
    await readParties();
    return made;
  });
  const outcome = failure ? (
    <Problem error={failure} />
  ) : (
    done && (
      <div class="done" role="status">
        <strong>
          There is <Party party={done.partyDetails.party ?? ""} />
        </strong>
        <div class="mono">{done.partyDetails.party}</div>
      </div>
    )
  );
  return (
    <FormFrame
      title="Allocate a party"
      requests={[{ path: "/v2/parties", body }]}
      onSubmit={start}
      action="Allocate"
      isBusy={isBusy}
      isReady
      outcome={outcome}
    >
      <div class="form-row">
        <label class="form-label" for="hint">
          <span class="field">Name</span> <span class="type">the first part of its id</span>
        </label>
        <input
          id="hint"
          class="input"
          spellcheck={false}
          placeholder="alice"
          value={hint}
          onInput={(event) => setHint(event.currentTarget.value)}
        />
      </div>
      <p class="dim">{count(parties.value.length)} parties are known here.</p>
    </FormFrame>
  );
}

function DarForm(): JSX.Element {
  const [part, setPart] = useState<number>(),
    [file, setFile] = useState<File>();
  const [state, setState] = useState<{ readonly failure?: RequestFailed; readonly done?: string }>({});
  const upload = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined || part !== undefined) return;
    setFile(chosen);
    setState({});
    const before = new Set(packages.value.keys());
    try {
      if (chosen.size > limits.darBytesMax)
        throw new Error(`${chosen.name} has ${count(chosen.size)} bytes; a DAR may have ${count(limits.darBytesMax)}`);
      setPart(0);
      await client.upload({ path: "/v2/dars", body: chosen, onProgress: setPart });
      await readPackages();
      const added = [...packages.value.values()].filter(({ packageId }) => !before.has(packageId));
      setState({
        done:
          added.length === 0
            ? "All of its packages were there."
            : `${count(added.length)} packages are new, ${added
                .slice(0, 5)
                .map(({ packageName, packageVersion }) => `${packageName} ${packageVersion}`)
                .join(", ")} among them.`,
      });
    } catch (error) {
      setState({ failure: asFailure(error) });
    } finally {
      setPart(undefined);
    }
  };
  return (
    <div class="form-frame">
      <section>
        <h2>Upload a DAR</h2>
        <DropZone onFile={(chosen) => void upload(chosen)} />
        <div aria-live="polite">
          {part !== undefined && (
            <div class="progress">
              <progress max={1} value={part} aria-label="Upload" />{" "}
              {part < 1 ? `${Math.round(part * 100)} % of ${file?.name ?? ""} is there` : "The node reads and checks it…"}
            </div>
          )}
          {state.failure && <Problem error={state.failure} />}
          {state.done !== undefined && (
            <div class="done" role="status">
              <strong>{file?.name}</strong> {state.done} <a href={hrefOf("packages")}>Packages</a>
            </div>
          )}
        </div>
      </section>
      <aside class="request" aria-label="The request">
        <h3>POST /v2/dars</h3>
        <p class="dim">The body is the file itself; there is no JSON.</p>
        <h3>The same in a terminal</h3>
        <pre class="curl" tabIndex={0}>
          {curlOfFile("/v2/dars", file?.name ?? "app.dar", client.token !== undefined)}
        </pre>
      </aside>
    </div>
  );
}

/** A DAR is dropped here, or chosen. */
function DropZone({ onFile }: { readonly onFile: (file: File | undefined) => void }): JSX.Element {
  const [isOver, setOver] = useState(false),
    picker = useRef<HTMLInputElement>(null);
  return (
    <div
      class={`drop${isOver ? " is-over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer?.files[0]);
      }}
    >
      <Icon name="upload" />
      <p>
        Drop a DAR here, or{" "}
        <button type="button" class="link" onClick={() => picker.current?.click()}>
          choose one
        </button>
        .
      </p>
      <input
        ref={picker}
        type="file"
        accept=".dar"
        aria-label="DAR file"
        class="sr"
        tabIndex={-1}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
      <p class="dim">Its packages are checked, stored and vetted.</p>
    </div>
  );
}
