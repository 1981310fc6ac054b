/** The service `grpc.reflection.v1.ServerReflection`: what is served, for tools that have no file of it. */
import { assert } from "../../base/assert.js";
import { delimited, ProtoReader, ProtoWriter, WireFailure } from "../../lf/wire/index.js";
import { descriptorBytes, typesNamedBy, type DescribedEnum, type DescribedFile, type DescribedMessage } from "./descriptor.js";

export const reflectionService = "grpc.reflection.v1.ServerReflection";

/** Fields of `ServerReflectionRequest`, of which one says what is asked. */
const asked = { file: 3, symbol: 4, extension: 5, extensionNumbers: 6, services: 7 } as const;
/** Fields of `ServerReflectionResponse`. */
const answered = { files: 4, extensionNumbers: 5, services: 6, error: 7 } as const;

export class Reflection {
  readonly #services: readonly string[];
  readonly #files: ReadonlyMap<string, DescribedFile>;
  /** By full names of services, methods, messages and enums. */
  readonly #fileOf = new Map<string, DescribedFile>();
  readonly #messages = new Set<string>();
  /** Of files that somebody asked for. */
  readonly #bytes = new Map<DescribedFile, Uint8Array>();

  /** Of two files at one path the first counts. */
  constructor(files: readonly DescribedFile[]) {
    this.#files = new Map(files.toReversed().map((file) => [file.path, file]));
    for (const file of this.#files.values()) this.#addTypes(file, file.package, file);
    this.#services = [...this.#files.values()].flatMap((file) => file.services.map(({ name }) => `${file.package}.${name}`)).sort();
    for (const file of this.#files.values())
      for (const { name, methods } of file.services) {
        this.#fileOf.set(`${file.package}.${name}`, file);
        for (const method of methods) this.#fileOf.set(`${file.package}.${name}.${method.name}`, file);
      }
  }

  /** Undefined: it asks nothing that there is. */
  answer(request: Uint8Array): Uint8Array | undefined {
    const question = questionIn(request);
    if (question === undefined) return undefined;
    const out = new ProtoWriter();
    this.#write(out, question);
    out.bytesField(2, request);
    if (question.host !== "") out.textField(1, question.host);
    return out.finish();
  }

  #addTypes(
    file: DescribedFile,
    place: string,
    types: { readonly messages: readonly DescribedMessage[]; readonly enums: readonly DescribedEnum[] },
  ): void {
    for (const { name } of types.enums) this.#fileOf.set(`${place}.${name}`, file);
    for (const message of types.messages) {
      this.#fileOf.set(`${place}.${message.name}`, file);
      this.#messages.add(`${place}.${message.name}`);
      this.#addTypes(file, `${place}.${message.name}`, message);
    }
  }

  #write(out: ProtoWriter, { what, name }: Question): void {
    const mark = out.length;
    switch (what) {
      case asked.services:
        for (const service of this.#services.toReversed()) {
          const inner = out.length;
          out.textField(1, service);
          out.closeMessage(1, inner);
        }
        return out.closeMessage(answered.services, mark);
      case asked.extensionNumbers:
        if (!this.#messages.has(name)) return writeError(out, `Type not found: ${name}`);
        out.textField(1, name);
        return out.closeMessage(answered.extensionNumbers, mark);
      case asked.extension:
        return writeError(out, "No message has extensions here.");
      default: {
        const file = what === asked.file ? this.#files.get(name) : this.#fileOf.get(name);
        if (file === undefined) return writeError(out, `${what === asked.file ? "File" : "Symbol"} not found: ${name}`);
        for (const each of this.#withDependencies(file).toReversed()) out.bytesField(1, this.#bytesOf(each));
        return out.closeMessage(answered.files, mark);
      }
    }
  }

  #bytesOf(file: DescribedFile): Uint8Array {
    const known = this.#bytes.get(file);
    if (known !== undefined) return known;
    const dependencies = this.#dependenciesOf(file).map(({ path }) => path),
      bytes = descriptorBytes(file, dependencies);
    this.#bytes.set(file, bytes);
    return bytes;
  }

  /** The file first, and each once. */
  #withDependencies(file: DescribedFile): readonly DescribedFile[] {
    const found = new Set([file]);
    for (const each of found) for (const dependency of this.#dependenciesOf(each)) found.add(dependency); // those that were added, too
    return [...found];
  }

  #dependenciesOf(file: DescribedFile): readonly DescribedFile[] {
    const found = new Set<DescribedFile>();
    for (const type of typesNamedBy(file)) {
      const other = this.#fileOf.get(type);
      assert(other !== undefined, `${type}, of which ${file.path} speaks, is in a file`);
      if (other !== file) found.add(other);
    }
    return [...found].sort((left, right) => (left.path < right.path ? -1 : 1));
  }
}

interface Question {
  readonly host: string;
  readonly what: (typeof asked)[keyof typeof asked];
  readonly name: string;
}

const whats: readonly number[] = Object.values(asked);

function questionIn(request: Uint8Array): Question | undefined {
  const input = new ProtoReader(request);
  let host = "",
    question: Omit<Question, "host"> | undefined;
  try {
    for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
      const field = Math.floor(tag / 8);
      if (tag === delimited(1)) host = input.text();
      else if (tag === delimited(asked.extension)) {
        input.skip(tag);
        question = { what: asked.extension, name: "" };
      } else if (tag === delimited(field) && whats.includes(field)) question = { what: field as Question["what"], name: input.text() };
      else input.skip(tag);
    }
  } catch (error) {
    if (error instanceof WireFailure) return undefined;
    throw error;
  }
  return question && { host, ...question };
}

/** Nothing else goes wrong than that something is not found. */
function writeError(out: ProtoWriter, message: string): void {
  const mark = out.length;
  out.textField(2, message);
  out.varint(5);
  out.tag(1, 0);
  out.closeMessage(answered.error, mark);
}
