import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  caps,
  duration,
  type Reader,
  url,
  wholeNumber,
  yesOrNo,
} from "../../../core/manifests/settings/values.ts";
import { steady, useFixture } from "../fixture.ts";
import { spawnInfrasync } from "../child.ts";
import { shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

describe("values", () => {
  const table: [string, Reader<unknown>, string, unknown][] = [
    ["caps", caps, "20", { count: 20 }],
    ["caps", caps, "50%", { percent: 50 }],
    ["caps", caps, "20,50%", { count: 20, percent: 50 }],
    ["caps", caps, "20, 100%", { count: 20, percent: 100 }],
    ["caps", caps, "0", { count: 0 }],
    ["caps", caps, "50%,20", undefined],
    ["caps", caps, "101%", undefined],
    ["caps", caps, "-1", undefined],
    ["caps", caps, "", undefined],
    ["caps", caps, ",", undefined],
    ["duration", duration, "90", undefined],
    ["duration", duration, "90s", 90_000],
    ["duration", duration, "5m", 300_000],
    ["duration", duration, "5 min", 300_000],
    ["duration", duration, "1h", 3_600_000],
    ["duration", duration, "3d", 259_200_000],
    ["duration", duration, "2 w", 1_209_600_000],
    ["duration", duration, "0s", 0],
    ["duration", duration, "1.5h", undefined],
    ["duration", duration, "soon", undefined],
    ["number", wholeNumber(1, 100), "100", 100],
    ["number", wholeNumber(1, 100), "0", undefined],
    ["number", wholeNumber(1, 100), "101", undefined],
    ["number", wholeNumber(1, 100), "1e1", undefined],
    ["switch", yesOrNo, "1", true],
    ["switch", yesOrNo, "false", false],
    ["switch", yesOrNo, "yes", undefined],
    ["url", url, "https://api.example.com/v1/", "https://api.example.com/v1"],
    ["url", url, "api.example.com", undefined],
    ["url", url, "localhost:9", undefined],
    ["url", url, "https:/api.example.com", undefined],
  ];

  test.for(table)("%s: %3$s", ([, read, text, expected]) => {
    const reading = read(text);
    if (expected === undefined) expect(reading).toHaveProperty("advice");
    else expect(reading).toEqual({ value: expected });
  });
});

describe("precedence", () => {
  const plan = (args: string[], env: Record<string, string | undefined> = {}) =>
    fixture.run(["plan", fixture.folder, ...args], { env });

  test("a flag overrides a variable, a variable overrides the file", async () => {
    await fixture.write("shop.yaml", shop);
    await fixture.write("infrasync.config.yaml", "organization: of-the-file\n");
    const named = async (args: string[], env?: Record<string, string | undefined>) =>
      /named "(.*)"/.exec((await plan(args, env)).stderr)?.[1];
    expect(await named([])).toBe("of-the-file");
    expect(await named([], { INFRASYNC_ORGANIZATION: "of-the-variable" })).toBe("of-the-variable");
    expect(
      await named(["--organization", "of-the-flag"], { INFRASYNC_ORGANIZATION: "of-the-variable" }),
    ).toBe("of-the-flag");
  });

  test("the settings file is found beside a manifest, or named with --config", async () => {
    const manifest = await fixture.write("shop/shop.yaml", shop);
    await fixture.write("shop/infrasync.config.yaml", "organization: beside\n");
    const other = await fixture.write("other.yaml", "organization: named\n");
    expect((await fixture.run(["plan", manifest])).stderr).toContain('named "beside"');
    expect((await fixture.run(["plan", manifest, "--config", other])).stderr).toContain('named "named"');
    expect((await fixture.run(["plan", manifest, "--config", join(fixture.folder, "none.yaml")])).stderr)
      .toMatchInlineSnapshot(`
      "error: the settings file none.yaml does not exist
        give the right file with --config
      "
    `);
  });

  test.each([
    [
      "infrasync.config.yml",
      "organization: acme\n",
      "has the wrong name, so its settings and its protect list would be ignored",
    ],
    ["infrasync.config.yaml", Buffer.from("protect: [caf\u00E9/**]\n", "latin1"), "is not a text in UTF-8"],
    ["infrasync.config.yaml", Buffer.from("\uFEFForganization: acme\n", "utf16le"), "is not a text in UTF-8"],
  ])("a file %s that would have no effect is an error", async (name, content, why) => {
    await fixture.write("shop.yaml", shop);
    await fixture.write(name, content);
    const { code, stderr } = await fixture.run(["validate", fixture.folder]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`${name} ${why}`) });
  });

  test("the token may be in a file, and never in an argument or in the settings file", async () => {
    await fixture.write("shop.yaml", shop);
    const file = await fixture.write("token.txt", `${fixture.emulator.tokens.read}\n`);
    expect(await plan([], { INFRASYNC_TOKEN: undefined, INFRASYNC_TOKEN_FILE: file })).toMatchObject({
      code: 0,
    });
    const empty = await fixture.write("empty.txt", "\n");
    expect((await plan([], { INFRASYNC_TOKEN: undefined, INFRASYNC_TOKEN_FILE: empty })).stderr).toContain(
      "is empty",
    );
    expect((await plan([], { INFRASYNC_TOKEN: undefined, INFRASYNC_TOKEN_FILE: "/nowhere/token" })).stderr)
      .toMatchInlineSnapshot(`
      "error: the file that INFRASYNC_TOKEN_FILE names cannot be read (ENOENT)
        correct the path
      "
    `);
    await fixture.write("infrasync.config.yaml", "organization: acme\ntoken: canary-canary-canary\n");
    const { code, stderr } = await plan([]);
    expect(code).toBe(3);
    expect(stderr).not.toContain("canary-canary");
    expect(stderr).toMatchInlineSnapshot(`
      "infrasync.config.yaml:2:1: error: a token must not be in a file under version control
        2 | token: …
          | ^
        remove it, revoke that token, and set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token
      "
    `);
  });
});

