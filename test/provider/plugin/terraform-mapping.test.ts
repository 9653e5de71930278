import { expect, test } from "vitest";
import type { Fields } from "../../../core/json.ts";
import { packageSchema } from "../../../provider/plugin/schema.ts";
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
  expect(mapping.dataSources["qovery_job"]).toMatchObject({ tok: "infrasync:index:getJob" });

  for (const [type, { tok, fields }] of Object.entries(mapping.resources)) {
    expect(mapping.provider.resources, type).toHaveProperty(type);
    const inputs = Object.keys(resources?.[tok]?.["inputProperties"] ?? {});
    expect(inputs, type).toEqual(expect.arrayContaining(Object.values(fields).map(({ name }) => name)));
  }
  for (const { tok } of Object.values(mapping.dataSources)) expect(functions).toHaveProperty(tok);
});
