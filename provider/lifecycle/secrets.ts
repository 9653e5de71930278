import { configuredCredentials, statedCredentials } from "../../core/redaction/credentials.ts";
import { HiddenTexts } from "../../core/redaction/hidden-texts.ts";
import { type Json, isFields, valueAt } from "../../core/values/json.ts";
import { redactor } from "../../core/redaction/redact.ts";
import type { FieldSchema } from "../../core/model/schema/field-schema.ts";
import type { Path } from "../../core/source/mistake.ts";
import { escapeControl } from "../../core/values/text.ts";
import { unknownValue } from "../../core/problems/unknown.ts";
import type { Properties } from "./inputs.ts";
import { pathOf, pointerOf, secretProperty } from "./internal.ts";

const hidden = "[secret]";

/** Shorter texts occur in every message, so they are hidden only in quotes. */
const shortestFound = 3;

/** The shortest credential that is hidden: a shorter one would be part of too many words. */
const shortestCredential = 8;

/** The credentials with which infrasync is configured. No message of the process shows one, whatever quotes it. */
const configured = new HiddenTexts();

/** Hides the credentials of an environment, and of the files that it names, from now on. */
export async function hideConfigured(environment: NodeJS.ProcessEnv): Promise<void> {
  const credentials = [...statedCredentials(environment), ...(await configuredCredentials(environment))];
  for (const credential of credentials)
    if (credential.length >= shortestCredential) configured.hide(credential);
}

/** The secret inputs of a resource; removes their values from messages. */
export class Secrets {
  readonly #pointers: readonly string[];
  readonly #texts: readonly string[];

  /** @param always properties that are secret even if the program does not say so */
  constructor(properties: Properties, always: readonly string[] = []) {
    const listed = properties[secretProperty];
    const named = Array.isArray(listed) ? listed.filter((pointer) => typeof pointer === "string") : [];
    this.#pointers = [...new Set([...named, ...always])];
    const texts = this.#pointers.flatMap((pointer) => textsOf(valueAt(properties, pathOf(pointer))));
    this.#texts = [...new Set(texts.flatMap((text) => [text, text.trim(), escapeControl(text)]))]
      .filter((text) => text !== "")
      .toSorted((left, right) => right.length - left.length);
  }

  get areNone(): boolean {
    return this.#pointers.length === 0;
  }

  /** The property that keeps the list of secret inputs. */
  get properties(): Properties {
    return this.#pointers.length === 0 ? {} : { [secretProperty]: [...this.#pointers] };
  }

  /** Whether a value is secret, or part of one that is. */
  has(pointer: string): boolean {
    return this.#pointers.some((secret) => pointer === secret || pointer.startsWith(`${secret}/`));
  }

  /** Whether a value is secret, or has a part that is. */
  touches(pointer: string): boolean {
    return this.has(pointer) || this.#pointers.some((secret) => secret.startsWith(`${pointer}/`));
  }

  /** A message without the values that are secret, whole or cut off, without the credentials of infrasync, and without the sign of unknown values. */
  hide(message: string): string {
    return configured.redact(this.#texts.reduce(hideWhole, message)).replaceAll(unknownValue, "[unknown]");
  }
}

function hideWhole(message: string, text: string): string {
  return text.length < shortestFound
    ? message.replaceAll(`"${text}"`, `"${hidden}"`)
    : redactor(text, hidden)(message);
}

/** All texts in a value, and its numbers as texts. */
function textsOf(value: Json | undefined): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return value === "" || value === unknownValue ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isFields(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** The secret inputs of a schema: what both front ends mark as secret, whether a program does so or not. */
export function secretInputs(
  schema: FieldSchema,
  path: readonly string[] = [],
): {
  /** Its members; a list on the way is passed through. */
  path: readonly string[];
  /** The member beside it that makes it a secret; absent: it always is one. */
  when?: string;
}[] {
  const { properties = {} } = schema.items ?? schema;
  return Object.entries(properties).flatMap(([member, inner]) => {
    const place = [...path, member];
    if (isSecret(inner)) return [{ path: place }];
    return inner.hiddenWhen === undefined
      ? secretInputs(inner, place)
      : [{ path: place, when: inner.hiddenWhen }];
  });
}

/** Whether a value is a secret, or has secrets by their keys. */
export function isSecret({ secret, entries }: FieldSchema): boolean {
  return secret === true || Object.values(entries?.properties ?? {}).some(({ neverShown }) => neverShown);
}

/** The secrets among inputs, as JSON pointers. */
export function secretPointersIn(schema: FieldSchema, inputs: Properties): string[] {
  return secretInputs(schema).flatMap(({ path, when }) => pointersAt(inputs, path, when, []));
}

function pointersAt(
  value: Json | undefined,
  path: readonly string[],
  when: string | undefined,
  before: Path,
): string[] {
  if (Array.isArray(value))
    return value.flatMap((element, index) => pointersAt(element, path, when, [...before, index]));
  const [member = "", ...inside] = path;
  if (!isFields(value) || value[member] === undefined) return [];
  const place = [...before, member];
  if (inside.length > 0) return pointersAt(value[member], inside, when, place);
  // Entries without any have no value to hide, and a refresh does not list them.
  if (isFields(value[member]) && Object.keys(value[member]).length === 0) return [];
  return when === undefined || (value[when] ?? false) !== false ? [pointerOf(place)] : [];
}
