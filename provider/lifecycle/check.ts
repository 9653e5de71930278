import { isFields, valueAt } from "../../core/values/json.ts";
import type { Kind } from "../../core/model/kinds/index.ts";
import { adviceOnField, faultsIn } from "../../core/manifests/manifest/index.ts";
import { claimsIn } from "../../core/rules/claims.ts";
import { type Check, checkFor, checksFor, type SchemaError } from "../../core/model/schema/check.ts";
import { explain as explainError } from "../../core/model/schema/explain.ts";
import { nearest } from "../../core/model/schema/suggest.ts";
import type { FieldSchema } from "../../core/model/schema/field-schema.ts";
import { applyRules } from "../../core/model/schema/rules.ts";
import type { MistakeWords, Notation } from "../../core/model/schema/mistake-words.ts";
import { type DocumentMistake, type Path, showPath } from "../../core/source/mistake.ts";
import { standInsIn } from "../../core/source/stand-ins.ts";
import { article } from "../../core/values/text.ts";
import { hasUnknown, unknownValue } from "../../core/problems/unknown.ts";
import { camelCase } from "./casing.ts";
import { checks } from "./checks/index.js";
import {
  type Properties,
  type ParsedInputs,
  cleanInputs,
  fieldsAmong,
  inputFormats,
  inputSchema,
  readInputs,
} from "./inputs.ts";
import {
  ignoredProperty,
  pointerOf,
  resourceProperty,
  retainedProperty,
  timeoutsProperty,
} from "./internal.ts";
import { leavingAt } from "./departure.ts";
import { placeKey, RunLedger } from "./ledger.ts";
import { ask, creationOf } from "./plan-request.ts";
import { type InputMistake, inWords, leavingReason, sameNameObjection, typeOf, withAdvice } from "./words.ts";
import { Secrets, secretPointersIn } from "./secrets.ts";

/** The checked inputs, their mistakes, and notes for the user. */
export interface CheckResult {
  inputs: Properties;
  failures: InputMistake[];
  notes?: string[];
}

/**
 * Checks the inputs of a resource, without a request. Unknown values pass.
 *
 * @param olds the inputs of the existing resource; none for a new one
 * @param ledger the claims of the resources that were checked before; default: none
 * @param resource its name in the program; undefined: unknown
 * @param organization which one its provider has, in any form; undefined: unknown
 */
export function check(
  kind: Kind,
  olds: Properties,
  news: Properties,
  ledger = new RunLedger(),
  resource?: string,
  organization?: string,
): CheckResult {
  const { inputs, secrets, mistakes } = mistakesBy(inputSchema(kind), news, checkOf(kind), wordsOf(kind));
  const isNew = Object.keys(olds).length === 0;
  const wrong = [...mistakes, ...ofParts(kind, inputs), ...(isNew ? byRules(oneWay, inputs, secrets) : [])];
  // A wrong value counts as unknown, so that the other inputs are checked too.
  const rest = wrong.reduce((right, { path, meant }) => withDoubt(right, path, meant), inputs);
  const claimed = claim(ledger, kind, rest, resource, organization);
  const declared = readInputs(kind, rest);
  const { name, parentId = "organization" } = declared;
  if (isNew && claimed.length === 0) ledger.expect({ kind, name, parentId }, resource, declared);
  const { failures = [], ...more } = isNew ? forCreation(kind, declared) : {};
  return { ...checked(news, inputs, secrets, [...wrong, ...claimed, ...failures]), ...more };
}

interface PlacedInputMistake extends InputMistake {
  path: Path;
  /** The input that an unknown input probably means; null: none. Absent: the input is known. */
  meant?: string | null;
}

/** Inputs with an unknown value at a path; without an input that does not exist. */
function withDoubt(inputs: Properties, path: Path, meant?: string | null): Properties {
  const [member = "", ...inside] = path.map(String);
  const value = inputs[member];
  if (inside.length > 0 && isFields(value)) return { ...inputs, [member]: withDoubt(value, inside, meant) };
  if (inside.length > 0 || meant === undefined) return { ...inputs, [member]: unknownValue };
  const { [member]: _left, ...others } = inputs;
  return meant === null ? others : { [meant]: unknownValue, ...others };
}

