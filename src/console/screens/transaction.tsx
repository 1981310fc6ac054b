/** One update: what happened, and what of it each party sees. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { CreatedEvent, ExercisedEvent } from "../../api/ledger/types/events.js";
import type {
  GetUpdateByOffsetRequest,
  JsGetUpdateResponse,
  JsTopologyTransaction,
  JsTransaction,
} from "../../api/ledger/types/updates.js";
import { asFailure } from "../client/errors.js";
import { count, entityName, partyName, shortEntity, timeText } from "../daml/names.js";
import { inputsAndOutputs, partiesOf, treeOf, type TreeNode } from "../daml/transaction.js";
import { describe, moduleOf, noBindings, type TypeReference } from "../daml/types.js";
import { Contract, Copy, Entity, Facts, Icon, Parties, Party, Problem } from "../parts/bits.js";
import { ValueTree } from "../parts/value-tree.js";
import { VirtualList } from "../parts/virtual-list.js";
import { adjust, hrefOf, route } from "../route.js";
import { client } from "../state/session.js";
import { useLoaded, useStore } from "../state/store.js";
import { updateFormat } from "../state/tail.js";
import { Panel, Payload } from "./contract.js";

const readUpdate = (offset: number, party?: string): Promise<JsGetUpdateResponse> => {
  const request: GetUpdateByOffsetRequest = { offset, updateFormat: updateFormat(party) };
  return client.post("/v2/updates/update-by-offset", request);
};

/** More parties are not asked for at once. */
const columnsMax = 8;

export function TransactionPanel({ offset, onClose }: { readonly offset: number; readonly onClose: () => void }): JSX.Element {
  const { value, failure } = useLoaded(() => readUpdate(offset), [offset]),
    update = value?.update;
  return (
    <Panel
      label="Update"
      onClose={onClose}
      title={
        <>
          Offset <span class="mono">{count(offset)}</span>
        </>
      }
    >
      {failure
        && (asFailure(failure).code === "UPDATE_NOT_FOUND" ? (
          <p class="dim">There is no update at this offset that you may see.</p>
        ) : (
          <Problem error={failure} />
        ))}
      {!update && !failure && <p class="dim">Reading…</p>}
      {update && "Transaction" in update && <Transaction transaction={update.Transaction.value} />}
      {update && "TopologyTransaction" in update && <Topology topology={update.TopologyTransaction.value} />}
    </Panel>
  );
}

