import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { documentOf } from "../captured.ts";
import { steady, useFixture, writesOf } from "../fixture.ts";
import { cronJob, lifecycleJob, shop } from "../../fixtures/manifests.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const fixture = useFixture();

/** The output of apply for the files of the folder, which must send no request. */
async function refusal(): Promise<string> {
  const { code, stdout, stderr } = await fixture.run(["apply", fixture.folder, "--yes"]);
  expect({ code, stdout, requests: await fixture.takeRequests() }).toEqual({
    code: 3,
    stdout: "",
    requests: [],
  });
  expect(await fixture.run(["validate", fixture.folder])).toMatchObject({ code: 3, stdout: "", stderr });
  return `\n${stderr}`;
}

/** The output of apply for files with mistakes that only the server reveals, which must send no write. */
async function refusalByServer(...args: string[]): Promise<string> {
  const { code, stderr } = await fixture.run(["apply", fixture.folder, "--yes", ...args]);
  expect({ code, writes: writesOf(await fixture.takeRequests()) }).toEqual({ code: 3, writes: [] });
  return `\n${steady(stderr)}`;
}

describe("mistakes in files are reported without a request", () => {
  test("invalid YAML", async () => {
    await fixture.write("jobs.yaml", "kind: Job\nname: [a, b\n");
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      jobs.yaml:3:1: error: invalid YAML: flow sequence in block collection must be sufficiently indented and end with a ]
        3 |
          | ^
        indent what belongs together by the same number of spaces, and close each bracket
      "
    `);
  });

  test("an unknown kind", async () => {
    await fixture.write("jobs.yaml", "kind: Jbo\nname: a\n");
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      jobs.yaml:1:7: error: unknown kind "Jbo"
        1 | kind: Jbo
          |       ^
        did you mean Job?
      "
    `);
  });

  test("unknown fields, fields of the wrong type, fields out of range", async () => {
    await fixture.write(
      "jobs.yaml",
      cronJob("report", "cpus: 3\nmax_nb_restart: -1\nauto_preview: yes\n").replace("cpu: 500", "cpu: five"),
    );
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      jobs.yaml:5:6: error: cpu must be a whole number, not the text "five"
        5 | cpu: five
          |      ^
        write a whole number, such as 500 (CPU in millicores: 1000 is one CPU)

      jobs.yaml:11:1: error: a Job has no field "cpus"
        11 | cpus: 3
           | ^
        did you mean cpu?

      jobs.yaml:12:17: error: max_nb_restart must be 0 or more, not -1
        12 | max_nb_restart: -1
           |                 ^
        write a number in that range (Restarts before a run counts as failed)

      jobs.yaml:13:15: error: auto_preview must be true or false, not the text "yes"
        13 | auto_preview: yes
           |               ^
        write auto_preview: true

      4 problems; nothing has been changed
      "
    `);
  });

  test("a job with both schedule types, a job with both sources", async () => {
    const both = cronJob("report").replace("schedule:\n", "schedule:\n  on_stop: {}\n");
    await fixture.write("jobs.yaml", both.replace("source:\n", "source:\n  docker: {}\n"));
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      jobs.yaml:8:3: error: source.docker is empty
        8 |   docker: {}
          |   ^
        declare git_repository or dockerfile_raw, or leave source.docker out

      jobs.yaml:9:3: error: source.docker and source.image exclude each other
        9 |   image: { registry: docker-hub, image_name: acme/report, tag: 1.4.2 }
          |   ^
        keep one of them (Source of the job: image or docker)

      jobs.yaml:12:3: error: schedule.on_stop and schedule.cronjob exclude each other
        12 |   cronjob: { scheduled_at: "0 3 * * *", timezone: Europe/Paris }
           |   ^
        keep one of them (When it runs: cronjob, or any of on_start, on_stop, on_delete)

      3 problems; nothing has been changed
      "
    `);
  });

  test("a cron expression of six fields and an unknown time zone", async () => {
    await fixture.write(
      "jobs.yaml",
      cronJob("report").replace("0 3 * * *", "0 0 3 * * *").replace("Europe/Paris", "Europe/Pariss"),
    );
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      jobs.yaml:10:28: error: schedule.cronjob.scheduled_at: "0 0 3 * * *" has 6 fields instead of 5: there is no field for seconds
        10 |   cronjob: { scheduled_at: "0 0 3 * * *", timezone: Europe/Pariss }
           |                            ^
        leave the seconds out: "0 3 * * *"

      jobs.yaml:10:53: error: schedule.cronjob.timezone: "Europe/Pariss" is not a time zone
        10 |   cronjob: { scheduled_at: "0 0 3 * * *", timezone: Europe/Pariss }
           |                                                     ^
        did you mean Europe/Paris?

      2 problems; nothing has been changed
      "
    `);
  });

  test("equal addresses, also when they differ only in case", async () => {
    await fixture.write("a.yaml", cronJob("report") + lifecycleJob("migrate"));
    await fixture.write("b.yaml", cronJob("report") + lifecycleJob("Migrate"));
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      b.yaml:4:7: error: Job shop/staging/report is declared twice, first at a.yaml:4:7
        4 | name: report
          |       ^
        merge the two documents

      b.yaml:14:7: error: Job shop/staging/Migrate is declared twice, first at a.yaml:14:7 as "migrate"
        14 | name: Migrate
           |       ^
        names that differ only in case or in the form of Unicode are the same; merge the two documents

      2 problems; nothing has been changed
      "
    `);
  });

  test("a cycle, and a clone of itself", async () => {
    const clone = (name: string, from: string) =>
      `---\nkind: Job\nenvironment: shop/staging\nname: ${name}\nclone: { from: shop/staging/${from} }\n`;
    await fixture.write("jobs.yaml", clone("a", "b") + clone("b", "a") + clone("c", "c"));
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      jobs.yaml:5:16: error: these depend on each other in a circle: Job shop/staging/a -> Job shop/staging/b -> Job shop/staging/a
        5 | clone: { from: shop/staging/b }
          |                ^
        remove clone from one of them

      jobs.yaml:15:16: error: clone.from of Job shop/staging/c names the resource itself
        15 | clone: { from: shop/staging/c }
           |                ^
        name another source, or leave clone out

      2 problems; nothing has been changed
      "
    `);
  });

  test("a file over 1 MiB", async () => {
    await fixture.write("jobs.yaml", `${shop}# ${"x".repeat(1024 * 1024)}\n`);
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      error: jobs.yaml is larger than 1 MiB
        split it into several files
      "
    `);
  });

  test("an alias bomb", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(9)}*a${level}]`,
    );
    await fixture.write("jobs.yaml", `kind: Job\na0: &a0 x\n${levels.join("\n")}\n`);
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      jobs.yaml:6:25: error: the aliases expand to more than 10,000 values
        6 | a4: &a4 [*a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3, *a3]
          |                         ^
        use fewer aliases, or aliases of smaller values
      "
    `);
  });

  test("20,000 levels of nesting", async () => {
    await fixture.write("jobs.yaml", `kind: Job\nname: ${"[".repeat(20_000)}\n`);
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      jobs.yaml:2:107: error: nested more than 100 levels deep
        2 | …[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…
          |                                         ^
        a manifest has fewer than ten levels; the rest of this file has not been read
      "
    `);
  });

  test("binary content", async () => {
    await fixture.write("jobs.yaml", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0xff, 0xfe, 0x00]));
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      error: jobs.yaml is not a text in UTF-8
        if it is a text, save it in UTF-8; leave other files out
      "
    `);
  });

  test("__proto__ as a key", async () => {
    await fixture.write("jobs.yaml", cronJob("report", "__proto__: { cpu: 1 }\n"));
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      jobs.yaml:11:1: error: a Job has no field "__proto__"
        11 | __proto__: { cpu: 1 }
           | ^
        it may have: port, clone, kind, name, $remove, cpu, memory, gpu, and 21 others
      "
    `);
  });

  test("a symbolic link that leaves the folder", async () => {
    const elsewhere = temporaryFolder("elsewhere");
    await writeFile(join(elsewhere, "secret.yaml"), shop);
    await symlink(join(elsewhere, "secret.yaml"), join(fixture.folder, "jobs.yaml"));
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      error: jobs.yaml is a symbolic link that leaves the folder
        put the file itself there, or name the target of the link
      "
    `);
  });

  test("a source without a name", async () => {
    const { code, stderr } = await fixture.run(["plan", ""]);
    expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
    expect(`\n${stderr}`).toMatchInlineSnapshot(`
      "
      error: the argument sources has no value
        write one, or leave it out; perhaps a variable of the shell is not set
      "
    `);
  });

  test("no manifests at all", async () => {
    await mkdir(join(fixture.folder, "empty"));
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      error: manifests contains no manifests
        name a folder with files whose names end in .yaml or .yml, or let infrasync init write manifests of the live resources
      "
    `);
  });

  test("all mistakes of all files are reported together, as text and as JSON", async () => {
    await fixture.write("a.yaml", cronJob("report").replace("cpu: 500", "cpu: five"));
    await fixture.write("b/b.yaml", "kind: Environment\nname: staging\nmod: STAGING\n");
    expect(await refusal()).toMatchInlineSnapshot(`
      "
      a.yaml:5:6: error: cpu must be a whole number, not the text "five"
        5 | cpu: five
          |      ^
        write a whole number, such as 500 (CPU in millicores: 1000 is one CPU)

      b/b.yaml:1:1: error: project is missing
        1 | kind: Environment
          | ^
        add project: PROJECT

      b/b.yaml:3:1: error: an Environment has no field "mod"
        3 | mod: STAGING
          | ^
        did you mean mode?

      3 problems in 2 files; nothing has been changed
      "
    `);
    const ran = await fixture.run(["plan", fixture.folder, "--output", "json"]);
    expect(ran).toMatchObject({ code: 3, stderr: "" });
    expect(documentOf(ran)).toMatchObject({
      ok: false,
      error: { code: "invalid_input", message: "3 problems were found" },
      problems: [{ file: "a.yaml", line: 5, column: 6 }, { file: "b/b.yaml" }, { file: "b/b.yaml", line: 3 }],
    });
  });
});

