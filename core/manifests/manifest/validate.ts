import { formatAddress, parseReference } from "../../model/addresses/address.ts";
import { withKeyedEntries } from "../../model/fields/list-entries.ts";
import { withoutShortForms } from "../../model/fields/short-form.ts";
import { type Fields, isFields, type Json, own, setOwn } from "../../values/json.ts";
import {
  holdsServices,
  type Kind,
  kindAdvice,
  kindCalled,
  kindNames,
  kinds,
  kindsPrunedIn,
} from "../../model/kinds/index.ts";
import { withLists } from "../../model/schema/field-schema.ts";
import { planFormat, savedPlanFormat } from "../../model/plan-format.ts";
import { checks } from "./checks/index.js";
import type { Manage, Manifest } from "./document.ts";
import { documentSchema, isOwnMember } from "./document-schema.ts";
import { checksFor, type SchemaError } from "../../model/schema/check.ts";
import { explain } from "../../model/schema/explain.ts";
import { maximumProblems } from "../../source/limits.ts";
import { type Mistake, type DocumentMistake, quote } from "../../source/mistake.ts";
import { standInsIn, type TextPlace } from "../../source/stand-ins.ts";
import { applyRules } from "../../model/schema/rules.ts";
import { withoutSecretTexts } from "../../model/schema/secret-paths.ts";
import { nearest } from "../../model/schema/suggest.ts";
import { article } from "../../values/text.ts";
import { formatsFor } from "./formats.ts";
import { yamlNotation } from "../../model/schema/yaml-notation.ts";
import { foreignDocument } from "./foreign-documents.ts";
import { wordsOf } from "./mistake-words.ts";

/** Checks a document, as a plain value, by the schema and the rules of its kind; it has no manifest if it has a mistake. */
export function validateManifest(document: Json, place: TextPlace = "document") {
  const foreign = foreignDocument(document);
  if (foreign) return refused(foreign);
  if (!isFields(document)) return refused(notMapping(document));
  const named = own(document, "kind");
  // `job` is a mistake, but the document is checked as one of the kind that it means.
  const kind =
    kinds.find(({ name }) => name === named) ?? (typeof named === "string" ? kindCalled(named) : undefined);
  if (!kind) return refused(noKind(document));

  const { members, fields: given } = divide(kind, { ...document, kind: kind.name });
  const fields = withoutShortForms(kind.fields, given);
  const mistakes: DocumentMistake[] = kind.name === named ? [] : [noKind(document)];
  const declared = applyRules(withLists(kind.fields), fields, [], mistakes);
  const errors = schemaErrors(kind, { ...members, ...(isFields(declared) && declared) });
  const explained = errors
    .slice(0, maximumProblems)
    .map((error) => withPruneAdvice(kind, explain(error, document, wordsOf(kind))));
  mistakes.push(...explained, ...besideRemove(kind, document), ...standInsIn(document, place));
  return {
    manifest:
      mistakes.length === 0 ? toManifest(kind, members, withKeyedEntries(kind.fields, fields)) : undefined,
    mistakes: mistakes
      .slice(0, maximumProblems)
      .map((mistake) => withoutSecretTexts(kind.fields, document, mistake)),
    omitted: Math.max(0, mistakes.length - maximumProblems) + (errors.length - explained.length),
    address: addressOf(kind, members),
  };
}

/** The values of `manage.prune`: an environment prunes its services, others prune the kinds that they name. */
function withPruneAdvice(kind: Kind, mistake: DocumentMistake): DocumentMistake {
  const [member, inside, element] = mistake.path;
  if (member !== "manage" || inside !== "prune" || mistake.at === "key") return mistake;
  const { name } = kind;
  const kindsInIt = kindsPrunedIn(kind).map((each) => each.name);
  return {
    ...mistake,
    advice: holdsServices(kind)
      ? `write true: ${article(name)} prunes its services, whatever their kind`
      : `${element === undefined ? "write a list of kinds" : "name kinds"} that are in ${article(name)}: ${kindsInIt.join(", ")}; the services of an Environment are pruned by its own prune: true`,
  };
}

function divide(kind: Kind, document: Fields): { members: Fields; fields: Fields } {
  const members: Fields = {};
  const fields: Fields = {};
  for (const [member, value] of Object.entries(document))
    setOwn(isOwnMember(kind, member) ? members : fields, member, value);
  return { members, fields };
}

