import { mkdir, mkdtemp, realpath, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { installPackage } from "../../fixtures/installed-package.ts";
import { frontEnds } from "./front-ends.ts";
import { program, start } from "./shop.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

let folder = "";
let infrasync = "";

/** The package as npm installs it, with the Pulumi of the program beside it. */
beforeAll(async () => {
  if ("missing" in inject("pulumi")) return;
  folder = await mkdtemp(path.join(await realpath(tmpdir()), "infrasync-installed-"));
  const { project, installed } = await installPackage(folder);
  infrasync = installed;
  const pulumi = path.join("node_modules", "@pulumi");
  await mkdir(path.join(project, pulumi));
  await symlink(path.resolve(pulumi, "pulumi"), path.join(project, pulumi, "pulumi"));
});
afterAll(() => removeFolder(folder));

test.for(frontEnds)(
  "$name: the installed package says that a setting is missing, in a preview too, and ends a refresh with a wrong token with one error",
  async (frontEnd, context) => {
    const { stack } = await start(context, program(`new Project("shop", { name: "shop" });`), {}, frontEnd, {
      packages: { infrasync },
    });
    for (const [name, message] of Object.entries({
      INFRASYNC_TOKEN: "there is no token; run `pulumi config set",
      INFRASYNC_BASE_URL: "the URL of the API is not set",
    })) {
      const { [name]: value = "" } = stack.environment;
      delete stack.environment[name];
      const { exitCode, errors } = await stack.preview();
      expect(exitCode).not.toBe(0);
      expect(errors.join("\n")).toContain(message);
      stack.environment[name] = value;
    }
    expect(await stack.up()).toMatchObject({ exitCode: 0 });
    stack.environment["INFRASYNC_TOKEN"] = "wrong";
    for (const run of [() => stack.refresh(), () => stack.up("--refresh")]) {
      const { exitCode, errors, stdout } = await run();
      expect(exitCode).not.toBe(0);
      expect(stdout).not.toMatch(/^\s*(?:\S+ \S+ running\s+)?at \S+ \(/m);
      expect(errors.filter((error) => error.includes("401"))).toEqual([
        expect.stringContaining("The token comes from INFRASYNC_TOKEN."),
      ]);
      expect(errors.join("\n")).not.toMatch(/^\s+at /m);
    }
  },
);
