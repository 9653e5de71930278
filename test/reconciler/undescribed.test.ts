import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { type Bench, startBench } from "./fixture.ts";

/** What is in no document, by environment, as the next cycle finds it. */
async function undescribed(bench: Bench): Promise<Record<string, readonly string[] | undefined>> {
  const { end } = await bench.cycle();
  return Object.fromEntries((end.environments ?? []).map((each) => [each.environment, each.undescribed]));
}

test("live resources and parts that no document describes are listed: services, environments, stages, variables, secrets", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  const stage = "---\nkind: DeploymentStage\nenvironment: shop/staging\nname: early\n";
  const described = shop + job("a", "variables: { LEVEL: info }\nmanage: { ignore: [variables.THEIRS] }");
  repository.push({ "infra/shop.yaml": described + stage });
  await bench.cycle();
  expect(await undescribed(bench)).toEqual({ shop: [], "shop/staging": [] });

  await server.reconcile(
    `${described}${stage}${job("b")}${stage.replace("early", "late")}---\nkind: Environment\nproject: shop\nname: qa\nmode: STAGING\n---\nkind: Project\nname: another\n`,
  );
  const write = async (key: string, isSecret: boolean) =>
    server.api("POST", "/variable", {
      key,
      value: "canary",
      is_secret: isSecret,
      variable_scope: "JOB",
      variable_parent_id: await server.idOf("shop/staging/JOB a"),
    });
  await write("BY_HAND", false);
  await write("PASSWORD", true);
  await write("THEIRS", false);
  expect(await undescribed(bench)).toEqual({
    shop: ["environment:shop/qa"],
    "shop/staging": [
      "deploymentstage:shop/staging/late",
      "job:shop/staging/b",
      "secret PASSWORD of job:shop/staging/a",
      "variable BY_HAND of job:shop/staging/a",
    ],
  });
  // A document takes it off the list.
  repository.push({
    "infra/shop.yaml":
      shop +
      stage +
      job("b") +
      job("a", "variables: { LEVEL: info, BY_HAND: canary }\nmanage: { ignore: [variables, secrets] }"),
  });
  await bench.cycle();
  expect(await undescribed(bench)).toMatchObject({ "shop/staging": ["deploymentstage:shop/staging/late"] });
});

test("parts that a clone has copied from its source are not listed", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  repository.push({
    "infra/shop.yaml":
      shop +
      job("a") +
      "---\nkind: Environment\nproject: shop\nname: copy\nmode: STAGING\nclone: { from: shop/staging }\n",
  });
  await bench.cycle();
  await bench.cycle();
  expect((await server.everything()).has("shop/copy/JOB a")).toBe(true);
  expect(await undescribed(bench)).toMatchObject({ shop: [], "shop/copy": [] });
});
