import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { goModule, packageSchema } from "../../../provider/plugin/schema.ts";
import { packageVersion, publication } from "../../../provider/plugin/types.ts";

const checkout = path.join(import.meta.dirname, "..", "..", "..");
const schema = packageSchema(packageVersion()) as {
  logoUrl: string;
  pluginDownloadURL: string;
  language: { nodejs: { packageName: string }; csharp: { rootNamespace: string; namespaces: object } };
  config: { variables: Record<string, object> };
};

test.each(["_index.md", "installation-configuration.md"])(
  "docs/%s has the front matter that the registry of Pulumi asks for",
  (name) => {
    const [, front = ""] = readFileSync(path.join(checkout, "docs", name), "utf8").split("---\n");
    expect(parse(front)).toEqual({
      title: expect.stringMatching(/./),
      meta_desc: expect.stringMatching(/./),
      layout: "package",
    });
  },
);

test("the page on the installation names the packages, the plugin and the settings as the schema does", () => {
  const text = readFileSync(path.join(checkout, "docs", "installation-configuration.md"), "utf8");
  const { nodejs, csharp } = schema.language;
  const dotnet = [csharp.rootNamespace, ...Object.values(csharp.namespaces)].join(".");
  for (const name of [nodejs.packageName, "pulumi_infrasync", goModule(publication().repository), dotnet])
    expect(text).toContain(`\`${name}\``);
  expect(text).toContain(`infrasync ${packageVersion()} --server ${schema.pluginDownloadURL}`);
  for (const [, setting = ""] of text.matchAll(/`infrasync:(\w+)`/g))
    expect(schema.config.variables).toHaveProperty(setting);
});

test("the logo of the package is in the repository", () => {
  const [, file = ""] = schema.logoUrl.split(`/raw/v${packageVersion()}/`);
  expect(readFileSync(path.join(checkout, file)).subarray(1, 4).toString()).toBe("PNG");
});
