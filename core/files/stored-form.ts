import { dirname } from "node:path";
import Type, { type Static, type TSchema } from "typebox";
import { Settings } from "typebox/system";
import Value from "typebox/value";
import { makeFolder, notAFile, readIfThere, setAside, writeWhole } from "./files.ts";
import { isFields, own, parsedJson } from "../values/json.ts";
import { refusal } from "../problems/problem.ts";

// Of alternatives, the first that fits counts. To sort them for each value would take a thousand times as long.
Settings.Set({ unionPrioritySort: false });

/** The version of all stored forms. */
const version = 1;

/** What a form describes. Nobody changes it in place. */
export type StoredForm<Form extends TSchema> = Frozen<Static<Form>>;

type Frozen<Value> = Value extends object
  ? { readonly [Member in keyof Value]: Frozen<Value[Member]> }
  : Value;

/** A text that a rule beyond JSON Schema accepts. */
export function textThat(isRight: (text: string) => boolean) {
  return Type.Refine(Type.String(), isRight, () => "is not such a text");
}

/** The content of a file or a message; or the first place that does not have its form: then nothing of it is known. */
export type Read<Content> =
  | { content: Content; damage?: undefined }
  | { damage: string; content?: undefined };

/** Reads a value. Members that the form does not have are left out: a later version may have added them. */
export function readStored<Form extends TSchema>(form: Form, value: unknown): Read<StoredForm<Form>> {
  // Most have no other members.
  const content = Value.Check(form, value) ? value : Value.Clean(form, structuredClone(value));
  if (Value.Check(form, content)) return { content: content as StoredForm<Form> };
  const [error] = Value.Errors(form, content);
  if (error === undefined) return { damage: "it does not have its form" };
  const missing = error.keyword === "required" ? error.params.requiredProperties.slice(0, 1) : [];
  const path = [...error.instancePath.split("/").slice(1), ...missing].join(".") || "it";
  if (missing.length > 0) return { damage: `${path} is missing` };
  return { damage: `${path} ${error.message.replace(/^must be (?=\w+$)/, "must be of type ")}` };
}

/** Reads the text of something else than a file: a line, a message. */
export function readJson<Form extends TSchema>(form: Form, text: string): Read<StoredForm<Form>> {
  const value = parsedJson(text);
  if (value !== undefined) return readStored(form, value);
  return { damage: text === notAFile ? notAFile : "the content is not JSON" };
}

/** Reads the text of a file, which says its version. */
export function readStoredText<Form extends TSchema>(form: Form, text: string): Read<StoredForm<Form>> {
  const value = parsedJson(text);
  if (isFields(value) && own(value, "version") !== version)
    return { damage: "it does not have the version of this infrasync" };
  return readJson(form, text);
}

/** Reads a file; undefined where it is missing. @throws InvalidInputError when it cannot be read now */
export async function readStoredFile<Form extends TSchema>(
  form: Form,
  file: string,
): Promise<Read<StoredForm<Form>> | undefined> {
  const text = await readIfThere(file);
  return text === undefined ? undefined : readStoredText(form, text);
}

/** Reads a file that only this process writes. A damaged one is set aside. @param unknown the consequence of its damage */
export async function openStored<Form extends TSchema>(
  form: Form,
  file: string,
  unknown: string,
): Promise<Read<StoredForm<Form>> | undefined> {
  const read = await readStoredFile(form, file);
  return read?.damage === undefined ? read : { damage: await setAside(file, read.damage, unknown) };
}

/** The entries of a file to which lines are only added, and how many of its lines are damaged. */
export function readStoredLines<Form extends TSchema>(
  form: Form,
  text: string,
): { entries: StoredForm<Form>[]; damaged: number } {
  const read = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => readJson(form, line));
  const entries = read.flatMap(({ content }) => (content === undefined ? [] : [content]));
  return { entries, damaged: read.length - entries.length };
}

/** What a file must tell. @throws InvalidInputError when it is damaged @param advice what to do then */
export function ensureRead<Content>(read: Read<Content>, file: string, advice: string): Content {
  if (read.damage === undefined) return read.content;
  throw refusal("setting", `${file} is damaged: ${read.damage}`, advice);
}

/** Writes a file as a whole, so that a failure leaves the old one. @param mode permissions of a new file */
export async function store(file: string, content: object, mode?: number): Promise<void> {
  await makeFolder(dirname(file));
  await writeWhole(file, storedText(content), mode, `delete ${file}`);
}

/** The text of a file. */
export function storedText(content: object): string {
  return `${JSON.stringify({ version, ...content })}\n`;
}