describe("the search for the settings file", () => {
  /**
   * Writes manifests, and settings files that each contain the name of their folder; returns the name in the settings
   * that apply, or the error.
   */
  const organizationOf = async (manifests: string[], settings: string[], sources: string[]) => {
    for (const [index, file] of manifests.entries())
      await fixture.write(file, `kind: Project\nname: shop-${index}\n`);
    for (const folder of settings)
      await fixture.write(join(folder, "infrasync.config.yaml"), `organization: of ${folder}\n`);
    const { stderr } = await fixture.run(["plan", ...sources.map((source) => join(fixture.folder, source))]);
    return /named "of (.*)"/.exec(stderr)?.[1] ?? stderr;
  };
  const job = "manifests/shop/production/job.yaml";
  const table: [what: string, settings: string[], sources: string[], expected: string][] = [
    ["above a file", ["manifests"], [job], "manifests"],
    ["above a folder", ["manifests"], ["manifests/shop"], "manifests"],
    ["at the root", ["."], [job], "."],
    ["the nearest", [".", "manifests", "manifests/shop"], [job], "manifests/shop"],
    ["the same for two sources", ["manifests"], [job, "manifests/shop"], "manifests"],
  ];

  test.for(table)("searches in a git work tree: %s", async ([, settings, sources, expected]) => {
    await mkdir(join(fixture.folder, ".git"));
    expect(await organizationOf([job], settings, sources)).toBe(expected);
  });

  test("does not search above the root of the git work tree", async () => {
    await fixture.write("manifests/shop/.git", "gitdir: /elsewhere\n");
    expect(await organizationOf([job], ["manifests"], [job])).toBe("");
  });

  test("searches above the target of a link, as after cd into it", async () => {
    await mkdir(join(fixture.folder, ".git"));
    await mkdir(join(fixture.folder, "here"));
    await symlink(join(fixture.folder, "there/shop"), join(fixture.folder, "here/link"));
    await fixture.write("there/shop/production/job.yaml", shop);
    const found = (settings: string[], source: string) => organizationOf([], settings, [source]);
    expect(await found(["here", "there"], "here/link")).toBe("there");
    expect(await found([], "here/link/production")).toBe("there");
    expect(await found([], "here/link/production/job.yaml")).toBe("there");
    expect(await found(["there/shop"], "here/link")).toBe("there/shop");
  });

  test("searches beside a link to a file, because only the file itself is elsewhere", async () => {
    await mkdir(join(fixture.folder, ".git"));
    await fixture.write("there/shop.yaml", shop);
    await mkdir(join(fixture.folder, "here"));
    await symlink(join(fixture.folder, "there/shop.yaml"), join(fixture.folder, "here/shop.yaml"));
    expect(await organizationOf([], ["here", "there"], ["here/shop.yaml"])).toBe("here");
  });

  test("outside a git work tree, does not search above a source that lies elsewhere", async () => {
    expect(await organizationOf([job], ["manifests/shop"], [job])).toBe("");
    expect(await organizationOf([job], ["manifests/shop/production"], [job])).toBe(
      "manifests/shop/production",
    );
  });

  test.for([
    [".", "manifests", "manifests/shop/job.yaml", "manifests/infrasync.config.yaml"],
    [".", ".", "manifests/shop", "infrasync.config.yaml"],
    ["manifests", ".", "shop", undefined],
    ["manifests", "manifests", "../other", "infrasync.config.yaml"],
  ])(
    "outside a git work tree, searches up to the working directory: %j",
    async ([cwd = "", settings = "", source = "", expected]) => {
      await fixture.write("manifests/shop/job.yaml", shop);
      await fixture.write("other/shop.yaml", shop);
      await fixture.write(join(settings, "infrasync.config.yaml"), "organisation: acme\n");
      const from = join(fixture.folder, cwd);
      const { code, stderr } = await spawnInfrasync(["validate", source], {}, from).ended;
      expect([code, stderr.split(":")[0]]).toEqual(expected === undefined ? [0, ""] : [3, expected]);
    },
  );

  test.each([
    [["a", "b"], ["a", "b"], "a/infrasync.config.yaml and b/infrasync.config.yaml"],
    [["a", "."], ["a", "b"], "a/infrasync.config.yaml and infrasync.config.yaml"],
  ])("refuses two possible settings files: %j", async (settings, sources, named) => {
    await mkdir(join(fixture.folder, ".git"));
    expect(await organizationOf(["a/shop.yaml", "b/shop.yaml"], settings, sources)).toContain(
      `error: the manifests have different settings files: ${named}\n  choose one with --config\n`,
    );
  });

  test("refuses a settings file below the folder of the manifests, unless --config names one", async () => {
    await fixture.write("manifests/shop/shop.yaml", shop);
    await fixture.write("manifests/shop/infrasync.config.yaml", "protect: [shop/**]\n");
    const named = await fixture.write("manifests/infrasync.config.yaml", "{}\n");
    const validate = (...args: string[]) =>
      fixture.run(["validate", join(fixture.folder, "manifests"), ...args]);
    const { code, stderr } = await validate();
    expect(code).toBe(3);
    expect(stderr).toMatchInlineSnapshot(`
      "error: manifests/shop/infrasync.config.yaml would apply to a part of manifests only, but settings apply to a whole run
        move it to manifests/infrasync.config.yaml, or choose one with --config
      "
    `);
    expect(await validate("--config", named)).toMatchObject({ code: 0 });
  });

  test.each([
    "infrasync.config.yml",
    ".infrasync.config.yaml",
    "infrasync.config.json",
    "infrasync-config.yaml",
    "Infrasync.config.yaml",
    "infrasync.config",
  ])("refuses a misnamed settings file, also above and beside the right one: %s", async (name) => {
    await mkdir(join(fixture.folder, ".git"));
    const manifest = await fixture.write("shop/shop.yaml", shop);
    await fixture.write("infrasync.config.yaml", "{}\n");
    for (const place of [`shop/${name}`, name]) {
      const file = await fixture.write(place, "protect: [shop/**]\n");
      const ran = await fixture.run(["validate", manifest]);
      expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(`${place} has the wrong name`) });
      await rm(file);
    }
  });

  test("a single file as source keeps the protection of its settings", async () => {
    await mkdir(join(fixture.folder, ".git"));
    const manifest = await fixture.write("manifests/shop/shop.yaml", shop);
    await fixture.run(["apply", manifest, "--yes"]);
    await fixture.write("manifests/infrasync.config.yaml", "protect: [project:shop]\n");
    const { code, stderr } = await fixture.run(["destroy", manifest, "--yes"]);
    expect(code).toBe(3);
    expect(stderr).toMatchInlineSnapshot(`
      "
      error: project:shop cannot be deleted: it is protected by the pattern "project:shop", as is environment:shop/staging
        take "project:shop" out of \`protect\` in the settings file
      "
    `);
  });
});

