/**
 * The messages of a Daml-LF 2 archive as tables: `proto/daml_lf.proto` in a form that reader and writer run on.
 * A test holds the two files to each other.
 *
 * The order of fields is the order in which the published schema declares them, which is not always that of their
 * numbers: writing fields in this order gives the bytes, and so the ids, of published packages (digital-asset/canton
 * 3.5, daml_lf2.proto).
 */

export type Wire = "int32" | "sint64" | "sfixed64" | "bool" | "string" | "bytes" | "message";
/** `sum`: member of the message's oneof, so that presence counts even when the value is zero. */
export type Label = "one" | "sum" | "many";

export interface Field<W extends Wire = Wire, L extends Label = Label, T extends string = string> {
  readonly number: number;
  readonly wire: W;
  readonly label: L;
  /** The message or enum that the field holds. */
  readonly type: T;
}

const field =
  <W extends Wire, L extends Label>(wire: W, label: L) =>
  (number: number, type = ""): Field<W, L> => ({ number, wire, label, type });
const messageField =
  <L extends Label>(label: L) =>
  <T extends string>(number: number, type: T): Field<"message", L, T> => ({ number, wire: "message", label, type });

const int = field("int32", "one");
const bool = field("bool", "one");
const text = field("string", "one");
const bytes = field("bytes", "one");
const one = messageField("one");
const many = messageField("many");
const ints = field("int32", "many");
const texts = field("string", "many");
const sum = messageField("sum");
const sumInt = field("int32", "sum");
const sumSint64 = field("sint64", "sum");
const sumSfixed64 = field("sfixed64", "sum");
const sumText = field("string", "sum");
const sumBytes = field("bytes", "sum");

const archives = {
  Archive: { hashFunction: int(1, "HashFunction"), payload: bytes(3), hash: text(4) },
  ArchivePayload: { minor: text(3), patch: int(5), damlLf_1: sumBytes(2), damlLf_2: sumBytes(4) },
};

const packages = {
  Package: {
    modules: many(1, "Module"),
    internedStrings: texts(2),
    internedDottedNames: many(3, "InternedDottedName"),
    metadata: one(4, "PackageMetadata"),
    internedTypes: many(5, "Type"),
    internedKinds: many(6, "Kind"),
    internedExprs: many(7, "Expr"),
    noImportedPackagesReason: sumText(8),
    packageImports: sum(9, "PackageImports"),
  },
  InternedDottedName: { segmentsInternedStr: ints(1) },
  PackageMetadata: { nameInternedStr: int(1), versionInternedStr: int(2), upgradedPackageId: one(3, "UpgradedPackageId") },
  UpgradedPackageId: { upgradedPackageIdInternedStr: int(1) },
  PackageImports: { importedPackages: texts(1) },
  Module: {
    nameInternedDname: int(1),
    flags: one(2, "FeatureFlags"),
    synonyms: many(3, "DefTypeSyn"),
    dataTypes: many(4, "DefDataType"),
    values: many(5, "DefValue"),
    templates: many(6, "DefTemplate"),
    exceptions: many(7, "DefException"),
    interfaces: many(8, "DefInterface"),
  },
  FeatureFlags: {
    forbidPartyLiterals: bool(1),
    dontDivulgeContractIdsInCreateArguments: bool(2),
    dontDiscloseNonConsumingChoicesToObservers: bool(3),
  },
};

const references = {
  Unit: {},
  SelfOrImportedPackageId: { selfPackageId: sum(1, "Unit"), importedPackageIdInternedStr: sumInt(3), packageImportId: sumInt(4) },
  ModuleId: { packageId: one(1, "SelfOrImportedPackageId"), moduleNameInternedDname: int(2) },
  TypeConId: { module: one(1, "ModuleId"), nameInternedDname: int(2) },
  TypeSynId: { module: one(1, "ModuleId"), nameInternedDname: int(2) },
  ValueId: { module: one(1, "ModuleId"), nameInternedDname: int(2) },
  FieldWithType: { fieldInternedStr: int(3), type: one(2, "Type") },
  VarWithType: { varInternedStr: int(3), type: one(2, "Type") },
  TypeVarWithKind: { varInternedStr: int(3), kind: one(2, "Kind") },
  FieldWithExpr: { fieldInternedStr: int(3), expr: one(2, "Expr") },
  Binding: { binder: one(1, "VarWithType"), bound: one(2, "Expr") },
  Location: { module: one(1, "ModuleId"), range: one(2, "Range") },
  Range: { startLine: int(1), startCol: int(2), endLine: int(3), endCol: int(4) },
};