describe("a missing --yes does not hide other mistakes", () => {
  const said = async (...args: string[]) => {
    await fixture.write("jobs.yaml", "kind: Jbo\nname: a\n");
    const { code, stdout, stderr } = await fixture.run(
      args.map((arg) => arg.replace("FOLDER", fixture.folder)),
    );
    expect({ code, stdout, requests: await fixture.takeRequests() }).toEqual({
      code: 3,
      stdout: "",
      requests: [],
    });
    return stderr.split("\n").filter((line) => line.includes("error: "));
  };

  test.each([["apply"], ["destroy"]])("%s", async (command) => {
    expect(
      await said(command, "FOLDER", "--max-requests", "many", "--target", "job:shop", "--max-deletes", "all"),
    ).toEqual([
      'error: --max-deletes cannot be "all"',
      'error: --max-requests cannot be "many"',
      'error: "job:shop" has too few or too many names in it',
      `error: ${command} cannot ask for confirmation, because there is no terminal`,
      'jobs.yaml:1:7: error: unknown kind "Jbo"',
    ]);
  });

  test("two target patterns", async () => {
    const args = ["--yes", "--target", "job:shop", "--allow-replace", "jbos:**"];
    expect((await said("apply", "FOLDER", ...args)).slice(0, 2)).toEqual([
      'error: "job:shop" has too few or too many names in it',
      'error: "jbos:**" begins with "jbos:", which is not a kind',
    ]);
  });

  test("clone", async () => {
    expect(await said("clone", "jop", "shop/a/b", "--to", "shop/c", "--max-requests", "soon")).toEqual([
      'error: --max-requests cannot be "soon"',
      "error: clone cannot ask for confirmation, because there is no terminal",
      'command line:1:17: error: unknown kind "jop"',
    ]);
  });

  test("a saved plan", async () => {
    expect(await said("apply", "--plan", "FOLDER/jobs.yaml")).toEqual([
      "error: the plan file jobs.yaml is not a saved plan of infrasync",
    ]);
    await fixture.write("plan.json", "");
    await fixture.write("shop/shop.yaml", shop);
    await fixture.run(["plan", join(fixture.folder, "shop"), "--out", join(fixture.folder, "plan.json")]);
    await fixture.takeRequests();
    expect(await said("apply", "--plan", "FOLDER/plan.json")).toEqual([
      "error: apply cannot ask for confirmation, because there is no terminal",
    ]);
  });
});

