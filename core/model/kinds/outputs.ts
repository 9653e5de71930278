import { article } from "../../values/text.ts";
import { field, type Message, say } from "../../problems/say.ts";
import { type Fields, isFields, mapFields, own } from "../../values/json.ts";
import { type DeclaredPart, declaredParts } from "../parts/index.ts";
import { type Format, type Formats, nameMistake, ruled } from "../schema/format.ts";
import { nearest } from "../schema/suggest.ts";
import type { Mistake } from "../../source/mistake.ts";
import { kinds } from "./registry.ts";
import type { Kind } from "./kind.ts";

// The platform sets variables about some services. Their keys contain the id of the service, so a document names the
// service and the output: `{ from: database:orders, output: host_internal }`.

/** An entry of a part that is an output of a sibling. */
export interface OutputUse extends Pick<OutputSource, "kind" | "name"> {
  /** The member and the key of the entry: `variables`, `DATABASE_HOST`. */
  path: [member: string, key: string];
  output: string;
}

/** A resource whose outputs its siblings can use. */
export interface OutputSource {
  kind: Kind;
  name: string;
  id: string;
}

const withOutputsOfTheirOwn = (): Kind[] => kinds.filter(({ outputs }) => outputs !== undefined);

/** Reads `database:orders`. Undefined if no such kind has outputs. */
export function parseSource(text: string): { kind: Kind; name: string } | undefined {
  const end = text.indexOf(":");
  const slug = text.slice(0, end).toLowerCase();
  const kind = withOutputsOfTheirOwn().find((each) => each.slug === slug);
  return kind && end >= 0 ? { kind, name: text.slice(end + 1) } : undefined;
}

/** `database:orders`. */
export function formatSource({ kind, name }: Pick<OutputSource, "kind" | "name">): string {
  return `${kind.slug}:${name}`;
}

export function outputsUsed(kind: Kind, fields: Fields): OutputUse[] {
  return declaredParts(kind).flatMap(({ member, form }) => {
    const entries = form.takesOutputs && own(fields, member);
    if (!isFields(entries)) return [];
    return Object.entries(entries).flatMap(([key, entry]): OutputUse[] => {
      const { from, output } = isFields(entry) ? entry : {};
      const source = typeof from === "string" ? parseSource(from) : undefined;
      return source && typeof output === "string" ? [{ path: [member, key], ...source, output }] : [];
    });
  });
}

/** Finds outputs that the kind does not have, a source without an output, and non-secret outputs among secrets. */
export function outputFaults(
  kind: Kind,
  fields: Fields,
): { path: string[]; message: Message; advice: string }[] {
  return declaredParts(kind).flatMap((part) => {
    const entries = own(fields, part.member);
    if (!isFields(entries)) return [];
    return Object.entries(entries).flatMap(([key, entry]) => {
      const fault = isFields(entry) ? faultIn(part, entry) : undefined;
      if (!fault) return [];
      const { member, message, advice } = fault;
      const place = field([part.member, key]);
      return [{ path: [part.member, key, member], message: say`${place}: ${message}`, advice }];
    });
  });
}

const variableName = /^[A-Za-z]\w*$/;

function faultIn(
  { member, form }: DeclaredPart,
  { from, output }: Fields,
): { member: string; message: string; advice: string } | undefined {
  const takesOutputs = form.takesOutputs === true || form.outputsIn !== undefined;
  const source = takesOutputs && typeof from === "string" ? parseSource(from) : undefined;
  if (!source) return undefined;
  const known = Object.keys(source.kind.outputs ?? {});
  if (typeof output !== "string") {
    const message = "from names a resource, and output is missing";
    return { member: "from", message, advice: `add output: one of ${known.join(", ")}` };
  }
  const { outputs = {}, name } = source.kind;
  const its = own(outputs, output);
  if (!its) {
    // The platform sets others too, and a service such as Terraform has outputs of its own.
    const near = nearest(output, known);
    if (near === undefined && variableName.test(output)) return undefined;
    const advice = near === undefined ? `there are: ${known.join(", ")}` : `did you mean ${near}?`;
    return { member: "output", message: `${article(name)} has no output "${output}"`, advice };
  }
  if (form.outputsIn === undefined || its.isSecret) return undefined;
  const message = `${output} of ${article(name)} is not a secret`;
  return { member: "output", message, advice: `declare it under ${form.outputsIn} instead of ${member}` };
}

/** Moves outputs to the member where the API has them, and returns the declared member of each, by `MEMBER.KEY`. */
export function withOutputsInPlace(
  kind: Kind,
  fields: Fields,
): { fields: Fields; declaredIn: ReadonlyMap<string, string> } {
  const declaredIn = new Map<string, string>();
  const result: Fields = { ...fields };
  for (const { member, form } of declaredParts(kind)) {
    const entries = own(fields, member);
    if (form.outputsIn === undefined || !isFields(entries)) continue;
    const others = own(result, form.outputsIn);
    const there: Fields = isFields(others) ? others : {};
    const moved = Object.entries(entries).filter(
      // A key in both members is a mistake, which is reported elsewhere.
      ([key, entry]) => isFields(entry) && entry["from"] !== undefined && !Object.hasOwn(there, key),
    );
    if (moved.length === 0) continue;
    for (const [key] of moved) declaredIn.set(`${form.outputsIn}.${key}`, member);
    const keys = new Set(moved.map(([key]) => key));
    const left = mapFields(entries, (entry, key) => (keys.has(key) ? undefined : entry));
    if (Object.keys(left).length > 0) result[member] = left;
    else delete result[member];
    result[form.outputsIn] = { ...there, ...Object.fromEntries(moved) };
  }
  return { fields: result, declaredIn };
}

/** The parts of a kind whose entries may be outputs of a resource. */
export function partsTakingOutputs(kind: Kind): DeclaredPart[] {
  return declaredParts(kind).filter(({ form }) => form.takesOutputs);
}

/** The outputs of each kind, for people: `Database has host_internal, port`. */
export function describeOutputs(): string[] {
  return withOutputsOfTheirOwn().map(
    ({ name, outputs = {} }) => `${name} has ${[...Object.keys(outputs), "others"].join(", ")}`,
  );
}

export function outputFormats(): Formats {
  const slugs = withOutputsOfTheirOwn().map(({ slug }) => slug);
  const outputs = [...new Set(withOutputsOfTheirOwn().flatMap((kind) => Object.keys(kind.outputs ?? {})))];
  // `outputFaults` checks which kind has which output.
  const output = { rule: () => true, mistake: () => undefined, editor: { examples: outputs } };
  return { sibling: sourceFormat(slugs), output };
}

function sourceFormat(slugs: readonly string[]): Format {
  const advice = `write KIND:NAME, such as database:orders; KIND is one of ${slugs.join(", ")}`;
  const mistake = (text: string): Mistake | undefined => {
    const source = parseSource(text);
    if (source) return nameMistake(source.name);
    const slug = text.slice(0, Math.max(0, text.indexOf(":")));
    const near = slug === "" ? undefined : nearest(slug, slugs);
    return {
      message: "names no resource with outputs in the same environment",
      advice: near === undefined ? advice : `did you mean ${near}:${text.slice(slug.length + 1)}?`,
    };
  };
  return ruled(mistake, {
    pattern: `^(${slugs.join("|")}):\\S([\\s\\S]*\\S)?$`,
    patternErrorMessage: `${advice.replace(/^w/, "W")}.`,
  });
}
