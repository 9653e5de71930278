import { configuredCredentials, declaredCredentials } from "../../core/redaction/credentials.ts";
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

/** The shortest hidden credential: a shorter one would be part of too many words. */
const shortestCredential = 8;

/** The configured credentials of infrasync, which no message of the process shows. */
const configured = new HiddenTexts();

/** Hides the credentials of an environment and of the files that it names from now on. */
export async function hideConfigured(environment: NodeJS.ProcessEnv): Promise<void> {
  const credentials = [...declaredCredentials(environment), ...(await configuredCredentials(environment))];
  for (const credential of credentials)
    if (credential.length >= shortestCredential) configured.hide(credential);
}

/** The secret inputs of a resource; removes their values from messages. */
export class Secrets {
  readonly #pointers: readonly string[];
  readonly #texts: readonly string[];

  /** @param always properties that are always secret */
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

  /** The property with the list of secret inputs. */
  get properties(): Properties {
    return this.#pointers.length === 0 ? {} : { [secretProperty]: [...this.#pointers] };
  }

  has(pointer: string): boolean {
    return this.#pointers.some((secret) => pointer === secret || pointer.startsWith(`${secret}/`));
  }

  /** Whether a value or a part of it is secret. */
  touches(pointer: string): boolean {
    return this.has(pointer) || this.#pointers.some((secret) => secret.startsWith(`${pointer}/`));
  }

  /** A message without secret values, also truncated ones, infrasync's credentials, and the sign of unknown values. */
  hide(message: string): string {
    return configured.redact(this.#texts.reduce(hideWhole, message)).replaceAll(unknownValue, "[unknown]");
  }
}

function hideWhole(message: string, text: string): string {
  return text.length < shortestFound
    ? message.replaceAll(`"${text}"`, `"${hidden}"`)
    : redactor(text, hidden)(message);
}

/** All texts in a value, with numbers as texts. */
function textsOf(value: Json | undefined): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return value === "" || value === unknownValue ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isFields(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** The secret inputs of a schema, which both front ends always mark as secret. */
export function secretInputs(
  schema: FieldSchema,
  path: readonly string[] = [],
): {
  /** Its members; lists on the way have none. */
  path: readonly string[];
  /** The member beside it that makes it secret; absent: it is always secret. */
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

/** Whether a value is a secret, or a map of secrets. */
export function isSecret({ secret, entries }: FieldSchema): boolean {
  return secret === true || Object.values(entries?.properties ?? {}).some(({ neverShown }) => neverShown);
}

/** The secret inputs, as JSON pointers. */
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
  // Empty entries have no value to hide, and a refresh does not list them.
  if (isFields(value[member]) && Object.keys(value[member]).length === 0) return [];
  return when === undefined || (value[when] ?? false) !== false ? [pointerOf(place)] : [];
}
