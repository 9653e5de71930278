import { expect, test } from "vitest";
import { Harness } from "../../fixtures/harness.ts";
import { plugin } from "./front-ends.ts";
import type { Run } from "./pulumi-run.ts";
import { nothing, program, start } from "./shop.ts";

/** The same project in two organizations, each with a provider of its own. */
const twoProviders = (cpu: number) =>
  program(`
    const config = new sdk.Config();
    const providers = ["acme", "globex"].map((organization) => {
      class Infrasync extends sdk.ProviderResource {}
      return new Infrasync("infrasync", organization, {
        organization, baseUrl: config.require(organization + "Url"), token: config.require(organization + "Token"),
      });
    });
    for (const [index, provider] of providers.entries()) {
      const shop = new Project("shop-" + index, { name: "shop" }, { provider });
      const staging = new Environment("staging-" + index, { project: shop.id, name: "staging" }, { provider });
      new Job("nightly-" + index, {
        environment: staging.id, name: "nightly", cpu: ${cpu} + index,
        source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
        schedule: { onStart: {} },
      }, { provider });
    }
  `);

test("explicit providers of two organizations in one program, in two stacks, keep apart, and no token is readable", async (context) => {
  const { server: acme, stack } = await start(context, twoProviders(500), {}, plugin);
  const globex = await Harness.start({ seed: { organization: { name: "globex" } } });
  context.onTestFinished(() => globex[Symbol.asyncDispose]());
  delete stack.environment["INFRASYNC_BASE_URL"];
  delete stack.environment["INFRASYNC_TOKEN"];
  const seen: string[] = [];
  const keep = (run: Run): void => {
    expect(run).toMatchObject({ exitCode: 0, errors: [] });
    const shown = run.events.filter(({ diagnosticEvent }) => diagnosticEvent?.prefix !== "debug: ");
    seen.push(run.stdout, run.stderr, JSON.stringify(shown));
  };
  const configure = async (): Promise<void> => {
    for (const [name, { emulator }] of Object.entries({ acme, globex })) {
      await stack.configure(`${name}Url`, emulator.url, { secret: false });
      await stack.configure(`${name}Token`, emulator.tokens.admin, { secret: true });
    }
  };
  await configure();
  keep(await stack.up("--diff"));
  const paths = ["shop", "shop/staging", "shop/staging/JOB nightly"];
  const [one, two] = [await acme.everything(), await globex.everything()];
  expect([[...one.keys()], [...two.keys()]]).toEqual([paths, paths]);
  expect([one, two].map((live) => live.get(paths[2] ?? "")?.["cpu"])).toEqual([500, 501]);
  expect(await stack.preview()).toMatchObject(nothing);
  seen.push((await stack.export()).text);

  await stack.rewrite(twoProviders(600));
  const changed = await stack.up("--diff");
  keep(changed);
  expect(changed.steps.toSorted()).toEqual(["update Job nightly-0", "update Job nightly-1"]);
  keep(await stack.refresh("--diff"));

  // A second stack of the program adopts what the first one has made.
  expect(await stack.shell("pulumi stack init other", "")).toMatchObject({ exitCode: 0 });
  await configure();
  stack.environment["INFRASYNC_ADOPT"] = "true";
  keep(await stack.up("--diff"));
  expect([...(await acme.everything()).values()].map(({ id }) => id)).toEqual(
    [...one.values()].map(({ id }) => id),
  );
  seen.push((await stack.export()).text);
  keep(await stack.destroy());
  expect([(await acme.everything()).size, (await globex.everything()).size]).toEqual([0, 0]);
  // Not with a matcher: its failure message would print the tokens.
  const tokens = [acme.emulator.tokens.admin, globex.emulator.tokens.admin];
  expect(seen.filter((part) => tokens.some((token) => part.includes(token))).length).toBe(0);
});
