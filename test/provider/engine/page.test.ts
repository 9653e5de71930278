import { expect, test } from "vitest";
import { isFields } from "../../../core/values/json.ts";
import { readPage } from "../../docs/markdown.ts";
import { frontEnds } from "./front-ends.ts";
import { nothing, start } from "./shop.ts";

const { blocks } = readPage("docs/reference/pulumi.md");
const textOf = (name: string) => blocks.find(({ file }) => file === name)?.lines.join("\n") ?? "";

/** The commands that docs/reference/pulumi.md lists, and the answers to their prompts. */
const commands = [
  { command: "pulumi stack init main" },
  { command: "pulumi config set infrasync:baseUrl https://api.example.com" },
  { command: "pulumi config set --secret infrasync:token", input: "a-token" },
  { command: "pulumi up" },
];

test("the commands of the page create the first stack", async (context) => {
  const { server, stack } = await start(context, "");
  await stack.rewrite(textOf("index.ts"), "index.ts");
  await stack.write("Pulumi.yaml", textOf("Pulumi.yaml"));
  for (const { command, input = "" } of commands) {
    const { exitCode, stdout, stderr } = await stack.shell(command, input);
    expect(exitCode, `${command}\n${stdout}${stderr}`).toBe(0);
    expect(stdout + stderr).not.toContain("a-token");
  }
  expect([...(await server.everything()).keys()].toSorted()).toEqual([
    "shop",
    "shop/staging",
    "shop/staging/APPLICATION api",
    "shop/staging/JOB nightly",
  ]);
  expect((await stack.export()).text).not.toContain("a-token");
});

test.for(frontEnds)(
  "$name: the program of the page writes variables, secrets, an alias and an override of a project, an environment and a service, and changes and removes them",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, "", {}, frontEnd);
    const text = textOf("variables/index.ts");
    await stack.rewrite(text);
    for (const key of ["apiKey", "password"]) await stack.configure(key, `${key}-canary`, { secret: true });
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    const live = await server.everything();
    const entriesOf = async (place: string, scope: string) => {
      const id = String(live.get(place)?.["id"]);
      const entries = await server.results(`/variable?parent_id=${id}&scope=${scope}`);
      return entries
        .filter((each) => each["scope"] === scope && each["owned_by"] === "USER")
        .map(entryInWords);
    };
    const entries = async () => ({
      project: (await entriesOf("shop", "PROJECT")).toSorted(),
      environment: (await entriesOf("shop/staging", "ENVIRONMENT")).toSorted(),
      job: (await entriesOf("shop/staging/JOB migrate", "JOB")).toSorted(),
    });
    const before = {
      project: ["API_KEY: secret", "LEVEL: info", "REGION: eu"],
      environment: ["LEVEL: debug overrides LEVEL"],
      job: ["MODE: full", "PASSWORD: secret", "PAYMENT_KEY: secret alias of API_KEY", "REPORT_TO: shop"],
    };
    expect(await entries()).toEqual(before);
    expect(await stack.up()).toMatchObject(nothing);
    expect(await stack.refresh()).toMatchObject(nothing);
    const changed = text
      .replace('REGION: "eu"', 'REGION: "us"')
      .replace('value: "debug"', 'value: "trace"')
      .replace('    MODE: "full",\n', "");
    await stack.rewrite(changed);
    const updates = ["update Environment staging", "update Job migrate", "update Project shop"];
    const up = await stack.up();
    expect([up.errors, up.steps.toSorted()]).toEqual([[], updates]);
    expect(await entries()).toEqual({
      project: ["API_KEY: secret", "LEVEL: info", "REGION: us"],
      environment: ["LEVEL: trace overrides LEVEL"],
      job: before.job.filter((each) => !each.startsWith("MODE")),
    });
    expect((await stack.export()).text).not.toContain("canary");
  },
);

/** `LEVEL: debug overrides LEVEL`. */
function entryInWords({
  key,
  value,
  is_secret: isSecret,
  aliased_variable: variable,
  aliased_secret: secret,
  overridden_variable: overridden,
}: Record<string, unknown>): string {
  const words = [`${String(key)}: ${isSecret === true ? "secret" : String(value)}`];
  const aliased = variable ?? secret;
  if (isFields(aliased)) words.push(`alias of ${String(aliased["key"])}`);
  if (isFields(overridden)) words.push(`overrides ${String(overridden["key"])}`);
  return words.join(" ");
}