describe("mistakes that only the server reveals are reported without a write", () => {
  test("an unknown cluster and an unknown registry", async () => {
    await fixture.write(
      "shop.yaml",
      shop.replace("eu-west", "eu-vest") + cronJob("report").replace("docker-hub", "dockerhub"),
    );
    expect(await refusalByServer()).toMatchInlineSnapshot(`
      "
      shop.yaml:8:10: error: Environment shop/staging: there is no cluster "eu-vest"
        8 | cluster: eu-vest
          |          ^
        did you mean eu-west? the organization has: eu-west, us-east

      shop.yaml:16:22: error: Job shop/staging/report: there is no container registry "dockerhub"
        16 |   image: { registry: dockerhub, image_name: acme/report, tag: 1.4.2 }
           |                      ^
        did you mean docker-hub? the organization has: docker-hub, ecr-production

      2 problems; nothing has been changed
      "
    `);
  });

  test("a parent that neither a manifest nor the server has", async () => {
    await fixture.write("jobs.yaml", cronJob("report", "", "shop/nowhere"));
    expect(await refusalByServer()).toMatchInlineSnapshot(`
      "
      jobs.yaml:3:14: error: Job shop/nowhere/report: Environment shop/nowhere does not exist, and no document declares it
        3 | environment: shop/nowhere
          |              ^
        correct the name, or add a document for the Environment
      "
    `);
  });

  test("a clone of a resource that does not exist", async () => {
    await fixture.write(
      "shop.yaml",
      `${shop}---\nkind: Job\nenvironment: shop/staging\nname: copy\nclone: { from: shop/staging/nothing }\n`,
    );
    expect(await refusalByServer()).toMatchInlineSnapshot(`
      "
      shop.yaml:13:16: error: Job shop/staging/copy: its source Job shop/staging/nothing does not exist, and no document declares it
        13 | clone: { from: shop/staging/nothing }
           |                ^
        correct clone.from
      "
    `);
  });

  test("a creation without required fields", async () => {
    await fixture.write(
      "shop.yaml",
      `${shop}---\nkind: Job\nenvironment: shop/staging\nname: report\ncpu: 100\n`,
    );
    expect(await refusalByServer()).toMatchInlineSnapshot(`
      "
      shop.yaml:10:1: error: Job shop/staging/report: the resource does not exist, and for its creation source is needed
        10 | kind: Job
           | ^
        declare it, or correct the name if the Job exists; to rename one, add manage: { renamed_from: OLD_NAME }

      shop.yaml:10:1: error: Job shop/staging/report: the resource does not exist, and for its creation schedule is needed
        10 | kind: Job
           | ^
        declare it, or correct the name if the Job exists; to rename one, add manage: { renamed_from: OLD_NAME }

      2 problems; nothing has been changed
      "
    `);
  });

  test("a missing approval", async () => {
    await fixture.write("shop.yaml", shop + lifecycleJob("migrate"));
    await fixture.run(["apply", fixture.folder, "--yes"]);
    await fixture.takeRequests();
    await fixture.write("shop.yaml", shop + cronJob("migrate"));
    expect(await refusalByServer()).toMatchInlineSnapshot(`
      "

      error: job:shop/staging/migrate must be replaced: a cron job cannot become a lifecycle job, nor the other way round
        undo the change, or allow it with --allow-replace 'job:shop/staging/migrate', or with \`manage: { consent: replace-{digest} }\` in its document

      To allow all of this:
        infrasync apply manifests --yes --allow-replace job:shop/staging/migrate
      "
    `);
  });

  test("an unknown organization", async () => {
    await fixture.write("shop.yaml", shop);
    expect(await refusalByServer("--organization", "acne")).toMatchInlineSnapshot(`
      "
      error: the token has access to no organization named "acne"
        set --organization to one of: acme ({id})
      "
    `);
  });
});

