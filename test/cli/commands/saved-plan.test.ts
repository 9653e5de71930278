import { join } from "node:path";
import { expect, test } from "vitest";
import { Command } from "commander";
import { apply } from "../../../cli/commands/apply.ts";
import { planGroups } from "../../../cli/commands/options.ts";
import { useFixture } from "../fixture.ts";
import { cronJob, job, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();
const file = () => join(fixture.folder, "plan.json");
const manifests = () => join(fixture.folder, "shop.yaml");

/** Saves the plan for documents. */
async function save(documents: string, ...flags: string[]): Promise<void> {
  await fixture.write("shop.yaml", documents);
  expect(await fixture.run(["plan", manifests(), "--out", file(), ...flags])).toMatchObject({ code: 0 });
  await fixture.takeRequests();
}

const applySaved = (...flags: string[]) => fixture.run(["apply", "--plan", file(), "--yes", ...flags]);

const line = new Command("apply");
apply.declare(line);
const shaping = line.options.filter(
  ({ helpGroupHeading, long }) =>
    Object.values(planGroups).includes(helpGroupHeading ?? "") && long !== "--plan",
);

test.each(shaping.map(({ long = "", required }) => [long, required] as const))(
  "%s beside --plan is refused: the saved plan says itself what it is made of",
  async (name, takesValue) => {
    await save(shop + cronJob("a"));
    const { code, stderr } = await applySaved(name ?? "", ...(takesValue ? ["10"] : []));
    expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
    expect(stderr).toContain(`it cannot be combined with ${name}`);
  },
);

test("the consents to change a cluster or credentials are among the flags that the plan stores", () => {
  expect(shaping.map(({ long }) => long)).toEqual(
    expect.arrayContaining(["--allow-infrastructure", "--confirm", "--allow-replace", "--prune", "--set"]),
  );
});

test("a saved plan is used once, also when somebody has undone what it did", async () => {
  await save(shop + cronJob("a"));
  expect(await applySaved()).toMatchObject({ code: 0 });
  expect(await fixture.run(["destroy", manifests(), "--yes"])).toMatchObject({ code: 0 });
  await fixture.takeRequests();
  const { code, stderr } = await applySaved();
  expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  expect(stderr).toMatch(/plan\.json was applied at \S+, and a saved plan is used once\n {2}plan again/);
  expect(await fixture.run(["show", file()])).toMatchObject({ code: 0 });
});

test("a plan that was refused can be applied later", async () => {
  await save(shop + cronJob("a"));
  expect(await applySaved("--max-requests", "4")).toMatchObject({ code: 4 });
  expect(await applySaved()).toMatchObject({ code: 0 });
});

test("a saved plan has what the command line has set, and needs no manifests", async () => {
  await save(shop + cronJob("a"), "--set", "job:shop/staging/a:cpu=750");
  await fixture.write("shop.yaml", "kind: nonsense");
  expect(await applySaved()).toMatchObject({ code: 0 });
  await fixture.write("shop.yaml", shop + cronJob("a"));
  const { stdout } = await fixture.run(["plan", manifests(), "--set", "job:shop/staging/a:cpu=750"]);
  expect(stdout).toContain("No changes");
});

test("an apply of a saved plan reads the way to what the plan changes, and nothing beside it", async () => {
  const [project = "", environment = ""] = shop.split("---");
  const names = ["one", "two", "three", "four", "five"];
  const documents = (memory: number) =>
    names
      .flatMap((name) => [
        environment.replace("staging", name),
        ...[0, 1, 2, 3].map((index) => job(`j${index}`, "", `shop/${name}`)),
      ])
      .reduce((text, each) => `${text}---${each.replace(/^---/, "")}`, project)
      .replace("name: j0\n", `name: j0\nmemory: ${memory}\n`);
  await fixture.write("shop.yaml", documents(512));
  await fixture.run(["apply", manifests(), "--yes"]);
  await save(documents(640));
  expect(await applySaved()).toMatchObject({ code: 0 });
  expect(await fixture.takeRequests()).toEqual([
    "GET /organization/{id}/project",
    "GET /project/{id}/environment",
    "GET /environment/{id}/services",
    "GET /job/{id}",
    "PUT /job/{id}",
  ]);
});
