/**
 * The configuration file of token registries: a JSON object, or a list of them.
 *
 *     { "name": "team", "admin": "team", "instruments": [{ "id": "TEAM", "name": "Team token", "symbol": "TM", "decimals": 10 }],
 *       "factories": { "transfer": "team-token:Team.Rules:Rules" },
 *       "contracts": [{ "template": "team-token:Team.Rules:Rules", "key": "team/rules" }] }
 *
 * `admin` is a party, or the first part of one of this node's. Every name is `package-name:Module:Entity`.
 */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import type { Name } from "../names.js";
import type { TokenContract, TokenInstrument, TokenRegistry } from "./configuration.js";

type Read<T> = Result<T, string>;

export interface ConfigurationContext {
  /** Of the node's own parties. */
  readonly namespace: string;
}

/** Says which file, which registry and which field is wrong. */
export function readTokenRegistries(file: string, text: string, context: ConfigurationContext): Read<readonly TokenRegistry[]> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return fail(`${file} is no JSON: ${(error as Error).message}`);
  }
  const list = Array.isArray(content) ? content : [content];
  const registries = each(list, (value, index) => registryOf(new Fields(value, list.length > 1 ? `[${index}]` : ""), context));
  return isFailure(registries) ? fail(`${file}: ${registries.error}`) : registries;
}

/** Of all files: a name or an admin stands for one registry. */
export function clashAmong(registries: readonly TokenRegistry[]): string | undefined {
  for (const field of ["name", "admin"] as const) {
    const seen = new Set<string>();
    for (const registry of registries) {
      if (seen.has(registry[field])) return `two token registries have the ${field} ${registry[field]}`;
      seen.add(registry[field]);
    }
  }
  return undefined;
}

const namePattern = /^[a-z0-9][a-z0-9-]{0,62}$/;
const partyPattern = /^[A-Za-z0-9:\-_ ]{1,255}$/;

function registryOf(fields: Fields, { namespace }: ConfigurationContext): Read<TokenRegistry> {
  const known = fields.only("name", "admin", "instruments", "contracts", "factories");
  if (isFailure(known)) return known;
  const name = fields.text("name", namePattern, "lower-case letters, digits and -, at most 63");
  if (isFailure(name)) return name;
  const admin = fields.text("admin", partyPattern, "a party, or the first part of one");
  if (isFailure(admin)) return admin;
  const instruments = fields.list("instruments", instrumentOf);
  if (isFailure(instruments)) return instruments;
  if (instruments.ok.length === 0) return fail(`${fields.at("instruments")} must not be empty`);
  const contracts = fields.list("contracts", contractOf, []);
  if (isFailure(contracts)) return contracts;
  const factories = factoriesOf(fields);
  if (isFailure(factories)) return factories;
  return ok({
    name: name.ok,
    admin: partyOf(admin.ok, namespace),
    instruments: instruments.ok,
    contracts: contracts.ok,
    factories: factories.ok,
  });
}

const partyOf = (admin: string, namespace: string): Party => (admin.includes("::") ? admin : `${admin}::${namespace}`);

function instrumentOf(fields: Fields): Read<TokenInstrument> {
  const known = fields.only("id", "name", "symbol", "decimals");
  if (isFailure(known)) return known;
  const [id, name, symbol] = ["id", "name", "symbol"].map((field) => fields.text(field)) as [Read<string>, Read<string>, Read<string>];
  if (isFailure(id)) return id;
  if (isFailure(name)) return name;
  if (isFailure(symbol)) return symbol;
  const decimals = fields.value("decimals") ?? 10;
  if (!Number.isInteger(decimals) || (decimals as number) < 0 || (decimals as number) > 10)
    return fail(`${fields.at("decimals")} must be a whole number from 0 to 10`);
  return ok({ id: id.ok, name: name.ok, symbol: symbol.ok, decimals: decimals as number });
}

function contractOf(fields: Fields): Read<TokenContract> {
  const known = fields.only("template", "key", "asList", "observed");
  if (isFailure(known)) return known;
  const template = fields.name("template");
  if (isFailure(template)) return template;
  const key: Read<string | undefined> = fields.value("key") === undefined ? ok(undefined) : fields.text("key");
  if (key.error !== undefined) return key;
  const asList = fields.flag("asList"),
    observed = fields.flag("observed");
  if (isFailure(asList)) return asList;
  if (isFailure(observed)) return observed;
  if (asList.ok && key.ok === undefined) return fail(`${fields.at("asList")} needs a key, under which the list stands`);
  return ok({ template: template.ok, ...(key.ok === undefined ? {} : { key: key.ok }), asList: asList.ok, observed: observed.ok });
}

const factoryKinds = ["transfer", "allocation", "settlement"] as const;

function factoriesOf(registry: Fields): Read<TokenRegistry["factories"]> {
  const factories: { [K in (typeof factoryKinds)[number]]?: Name } = {};
  if (registry.value("factories") === undefined) return ok(factories);
  const fields = new Fields(registry.value("factories"), registry.at("factories")),
    known = fields.only(...factoryKinds);
  if (isFailure(known)) return known;
  for (const kind of factoryKinds) {
    if (fields.value(kind) === undefined) continue;
    const name = fields.name(kind);
    if (isFailure(name)) return name;
    factories[kind] = name.ok;
  }
  return ok(factories);
}

/** The fields of an object, by where it stands in the file. */
class Fields {
  constructor(
    private readonly content: unknown,
    private readonly path: string,
  ) {}

  at(field: string): string {
    return this.path === "" ? field : `${this.path}.${field}`;
  }
  value(field: string): unknown {
    return (this.content as Readonly<Record<string, unknown>>)[field];
  }

  only(...names: readonly string[]): Read<undefined> {
    if (typeof this.content !== "object" || this.content === null || Array.isArray(this.content))
      return fail(`${this.path || "the file"} must hold a JSON object`);
    const unknown = Object.keys(this.content).find((name) => !names.includes(name));
    return unknown === undefined ? ok(undefined) : fail(`${this.at(unknown)} is unknown; the fields are ${names.join(", ")}`);
  }

  text(field: string, pattern = /./, what = "text that is not empty"): Read<string> {
    const value = this.value(field);
    return typeof value === "string" && pattern.test(value) ? ok(value) : fail(`${this.at(field)} must be ${what}`);
  }

  flag(field: string): Read<boolean> {
    const value = this.value(field) ?? false;
    return typeof value === "boolean" ? ok(value) : fail(`${this.at(field)} must be true or false`);
  }

  name(field: string): Read<Name> {
    const [packageName, module, entity, more] = String(this.value(field)).split(":");
    if (!packageName || !module || !entity || more !== undefined) return fail(`${this.at(field)} must be package-name:Module:Entity`);
    return ok({ packageName: packageName.replace(/^#/, ""), entity: `${module}:${entity}` });
  }

  list<T>(field: string, read: (fields: Fields) => Read<T>, otherwise?: readonly T[]): Read<readonly T[]> {
    const value = this.value(field);
    if (value === undefined && otherwise) return ok(otherwise);
    return Array.isArray(value)
      ? each(value, (element, index) => read(new Fields(element, `${this.at(field)}[${index}]`)))
      : fail(`${this.at(field)} must be a list`);
  }
}

function each<T>(values: readonly unknown[], read: (value: unknown, index: number) => Read<T>): Read<readonly T[]> {
  const results: T[] = [];
  for (const [index, value] of values.entries()) {
    const result = read(value, index);
    if (isFailure(result)) return result;
    results.push(result.ok);
  }
  return ok(results);
}