const types = {
  Kind: { star: sum(1, "Unit"), arrow: sum(2, "KindArrow"), nat: sum(3, "Unit"), internedKind: sumInt(4) },
  KindArrow: { params: many(1, "Kind"), result: one(2, "Kind") },
  Type: {
    var: sum(1, "TypeVar"),
    con: sum(2, "TypeCon"),
    builtin: sum(3, "TypeBuiltin"),
    forall: sum(4, "TypeForall"),
    struct: sum(5, "TypeStruct"),
    nat: sumSint64(6),
    syn: sum(7, "TypeSyn"),
    internedType: sumInt(8),
    tapp: sum(9, "TypeApp"),
  },
  TypeVar: { varInternedStr: int(3), args: many(2, "Type") },
  TypeCon: { tycon: one(1, "TypeConId"), args: many(2, "Type") },
  TypeSyn: { tysyn: one(1, "TypeSynId"), args: many(2, "Type") },
  TypeBuiltin: { builtin: int(1, "BuiltinType"), args: many(2, "Type") },
  TypeForall: { vars: many(1, "TypeVarWithKind"), body: one(2, "Type") },
  TypeStruct: { fields: many(1, "FieldWithType") },
  TypeApp: { lhs: one(1, "Type"), rhs: one(2, "Type") },
};

