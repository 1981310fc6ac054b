/**
 * Daml Script libraries as tests need them: the types by which the runner finds scripts and builds answers. Releases differ: one of 2024
 * has fewer errors and rights, and those since tell differently of a contract that does not fit a newer version of its template.
 */
import type { DefinitionId, Type } from "../../src/lf/ast.js";
import type { Archive } from "../../src/lf/archive/index.js";
import { stablePackageIds, type StableModule } from "../../src/lf/stable-package-ids.js";
import { buildPackage, expr, ModuleBuilder, type } from "./lf-builder.js";

const stable = (module: StableModule, name: string): DefinitionId => ({ packageId: stablePackageIds[module], module, name });
export const stableType = {
  tuple2: (first: Type, second: Type): Type => type.con(stable("DA.Types", "Tuple2"), first, second),
  nonEmpty: (element: Type): Type => type.con(stable("DA.NonEmpty.Types", "NonEmpty"), element),
  anyTemplate: type.con(stable("DA.Internal.Any", "AnyTemplate")),
  templateTypeRep: type.con(stable("DA.Internal.Any", "TemplateTypeRep")),
  anyContractKey: type.con(stable("DA.Internal.Any", "AnyContractKey")),
  failureStatus: type.con(stable("DA.Internal.Fail.Types", "FailureStatus")),
  sourceLocation: type.con(stable("DA.Stack.Types", "SrcLoc")),
} as const;
export const stableId = stable;

type Constructors = Readonly<Record<string, Readonly<Record<string, Type>> | Type | undefined>>;
const isType = (given: object): given is Type => "kind" in given && typeof given.kind === "string";

/** Variants whose constructors have fields with names, as the compiler lays them out; `undefined`: no payload. */
function variantWithFields(module: ModuleBuilder, name: string, constructors: Constructors): DefinitionId {
  return module.dataType(
    name,
    {
      kind: "variant",
      constructors: Object.entries(constructors).map(([constructor_, payload]) => ({
        name: constructor_,
        type: payloadType(module, `${name}.${constructor_}`, payload),
      })),
    },
    [],
    false,
  );
}

function payloadType(module: ModuleBuilder, name: string, payload: Constructors[string]): Type {
  if (payload === undefined) return type.unit;
  if (isType(payload)) return payload;
  return type.con(
    module.dataType(
      name,
      { kind: "record", fields: Object.entries(payload).map(([field, fieldType]) => ({ name: field, type: fieldType })) },
      [],
      false,
    ),
  );
}

export interface LibraryRelease {
  readonly archive: Archive;
  readonly ids: LowLevelIds;
}
export interface LowLevelIds {
  readonly script: DefinitionId;
  readonly scriptF: DefinitionId;
  readonly question: DefinitionId;
  readonly free: DefinitionId;
  readonly ledgerValue: DefinitionId;
  readonly cast: DefinitionId;
}

const { templateTypeRep, anyTemplate } = stableType;

