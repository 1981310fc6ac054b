/** Arguments of factory choices, as clients hand them to a registry before they submit them. */
import { ok } from "../../base/result.js";
import type { Contracts } from "../contracts.js";
import type { Name } from "../names.js";
import { type Answer, invalid, notFound } from "../refusal.js";
import { valueProblem } from "../values/check-value.js";
import type { ValueTypes } from "../values/value-types.js";

export interface FactoryChoice {
  readonly interface: Name;
  readonly choice: string;
  /** Between what the argument should be and what is wrong with it. */
  readonly separator: string;
}

/** The JSON as it came, once it is known to be an argument of the choice. */
export async function readChoiceArguments<A>(
  { contracts, types }: { readonly contracts: Contracts; readonly types: ValueTypes },
  choice: FactoryChoice,
  json: unknown,
): Answer<A> {
  const [interfaceId] = contracts.interfaceIds(choice.interface);
  if (interfaceId === undefined)
    return notFound(`No package on this ledger has the interface ${choice.interface.packageName}:${choice.interface.entity}.`);
  const description = await types.describe({ at: "choiceArgument", templateId: interfaceId, interfaceId, choice: choice.choice });
  const problem = description && valueProblem(description, json);
  return problem === undefined
    ? ok(json as A)
    : invalid(`Field \`choiceArguments\` does not contain a valid \`${choice.choice}\`${choice.separator} ${problem}`);
}