const expressions = {
  Expr: {
    location: one(1, "Location"),
    varInternedStr: sumInt(2),
    val: sum(3, "ValueId"),
    builtin: sumInt(4, "BuiltinFunction"),
    builtinCon: sumInt(5, "BuiltinCon"),
    builtinLit: sum(6, "BuiltinLit"),
    recCon: sum(7, "RecCon"),
    recProj: sum(8, "RecProj"),
    recUpd: sum(9, "RecUpd"),
    variantCon: sum(10, "VariantCon"),
    enumCon: sum(11, "EnumCon"),
    structCon: sum(12, "StructCon"),
    structProj: sum(13, "StructProj"),
    structUpd: sum(14, "StructUpd"),
    app: sum(15, "App"),
    tyApp: sum(16, "TyApp"),
    abs: sum(17, "Abs"),
    tyAbs: sum(18, "TyAbs"),
    case: sum(19, "Case"),
    let: sum(20, "Block"),
    nil: sum(21, "Nil"),
    cons: sum(22, "Cons"),
    update: sum(23, "Update"),
    optionalNone: sum(25, "OptionalNone"),
    optionalSome: sum(26, "OptionalSome"),
    toAny: sum(27, "TypedExpr"),
    fromAny: sum(28, "TypedExpr"),
    typeRep: sum(29, "Type"),
    toAnyException: sum(30, "TypedExpr"),
    fromAnyException: sum(31, "TypedExpr"),
    throw: sum(32, "Throw"),
    toInterface: sum(33, "ToInterface"),
    fromInterface: sum(34, "FromInterface"),
    callInterface: sum(35, "CallInterface"),
    signatoryInterface: sum(36, "OfInterface"),
    observerInterface: sum(37, "OfInterface"),
    viewInterface: sum(38, "OfInterface"),
    unsafeFromInterface: sum(39, "UnsafeFromInterface"),
    interfaceTemplateTypeRep: sum(40, "OfInterface"),
    toRequiredInterface: sum(41, "RequiredInterface"),
    fromRequiredInterface: sum(42, "RequiredInterface"),
    unsafeFromRequiredInterface: sum(43, "UnsafeFromRequiredInterface"),
    internedExpr: sumInt(44),
    choiceController: sum(1001, "ChoiceFunction"),
    choiceObserver: sum(1002, "ChoiceFunction"),
    experimental: sum(9999, "Experimental"),
  },
  RecCon: { tycon: one(1, "TypeCon"), fields: many(2, "FieldWithExpr") },
  RecProj: { tycon: one(1, "TypeCon"), fieldInternedStr: int(4), record: one(3, "Expr") },
  RecUpd: { tycon: one(1, "TypeCon"), fieldInternedStr: int(2), record: one(3, "Expr"), update: one(4, "Expr") },
  VariantCon: { tycon: one(1, "TypeCon"), variantConInternedStr: int(2), variantArg: one(3, "Expr") },
  EnumCon: { tycon: one(1, "TypeConId"), enumConInternedStr: int(2) },
  StructCon: { fields: many(1, "FieldWithExpr") },
  StructProj: { fieldInternedStr: int(1), struct: one(2, "Expr") },
  StructUpd: { fieldInternedStr: int(1), struct: one(2, "Expr"), update: one(3, "Expr") },
  App: { fun: one(1, "Expr"), args: many(2, "Expr") },
  TyApp: { expr: one(1, "Expr"), types: many(2, "Type") },
  Abs: { param: many(1, "VarWithType"), body: one(2, "Expr") },
  TyAbs: { param: many(1, "TypeVarWithKind"), body: one(2, "Expr") },
  Nil: { type: one(1, "Type") },
  Cons: { type: one(1, "Type"), front: many(2, "Expr"), tail: one(3, "Expr") },
  OptionalNone: { type: one(1, "Type") },
  OptionalSome: { type: one(1, "Type"), value: one(2, "Expr") },
  TypedExpr: { type: one(1, "Type"), expr: one(2, "Expr") },
  Throw: { returnType: one(1, "Type"), exceptionType: one(2, "Type"), exceptionExpr: one(3, "Expr") },
  ToInterface: { interfaceType: one(1, "TypeConId"), templateType: one(2, "TypeConId"), templateExpr: one(3, "Expr") },
  FromInterface: { interfaceType: one(1, "TypeConId"), templateType: one(2, "TypeConId"), interfaceExpr: one(3, "Expr") },
  CallInterface: { interfaceType: one(1, "TypeConId"), methodInternedName: int(2), interfaceExpr: one(3, "Expr") },
  OfInterface: { interface: one(1, "TypeConId"), expr: one(2, "Expr") },
  UnsafeFromInterface: {
    interfaceType: one(1, "TypeConId"),
    templateType: one(2, "TypeConId"),
    contractIdExpr: one(3, "Expr"),
    interfaceExpr: one(4, "Expr"),
  },
  RequiredInterface: { requiredInterface: one(1, "TypeConId"), requiringInterface: one(2, "TypeConId"), expr: one(3, "Expr") },
  UnsafeFromRequiredInterface: {
    requiredInterface: one(1, "TypeConId"),
    requiringInterface: one(2, "TypeConId"),
    contractIdExpr: one(3, "Expr"),
    interfaceExpr: one(4, "Expr"),
  },
  ChoiceFunction: { template: one(1, "TypeConId"), choiceInternedStr: int(2), contractExpr: one(3, "Expr"), choiceArgExpr: one(4, "Expr") },
  Experimental: { name: text(1), type: one(2, "Type") },
  BuiltinLit: {
    int64: sumSint64(1),
    timestamp: sumSfixed64(2),
    numericInternedStr: sumInt(3),
    textInternedStr: sumInt(4),
    date: sumInt(5),
    failureCategory: sumInt(6, "FailureCategory"),
    roundingMode: sumInt(1001, "RoundingMode"),
  },
  Case: { scrut: one(1, "Expr"), alts: many(2, "CaseAlt") },
  CaseAlt: {
    default: sum(2, "Unit"),
    variant: sum(3, "CaseVariant"),
    builtinCon: sumInt(4, "BuiltinCon"),
    nil: sum(5, "Unit"),
    cons: sum(6, "CaseCons"),
    optionalNone: sum(7, "Unit"),
    optionalSome: sum(8, "CaseOptionalSome"),
    enum: sum(9, "CaseEnum"),
    body: one(1, "Expr"),
  },
  CaseVariant: { con: one(1, "TypeConId"), variantInternedStr: int(2), binderInternedStr: int(3) },
  CaseEnum: { con: one(1, "TypeConId"), constructorInternedStr: int(2) },
  CaseCons: { varHeadInternedStr: int(1), varTailInternedStr: int(2) },
  CaseOptionalSome: { varBodyInternedStr: int(1) },
  Block: { bindings: many(1, "Binding"), body: one(2, "Expr") },
};

