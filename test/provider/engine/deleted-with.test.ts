import { expect, test } from "vitest";
import { frontEnds, plugin } from "./front-ends.ts";
import { nothing, program, stagingWithJobs, start } from "./shop.ts";

const names = ["a", "b", "c", "d", "e", "f"];

/** Six jobs that the engine does not delete itself, because they go with their environment. @param environment more inputs of it */
const sixJobs = (environment = "") =>
  program(`${stagingWithJobs.replace('name: "staging" }', `name: "staging", ${environment} }`)}
    for (const name of ${JSON.stringify(names)}) job(name, {}, { deletedWith: staging });
  `);

test.for(frontEnds)(
  "$name: a refused deletion of an environment loses none of the jobs with the option deletedWith, or says how they come back",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, sixJobs(), {}, frontEnd);
    const up = await stack.up();
    expect(up).toMatchObject({ exitCode: 0, errors: [] });
    await server.reconcile([
      {
        kind: "Container",
        environment: "shop/staging",
        name: "of-somebody-else",
        registry: "docker-hub",
        image_name: "acme/web",
        tag: "1",
      },
    ]);
    const whole = await server.everything();
    const ids = async () => (await stack.export()).resources.map(({ urn, id }) => `${urn} ${id}`).toSorted();
    const before = await ids();
    const destroy = await stack.destroy();
    expect(destroy.exitCode).not.toBe(0);
    if (frontEnd === plugin) {
      // The engine tells a plugin nothing of the option, and asks it nothing before it drops the jobs.
      expect(destroy.errors.join("\n")).toContain("`INFRASYNC_ADOPT=true pulumi up` adds them again");
      expect(await server.everything()).toEqual(whole);
      stack.environment["INFRASYNC_ADOPT"] = "true";
      expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
      delete stack.environment["INFRASYNC_ADOPT"];
      expect(await ids()).toEqual(before);
      expect(await server.everything()).toEqual(whole);
      expect(await stack.up()).toMatchObject(nothing);
    } else {
      expect(up.stdout).toContain(
        "deletedWith that names this resource has no effect, because it does not set deleteContents: true",
      );
      // The engine has deleted them one by one, and everything that is in the state still exists.
      const live = new Set([...(await server.everything()).values()].map(({ id }) => String(id)));
      expect(live.size).toBe(3);
      expect((await stack.export()).resources.every(({ id }) => live.has(id ?? ""))).toBe(true);
    }
    await stack.rewrite(sixJobs("deleteContents: true"));
    const again = await stack.up();
    expect(again).toMatchObject({ exitCode: 0, errors: [] });
    expect(again.stdout).not.toContain("has no effect");
    await server.forgetRequests();
    expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
    const deletions = (await server.writes()).filter(({ method }) => method === "DELETE");
    expect(deletions.map(({ path }) => path.split("/")[1]).toSorted()).toEqual(["environment", "project"]);
    expect([...(await server.everything()).keys()]).toEqual([]);
  },
);