const checkOf = checksFor((kind: Kind) => ({
  made: checks[kind.name],
  schema: () => documentSchema(kind),
  formats: formatsFor(kind),
}));

/** The errors of the schema, without missing members that are only misspelt. */
function schemaErrors(kind: Kind, document: Fields): SchemaError[] {
  const errors = checkOf(kind)(document);
  const misspelt = new Set(errors.map((error) => meant(kind, error)));
  return errors.filter(
    ({ keyword, instancePath, member }) =>
      keyword !== "required" || !misspelt.has(`${instancePath}/${member}`),
  );
}

/** The pointer of the required member of which an unknown one is probably a misspelling. */
function meant(kind: Kind, { keyword, instancePath, schema, member = "" }: SchemaError): string | undefined {
  if (keyword !== "additionalProperties") return undefined;
  const { required = [] } = schema;
  const isOtherParent = instancePath === "" && kinds.some(({ parentMember }) => parentMember === member);
  const near = isOtherParent ? kind.parentMember : nearest(member, required);
  return near === undefined ? undefined : `${instancePath}/${near}`;
}

function toManifest(kind: Kind, members: Fields, fields: Fields): Manifest {
  // The schema has just checked the types of these members.
  const { parentMember } = kind;
  return {
    kind,
    name: members["name"] as string,
    parent: parentMember === undefined ? undefined : (members[parentMember] as string),
    fields,
    manage: (members["manage"] ?? {}) as Manage,
    clone: members["clone"] as Manifest["clone"],
    ...(members["$remove"] === true && { removes: true }),
  };
}

/** Reports other members in a document with `$remove`, which only names a resource. */
function besideRemove(kind: Kind, document: Fields): DocumentMistake[] {
  if (own(document, "$remove") !== true) return [];
  const identifying = new Set<string | undefined>(["kind", kind.parentMember, "name", "$remove"]);
  return Object.keys(document)
    .filter((member) => !identifying.has(member))
    .map((member) => ({
      path: [member],
      at: "key",
      message: `${quote(member)} is not allowed together with $remove, which removes the resource`,
      advice: "remove one of them",
    }));
}

function addressOf(kind: Kind, members: Fields): string | undefined {
  const parent = kind.parentMember === undefined ? "" : members[kind.parentMember];
  const { name } = members;
  if (typeof parent !== "string" || typeof name !== "string") return undefined;
  const names = [...(parent === "" ? [] : parseReference(parent)), name];
  return names.length === kind.depth + 1 ? formatAddress({ kind, names }) : undefined;
}

function refused(mistake: DocumentMistake) {
  return { manifest: undefined, mistakes: [mistake], omitted: 0, address: undefined };
}

function notMapping(document: Json): DocumentMistake {
  return {
    path: [],
    at: "value",
    message: `a document must be a mapping, not ${Array.isArray(document) ? "a list" : "a single value"}`,
    advice: "write members such as kind: Job; put --- between documents",
  };
}

function noKind(document: Fields): DocumentMistake {
  const whole = { path: [], at: "value" } as const;
  if (Object.hasOwn(document, "kind")) {
    return { path: ["kind"], at: "value", ...unknownKind(document["kind"] ?? null) };
  }
  // `apply plan.json`, as in Terraform.
  if ([planFormat, savedPlanFormat].includes(String(own(document, "format")))) {
    return {
      ...whole,
      message: "this is a saved plan, not a manifest",
      advice: "leave it out",
      remedies: [{ setting: "saved_plan" }],
    };
  }
  const misspelt = Object.keys(document).find((member) => nearest(member, ["kind"]));
  if (misspelt !== undefined) {
    const message = `unknown member ${quote(misspelt)}`;
    return { path: [misspelt], at: "key", message, advice: "did you mean kind?" };
  }
  return { ...whole, message: "the document has no kind", advice: `add kind: ${oneOfKinds}` };
}

const oneOfKinds = `one of ${kindNames.join(", ")}`;

function unknownKind(value: Json): Mistake {
  if (value === null) return { message: "kind has no value", advice: `write ${oneOfKinds}` };
  if (typeof value !== "string") {
    const given = yamlNotation.describe(value);
    return { message: `kind must be a text, not ${given}`, advice: `write ${oneOfKinds}` };
  }
  return { message: `unknown kind ${quote(value)}`, advice: kindAdvice(value) };
}
