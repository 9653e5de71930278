import { expect, test } from "vitest";
import { kindOf } from "../../../core/model/kinds/index.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { preview } from "../../../provider/lifecycle/diff.ts";
import { Hostile } from "../../fixtures/hostile-server.ts";
import { secretPaths, secretPrograms } from "./secret-programs.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();

test("the table has every secret input of every kind", () => {
  expect(Object.keys(secretPrograms).toSorted()).toEqual(secretPaths.toSorted());
});

test.each(Object.keys(secretPrograms))(
  "a changed value of %s shows in the preview and is sent, and then there is no change",
  async (path) => {
    const sent: string[] = [];
    await using proxy = await Hostile.open(staging.server.emulator.url, async ({ method, body }) => {
      if (method !== "GET") sent.push(body);
      return undefined;
    });
    const [kind = ""] = path.split(".");
    const pass = () =>
      staging.pass({ "infrasync:baseUrl": proxy.url, "infrasync:allowInfrastructure": "secret-owner" });
    const inputs = (value: string) => ({
      name: "secret-owner",
      ...secretPrograms[path]?.(value),
      ...parentOf(kind),
    });
    const before = await (await pass()).create(kind, inputs("first-canary"));
    expect(sent.join("\n")).toContain("first-canary");
    expect((await pass()).diff(before, inputs("first-canary"))).toMatchObject({ changes: false });
    const refreshed = await (await pass()).refresh(before);
    if (!refreshed) throw new Error("it is gone");
    for (const entry of [before, refreshed])
      expect((await pass()).diff(entry, inputs("second-canary"))).toMatchObject({
        changes: true,
        replaces: [],
      });
    // Another resource of the program can have the value as its input.
    const previewed = preview(kindOf(kind), refreshed.outputs, inputs("second-canary"), false);
    expect(JSON.stringify(previewed)).not.toContain('"rotate"');
    sent.length = 0;
    const after = await (await pass()).update(refreshed, inputs("second-canary"));
    expect(sent.join("\n")).toContain("second-canary");
    expect(sent.join("\n")).not.toContain("rotate");
    expect((await pass()).diff(after, inputs("second-canary"))).toMatchObject({ changes: false });
  },
);

function parentOf(kind: string): Properties {
  const { id, outputs } = staging.environment;
  const parents: Record<string, string> = { environment: id, project: String(outputs["project"]) };
  const { parentMember = "" } = kindOf(kind);
  return parentMember in parents ? { [parentMember]: parents[parentMember] ?? "" } : {};
}
