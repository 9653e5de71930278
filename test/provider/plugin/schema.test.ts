import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isFields, type Fields } from "../../../core/values/json.ts";
import { kinds } from "../../../core/model/kinds/index.ts";
import { camelCase } from "../../../provider/lifecycle/casing.ts";
import { check } from "../../../provider/lifecycle/check.ts";
import { lifecycleOf } from "../../../provider/lifecycle/program-resources.ts";
import { UnfinishedCreations } from "../../../provider/lifecycle/unfinished-creations.ts";
import { RunLedger } from "../../../provider/lifecycle/ledger.ts";
import { inputSchema } from "../../../provider/lifecycle/inputs.ts";
import { exampleSections } from "../../../tools/pulumi/programs/index.ts";
import { packageSchema } from "../../../tools/pulumi/schema/index.ts";
import { publication } from "../../../tools/pulumi/schema/publication.ts";
import { secretPaths } from "../lifecycle/secret-programs.ts";

const schema = packageSchema("1.2.3", publication(), exampleSections());
const resources = schema["resources"] as Record<string, Fields>;
const types = schema["types"] as Record<string, Fields>;
const resourceOf = (kind: string) => resources[`infrasync:index:${kind}`] ?? {};
const parentId = "3f0c5b0e-7a68-4c6e-9d3c-0d1f6a1f4a11";

test("until there is a release, names nothing that somebody else could register: Pulumi takes the plugin that is installed", () => {
  for (const member of ["homepage", "repository", "logoUrl", "pluginDownloadURL"])
    expect(schema).not.toHaveProperty(member);
  expect(schema).toMatchObject({
    publisher: "infrasync",
    meta: { moduleFormat: "(.*)" },
    language: {
      go: { importBasePath: "example.com/infrasync/sdk/go/infrasync" },
      java: { basePackage: "com.example.", packages: { infrasync: "infrasync" } },
    },
  });
  expect(JSON.stringify(schema)).not.toMatch(/github\.com\/infrasync/);
});

test("names the repository of the releases, and the server of a team", () => {
  const repository = { url: "git+https://github.com/acme/infra.git" };
  const config = { plugin_server: "https://plugins.example.com" };
  const schemaOf = (facts: object) => packageSchema("1.2.3", publication({ author: "acme", ...facts }));
  expect(schemaOf({ repository })).toMatchObject({
    publisher: "acme",
    homepage: "https://github.com/acme/infra#readme",
    repository: "https://github.com/acme/infra",
    logoUrl: "https://github.com/acme/infra/raw/v1.2.3/docs/pictures/logo.png",
    pluginDownloadURL: "github://api.github.com/acme/infra",
    language: { go: { importBasePath: "github.com/acme/infra/sdk/go/infrasync" } },
  });
  expect(schemaOf({ config })).toMatchObject({ pluginDownloadURL: "https://plugins.example.com" });
  expect(schemaOf({ repository, config })).toMatchObject({
    pluginDownloadURL: "https://plugins.example.com",
  });
});

test("the logo of a release is in the repository", () => {
  expect(readFileSync("docs/pictures/logo.png").subarray(1, 4).toString()).toBe("PNG");
});

test.each(kinds.filter(({ clone }) => clone === undefined))(
  "a compiler asks for what a creation of a $name without a clone needs, but for secrets",
  (kind) => {
    const { properties = {}, required = [] } = inputSchema(kind);
    const own = Object.fromEntries(
      required.map((input) => [input, input === "name" ? "a@example.com" : parentId]),
    );
    const missing = check(kind, {}, own).failures.flatMap(({ property, reason }) =>
      reason.includes(" is needed") && !properties[property]?.secret ? [property] : [],
    );
    expect(resourceOf(kind.name)["requiredInputs"]).toEqual([...required, ...missing]);
  },
);

test.each(Object.entries(resources))(
  "the example of %s is a program without mistakes",
  (token, { description }) => {
    const name = token.split(":")[2] ?? "";
    const [, yaml = ""] = String(description).split(/```yaml\n|```\n\n\{\{% \/example/);
    const [program] = Object.values((parse(yaml) as { resources: Record<string, Fields> }).resources);
    expect(program?.["type"]).toBe(token);
    const inputs = program?.["properties"] as Fields;
    const { failures } = lifecycleOf(name).check({}, inputs, {
      ledger: new RunLedger(),
      started: new UnfinishedCreations({}),
      now: 0,
    });
    expect(failures).toEqual([]);
  },
);

test("equal types have one name, and the words of a choice have names", () => {
  const contents = Object.values(types).map(({ type, properties, required, enum: words }) =>
    JSON.stringify([type, properties, required, words]),
  );
  expect(new Set(contents).size).toBe(contents.length);
  expect(Object.keys(types).filter((token) => token in resources)).toEqual([]);
  expect(types["infrasync:index:PortProtocol"]?.["enum"]).toContainEqual({ name: "Http", value: "HTTP" });
  for (const { enum: words = [] } of Object.values(types))
    for (const { name } of words as Fields[]) expect(name).toMatch(/^[A-Z][A-Za-z\d]*$/);
});

test("a reference takes what another resource gives, and a choice any text", () => {
  const union = (type: string) => ({
    oneOf: [{ type: "string" }, { $ref: `#/types/infrasync:index:${type}` }],
  });
  expect(propertyAt("Environment.cluster")).toMatchObject(union("Reference"));
  expect(propertyAt("Environment.mode")).toMatchObject(union("EnvironmentMode"));
  expect(propertyAt("Job.labels_groups")).toMatchObject({ items: union("Reference") });
});

test("a compiler lets a clone take over what it does not declare", () => {
  expect(resourceOf("Job")["requiredInputs"]).toEqual(["environment", "name"]);
});

/** The property of a path such as `Cluster.secret_manager_accesses[].authentication.secret_key`. */
function propertyAt(path: string): Fields {
  const [kind = "", ...members] = path.replaceAll("[]", "").split(".");
  let inside = resourceOf(kind)["inputProperties"];
  let property: Fields = {};
  for (const member of members) {
    property = ((inside as Fields)[camelCase(member)] ?? {}) as Fields;
    const { $ref } = (isFields(property["items"] ?? null) ? property["items"] : property) as Fields;
    inside = types[String($ref).replace("#/types/", "")]?.["properties"] ?? {};
  }
  return property;
}

test.each(secretPaths.filter((path) => !path.endsWith(".value")))("%s is a secret for an SDK", (path) => {
  expect(propertyAt(path)).toMatchObject({ secret: true });
});

test("the inputs are marked whose change replaces a resource: the parent, and a name that cannot be changed", () => {
  for (const path of ["Job.environment", "Environment.project", "Member.name", "Database.type"])
    expect(propertyAt(path), path).toMatchObject({ willReplaceOnChanges: true });
  expect(propertyAt("Job.name")).not.toHaveProperty("willReplaceOnChanges");
});
