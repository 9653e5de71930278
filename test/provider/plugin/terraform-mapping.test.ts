import { expect, test } from "vitest";
import type { Fields } from "../../../core/json.ts";
import { packageSchema } from "../../../provider/plugin/schema.ts";
import { describedTypes } from "../../../core/import/terraform/resource-types.ts";
import { camelCase } from "../../../provider/lifecycle/index.ts";
import { documentedAttributes } from "../../fixtures/terraform-attributes.ts";
import { start } from "./start.ts";

interface Mapping {
  name: string;
  provider: { resources: Record<string, object> };
  resources: Record<string, { tok: string; fields: Record<string, { name: string }> }>;
  dataSources: Record<string, { tok: string }>;
}

const { resources, functions } = packageSchema("1.2.3") as Record<string, Record<string, Fields>>;

test("a converter gets the names of the types and attributes of the Terraform provider", async () => {
  const { plugin } = await start();
  expect(await plugin.mappings("terraform")).toEqual(["qovery"]);
  expect(await plugin.mappings("kubernetes")).toEqual([]);
  expect(await plugin.mapping("kubernetes", "")).toEqual({ provider: "", data: "" });

  const { provider, data } = await plugin.mapping("terraform", "qovery");
  expect(await plugin.mapping("terraform", "")).toEqual({ provider, data });
  expect(provider).toBe("qovery");
  const mapping = JSON.parse(data) as Mapping;
  expect(mapping.name).toBe("qovery");
  expect(mapping.resources["qovery_container"]).toMatchObject({
    tok: "infrasync:index:Container",
    fields: { environment_id: { name: "environment" }, registry_id: { name: "registry" } },
  });
  // Its variables are those of Terraform, and `variables` here are those of the environment.
  expect(mapping.resources["qovery_terraform_service"]).toMatchObject({
    fields: { variables: { name: "terraformVariablesSource" } },
  });
  expect(mapping.dataSources["qovery_job"]).toMatchObject({ tok: "infrasync:index:getJob" });

  for (const [type, { tok, fields }] of Object.entries(mapping.resources)) {
    expect(mapping.provider.resources, type).toHaveProperty(type);
    const inputs = Object.keys(resources?.[tok]?.["inputProperties"] ?? {});
    expect(inputs, type).toEqual(expect.arrayContaining(Object.values(fields).map(({ name }) => name)));
  }
  for (const { tok } of Object.values(mapping.dataSources)) expect(functions).toHaveProperty(tok);
});

/** Those that are lists or texts there and maps here, or of which several are one input: a person has to write these. */
const ofOtherForm = [
  "advanced_settings_json",
  "auto_deploy",
  "environment_variable_aliases",
  "environment_variable_files",
  "environment_variable_overrides",
  "environment_variables",
  "external_secret_files",
  "external_secrets",
  "is_after",
  "is_before",
  "secret_aliases",
  "secret_files",
  "secret_overrides",
  "terraform_action",
  "tfvars_files",
];

test("each attribute of each type that a manifest can state in the same form has the name of an input", async () => {
  const { plugin } = await start();
  const mapping = JSON.parse((await plugin.mapping("terraform", "")).data) as Mapping;
  const without = Object.entries(documentedAttributes).flatMap(([short, attributes]) => {
    const { type } = describedTypes().find(({ name }) => name === `qovery_${short}`) ?? {};
    const { tok = "", fields = {} } = mapping.resources[`qovery_${short}`] ?? {};
    return attributes.flatMap((attribute) => {
      const member = type?.statedAs[attribute] ?? attribute;
      const isStated = Object.hasOwn(type?.kind.fields.properties ?? {}, member);
      const name = fields[attribute]?.name ?? camelCase(attribute);
      const inputs = (resources?.[tok]?.["inputProperties"] ?? {}) as Fields;
      return isStated && !Object.hasOwn(inputs, name) ? [attribute] : [];
    });
  });
  expect([...new Set(without)].toSorted()).toEqual(ofOtherForm);
});
