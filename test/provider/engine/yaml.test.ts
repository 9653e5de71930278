import { expect, test } from "vitest";
import { plugin, pluginProject } from "./front-ends.ts";
import { start } from "./shop.ts";

test("a YAML program declares as inputs what other resources have as outputs, also words and what is in lists", async (context) => {
  const { stack, server } = await start(context, "", {}, plugin);
  const port = { internalPort: 8080, publiclyAccessible: true, protocol: "HTTP" };
  const gitRepository = { url: "https://github.com/acme/api" };
  const resources = {
    shop: { type: "infrasync:Project", properties: { name: "shop" } },
    staging: {
      type: "infrasync:Environment",
      properties: { project: "${shop.id}", name: "staging", mode: "STAGING" },
    },
    copy: {
      type: "infrasync:Environment",
      properties: { project: "${shop.id}", name: "copy", mode: "${staging.mode}" },
    },
    api: {
      type: "infrasync:Application",
      properties: { environment: "${staging.id}", name: "api", gitRepository, ports: [port] },
    },
    second: {
      type: "infrasync:Application",
      properties: {
        environment: "${copy.id}",
        name: "api",
        gitRepository,
        ports: [{ ...port, protocol: "${api.ports[0].protocol}" }],
      },
    },
  };
  await stack.write("Pulumi.yaml", `${pluginProject("yaml")}resources: ${JSON.stringify(resources)}\n`);
  expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
  expect((await server.everything()).get("shop/copy")).toMatchObject({ mode: "STAGING" });
});
