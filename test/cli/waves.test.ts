import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { serve } from "../fixtures/http-server.ts";
import { gatherWaves } from "../fixtures/waves.ts";
import { useFixture } from "./fixture.ts";

// How often a plan waits for the server: requests that are sent at the same time are one wave.

const fixture = useFixture({ behaviour: { rate_limit: 0 } });

test("a plan of five environments waits four times: a wave for each level", async () => {
  const environments = ["a", "b", "c", "d", "e"];
  const manifests = await fixture.write(
    "shop.yaml",
    [
      "kind: Project\nname: shop\n",
      ...environments.flatMap((name) => [
        `kind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\n`,
        ...["one", "two"].map((each) => job(each, "", `shop/${name}`).replace(/^---\n/, "")),
      ]),
    ].join("---\n"),
  );
  expect((await fixture.run(["apply", manifests, "--yes"])).code).toBe(0);
  const { listener, waves } = gatherWaves(fixture.emulator.url);
  const { url } = await serve(listener);
  const { stdout, code } = await fixture.run(["plan", manifests], { env: { INFRASYNC_BASE_URL: url } });
  expect({ stdout, code }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No changes") as string,
  });
  expect(waves).toEqual([
    ["/organization"],
    ["/organization/{id}/project"],
    ["/project/{id}/environment"],
    environments.map(() => "/environment/{id}/services"),
  ]);
});

test("status of an environment waits five times for the server, also right after writes and deployments", async () => {
  const names = Array.from({ length: 40 }, (_, index) => `job-${index}`);
  const jobs = names.map((name) => job(name, "variables: { A: a, B: b }")).join("");
  const manifests = await fixture.write("shop.yaml", shop + jobs);
  const { listener, waves } = gatherWaves(fixture.emulator.url);
  const { url } = await serve(listener);
  const env = { INFRASYNC_BASE_URL: url, XDG_CACHE_HOME: `${fixture.folder}/caches` };
  const { code: applied } = await fixture.run(["apply", manifests, "--yes", "--deploy"], { env });
  expect(applied).toBe(0);
  waves.splice(0);
  const { code } = await fixture.run(["status", "environment:shop/staging"], { env });
  expect(code).toBe(0);
  expect(waves).toEqual([
    ["/organization"],
    ["/organization/{id}/project"],
    ["/project/{id}/environment"],
    ["/environment/{id}/services", "/environment/{id}/statuses"],
    ["/variable"],
  ]);
});