describe("a plan file", () => {
  const planFile = () => join(fixture.folder, "plan.json");

  const refusalOfPlan = async (...args: string[]) => {
    await fixture.takeRequests();
    const { code, stdout, stderr } = await fixture.run(["apply", "--plan", planFile(), "--yes", ...args]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    return `\n${steady(stderr)}`;
  };

  test("that is stale", async () => {
    await fixture.write("shop.yaml", shop);
    await fixture.run(["plan", fixture.folder, "--out", planFile()]);
    await fixture.run(["apply", fixture.folder, "--yes"]);
    expect(await refusalOfPlan()).toMatchInlineSnapshot(`
      "
      error: the plan is stale: project:shop has appeared since
        plan again

      error: the plan is stale: environment:shop/staging has appeared since
        plan again

      2 problems; nothing has been changed
      "
    `);
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
  });

  test("that is not a saved plan of infrasync, was edited, or does not exist", async () => {
    await fixture.write("plan.json", "{}");
    expect(await refusalOfPlan()).toMatchInlineSnapshot(`
      "
      error: the plan file plan.json is not a saved plan of infrasync
        use a file that infrasync plan --out has written
      "
    `);
    await fixture.write("shop.yaml", shop);
    await fixture.write("plan.json", "");
    await fixture.run(["plan", fixture.folder, "--out", planFile()]);
    const text = await readFile(planFile(), "utf8");
    await fixture.write("plan.json", text.replace("STAGING", "PRODUCTION"));
    expect(await refusalOfPlan()).toMatchInlineSnapshot(`
      "
      error: the plan file plan.json has been changed since it was written
        plan again
      "
    `);
    await rm(planFile());
    expect(await refusalOfPlan()).toMatchInlineSnapshot(`
      "
      error: the plan file plan.json does not exist
        use a file that infrasync plan --out has written
      "
    `);
    expect(await fixture.takeRequests()).toEqual([]);
  });

  test("that was created for another server", async () => {
    await fixture.write("shop.yaml", shop);
    await fixture.run(["plan", fixture.folder, "--out", planFile()]);
    expect(await refusalOfPlan("--base-url", "http://127.0.0.1:1/")).toMatchInlineSnapshot(`
      "
      error: the plan file plan.json was made for http://emulator, not for http://emulator
        set --base-url http://emulator, or plan again
      "
    `);
  });

  test("that was created for another organization", async () => {
    await fixture.write("shop.yaml", shop);
    await fixture.run(["plan", fixture.folder, "--out", planFile()]);
    expect(await refusalOfPlan("--organization", "globex")).toMatchInlineSnapshot(`
      "
      error: the plan file plan.json was made for the organization acme, but the settings name globex
        set the organization of the plan, or plan again
      "
    `);
    expect(await fixture.takeRequests()).toEqual([]);
    expect(
      await fixture.run(["apply", "--plan", planFile(), "--yes", "--organization", "ACME"]),
    ).toMatchObject({ code: 0 });
  });

  test("that lacks an approval is never saved", async () => {
    await fixture.write("shop.yaml", shop + lifecycleJob("migrate"));
    await fixture.run(["apply", fixture.folder, "--yes"]);
    await fixture.write("shop.yaml", shop + cronJob("migrate"));
    expect(await fixture.run(["plan", fixture.folder, "--out", planFile()])).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("allow it with --allow-replace 'job:shop/staging/migrate'"),
    });
    await fixture.takeRequests();
    const { code, stderr } = await fixture.run(["apply", "--plan", planFile(), "--yes"]);
    expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
    expect(stderr).toContain("plan.json does not exist");
  });

  test("together with inputs of planning is refused", async () => {
    expect(await refusalOfPlan("--prune", fixture.folder)).toMatchInlineSnapshot(`
      "
      error: --plan applies a saved plan exactly as it is; it cannot be combined with manifests, --prune
        use these with infrasync plan, when you make the plan
      "
    `);
  });
});

