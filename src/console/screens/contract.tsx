/** One contract: what it says, who sees it, how it lived, what can be done with it. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { CumulativeFilter } from "../../api/ledger/types/formats.js";
import type {
  CreatedEvent,
  GetEventsByContractIdRequest,
  JsGetEventsByContractIdResponse,
  JsInterfaceView,
} from "../../api/ledger/types/events.js";
import type { ChoiceDescription } from "../../api/node/types/packages.js";
import { count, entityName, partyName, qualifiedName, timeText } from "../daml/names.js";
import { describe, moduleOf, noBindings, typeOf, typeText, type TypeReference } from "../daml/types.js";
import { Copy, Entity, Facts, Icon, Parties, Problem } from "../parts/bits.js";
import { fields, isWithin, useKeys } from "../parts/keys.js";
import { ValueTree } from "../parts/value-tree.js";
import { hrefOf } from "../route.js";
import { byName, client, eventFormat, node, packages, wildcard } from "../state/session.js";
import { useLoaded, useStore } from "../state/store.js";
import { Uses } from "../state/uses.js";

/** Views of more interfaces are not computed for a look. */
const viewsMax = 20;

async function readContract(contractId: string): Promise<JsGetEventsByContractIdResponse> {
  const ask = (cumulative: readonly CumulativeFilter[]): Promise<JsGetEventsByContractIdResponse> => {
    const request: GetEventsByContractIdRequest = { contractId, eventFormat: eventFormat(undefined, cumulative) };
    return client.post("/v2/events/events-by-contract-id", request);
  };
  const found = await ask([wildcard]),
    templateId = found.created?.createdEvent.templateId ?? "";
  const views = interfacesOf(templateId).slice(0, viewsMax);
  if (views.length === 0) return found;
  return ask([
    wildcard,
    ...views.map((id): CumulativeFilter => ({
      identifierFilter: { InterfaceFilter: { value: { interfaceId: byName(id), includeInterfaceView: true } } },
    })),
  ]);
}

function interfacesOf(templateId: string): readonly string[] {
  return packages.value.get(entityName(templateId).packageId)?.implements[qualifiedName(templateId)] ?? [];
}

interface Doable {
  readonly choice: ChoiceDescription;
  readonly of: string;
  readonly packageId: string;
}

/** Its own choices, and those of its interfaces. */
async function choicesOf(templateId: string): Promise<readonly Doable[]> {
  const own = entityName(templateId),
    description = await describe(own.packageId);
  const template = moduleOf(description, own.module)?.templates.find(({ name }) => name === own.entity);
  const inherited = await Promise.all(
    (template?.implements ?? []).slice(0, viewsMax).map(async (id): Promise<readonly Doable[]> => {
      const { packageId, module, entity } = entityName(id);
      const found = moduleOf(await describe(packageId), module)?.interfaces.find(({ name }) => name === entity);
      return (found?.choices ?? []).filter(({ name }) => name !== "Archive").map((choice) => ({ choice, of: id, packageId }));
    }),
  );
  return [...(template?.choices ?? []).map((choice) => ({ choice, of: templateId, packageId: own.packageId })), ...inherited.flat()];
}

export function ContractPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }): JSX.Element {
  const { value, failure } = useLoaded(() => readContract(id), [id]);
  const created = value?.created?.createdEvent,
    archived = value?.archived?.archivedEvent;
  return (
    <Panel label="Contract" onClose={onClose} title={created ? <Entity id={created.templateId} /> : "Contract"}>
      {failure && <Problem error={failure} />}
      {!created && !failure && <p class="dim">Reading…</p>}
      {created && (
        <>
          <div class="state-line">
            <span class={archived ? "badge is-archived" : "badge is-active"}>{archived ? "archived" : "active"}</span>
            <span class="mono id" title={id}>
              {id}
            </span>
            <Copy text={id} what="contract id" />
          </div>
          <section>
            <h3>Payload</h3>
            <Payload of={created} />
          </section>
          {created.contractKey !== undefined && created.contractKey !== null && (
            <section>
              <h3>Key</h3>
              <ValueTree value={created.contractKey} />
            </section>
          )}
          {(created.interfaceViews ?? []).map((view) => (
            <View key={view.interfaceId} view={view} />
          ))}
          <section>
            <h3>Who sees it</h3>
            <Facts
              of={[
                ["Signatories", <Parties all={created.signatories} />],
                ["Observers", <Parties all={created.observers ?? []} />],
                ["Told of its creation", <Parties all={created.witnessParties} />],
              ]}
            />
          </section>
          <Life created={created} archivedAt={archived?.offset} />
          {!archived && <Choices templateId={created.templateId} contractId={id} />}
        </>
      )}
    </Panel>
  );
}