/** Checks the inputs of a resource that exists only in programs, such as `Deployment`, without a request. */
export function checkProgramResource(name: string, schema: FieldSchema, news: Properties): CheckResult {
  const finds = checkFor({ made: checks[name], schema: () => schema, formats: inputFormats });
  const { inputs, secrets, mistakes } = mistakesBy(schema, news, finds, { subject: article(name) });
  return checked(news, inputs, secrets, mistakes);
}

/** The inputs, which of them are secret, and the mistakes that their schema finds. */
function mistakesBy(
  schema: FieldSchema,
  news: Properties,
  finds: Check,
  words: Pick<MistakeWords, "subject" | "unknownMember" | "malformed">,
) {
  const inputs = cleanInputs(schema, news);
  const secrets = new Secrets(news, secretPointersIn(schema, news));
  const isSecret = (pointer: string) => secrets.has(pointer);
  const mistakes = [
    ...byRules(schema, inputs, secrets),
    // Placeholders, such as the mark of a value that an output hides.
    ...standInsIn(inputs).map(({ path, message, advice }) => failureAt(path, `${message}; ${advice}`)),
    ...bySchema(finds, inputs, {
      member: "input",
      notation,
      isBrief: true,
      formats: inputFormats,
      isSecret,
      ...words,
    }),
  ];
  return { inputs, secrets, mistakes };
}

function checked(
  news: Properties,
  inputs: Properties,
  secrets: Secrets,
  failures: readonly InputMistake[],
): CheckResult {
  return {
    inputs: { ...inputs, ...secrets.properties, ...optionsIn(news) },
    failures: failures.map(({ property, reason }) => ({ property, reason: secrets.hide(reason) })),
  };
}

/** The options that a front end has added. */
function optionsIn(news: Properties): Properties {
  const noted = new Set([resourceProperty, retainedProperty, ignoredProperty, timeoutsProperty]);
  return Object.fromEntries(
    Object.entries(news).filter(([property, value]) => noted.has(property) && value !== null),
  );
}

/** Reports members that exclude each other, and elements of sets that occur twice. */
function byRules(schema: FieldSchema, inputs: Properties, secrets: Secrets): PlacedInputMistake[] {
  const mistakes: DocumentMistake[] = [];
  applyRules(schema, inputs, [], mistakes);
  return mistakes.map(({ path, at, message, advice }) => {
    // Of these messages, only the one about a duplicate element shows a value.
    const what =
      at === "value" && secrets.touches(pointerOf(path)) ? `${showPath(path)} occurs twice` : message;
    return failureAt(path, `${what}; ${advice}`);
  });
}

/** Reports conflicts between the declared parts. */
function ofParts(kind: Kind, inputs: Properties): PlacedInputMistake[] {
  const fields = fieldsAmong(kind, inputs);
  return faultsIn(kind, fields)
    .filter(({ code, path }) => code !== "invalid" || !hasUnknown(valueAt(fields, path)))
    .map(({ path: [member = "", key = "", ...inside], message, ...help }) =>
      failureAt([camelCase(member), key, ...inside.map(camelCase)], withAdvice(inWords(message, kind), help)),
    );
}

function bySchema(finds: Check, inputs: Properties, words: MistakeWords): PlacedInputMistake[] {
  const errors = finds(inputs).filter(({ value }) => value !== unknownValue);
  const meantBy = ({ keyword, schema, member = "" }: SchemaError) =>
    keyword === "additionalProperties"
      ? (nearest(member, Object.keys(schema.properties ?? {})) ?? null)
      : undefined;
  // Of a secret, the unknown member is not named.
  const meant = new Set(
    errors.flatMap((error) =>
      words.isSecret?.(error.instancePath) ? [] : [`${error.instancePath}/${meantBy(error)}`],
    ),
  );
  return errors
    .filter(
      ({ keyword, instancePath, member }) =>
        keyword !== "required" || !meant.has(`${instancePath}/${member}`),
    )
    .map((error) => {
      const { path, message, advice } = explainError(error, inputs, words);
      const mistake = failureAt(
        error.keyword === "required" ? [...path, error.member ?? ""] : path,
        advice === "" ? message : `${message}; ${advice}`,
      );
      const near = meantBy(error);
      return near === undefined ? mistake : { ...mistake, meant: near };
    });
}

