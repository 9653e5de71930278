import { kinds } from "../../model/kinds/index.ts";
import { type FieldSchema, mayBeSecret } from "../../model/schema/field-schema.ts";
import { isFileOfSecrets } from "../../source/stand-ins.ts";
import type { Position } from "../../problems/problem.ts";
import { escapeControl } from "../../values/text.ts";
import { pathInDocument } from "../../model/fields/list-entries.ts";
import { lineWithoutCredentials } from "../../redaction/credential-forms.ts";
import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import { credentialLines } from "../../rules/credentials.ts";
import type { PositionedContent } from "./document.ts";
import { Lines } from "../../source/lines.ts";
import { FileProblems, withoutValue } from "../../source/file-problems.ts";
import type { Path } from "../../source/mistake.ts";
import type { OffsetOf, SourceDocument } from "../../source/source-document.ts";
import { misplacedCharacter, textMistake } from "../../source/text.ts";
import { schemaOfDefaults } from "./defaults.ts";
import { nothingParsed, type ParsedManifest } from "./parsed-manifest.ts";
import { isUse, readTemplate, readUse } from "./template.ts";
import { validateManifest } from "./validate.ts";
import { defaultsKind, validateDefaults } from "./validate-defaults.ts";
import { writeYaml } from "../../source/write.ts";
import { manifestMembers, type ManifestContent } from "./members.ts";
import { readDocuments } from "../../source/document.ts";
import { Variables } from "../../source/variables.ts";

/** Reads the manifests in a text, with values of `${NAME}`. Never throws: every mistake is a problem with its position. */
export function parseManifest(text: string, file: string, variables = new Variables()): ParsedManifest {
  const parsed = nothingParsed();
  const mistake = textMistake(text);
  if (mistake) {
    const message = `${escapeControl(file)} ${mistake.message}`;
    return nothingParsed([{ code: "unreadable", message, advice: mistake.advice }]);
  }
  const lines = new Lines(text.replace(/^\uFEFF/, ""), file);
  const report = new FileProblems(lines, holdsSecrets);
  const misplaced = misplacedCharacter(lines.text);
  if (misplaced) report.add(misplaced);
  else if (!isFileOfSecrets(lines.text))
    for (const source of readDocuments(lines, variables)) {
      readDocument(source, lines, variables, report, parsed);
      if (report.isHopeless) break;
    }
  return { ...parsed, problems: report.problems() };
}

/** Reads a document: adds its content to `parsed`, or its mistakes to `report`. */
export function readDocument(
  source: SourceDocument,
  lines: Lines,
  variables: Variables,
  report: FileProblems,
  parsed: ParsedManifest,
): void {
  const { value, holes } = source;
  if (value === undefined) {
    for (const mistake of source.mistakes) report.add(mistake);
    return;
  }

  if (source.root || isUse(value)) {
    readTemplating(source, lines, variables, report, parsed);
    return;
  }
  const isDefaults = isFields(value) && own(value, "kind") === defaultsKind;
  const { manifest, defaults, mistakes, omitted, address } = isDefaults
    ? { ...noManifest, ...validateDefaults(value) }
    : { defaults: undefined, ...validateManifest(value) };
  const plainSecrets = plainSecretsIn(value);
  const sure = mistakes.filter(({ path }) => !holes.some((hole) => mayFollowFrom(hole, path)));
  const hidden = sure.length > 0 ? [...plainSecrets, ...credentialsIn(value)] : plainSecrets;
  const placed = sure.map((mistake) => {
    const offset = source.offsetOf(mistake.path, mistake.at);
    // A member with secrets may contain the value itself.
    const isAboutSecret = holdsSecrets(String(mistake.path[0] ?? "")) !== undefined;
    const hidesLine = mistake.hidesLine || isAboutSecret || shows(hidden, lines.position(offset));
    const [message, advice] = [variables.hide(mistake.message), variables.hide(mistake.advice)];
    return { ...mistake, message, advice, code: "invalid" as const, offset, hidesLine };
  });
  const open = new Set(placed.filter(({ hidesKey }) => hidesKey).map(({ offset }) => lines.line(offset)));
  const ofText = source.mistakes.map((mistake) => ({ mistake, its: undefined }));
  const ofValue = placed.map((mistake) => ({
    mistake: { ...mistake, hidesKey: open.has(lines.line(mistake.offset)) },
    its: address,
  }));
  const all = [...ofText, ...ofValue];
  for (const { mistake, its } of all.toSorted((left, right) => left.mistake.offset - right.mistake.offset))
    report.add(mistake, its);
  if (omitted > 0) report.omit(omitted, placed.at(-1)?.offset ?? source.start);
  if (holes.length > 0) return;
  if (manifest)
    parsed.documents.push(
      withPositions(manifest, manifest.kind.fields, lines, source.offsetAgain, plainSecrets),
    );
  if (defaults)
    parsed.defaults.push(
      withPositions(defaults, schemaOfDefaults(defaults), lines, source.offsetAgain, plainSecrets),
    );
}

