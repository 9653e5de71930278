import { adviceOf } from "../../../../cli/render/remedies.ts";
import { describe, expect, test } from "vitest";
import { allow } from "../../../fixtures/policy.ts";
import { job, shop } from "../../../fixtures/manifests.ts";
import { Harness } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

describe("impossible plans", () => {
  const messages = async (text: string, policy = {}) =>
    (await harness.plan(text, policy)).problems.map((problem) => `${problem.message} | ${adviceOf(problem)}`);

  test("a parent that does not exist", async () => {
    expect(await messages(job("a"))).toEqual([
      "Job shop/staging/a: Environment shop/staging does not exist, and no document declares it | correct the name, or add a document for the Environment",
    ]);
  });

  test("an unknown cluster and registry, with the known ones", async () => {
    expect(await messages(shop.replace("eu-west", "mars") + job("a").replace("docker-hub", "hub"))).toEqual([
      'Environment shop/staging: there is no cluster "mars" | the organization has: eu-west, us-east',
      'Job shop/staging/a: there is no container registry "hub" | the organization has: docker-hub, ecr-production',
    ]);
    await harness.reconcile(shop);
    expect(await messages(shop + job("a").replace("docker-hub", "hub"))).toEqual([
      'Job shop/staging/a: there is no container registry "hub" | the organization has: docker-hub, ecr-production',
    ]);
  });

  test("a creation without a required field", async () => {
    expect(
      await messages(
        `${shop}---\nkind: Job\nenvironment: shop/staging\nname: a\nsource: { image: { image_name: x } }\n`,
      ),
    ).toEqual([
      "Job shop/staging/a: the resource does not exist, and for its creation schedule is needed | declare it, or correct the name if the Job exists; to rename one, add manage: { renamed_from: OLD_NAME }",
      "Job shop/staging/a: the resource does not exist, and for its creation source.image.tag is needed | declare it, or correct the name if the Job exists; to rename one, add manage: { renamed_from: OLD_NAME }",
      "Job shop/staging/a: the resource does not exist, and for its creation source.image.registry is needed | declare it, or correct the name if the Job exists; to rename one, add manage: { renamed_from: OLD_NAME }",
    ]);
  });

  test("a new variable or secret of an existing resource without its content", async () => {
    await harness.reconcile(shop + job("a"));
    const variable = "value, file, alias_of, external or from";
    const secret = "from_env, from_file, from_sops, from_command or from";
    const empty = `${shop}${job("a")}variables: { A: { output: port }, B: { description: x } }
secrets: { C: { version: "2" }, D: { allow_empty: true } }
`;
    expect(await messages(empty)).toEqual(
      [
        `secrets.C needs ${secret}`,
        `secrets.D needs ${secret}`,
        `variables.A needs ${variable}`,
        `variables.B needs ${variable}`,
      ].map((what) => `Job shop/staging/a: ${what} | declare it, or declare another value`),
    );
  });

  test("a misspelt name of an existing resource, and a name that only resembles another document", async () => {
    await harness.reconcile(shop + job("migrate"));
    const misspelt =
      "---\nkind: Job\nenvironment: shop/staging\nname: migrat\nsource: { image: { image_name: x, tag: '1', registry: docker-hub } }\n";
    const lacks =
      "Job shop/staging/migrat: the resource does not exist, and for its creation schedule is needed";
    expect(await messages(misspelt)).toEqual([
      `${lacks} | did you mean shop/staging/migrate? If it is new, declare it`,
    ]);
    expect(await messages(job("migrate") + misspelt)).toEqual([
      `${lacks} | declare it, or correct the name if the Job exists; to rename one, add manage: { renamed_from: OLD_NAME }`,
    ]);
  });

  test("a clone of a missing source, and a clone that would change the job type", async () => {
    await harness.reconcile(shop + job("a"));
    expect(
      await messages(
        `${shop}---\nkind: Job\nenvironment: shop/staging\nname: b\nclone: { from: shop/staging/nothing }\n`,
      ),
    ).toEqual([
      "Job shop/staging/b: its source Job shop/staging/nothing does not exist, and no document declares it | correct clone.from",
    ]);
    expect(
      await messages(
        `${shop}---\nkind: Job\nenvironment: shop/staging\nname: b\nclone: { from: shop/staging/a }\nschedule: { on_start: {} }\n`,
      ),
    ).toEqual([
      "Job shop/staging/b: a clone cannot differ from its source in schedule.cronjob: a cron job cannot become a lifecycle job, nor the other way round | remove the field, or remove clone and declare all fields",
    ]);
  });

  test("a clone of a resource that is deleted with a replaced environment", async () => {
    await harness.reconcile(shop + job("a"));
    const text = `${shop.replace("eu-west", "us-east")}---\nkind: Job\nenvironment: shop/staging\nname: b\nclone: { from: shop/staging/a }\n`;
    expect(await messages(text, allow("environment:**"))).toContain(
      "Job shop/staging/b: its source Job shop/staging/a is deleted with Environment shop/staging, which is replaced | declare the source too, so that it is created again",
    );
  });

  test("a preview environment that is not cloned", async () => {
    expect(await messages(shop.replace("mode: STAGING", "mode: PREVIEW"))).toEqual([
      "Environment shop/staging: an environment becomes PREVIEW only by being cloned; use DEVELOPMENT, STAGING or PRODUCTION, or clone another environment | undefined",
    ]);
  });

  test("two live resources with the same name", async () => {
    await using duplicates = await Harness.start({ behaviour: { duplicate_names: true } });
    await duplicates.reconcile(shop + job("a"));
    const everything = await duplicates.everything();
    const environmentId = String(everything.get("shop/staging")?.["id"]);
    const first = everything.get("shop/staging/JOB a");
    const second = await duplicates.api("POST", `/job/${String(first?.["id"])}/clone`, {
      name: "A",
      environment_id: environmentId,
    });
    const ids = [first?.["id"], (second as { id: string }).id];
    const { problems } = await duplicates.plan(shop + job("a"));
    expect(problems.map(({ message }) => message)).toEqual([
      `Job shop/staging/a: the API has two resources with this name: ${ids.join(" and ")}`,
    ]);
    expect((await duplicates.plan(shop + job("a", `manage: { id: ${String(ids[1])} }`))).problems).toEqual(
      [],
    );
  });
});
