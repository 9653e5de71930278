import { type FieldSchema, type Kind, kinds } from "../../../core/model/kinds/index.ts";
import { isFields, type Json, mapFields } from "../../../core/values/json.ts";
import { article } from "../../../core/values/text.ts";
import { secretSettings, settings } from "../../../provider/plugin/configuration.ts";
import { listed, outputMembers, PackageTypes, type Spec } from "./types.ts";
import { withSharedTypes } from "./shared-types.ts";
import { packageName, tokenOf } from "../../../provider/plugin/types.ts";
import { publication } from "./publication.ts";
import {
  functions,
  inputSchema,
  type ListedOutputs,
  unlistedOutputs,
  type ProgramFunction,
  type ProgramResource,
  programResources,
  shownOutput,
  variableOf,
} from "../../../provider/lifecycle/index.ts";

/**
 * The schema of the package, in the form of Pulumi, from which Pulumi makes SDKs for its languages, checks YAML and shows help.
 *
 * @param examples follow the descriptions, by tokens
 */
export function packageSchema(
  version: string,
  { publisher, repository, pluginDownloadURL, goModule } = publication(),
  examples: Readonly<Record<string, string>> = {},
): Spec {
  const types = new PackageTypes();
  const resources = Object.fromEntries([
    ...kinds.map((kind) => [tokenOf(kind.name), resourceSpec(types, kind)] as const),
    ...programResources.map((each) => [tokenOf(each.name), programResourceSpec(types, each)] as const),
  ]);
  const calls = Object.fromEntries(functions.map((each) => [tokenOf(each.name), functionSpec(types, each)]));
  const withExample = (spec: Json, token: string): Json =>
    isFields(spec)
      ? { ...spec, description: `${String(spec["description"])}${examples[token] ?? ""}` }
      : spec;
  return withSharedTypes({
    name: packageName,
    displayName: "infrasync",
    version,
    description: "Projects, environments and services of the infrastructure management REST API.",
    keywords: ["pulumi", "category/infrastructure", "kind/native"],
    license: "Apache-2.0",
    publisher,
    ...(repository !== undefined && {
      homepage: `${repository}#readme`,
      repository,
      logoUrl: `${repository}/raw/v${version}/docs/pictures/logo.png`,
    }),
    ...(pluginDownloadURL !== undefined && { pluginDownloadURL }),
    meta: { moduleFormat: "(.*)" },
    language: {
      nodejs: { respectSchemaVersion: true, packageName: "@infrasync/pulumi" },
      python: { respectSchemaVersion: true, pyproject: { enabled: true } },
      go: { respectSchemaVersion: true, generateResourceContainerTypes: true, importBasePath: goModule },
      // Names that begin with Pulumi are reserved on nuget.org.
      csharp: {
        respectSchemaVersion: true,
        rootNamespace: "Infrasync",
        namespaces: { [packageName]: "Resources" },
      },
      // Nobody can register this domain.
      java: { basePackage: "com.example.", packages: { [packageName]: packageName } },
    },
    config: { variables: settingSpecs() },
    provider: {
      description:
        "The provider, for programs that use several organizations. Environment variables override its settings.",
      inputProperties: settingSpecs(),
    },
    types: types.specs,
    resources: mapFields(resources, withExample),
    functions: mapFields(calls, withExample),
  });
}

function settingSpecs(): Record<string, Spec> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, description]) => [
      key,
      {
        type: "string",
        description: `${description} \`${variableOf(key)}\` overrides it.`,
        ...(secretSettings.includes(key) && { secret: true }),
      },
    ]),
  );
}

function resourceSpec(types: PackageTypes, kind: Kind): Spec {
  const inputs = declaredInputs(kind);
  const { members, always } = outputsOf(kind);
  return {
    description: kind.description,
    inputProperties: types.properties(kind.name, inputs.properties ?? {}, "input"),
    ...listed("requiredInputs", inputs.required ?? []),
    properties: types.properties(kind.name, members, "output"),
    ...listed("required", always),
    // A resource of the dynamic provider becomes one of the plugin without a change.
    aliases: [{ type: `pulumi-nodejs:dynamic/infrasync:${kind.name}` }],
  };
}