export function Payload({ of: { templateId, createArgument } }: { readonly of: CreatedEvent }): JSX.Element {
  const type = useMemo(() => typeOf(entityName(templateId).packageId, qualifiedName(templateId)), [templateId]);
  return <ValueTree value={createArgument} type={type} />;
}

function View({ view: { interfaceId, viewStatus, viewValue } }: { readonly view: JsInterfaceView }): JSX.Element {
  const { packageId, module, entity } = entityName(interfaceId);
  const { value: type } = useLoaded(async (): Promise<TypeReference | undefined> => {
    const found = moduleOf(await describe(packageId), module)?.interfaces.find(({ name }) => name === entity);
    return found && { type: found.view, packageId, bindings: noBindings };
  }, [interfaceId]);
  return (
    <section>
      <h3>
        As <Entity id={interfaceId} />
      </h3>
      {viewStatus.code === 0 ? (
        <ValueTree value={viewValue} type={type} />
      ) : (
        <p class="problem">The view failed: {viewStatus.message.slice(0, 1_000)}</p>
      )}
    </section>
  );
}

const usesShown = 100;

function Life({ created, archivedAt }: { readonly created: CreatedEvent; readonly archivedAt: number | undefined }): JSX.Element {
  const uses = useMemo(() => new Uses(created, archivedAt ?? node.value.end), [created, archivedAt]),
    { uses: found, phase, searchedTo, failure } = useStore(uses.state);
  useEffect(() => {
    void uses.search();
    return () => uses.close();
  }, [uses]);
  const nonconsuming = found.filter(({ consuming }) => !consuming),
    ending = found.find(({ consuming }) => consuming);
  return (
    <section>
      <h3>Life</h3>
      <ol class="life">
        <li class="is-created">
          <a href={hrefOf("transactions", { at: created.offset })}>created at {created.offset}</a>{" "}
          <span class="dim">{timeText(created.createdAt)}</span>
        </li>
        {nonconsuming.slice(0, usesShown).map(({ offset, nodeId, choice, actingParties }) => (
          <li key={`${offset} ${nodeId}`} class="is-used">
            <a href={hrefOf("transactions", { at: offset })}>
              {choice.slice(0, 120)} at {offset}
            </a>{" "}
            <span class="dim">by {actingParties.map(partyName).join(", ").slice(0, 120)}</span>
          </li>
        ))}
        {nonconsuming.length > usesShown && (
          <li class="is-used">
            <span class="dim">and {count(nonconsuming.length - usesShown)} uses more</span>
          </li>
        )}
        {phase === "resting" && searchedTo < (archivedAt ?? node.value.end) && (
          <li>
            <span class="dim">Uses were looked for up to {count(searchedTo)}.</span>{" "}
            <button class="link" onClick={() => void uses.search()}>
              look further
            </button>
          </li>
        )}
        {failure && (
          <li>
            <Problem error={failure} />
          </li>
        )}
        {archivedAt === undefined ? (
          <li class="is-open">
            <span class="dim">active ever since</span>
          </li>
        ) : (
          <li class="is-archived">
            <a href={hrefOf("transactions", { at: archivedAt })}>archived at {archivedAt}</a>
            {ending && (
              <span class="dim">
                {" "}
                by {ending.choice.slice(0, 120)} of {ending.actingParties.map(partyName).join(", ").slice(0, 120)}
              </span>
            )}
          </li>
        )}
      </ol>
    </section>
  );
}

function Choices({ templateId, contractId }: { readonly templateId: string; readonly contractId: string }): JSX.Element {
  const { value: choices, failure } = useLoaded(() => choicesOf(templateId), [templateId]);
  if (failure) return <Problem error={failure} />;
  return (
    <section>
      <h3>Choices</h3>
      <ul class="choices">
        {(choices ?? []).slice(0, 200).map(({ choice, of }) => (
          <li key={`${of} ${choice.name}`}>
            <a class="button" href={hrefOf("do", { form: "exercise", template: of, contract: contractId, choice: choice.name })}>
              {choice.name}
            </a>
            <span class="dim">
              {choice.consuming ? "consuming" : "nonconsuming"} → {typeText(choice.result).slice(0, 100)}
              {of === templateId ? "" : ` · ${of.slice(of.lastIndexOf(":") + 1)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PanelProps {
  readonly label: string;
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Panel({ label, title, onClose, children }: PanelProps): JSX.Element {
  useKeys((event) => {
    if (event.key === "Escape" && !isWithin(event, fields)) onClose();
  });
  return (
    <aside class="detail" aria-label={label}>
      <header>
        <h2>{title}</h2>
        <button class="close" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="detail-body" tabIndex={0}>
        {children}
      </div>
    </aside>
  );
}
