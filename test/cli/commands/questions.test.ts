import { describe, expect, test } from "vitest";
import { commands } from "../../../cli/commands/index.ts";
import { useFixture, writesOf } from "../fixture.ts";
import { application, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();
const production = "---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\n";

async function ran(...args: string[]) {
  const { code, stdout, stderr } = await fixture.run(args);
  return { code, text: stdout + stderr, writes: writesOf(await fixture.takeRequests()) };
}

const apps = (cpu: string) =>
  application("api", cpu) + application("api").replace("shop/staging", "shop/production");

async function begin() {
  const manifests = shop + production + apps("");
  await fixture.write("shop.yaml", manifests);
  await ran("apply", fixture.folder, "--yes");
}

test.each(commands.flatMap(({ name, asks }) => (asks === undefined ? [] : [[name, asks]])))(
  "%s has --yes and --dry-run, and its help says when it asks",
  async (command, when) => {
    const { text } = await ran(command, "--help", "--all");
    const words = text.replaceAll(/\s+/g, " ");
    expect(words).toContain("--dry-run");
    expect(words).toContain(`--yes, --auto-approve do not ask for confirmation (${command} asks ${when})`);
  },
);

test("only commands that read, or write files that were not there, have no such flags", async () => {
  const others = commands.filter(({ asks }) => asks === undefined).map(({ name }) => name);
  expect(others.toSorted()).toMatchInlineSnapshot(`
    [
      "complete",
      "completion",
      "diff",
      "doctor",
      "emulator",
      "explain",
      "get",
      "history",
      "list",
      "logs",
      "open",
      "plan",
      "render",
      "schema",
      "show",
      "status",
      "validate",
    ]
  `);
});

describe.each(["deploy", "restart", "cancel"])("%s", (command) => {
  test("asks in production alone", async () => {
    await begin();
    const refused = await ran(command, "shop/staging", "shop/production");
    expect(refused).toMatchObject({ code: 3, writes: [] });
    expect(refused.text).toContain(`${command} cannot ask for confirmation, because there is no terminal`);
    expect((await ran(command, "shop/production", "--dry-run")).writes).toEqual([]);
    expect(await ran(command, "shop/production", "--yes")).toMatchObject({ code: 0 });
    expect(await ran(command, "shop/staging")).toMatchObject({ code: 0 });
  });
});

test.each([
  ["apply", "1 to update"],
  ["destroy", "to delete"],
])("%s --dry-run shows the plan and changes nothing", async (command, what) => {
  await begin();
  await fixture.write("shop.yaml", shop + production + apps("cpu: 750"));
  const result = await ran(command, fixture.folder, "--dry-run");
  expect(result).toMatchObject({ code: 0, writes: [] });
  expect(result.text).toContain(what);
  const planned = await ran(
    "plan",
    fixture.folder,
    ...(command === "destroy" ? ["--destroy"] : []),
    "--output",
    "json",
  );
  const json = await ran(command, fixture.folder, "--dry-run", "--output", "json");
  const withoutCost = (text: string) => ({
    ...(JSON.parse(text) as object),
    requests: undefined,
    budget: undefined,
  });
  expect(withoutCost(json.text)).toEqual(withoutCost(planned.text));
});