/**
 * The inputs of a kind with those that a compiler asks for. Without a clone, a program declares whatever a creation
 * needs, but for secrets: of an imported resource nobody can read them.
 */
function declaredInputs(kind: Kind): FieldSchema {
  const inputs = inputSchema(kind);
  return kind.clone ? inputs : withNeedsRequired(inputs);
}

function withNeedsRequired(schema: FieldSchema): FieldSchema {
  const { properties, items, entries, required = [], needs = [] } = schema;
  const declared = needs.filter((member) => properties?.[member]?.secret !== true);
  return {
    ...schema,
    ...(properties && { properties: withEach(properties) }),
    ...(items && { items: withNeedsRequired(items) }),
    ...(entries && { entries: withNeedsRequired(entries) }),
    required: [...new Set([...required, ...declared])],
  };
}

function withEach(properties: Record<string, FieldSchema>): Record<string, FieldSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([member, schema]) => [member, withNeedsRequired(schema)]),
  );
}

function programResourceSpec(
  types: PackageTypes,
  { name, description, inputs, outputs }: ProgramResource,
): Spec {
  const { properties = {}, required = [] } = inputs;
  return {
    description,
    inputProperties: types.properties(name, properties, "input"),
    ...listed("requiredInputs", required),
    properties: types.properties(name, { ...properties, ...outputs }, "output"),
    ...listed("required", [...required, ...Object.keys(outputs)]),
    aliases: [{ type: `pulumi-nodejs:dynamic/infrasync:${name}` }],
  };
}

function outputsOf(kind: Kind): { members: Record<string, FieldSchema>; always: string[] } {
  const outputs = outputMembers(kind);
  return {
    members: Object.fromEntries(outputs.map(({ property, schema }) => [property, schema])),
    always: outputs.flatMap(({ property, isAlways }) => (isAlways ? [property] : [])),
  };
}

function functionSpec(
  types: PackageTypes,
  { description, inputs, required, outputs, present = [] }: ProgramFunction,
): Spec {
  return {
    description,
    inputs: {
      type: "object",
      properties: types.properties("", inputs, "input"),
      ...listed("required", required),
    },
    outputs: resultSpec(types, outputs, present),
  };
}

function resultSpec(types: PackageTypes, outputs: ProgramFunction["outputs"], present: string[]): Spec {
  if (isListing(outputs)) {
    const { member, each } = outputs;
    return {
      type: "object",
      properties: { [member]: { type: "array", items: listedType(types, each) } },
      ...listed("required", [member]),
    };
  }
  if (!isKind(outputs))
    return {
      type: "object",
      properties: types.properties("", outputs, "output"),
      ...listed("required", present),
    };
  const { members, always } = outputsOf(outputs);
  // A reader knows the keys of secrets at most.
  const { secrets: _secrets, ...others } = members;
  const readable = Object.fromEntries(
    Object.entries(others).filter(([member]) => !Object.hasOwn(shownOutput(outputs), member)),
  );
  return {
    type: "object",
    properties: { id: idOf(outputs), ...types.properties(outputs.name, readable, "output") },
    ...listed("required", ["id", ...always.filter((member) => member !== "secrets")]),
  };
}

function listedType(types: PackageTypes, kind: Kind): Spec {
  const { members } = outputsOf(kind);
  const left = new Set([...unlistedOutputs(kind), ...Object.keys(shownOutput(kind))]);
  const isListed = (member: string) => !left.has(member);
  const shown = Object.fromEntries(Object.entries(members).filter(([member]) => isListed(member)));
  return types.object(`Listed${kind.name}`, {
    description: `What a list has of ${article(kind.name)}.`,
    properties: { id: idOf(kind), ...types.properties(kind.name, shown, "output") },
    required: ["id", "name"],
  });
}

function idOf({ name }: Kind): Spec {
  return { type: "string", description: `Id of the ${name}.` };
}

function isListing(outputs: ProgramFunction["outputs"]): outputs is ListedOutputs {
  return "each" in outputs;
}

function isKind(outputs: ProgramFunction["outputs"]): outputs is Kind {
  return "slug" in outputs;
}
