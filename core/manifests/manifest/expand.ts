import { type Fields, isFields, type Json } from "../../values/json.ts";
import type { Position, Problem } from "../../problems/problem.ts";
import { checkFor } from "../../model/schema/check.ts";
import { explain } from "../../model/schema/explain.ts";
import type { FieldSchema } from "../../model/schema/field-schema.ts";
import { meantOr } from "../../model/schema/suggest.ts";
import { nodeAsDocument } from "../../source/document.ts";
import { FileProblems } from "../../source/file-problems.ts";
import { type Path, quote, show } from "../../source/mistake.ts";
import { decodeText } from "../../source/text.ts";
import { escapeControl } from "../../values/text.ts";
import { holdsSecrets, parseManifest, readDocument } from "./manifest-text.ts";
import { yamlNotation } from "../../model/schema/yaml-notation.ts";
import {
  addFile,
  type LoadedSource,
  nothingParsed,
  type ParsedManifest,
  type RemoteTemplate,
  type Template,
  type TemplateUse,
} from "./parsed-manifest.ts";

/** Reads a file of a commit of another repository; undefined if it is too large. @throws where it cannot be read */
export type FetchTemplate = (template: RemoteTemplate) => Promise<Uint8Array | undefined>;

/** The sources with the documents of each template in the place of its use. */
export async function expandTemplates(
  sources: readonly LoadedSource[],
  fetchTemplate: FetchTemplate | undefined,
): Promise<LoadedSource[]> {
  if (sources.every(({ templates, uses }) => templates.length + uses.length === 0)) return [...sources];
  const { byName, problems } = namedTemplates(sources.flatMap(({ templates }) => templates));
  const expanding = new TemplateExpansion(byName, fetchTemplate);
  const expanded: LoadedSource[] = [];
  for (const source of sources) {
    const whole: LoadedSource = { ...nothingParsed(), files: source.files };
    addFile(whole, source);
    for (const use of source.uses) addFile(whole, await expanding.use(use));
    expanded.push(whole);
  }
  const [first] = expanded;
  first?.problems.push(...problems, ...expanding.problems());
  return expanded;
}

function namedTemplates(templates: readonly Template[]) {
  const byName = new Map<string, Template>();
  const problems: Problem[] = [];
  for (const template of templates) {
    const first = byName.get(template.name)?.position([]);
    if (first)
      problems.push({
        code: "duplicate",
        message: `there are two templates ${quote(template.name)}, the first at ${first.file}:${first.line}:${first.column}`,
        advice: "give one of them another name",
        position: template.position(["name"]),
      });
    else byName.set(template.name, template);
  }
  return { byName, problems };
}

class TemplateExpansion {
  readonly #templates: ReadonlyMap<string, Template>;
  readonly #fetch: FetchTemplate | undefined;
  readonly #fetched = new Map<Template, Promise<Template | Problem[]>>();
  readonly #inTemplates = new Map<string, { problem: Problem; template: string; uses: Position[] }>();

  constructor(templates: ReadonlyMap<string, Template>, fetchTemplate: FetchTemplate | undefined) {
    this.#templates = templates;
    this.#fetch = fetchTemplate;
  }