function readTemplating(
  source: SourceDocument,
  lines: Lines,
  variables: Variables,
  report: FileProblems,
  parsed: ParsedManifest,
): void {
  const { template, use, mistakes } = source.root
    ? readTemplate(source, source.root, lines, variables)
    : readUse(source, lines);
  for (const mistake of source.mistakes) report.add(mistake);
  for (const mistake of mistakes)
    report.add({ ...mistake, code: "invalid", offset: source.offsetOf(mistake.path, mistake.at) });
  if (source.holes.length > 0) return;
  if (template) parsed.templates.push(template);
  if (use) parsed.uses.push(use);
}

function shows(values: readonly string[], { text }: Position): boolean {
  return values.some((value) => text.includes(value));
}

/** The texts of a document that look like credentials, also in a document with mistakes. */
function credentialsIn(document: Json): string[] {
  const kind = isFields(document) ? kinds.find(({ name }) => name === document["kind"]) : undefined;
  return kind ? credentialLines(kind, [], document) : [];
}

/** Whether a member of a document of any kind has secrets. */
export function holdsSecrets(member: string): "keys" | "value" | undefined {
  const schemas = kinds
    .flatMap(({ fields }) => own(fields.properties ?? {}, member) ?? [])
    .filter((schema) => mayBeSecret(schema));
  if (schemas.length === 0) return undefined;
  return schemas.every(({ entries }) => entries) ? "keys" : "value";
}

/** Whether a mistake may follow from an unreadable value, or from an unreadable key of an element. */
function mayFollowFrom(hole: Path, mistake: Path): boolean {
  const isElement = typeof mistake.at(-1) === "number";
  const isWithin = (inner: Path, outer: Path) => outer.every((part, index) => part === inner[index]);
  return isWithin(mistake, hole) || (isElement && isWithin(hole, mistake));
}

const noManifest = { manifest: undefined, omitted: 0, address: undefined };

function withPositions<Content extends { fields: Fields }>(
  content: Content,
  schema: FieldSchema,
  lines: Lines,
  offsetAgain: OffsetOf,
  plainSecrets: readonly string[],
): Content & PositionedContent {
  return {
    ...content,
    position(path) {
      const place = lines.position(offsetAgain(pathInDocument(schema, content.fields, path), "value"));
      const isHidden = shows(plainSecrets, place);
      return { ...place, text: isHidden ? withoutValue(place.text) : lineWithoutCredentials(place.text) };
    },
  };
}

/** A manifest as YAML in the order of the schema. Parsing the text gives the same manifest. */
export function formatManifest(content: ManifestContent): string {
  return writeYaml(manifestMembers(content));
}

/** The hidden values in a document, which no message may quote, also in wrong places of a document with mistakes. */
function plainSecretsIn(document: Json): string[] {
  const found: string[] = [];
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const element of value) visit(element);
    else if (isFields(value)) {
      for (const { member, when } of hiddenMembers())
        if (value[when] != null && value[when] !== false && value[member] != null)
          found.push(String(value[member]));
      for (const member of Object.keys(value)) visit(value[member] ?? null);
    }
  };
  visit(document);
  return found.filter((value) => value !== "");
}

let known: { member: string; when: string }[] | undefined;

/** The members of all kinds whose values the API hides, each with the member that causes it. */
function hiddenMembers(): { member: string; when: string }[] {
  known ??= kinds.flatMap(({ fields }) => hiddenIn(fields));
  return known;
}

function hiddenIn(schema: FieldSchema): { member: string; when: string }[] {
  const { items, entries, properties = {} } = schema;
  return [
    ...Object.entries(properties).flatMap(([member, { hiddenWhen }]) =>
      hiddenWhen === undefined ? [] : [{ member, when: hiddenWhen }],
    ),
    ...[items, entries, ...Object.values(properties)].flatMap((inner) => (inner ? hiddenIn(inner) : [])),
  ];
}