function lowLevel(): { readonly module: ModuleBuilder; readonly ids: LowLevelIds } {
  const module = new ModuleBuilder("Daml.Script.Internal.LowLevel");
  const record = (name: string, params: readonly string[], fields: Readonly<Record<string, Type>>): DefinitionId =>
    module.dataType(
      name,
      { kind: "record", fields: Object.entries(fields).map(([field, fieldType]) => ({ name: field, type: fieldType })) },
      params,
      false,
    );
  const a = type.variable("a");
  const ledgerValue = record("LedgerValue", [], {});
  const question = record("Question", ["req", "res", "a"], {
    commandName: type.text,
    commandVersion: type.int64,
    payload: type.variable("req"),
    locations: type.list(stableType.tuple2(type.text, stableType.sourceLocation)),
    continue: type.arrow(type.variable("res"), a),
  });
  const scriptF = record("ScriptF", ["a"], { unpack: type.con(question, type.con(ledgerValue), type.con(ledgerValue), a) });
  const free = module.id("Free");
  module.dataType(
    "Free",
    {
      kind: "variant",
      constructors: [
        { name: "Pure", type: a },
        { name: "Free", type: type.con(scriptF, type.con(free, a)) },
      ],
    },
    ["a"],
    false,
  );
  const script = record("Script", ["a"], {
    runScript: type.arrow(type.unit, type.con(free, stableType.tuple2(a, type.unit))),
    dummy: type.unit,
  });
  const star = { kind: "star" } as const,
    b = type.variable("b");
  const cast = module.value("dangerousCast", type.forall("a", type.forall("b", type.arrow(a, b))), {
    kind: "tyAbs",
    params: [
      { name: "a", kind: star },
      { name: "b", kind: star },
    ],
    body: expr.lambda({ value: a }, expr.apply(expr.applyTypes(expr.builtin("ERROR"), b), expr.text("the runner did not replace this"))),
  });
  return { module, ids: { script, scriptF, question, free, ledgerValue, cast } };
}

const named = {
  "of 2024": { name: "daml3-script", version: "3.2.0" },
  "3.3": { name: "daml-script", version: "3.3.0" },
  newest: { name: "daml-script", version: "3.5.0" },
  "to come": { name: "daml-script", version: "3.6.0" },
} as const;
export type ReleaseName = keyof typeof named;