const updates = {
  Update: {
    pure: sum(1, "TypedExpr"),
    block: sum(2, "Block"),
    create: sum(3, "Create"),
    exercise: sum(4, "Exercise"),
    exerciseByKey: sum(10, "ExerciseByKey"),
    fetch: sum(5, "Fetch"),
    getTime: sum(6, "Unit"),
    lookupByKey: sum(8, "ByKey"),
    queryNByKey: sum(16, "ByKey"),
    fetchByKey: sum(9, "ByKey"),
    embedExpr: sum(7, "EmbedExpr"),
    tryCatch: sum(11, "TryCatch"),
    createInterface: sum(12, "OfInterface"),
    exerciseInterface: sum(13, "ExerciseInterface"),
    fetchInterface: sum(14, "FetchInterface"),
    ledgerTimeLt: sum(15, "Expr"),
  },
  Create: { template: one(1, "TypeConId"), expr: one(2, "Expr") },
  Exercise: { template: one(1, "TypeConId"), choiceInternedStr: int(6), cid: one(3, "Expr"), arg: one(5, "Expr") },
  ExerciseInterface: {
    interface: one(1, "TypeConId"),
    choiceInternedStr: int(2),
    cid: one(3, "Expr"),
    arg: one(4, "Expr"),
    guard: one(5, "Expr"),
  },
  ExerciseByKey: { template: one(1, "TypeConId"), choiceInternedStr: int(2), key: one(3, "Expr"), arg: one(4, "Expr") },
  Fetch: { template: one(1, "TypeConId"), cid: one(2, "Expr") },
  FetchInterface: { interface: one(1, "TypeConId"), cid: one(2, "Expr") },
  ByKey: { template: one(1, "TypeConId") },
  EmbedExpr: { type: one(1, "Type"), body: one(2, "Expr") },
  TryCatch: { returnType: one(1, "Type"), tryExpr: one(2, "Expr"), varInternedStr: int(3), catchExpr: one(4, "Expr") },
};

const definitions = {
  TemplateChoice: {
    location: one(1, "Location"),
    nameInternedStr: int(2),
    consuming: bool(3),
    controllers: one(4, "Expr"),
    observers: one(5, "Expr"),
    argBinder: one(6, "VarWithType"),
    retType: one(8, "Type"),
    update: one(9, "Expr"),
    selfBinderInternedStr: int(10),
    authorizers: one(1001, "Expr"),
  },
  InterfaceInstanceBody: { methods: many(1, "InterfaceInstanceMethod"), view: one(2, "Expr") },
  InterfaceInstanceMethod: { methodInternedName: int(1), value: one(2, "Expr") },
  DefTemplate: {
    tyconInternedDname: int(1),
    paramInternedStr: int(2),
    precond: one(3, "Expr"),
    signatories: one(4, "Expr"),
    choices: many(6, "TemplateChoice"),
    observers: one(7, "Expr"),
    location: one(8, "Location"),
    key: one(9, "DefKey"),
    implements: many(10, "Implements"),
  },
  DefKey: { type: one(1, "Type"), keyExpr: one(4, "Expr"), maintainers: one(3, "Expr") },
  Implements: { interface: one(1, "TypeConId"), body: one(2, "InterfaceInstanceBody"), location: one(3, "Location") },
  InterfaceMethod: { location: one(1, "Location"), methodInternedName: int(2), type: one(3, "Type") },
  DefInterface: {
    location: one(1, "Location"),
    tyconInternedDname: int(2),
    methods: many(3, "InterfaceMethod"),
    paramInternedStr: int(4),
    choices: many(5, "TemplateChoice"),
    view: one(6, "Type"),
    requires: many(7, "TypeConId"),
  },
  DefException: { nameInternedDname: int(1), location: one(2, "Location"), message: one(3, "Expr") },
  DefDataType: {
    location: one(1, "Location"),
    nameInternedDname: int(2),
    params: many(3, "TypeVarWithKind"),
    serializable: bool(4),
    record: sum(5, "Fields"),
    variant: sum(6, "Fields"),
    enum: sum(7, "EnumConstructors"),
    interface: sum(8, "Unit"),
  },
  Fields: { fields: many(1, "FieldWithType") },
  EnumConstructors: { constructorsInternedStr: ints(2) },
  DefTypeSyn: { location: one(1, "Location"), nameInternedDname: int(2), params: many(3, "TypeVarWithKind"), type: one(4, "Type") },
  DefValue: { location: one(1, "Location"), nameWithType: one(2, "NameWithType"), expr: one(3, "Expr") },
  NameWithType: { nameInternedDname: int(1), type: one(2, "Type") },
};

export const schema = { ...archives, ...packages, ...references, ...types, ...expressions, ...updates, ...definitions };

export type Schema = typeof schema;
export type MessageName = keyof Schema;