test.each([
  ["9.0.0", "this is infrasync 0.1.0, and the settings file requires 9.0.0 or newer"],
  ["0.1", "min_version is not a version"],
])("a settings file with min_version %s is refused, before any request", async (version, message) => {
  const config = await fixture.write("infrasync.config.yaml", `min_version: ${version}\n`);
  const { code, stderr } = await fixture.run(["list", "--config", config]);
  expect({ code, isSaid: stderr.includes(message), stderr }).toMatchObject({ code: 3, isSaid: true });
  expect(await fixture.requests()).toEqual([]);
  await fixture.write("infrasync.config.yaml", "min_version: 0.1.0\n");
  expect(await fixture.run(["list", "--config", config])).toMatchObject({ code: 0 });
});

describe("mistakes", () => {
  test("every mistake in the settings file is reported with its place", async () => {
    await fixture.write("shop.yaml", shop);
    await fixture.write(
      "infrasync.config.yaml",
      `base_url: nowhere
organisation: acme
protect:
  - shop/production/**
  - 3
  - envy:shop/production
max_deletes: half
parallelism: 1000
log_level: debug
on_quota: [wait]
clone_timeout: soon
organization: { name: acme }
`,
    );
    const { code, stderr } = await fixture.run(["validate", fixture.folder]);
    expect(code).toBe(3);
    expect(`\n${stderr}`).toMatchInlineSnapshot(`
      "
      infrasync.config.yaml:1:11: error: base_url is not a URL that begins with https:// or http://
        1 | base_url: nowhere
          |           ^
        write one like https://api.example.com

      infrasync.config.yaml:2:1: error: unknown setting organisation
        2 | organisation: acme
          | ^
        did you mean organization?

      infrasync.config.yaml:5:5: error: protect must be a list of patterns
        5 |   - 3
          |     ^
        write patterns such as shop/production or job:shop/staging/nightly-*

      infrasync.config.yaml:6:5: error: "envy:shop/production" begins with "envy:", which is not a kind
        6 |   - envy:shop/production
          |     ^
        the kinds are annotationsgroup, apitoken, application, awscredentials, azurecredentials, backup, cluster, container, containerregistry, customrole, database, deploymentrule, deploymentstage, environment, gcpcredentials, gittoken, helm, helmrepository, job, labelsgroup, member, onpremisecredentials, organization, project, scalewaycredentials, terraform, webhook (*: before a name with a colon in it)

      infrasync.config.yaml:7:14: error: max_deletes cannot be "half"
        7 | max_deletes: half
          |              ^
        write a number of resources, a share of the services of an environment, or both: 20 or 50% or 20,50%

      infrasync.config.yaml:8:14: error: parallelism cannot be "1000"
        8 | parallelism: 1000
          |              ^
        write a whole number from 1 to 100

      infrasync.config.yaml:9:1: error: unknown setting log_level
        9 | log_level: debug
          | ^
        a settings file cannot contain it; set INFRASYNC_LOG_LEVEL

      infrasync.config.yaml:10:1: error: on_quota is a list, not a single value
        10 | on_quota: [wait]
           | ^
        write on_quota: and its value on one line

      infrasync.config.yaml:11:16: error: clone_timeout cannot be "soon"
        11 | clone_timeout: soon
           |                ^
        write a whole number and a unit (s, m, h, d or w), such as 90s, 12h or 3d

      infrasync.config.yaml:12:1: error: organization is a mapping, not a single value
        12 | organization: { name: acme }
           | ^
        write organization: and its value on one line

      10 problems; nothing has been changed
      "
    `);
  });

  test.for([
    ["- a\n- b\n", "the settings file must be a mapping"],
    ["a: [\n", "invalid YAML"],
    ["organization: acme\n---\norganization: acme\n", "contains more than one document"],
    ["clone_timeout: 0\n", 'clone_timeout cannot be "0"\n  1 | clone_timeout: 0'],
    ["clone_timeout: 5\n", 'clone_timeout is "5" without a unit\n  1 | clone_timeout: 5'],
    ["organization: a\norganization: b\n", 'duplicate key "organization"'],
  ])("an invalid settings file is refused: %j", async ([content = "", message = ""]) => {
    await fixture.write("shop.yaml", shop);
    await fixture.write("infrasync.config.yaml", content);
    const { code, stderr } = await fixture.run(["validate", fixture.folder]);
    expect(code).toBe(3);
    expect(stderr).toContain(message);
  });

  test("mistakes in flags and variables are reported by name", async () => {
    await fixture.write("shop.yaml", shop);
    const { code, stderr } = await fixture.run(
      ["apply", fixture.folder, "--yes", "--max-deletes", "few", "--max-requests", "some"],
      { env: { INFRASYNC_CLONE_TIMEOUT: "soon", INFRASYNC_BASE_URL: undefined, INFRASYNC_TOKEN: undefined } },
    );
    expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
    expect(`\n${steady(stderr)}`).toMatchInlineSnapshot(`
      "
      error: --max-deletes cannot be "few"
        write a number of resources, a share of the services of an environment, or both: 20 or 50% or 20,50%

      error: INFRASYNC_CLONE_TIMEOUT cannot be "soon"
        write a whole number and a unit (s, m, h, d or w), such as 90s, 12h or 3d

      error: --max-requests cannot be "some"
        write a whole number from 1 on

      error: no token is set
        set INFRASYNC_TOKEN to an API token of the organization, or INFRASYNC_TOKEN_FILE to a file that holds one

      error: the URL of the API is not set
        set INFRASYNC_BASE_URL, or --base-url, to a URL like https://api.example.com; to try things out, start \`infrasync emulator\`

      5 problems; nothing has been changed
      "
    `);
  });
});
