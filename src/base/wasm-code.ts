/** Instructions of WebAssembly as bytes, for modules that are written here. A name ends in its operands' place: they lie on the stack. */
export type Code = readonly number[];

/** The part of a global that the compiler's libraries for Node.js leave out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
  validate(bytes: Uint8Array): boolean;
};

/** What a module exports; of the types that the caller knows, since it wrote the module. */
export const instantiate = <E>(bytes: readonly number[]): E =>
  new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes))).exports as E;

/** Whether this machine can run it. */
export const isSupported = (bytes: readonly number[]): boolean => WebAssembly.validate(Uint8Array.from(bytes));

export const unsigned = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]);
const signed = (value: number): number[] => (value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]);

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number): Code => [0x21, ...unsigned(local)];
export const tee = (local: number): Code => [0x22, ...unsigned(local)];
export const constant = (value: number): Code => [0x41, ...signed(value | 0)];

export const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

export const valueType = { int32: 0x7f, vector: 0x7b } as const;

export interface FunctionCode {
  readonly name: string;
  /** All are int32. */
  readonly parameters: number;
  readonly locals: { readonly count: number; readonly type: number };
  readonly code: Code;
}

/** A module with one page of memory and functions without results. */
export function moduleOf(functions: readonly FunctionCode[]): number[] {
  const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const sized = (content: Code): Code => [...unsigned(content.length), ...content];
  const section = (id: number, items: readonly Code[]): Code => [id, ...sized([...unsigned(items.length), ...items.flat()])];
  const type = (parameters: number): Code => [0x60, ...unsigned(parameters), ...new Array<number>(parameters).fill(valueType.int32), 0];
  const named = (name: string, kind: number, index: number): Code => [...sized([...Buffer.from(name)]), kind, index];
  const body = ({ locals, code }: FunctionCode): Code => sized([1, ...unsigned(locals.count), locals.type, ...code, 0x0b]);
  return [
    ...magicAndVersion,
    ...section(
      1,
      functions.map(({ parameters }) => type(parameters)),
    ),
    ...section(
      3,
      functions.map((_, index) => [index]),
    ),
    ...section(5, [[0, 1]]),
    ...section(7, [named("memory", 2, 0), ...functions.map(({ name }, index) => named(name, 0, index))]),
    ...section(10, functions.map(body)),
  ];
}