function answers(release: ReleaseName): ModuleBuilder {
  const module = new ModuleBuilder("Daml.Script.Internal.Questions"),
    isOf2024 = release === "of 2024";
  const key =
    release === "newest" || release === "to come"
      ? type.con(
          module.dataType(
            "AnyContractKey",
            {
              kind: "record",
              fields: [
                { name: "key", type: type.any },
                { name: "rep", type: templateTypeRep },
              ],
            },
            [],
            false,
          ),
        )
      : stableType.anyContractKey;
  const anyContractId = type.con(
    module.dataType(
      "AnyContractId",
      {
        kind: "record",
        fields: [
          { name: "templateId", type: templateTypeRep },
          { name: "contractId", type: type.contractId(type.unit) },
        ],
      },
      [],
      false,
    ),
  );
  const parties = type.list(type.party),
    info = { additionalInfoCid: anyContractId };
  const absence = variantWithFields(module, "ContractNotFoundAdditionalInfo", {
    NotFound: undefined,
    NotActive: info,
    NotEffective: { ...info, effectiveAt: type.text },
    NotVisible: { ...info, actAs: parties, readAs: parties, observers: parties },
  });
  const development = module.dataType("DevErrorType", { kind: "enum", constructors: ["ChoiceGuardFailed", "UnknownNewFeature"] });
  const templates = { srcTemplateId: templateTypeRep, dstTemplateId: templateTypeRep };
  const keyOption = type.optional(stableType.tuple2(key, parties));
  const others = release === "to come" ? "NonSignatoryStakeholders" : "Observers";
  const both = {
    srcPackageName: type.text,
    dstPackageName: type.text,
    originalSignatories: parties,
    [`original${others}`]: parties,
    originalKeyOpt: keyOption,
    recomputedSignatories: parties,
    [`recomputed${others}`]: parties,
    recomputedKeyOpt: keyOption,
  };
  const upgrade = variantWithFields(module, "UpgradeErrorType", {
    ValidationFailed: {
      coid: anyContractId,
      ...templates,
      ...(release === "3.3" ? { signatories: parties, observers: parties, keyOpt: keyOption } : both),
    },
    TranslationFailed: { mCoid: type.optional(anyContractId), ...templates, createArg: anyTemplate },
    AuthenticationFailed: { coid: anyContractId, ...templates, createArg: anyTemplate },
  });
  const crypto = variantWithFields(module, "CryptoErrorType", {
    MalformedByteEncoding: { value: type.text },
    MalformedKey: { keyValue: type.text },
    MalformedSignature: { signatureValue: type.text },
  });
  const interfaces = { contractId: anyContractId, templateId: templateTypeRep };
  const old: Constructors = {
    ContractNotFound: { unknownContractIds: stableType.nonEmpty(type.text), additionalDebuggingInfo: type.optional(type.con(absence)) },
    ContractKeyNotFound: { contractKey: key },
    AuthorizationError: { authorizationErrorMessage: type.text },
    DisclosedContractKeyHashingError: { contractId: anyContractId, expectedKey: key, givenKeyHash: type.text },
    DuplicateContractKey: { duplicateContractKey: type.optional(key) },
    InconsistentContractKey: { contractKey: key },
    UnhandledException: { exc: type.optional(type.any) },
    UserError: { userErrorMessage: type.text },
    TemplatePreconditionViolated: undefined,
    CreateEmptyContractKeyMaintainers: { invalidTemplate: anyTemplate },
    FetchEmptyContractKeyMaintainers: { failedTemplateKey: key },
    WronglyTypedContract: { contractId: anyContractId, expectedTemplateId: templateTypeRep, actualTemplateId: templateTypeRep },
    ContractDoesNotImplementInterface: { ...interfaces, interfaceId: templateTypeRep },
    ContractDoesNotImplementRequiringInterface: {
      ...interfaces,
      requiredInterfaceId: templateTypeRep,
      requiringInterfaceId: templateTypeRep,
    },
    NonComparableValues: undefined,
    ContractIdInContractKey: undefined,
    ContractIdComparability: { globalExistingContractId: type.text },
    ValueNesting: { limit: type.int64 },
    LocalVerdictLockedContracts: { localVerdictLockedContracts: type.list(anyContractId) },
    LocalVerdictLockedKeys: { localVerdictLockedKeys: type.list(key) },
    DevError: { devErrorType: type.con(development), devErrorMessage: type.text },
    UnknownError: { unknownErrorMessage: type.text },
    TruncatedError: { truncatedErrorType: type.text, truncatedErrorMessage: type.text },
  };
  const newer: Constructors = {
    UnresolvedPackageName: { packageName: type.text },
    UnsupportedContractId: { unknownContractId: type.text },
    ContractHashingError: { contractId: anyContractId, dstTemplateId: templateTypeRep, createArg: anyTemplate, errorMessage: type.text },
    UpgradeError: { errorType: type.con(upgrade), errorMessage: type.text },
    FailureStatusError: { failureStatus: stableType.failureStatus },
    CryptoError: { cryptoErrorType: type.con(crypto), cryptoErrorMessage: type.text },
    EffectfulRollbackError: { effectfulRollbackErrorMsg: type.text },
  };
  variantWithFields(module, "SubmitError", isOf2024 ? old : { ...newer, ...old });
  variantWithFields(module, "CommandResult", { CreateResult: type.contractId(type.unit), ExerciseResult: type.any });
  variantWithFields(module, "TreeEvent", { CreatedEvent: type.any, ExercisedEvent: type.any });
  const rights: Constructors = { ParticipantAdmin: undefined, CanActAs: type.party, CanReadAs: type.party, CanReadAsAnyParty: undefined };
  variantWithFields(
    module,
    "UserRight",
    isOf2024 ? rights : { ...rights, CanExecuteAs: type.party, CanExecuteAsAnyParty: undefined, CanActAsAnyParty: undefined },
  );
  return module;
}

const inPackage = (id: DefinitionId, packageId: string): DefinitionId => ({ ...id, packageId });

export function buildLibrary(
  release: ReleaseName,
  asNamed: { readonly name: string; readonly version: string } = named[release],
): LibraryRelease {
  const { module, ids } = lowLevel();
  const archive = buildPackage({ ...asNamed, modules: [module, answers(release)] });
  return {
    archive,
    ids: Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, inPackage(id as DefinitionId, archive.id)]),
    ) as unknown as LowLevelIds,
  };
}