  async use(use: TemplateUse): Promise<ParsedManifest> {
    const named = this.#templates.get(use.template);
    if (!named) return nothingParsed([unknownTemplate(use, [...this.#templates.keys()])]);
    if (named.isWrong) return nothingParsed();
    const template = await this.#whole(named);
    if (Array.isArray(template)) {
      for (const problem of template) this.#report(problem, named.name, use.position(["from"]));
      return nothingParsed();
    }
    const { schema, problems } = parametersOf(template);
    for (const problem of problems) this.#report(problem, template.name, use.position(["from"]));
    if (problems.length > 0) return nothingParsed();
    const check = await checkOf(schema);
    const values = { ...defaultsIn(schema), ...use.values };
    const words = {
      subject: `the template ${show(template.name)}`,
      member: "parameter",
      notation: yamlNotation,
      formats: {},
    };
    const pathOf = (path: Path): Path => {
      const [member = ""] = path;
      return Object.hasOwn(use.values, member) ? ["with", ...path] : [];
    };
    const mistakes = check(values).map((error) => explain(error, values, words));
    if (mistakes.length === 0) return this.#make(template, values, use.position(["from"]));
    return nothingParsed(
      mistakes.map(({ path, at, ...mistake }) => ({
        code: "invalid",
        ...mistake,
        position: use.position(pathOf(path), at),
      })),
    );
  }

  problems(): Problem[] {
    return [...this.#inTemplates.values()].map(({ problem, template, uses: [first, ...others] }) => ({
      ...problem,
      message: `${problem.message} (template ${show(template)}, used at ${first?.file}:${first?.line}${others.length === 0 ? "" : ` and ${others.length} more`})`,
    }));
  }

  #report(problem: Problem, template: string, use: Position): void {
    const { address: _address, ...shared } = problem;
    const key = JSON.stringify(shared);
    const known = this.#inTemplates.get(key) ?? { problem, template, uses: [] };
    known.uses.push(use);
    this.#inTemplates.set(key, known);
  }

  async #make(template: Template, values: Fields, use: Position): Promise<ParsedManifest> {
    const { lines, name } = template;
    const report = new FileProblems(lines, holdsSecrets);
    const made = nothingParsed();
    const variables = template.variables.withParameters(new Map(Object.entries(values)));
    for (const node of template.documents)
      readDocument(nodeAsDocument(node, variables), lines, variables, report, made);
    const { documents, defaults, problems, templates, uses } = (await template.complete?.(made)) ?? made;
    const nested = [...templates, ...uses].map((inner): Problem => ({
      code: "invalid",
      message: "a template cannot define or use a template",
      advice: "write the documents themselves",
      position: inner.position([]),
    }));
    for (const problem of [...report.problems(), ...problems, ...nested]) this.#report(problem, name, use);
    return {
      ...nothingParsed(),
      documents: documents.map((document) => ({ ...document, template: name })),
      defaults,
    };
  }

  /** A template with its documents, which may be in another repository. */
  #whole(template: Template): Promise<Template | Problem[]> {
    const { remote } = template;
    if (!remote) return Promise.resolve(template);
    const known = this.#fetched.get(template) ?? this.#read(template, remote);
    this.#fetched.set(template, known);
    return known;
  }

  async #read(
    { name, variables, position }: Template,
    remote: RemoteTemplate,
  ): Promise<Template | Problem[]> {
    const file = `${remote.git}@${remote.commit.slice(0, 7)}:${remote.path}`;
    const unreadable = (message: string, advice: string): Problem[] => [
      {
        code: "unreadable",
        message: `${escapeControl(file)} ${message}`,
        advice,
        position: position(["git"]),
      },
    ];
    if (!this.#fetch) return unreadable("is not read here", "copy the template beside the manifests");
    let content;
    try {
      content = await this.#fetch(remote);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return unreadable(
        `cannot be read: ${escapeControl(reason)}`,
        "check git, commit and path of the template",
      );
    }
    const decoded = content && decodeText(content);
    if (!decoded || !("text" in decoded))
      return unreadable(decoded ? decoded.mistake.message : "is too large", "name a file with a template");
    const { templates, problems } = parseManifest(decoded.text, file, variables);
    const found = templates.find((one) => one.name === name && !one.remote);
    if (problems.length > 0) return problems;
    return (
      found ?? unreadable(`has no template ${quote(name)} with documents`, "check the name and the path")
    );
  }
}

function unknownTemplate({ template, position }: TemplateUse, names: readonly string[]): Problem {
  const others =
    names.length === 0
      ? "declare it in a document with kind: Template, in one of the sources"
      : `the templates are ${names.map(show).join(", ")}`;
  return {
    code: "invalid",
    message: `there is no template ${quote(template)}`,
    advice: meantOr(template, names, others),
    position: position(["from"]),
  };
}

/** The schema of the parameters of a template, with the variables in their defaults filled in. */
function parametersOf({ parameters, variables, lines }: Template) {
  const report = new FileProblems(lines, holdsSecrets);
  const read = parameters && nodeAsDocument(parameters, variables);
  for (const mistake of read?.mistakes ?? []) report.add(mistake);
  const properties = (isFields(read?.value) ? read.value : {}) as unknown as Record<string, FieldSchema>;
  const required = Object.keys(properties).filter((name) => properties[name]?.default === undefined);
  return {
    schema: { type: "object" as const, properties, required, additionalProperties: false },
    problems: report.problems(),
  };
}

function defaultsIn({ properties = {} }: FieldSchema): Fields {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]): [string, Json][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** The check of parameters. Their schema is the user's: ajv turns it into code when a template is used. */
async function checkOf(schema: FieldSchema) {
  const { Ajv } = await import("ajv");
  const validate = new Ajv({ allErrors: true, messages: false, strictTypes: false }).compile(schema);
  return checkFor({ made: () => validate, schema: () => schema, formats: {} });
}