function Topology({ topology: { updateId, recordTime, events } }: { readonly topology: JsTopologyTransaction }): JSX.Element {
  return (
    <>
      <Facts
        of={[
          ["Recorded", timeText(recordTime)],
          ["Update", <span class="mono">{updateId}</span>],
        ]}
      />
      <section>
        <h3>Parties</h3>
        <ul class="choices">
          {events.slice(0, 200).map(({ event }, index) => {
            const [[kind, of] = ["", undefined]] = Object.entries(event ?? {}),
              party = (of as { value?: { partyId?: string } } | undefined)?.value?.partyId ?? "";
            return (
              <li key={index}>
                <span class="dim">{kind.replace("ParticipantAuthorization", "").toLowerCase()}</span>
                <Party party={party} />
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}

/** The nodes that a party is given when it asks for itself. */
async function projections(offset: number, parties: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const all = await Promise.all(
    parties.map(async (party) => {
      try {
        const { update } = await readUpdate(offset, party);
        const nodes = update && "Transaction" in update ? treeOf(update.Transaction.value.events) : [];
        return [party, new Set(nodes.map(({ nodeId }) => nodeId))] as const;
      } catch (error) {
        if (asFailure(error).code === "UPDATE_NOT_FOUND") return [party, new Set<number>()] as const;
        throw error;
      }
    }),
  );
  return new Map(all);
}

function Transaction({ transaction }: { readonly transaction: JsTransaction }): JSX.Element {
  const { query } = useStore(route),
    as = query["as"];
  const nodes = useMemo(() => treeOf(transaction.events), [transaction]),
    parties = useMemo(() => partiesOf(nodes), [nodes]);
  const columns = parties.slice(0, columnsMax),
    asked = as !== undefined && !columns.includes(as) ? [...columns, as] : columns;
  const { value: seen, failure } = useLoaded(() => projections(transaction.offset, asked), [transaction, asked.join()]);
  const [at, setAt] = useState(0),
    selected = nodes[at],
    { inputs, outputs } = useMemo(() => inputsAndOutputs(nodes), [nodes]);
  const visible = as === undefined ? undefined : seen?.get(as);
  return (
    <>
      <div class="seen-by" role="group" aria-label="Whose eyes">
        <button
          class={as === undefined ? "chip is-on" : "chip"}
          aria-pressed={as === undefined}
          onClick={() => adjust({ as: undefined }, true)}
        >
          everything
        </button>
        {parties.slice(0, 40).map((party) => (
          <button
            key={party}
            class={as === party ? "chip is-on" : "chip"}
            aria-pressed={as === party}
            title={party}
            onClick={() => adjust({ as: as === party ? undefined : party }, true)}
          >
            <Party party={party} isPlain />
          </button>
        ))}
      </div>
      {failure && <Problem error={failure} />}
      {as !== undefined && visible && (
        <p class="notice" role="status">
          {partyName(as)} sees {visible.size} of {nodes.length} events{visible.size < nodes.length ? "; the rest is struck out" : ""}.
        </p>
      )}
      <div class="event-tree">
        {columns.length > 1 && (
          <div class="tree-head" aria-hidden="true">
            <span />
            {columns.map((party) => (
              <span key={party} class="column" title={party}>
                {partyName(party).slice(0, 9)}
              </span>
            ))}
          </div>
        )}
        <div style={{ height: `${Math.min(nodes.length * 34 + 2, 374)}px` }}>
          <VirtualList
            count={nodes.length}
            rowHeight={34}
            label="Events of the transaction"
            selected={at}
            onSelect={setAt}
            row={(index) => (
              <NodeRow
                node={nodes[index]!}
                columns={columns}
                seen={seen}
                isHidden={visible !== undefined && !visible.has(nodes[index]!.nodeId)}
              />
            )}
          />
        </div>
      </div>
      {selected && <NodeDetail key={selected.nodeId} node={selected} />}
      <section>
        <h3>Contracts</h3>
        <Facts
          of={[
            ["Used", <Ends events={inputs} />],
            ["Left behind", <Ends events={outputs} />],
          ]}
        />
      </section>
      <section>
        <h3>Submission</h3>
        <TransactionFacts transaction={transaction} />
      </section>
    </>
  );
}

function TransactionFacts({
  transaction: { updateId, commandId, workflowId, effectiveAt, recordTime, paidTrafficCost, traceContext },
}: {
  readonly transaction: JsTransaction;
}): JSX.Element {
  const text = (value: string | null | undefined): JSX.Element =>
    value ? <span class="mono">{value.slice(0, 500)}</span> : <span class="dim">not told</span>;
  return (
    <Facts
      of={[
        ["Ledger time", timeText(effectiveAt)],
        ["Recorded", timeText(recordTime)],
        ["Command", text(commandId)],
        ["Workflow", text(workflowId)],
        [
          "Traffic cost",
          paidTrafficCost === undefined || paidTrafficCost === null ? <span class="dim">none</span> : count(paidTrafficCost),
        ],
        ["Trace", text(traceContext?.traceparent)],
        [
          "Update",
          <>
            <span class="mono">{updateId}</span>
            <Copy text={updateId} what="update id" />
          </>,
        ],
      ]}
    />
  );
}

const endsShown = 50;

function Ends({ events }: { readonly events: readonly (CreatedEvent | ExercisedEvent)[] }): JSX.Element {
  if (events.length === 0) return <span class="dim">none</span>;
  return (
    <span class="ends">
      {events.slice(0, endsShown).map(({ contractId, templateId }) => (
        <span key={contractId}>
          {shortEntity(templateId)} <Contract id={contractId} />
        </span>
      ))}
      {events.length > endsShown && <span class="dim">and {count(events.length - endsShown)} more</span>}
    </span>
  );
}

interface NodeRowProps {
  readonly node: TreeNode;
  readonly columns: readonly string[];
  readonly seen: ReadonlyMap<string, ReadonlySet<number>> | undefined;
  readonly isHidden: boolean;
}

const depthShown = 10;

function NodeRow({ node, columns, seen, isHidden }: NodeRowProps): JSX.Element {
  const kind = node.kind === "create" ? "create" : node.event.consuming ? "consume" : "use",
    { templateId } = node.event;
  return (
    <div class={`event-row${isHidden ? " is-hidden" : ""}`} data-node={node.nodeId}>
      <span class="event-what" style={{ paddingLeft: `${Math.min(node.depth, depthShown) * 18}px` }}>
        <span class={`mark-of is-${kind}`}>
          <Icon name={kind} />
        </span>
        {node.kind === "exercise" && (
          <>
            <strong>{node.event.choice}</strong>
            <span class="dim">on</span>
          </>
        )}
        <span class={node.kind === "create" ? "strong" : ""}>{shortEntity(templateId)}</span>
        {node.kind === "exercise" && <span class="dim">by {node.event.actingParties.map(partyName).join(", ").slice(0, 80)}</span>}
        {isHidden && <span class="sr">not seen</span>}
      </span>
      {columns.length > 1
        && columns.map((party) => {
          const sees = seen?.get(party)?.has(node.nodeId);
          return (
            <span
              key={party}
              class={`column ${sees ? "sees" : "sees-not"}`}
              title={`${partyName(party)} ${sees ? "sees this" : "does not see this"}`}
            >
              <span class="sr">{`${partyName(party)} ${sees ? "sees it" : "does not"}`}</span>
            </span>
          );
        })}
    </div>
  );
}

function NodeDetail({ node }: { readonly node: TreeNode }): JSX.Element {
  const { contractId, templateId, witnessParties, offset } = node.event;
  return (
    <section class="event-detail">
      <div class="state-line">
        <span class={`badge is-${node.kind === "create" ? "create" : node.event.consuming ? "consume" : "use"}`}>
          {node.kind === "create" ? "create" : node.event.consuming ? "consuming exercise" : "exercise"}
        </span>
        <Entity id={templateId} />
        <Contract id={contractId} />
      </div>
      {node.kind === "create" ? <Payload of={node.event} /> : <Exercise event={node.event} />}
      <Facts
        of={[
          ...(node.kind === "create"
            ? ([
                ["Signatories", <Parties all={node.event.signatories} />],
                ["Observers", <Parties all={node.event.observers ?? []} />],
              ] as const)
            : ([["By", <Parties all={node.event.actingParties} />]] as const)),
          ["Seen by", <Parties all={witnessParties} />],
          ["Contract's life", <a href={hrefOf("ledger", { contract: contractId, offset })}>from create to archive</a>],
        ]}
      />
    </section>
  );
}

interface ChoiceTypes {
  readonly argument: TypeReference;
  readonly result: TypeReference;
}

async function typesOf({ templateId, interfaceId, choice }: ExercisedEvent): Promise<ChoiceTypes | undefined> {
  const { packageId, module, entity } = entityName(interfaceId ?? templateId),
    found = moduleOf(await describe(packageId), module);
  const choices = (interfaceId ? found?.interfaces : found?.templates)?.find(({ name }) => name === entity)?.choices,
    one = choices?.find(({ name }) => name === choice);
  return (
    one && {
      argument: { type: one.argument, packageId, bindings: noBindings },
      result: { type: one.result, packageId, bindings: noBindings },
    }
  );
}

function Exercise({ event }: { readonly event: ExercisedEvent }): JSX.Element {
  const { value: types } = useLoaded(() => typesOf(event), [event]);
  return (
    <>
      <h3>
        Argument of {event.choice}
        {event.interfaceId && (
          <>
            {" "}
            of <Entity id={event.interfaceId} />
          </>
        )}
      </h3>
      <ValueTree value={event.choiceArgument} type={types?.argument} />
      {event.exerciseResult !== undefined && (
        <>
          <h3>Result</h3>
          <ValueTree value={event.exerciseResult} type={types?.result} />
        </>
      )}
    </>
  );
}