function failureAt(path: Path, reason: string): PlacedInputMistake {
  return { path, property: showPath(path), reason };
}

const checkOf = checksFor((kind: Kind) => ({
  made: checks[kind.name],
  schema: () => inputSchema(kind),
  formats: inputFormats,
}));

/** A new resource is either created, cloned or adopted. */
const oneWay: FieldSchema = {
  description: "A resource is either cloned or adopted",
  properties: {},
  alternatives: [["cloneFrom"], ["adoptId"]],
};

/** Asks the planner about a new resource: missing members, mistakes by the rules of its kind, and notes. */
function forCreation(kind: Kind, declared: ParsedInputs): Partial<CheckResult> {
  const { adopt, adoptId } = declared;
  const { objections, notes } = ask(creationOf(kind, declared));
  // An adopted resource may have the fields that the program does not declare.
  const isTakenOver = adopt || adoptId !== undefined;
  return { failures: isTakenOver ? [] : objections, notes };
}

const notation: Notation = {
  object: "an object",
  // Not the value, which may be secret.
  describe: typeOf,
  write: () => undefined,
};

function wordsOf(kind: Kind): Pick<MistakeWords, "subject" | "unknownMember" | "malformed"> {
  return {
    subject: article(kind.name),
    unknownMember: (path, member, near) => {
      if (path.length === 0 && Object.keys(kind.reports).some((reported) => camelCase(reported) === member))
        return "leave it out: the API reports it, and it cannot be set";
      const inManifests = member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return near === camelCase(inManifests) ? undefined : adviceOnField(kind, inManifests, camelCase);
    },
    malformed: ([member, ...inside]) =>
      kind.parent && member === kind.parentMember && inside.length === 0
        ? `pass the id of the ${kind.parent.name}: \`${member}: my${kind.parent.name}.id\``
        : undefined,
  };
}

/** Claims the name and the exclusive values, such as a custom domain, and reports those that another resource has claimed. */
function claim(
  ledger: RunLedger,
  kind: Kind,
  inputs: Properties,
  resource?: string,
  organization?: string,
): InputMistake[] {
  const declared = readInputs(kind, inputs);
  const { name, parentId = organization, fields } = declared;
  const isUnknown = hasUnknown(parentId ?? null);
  // The id of a new or replaced parent is unknown: one of these is meant, because programs make it first.
  const parents = isUnknown ? ledger.unmade(kind.parent) : [parentId ?? ""];
  const places = parents.map((parent) => ({ kind, parentId: parent, name }));
  const [first] = places;
  if (hasUnknown(name) || !first) return [];
  // A resource without a known organization cannot be compared: providers of one program may have others.
  const isAlone = resource === undefined || parentId === undefined;
  const free = isAlone ? first : places.find((each) => ledger.claim(each, resource));
  const place = free ?? first;
  const left = leavingAt(ledger, resource, kind, declared);
  const taken = claimsIn(kind, fields).filter((each) => !ledger.claim(each.claim, placeKey(place)));
  return [
    ...(free ? [] : [sameNameObjection(place)]),
    ...(left === undefined
      ? []
      : [
          failureAt(
            [camelCase(left)],
            `${camelCase(left)}: ${leavingReason(`this run replaces its ${left}`)}`,
          ),
        ]),
    ...taken.map(({ path: [member], claim: what }) =>
      failureAt(
        [camelCase(member)],
        `${camelCase(member)}: another resource of this program has the ${what}; remove it from one of the two`,
      ),
    ),
  ];
}
