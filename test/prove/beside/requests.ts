/** What both nodes are asked of a random ledger: its submissions, and reads of what came of them. */
import type { PlannedCommand, PlannedSubmission } from "../../lf/ledger-oracle/run.js";
import { moduleName, type Spelling, toJson } from "../../lf/ledger-oracle/world.js";

const shapes = ["TRANSACTION_SHAPE_ACS_DELTA", "TRANSACTION_SHAPE_LEDGER_EFFECTS"] as const;
type Shape = (typeof shapes)[number];

/** Names of a random ledger as requests spell them. */
export interface Names extends Spelling {
  readonly packageName: string;
}

const idOf = ({ packageName }: Names, name: string): string => `#${packageName}:${moduleName}:${name}`;

export const submissionOf = (
  names: Names,
  { actAs, readAs, commands }: PlannedSubmission,
  commandId: string,
  readers: readonly string[],
) => ({
  commands: {
    commandId,
    submissionId: commandId,
    userId: "participant_admin",
    actAs: actAs.map(names.partyOf),
    readAs: readAs.map(names.partyOf),
    commands: commands.map((command) => commandOf(names, command)),
  },
  transactionFormat: transactionFormat(names, readers, "TRANSACTION_SHAPE_LEDGER_EFFECTS"),
});

function commandOf(names: Names, command: PlannedCommand): unknown {
  switch (command.kind) {
    case "create":
      return {
        CreateCommand: { templateId: idOf(names, command.template), createArguments: toJson(command.template, command.payload, names) },
      };
    case "exercise":
      return {
        ExerciseCommand: {
          templateId: idOf(names, command.owner),
          contractId: names.hexOf(command.contract),
          choice: command.choice,
          choiceArgument: toJson("Args", command.argument, names),
        },
      };
    case "createAndExercise":
      return {
        CreateAndExerciseCommand: {
          templateId: idOf(names, command.template),
          createArguments: toJson(command.template, command.payload, names),
          choice: command.choice,
          choiceArgument: toJson("Args", command.argument, names),
        },
      };
    case "exerciseByKey":
      return {
        ExerciseByKeyCommand: {
          templateId: idOf(names, "Coin"),
          contractKey: toJson("Key", command.key, names),
          choice: command.choice,
          choiceArgument: toJson("Args", command.argument, names),
        },
      };
  }
}

/** All of the ledger's own templates, and views of its interface: what others do beside it is not seen. */
const eventFormat = (names: Names, readers: readonly string[]) => {
  const template = (name: string) => ({ identifierFilter: { TemplateFilter: { value: { templateId: idOf(names, name) } } } });
  const views = { InterfaceFilter: { value: { interfaceId: idOf(names, "Asset"), includeInterfaceView: true } } };
  const cumulative = [template("Coin"), template("Vault"), { identifierFilter: views }];
  return { filtersByParty: Object.fromEntries(readers.map((reader) => [names.partyOf(reader), { cumulative }])), verbose: true };
};
const transactionFormat = (names: Names, readers: readonly string[], transactionShape: Shape) => ({
  transactionShape,
  eventFormat: eventFormat(names, readers),
});

export interface Read {
  readonly what: string;
  readonly path: string;
  readonly body: (names: Names, offsets: Offsets) => unknown;
}

/** Of the ledger end before and behind what is read. */
export interface Offsets {
  readonly begin: number;
  readonly end: number;
}

/** What each party sees, and what all of them do. */
export const readsOf = (parties: readonly string[]): readonly Read[] =>
  [...parties.map((party) => [party]), parties].flatMap((readers) => [
    ...shapes.map((shape) => ({
      what: `updates of ${readers.join(", ")} as ${shape}`,
      path: "/v2/updates",
      body: (names: Names, { begin, end }: Offsets) => ({
        beginExclusive: begin,
        endInclusive: end,
        updateFormat: { includeTransactions: transactionFormat(names, readers, shape) },
      }),
    })),
    {
      what: `active contracts of ${readers.join(", ")}`,
      path: "/v2/state/active-contracts",
      body: (names, { end }) => ({ activeAtOffset: end, eventFormat: eventFormat(names, readers) }),
    },
  ]);