test.for([
  ["plan", "FOLDER", "--out", "FOLDER/none/plan.json"],
  ["plan", "FOLDER", "--out", "FOLDER"],
  ["plan", "FOLDER", "--out", "FOLDER/shop.yaml"],
  ["dump", "shop", "--out", "FOLDER/shop.yaml/more"],
  ["dump", "shop", "--out", ""],
  ["schema", "--out", "FOLDER/shop.yaml"],
])("an output path that cannot be written is reported before any request: %s %s %s %s", async (line) => {
  await fixture.write("shop.yaml", shop);
  const ran = await fixture.run(line.map((word) => word.replace("FOLDER", fixture.folder)));
  expect({ ...ran, requests: await fixture.takeRequests() }).toMatchSnapshot();
});

describe("the server cannot be used", () => {
  const failure = async (options: { env?: Record<string, string | undefined>; args?: string[] } = {}) => {
    await fixture.write("shop.yaml", shop);
    const { code, stdout, stderr } = await fixture.run(["plan", fixture.folder, ...(options.args ?? [])], {
      env: options.env ?? {},
    });
    expect(stdout).toBe("");
    return { code, stderr: `\n${steady(stderr)}` };
  };

  test("no token", async () => {
    const { code, stderr } = await failure({ env: { INFRASYNC_TOKEN: undefined } });
    expect(code).toBe(3);
    expect(stderr).toMatchInlineSnapshot(`
      "
      error: no token is set
        set INFRASYNC_TOKEN to an API token of the organization, or INFRASYNC_TOKEN_FILE to a file that holds one
      "
    `);
    expect(await fixture.takeRequests()).toEqual([]);
  });

  test("a token with the quotes that a file had around it", async () => {
    const { code, stderr } = await failure({ env: { INFRASYNC_TOKEN: '"0123456789abcdef"' } });
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("the token is in quotes") as string,
    });
    expect(stderr).not.toContain("0123456789");
    expect(await fixture.takeRequests()).toEqual([]);
  });

  test("a token that is rejected", async () => {
    const { code, stderr } = await failure({ env: { INFRASYNC_TOKEN: "not-the-token" } });
    expect(code).toBe(1);
    expect(stderr).toMatchInlineSnapshot(`
      "
      error: 401 on GET /organization: the token is missing, unknown or expired. The server says: "the Authorization header names no valid token: Token <API_TOKEN>"
        check the token, and whether its scheme is Token or Bearer; the token is from INFRASYNC_TOKEN
      "
    `);
  });

  test("a port without a server", async () => {
    const { code, stderr } = await failure({ args: ["--base-url", "http://127.0.0.1:1"] });
    expect(code).toBe(1);
    expect(stderr).toMatchInlineSnapshot(`
      "
      error: no connection to http://emulator for GET /organization: no server listens at 127.0.0.1:1 (ECONNREFUSED)
        check the base URL and the network
      "
    `);
  });

  test("a base URL without https:// is named, and not repeated", async () => {
    const { code, stderr } = await failure({ env: { INFRASYNC_BASE_URL: "user:geheim@localhost:9" } });
    expect(code).toBe(3);
    expect(stderr).toMatchInlineSnapshot(`
      "
      error: INFRASYNC_BASE_URL is not a URL that begins with https:// or http://
        write one like https://api.example.com
      "
    `);
  });

  test("a proxy that cannot be used", async () => {
    const env = { INFRASYNC_BASE_URL: "https://api.invalid", HTTPS_PROXY: "socks5://127.0.0.1:1080" };
    const { code, stderr } = await failure({ env });
    expect(code).toBe(3);
    expect(stderr).toMatchInlineSnapshot(`
      "
      error: HTTPS_PROXY is not the URL of a proxy that speaks http or https
        set it to one like http://proxy.example.com:3128
      "
    `);
  });

  test("a path in the base URL that the API does not have", async () => {
    const { code, stderr } = await failure({ args: ["--base-url", `${fixture.emulator.url}/api/v1`] });
    expect(code).toBe(1);
    expect(stderr).toMatchInlineSnapshot(`
      "
      error: 404 on GET /organization: the server has no list of organizations
        check the path /api/v1 of the base URL; without it, the base URL is http://emulator
      "
    `);
  });

  test("plain http to another machine", async () => {
    const { code, stderr } = await failure({ args: ["--base-url", "http://api.example.com"] });
    expect(code).toBe(3);
    expect(stderr).toMatchInlineSnapshot(`
      "
      error: the base URL http://api.example.com is plain http, and others on the network could read the token
        use https, or allow it with INFRASYNC_INSECURE_HTTP=true
      "
    `);
  });

  test("a proxy that responds with an HTML page", async () => {
    await fixture.fault({
      path: "/organization",
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<!doctype html><p>Sign in",
    });
    const { code, stderr } = await failure();
    expect(code).toBe(1);
    expect(stderr).toMatchInlineSnapshot(`
      "
      error: 200 on GET /organization: an HTML page where JSON was expected. The answer says: "<!doctype html><p>Sign in"
        check that the base URL is the API's and that no proxy answers for it
      "
    `);
  });
});
