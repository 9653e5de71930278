import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { steady, useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();

const shop = `# the shop
kind: Project
name: shop   # its name
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
---
kind: Job
environment: shop/staging
name: report
description: 'Sends the report.'
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1.4.2" } } # manually
schedule:
  cronjob: { scheduled_at: 0 3 * * *, timezone: Europe/Paris }
cpu: 250	# a tab
max_duration_seconds: 1800
variables:
  LOG_LEVEL: info # quiet
  # for tests
  SEED: "1"
`;

async function live(text = shop): Promise<string> {
  const file = await fixture.write("manifests/shop.yaml", text);
  expect((await fixture.run(["apply", file, "--yes"])).code).toBe(0);
  return file;
}

/** Somebody changes the live resources: by applying other manifests. */
async function drift(...replaced: [string, string][]): Promise<void> {
  const text = replaced.reduce((result, [from, to]) => {
    expect(result).toContain(from);
    return result.replace(from, to);
  }, shop);
  const file = await fixture.write("elsewhere/shop.yaml", text);
  expect((await fixture.run(["apply", file, "--yes", "--prune"])).code).toBe(0);
}

const read = (file: string) => readFile(file, "utf8");

test("values change where they are declared, and everything else in the file stays", async () => {
  const file = await live();
  await drift(
    ["cpu: 250", "cpu: 500"],
    ['tag: "1.4.2"', 'tag: "1.5.0"'],
    ["LOG_LEVEL: info", "LOG_LEVEL: debug"],
  );

  const { code, stdout, stderr } = await fixture.run(["dump", "--update", file, "--yes"]);
  expect(stdout).toMatchInlineSnapshot(`
    "manifests/shop.yaml
       environment: shop/staging
       name: report
       description: 'Sends the report.'
      -source: { image: { registry: docker-hub, image_name: acme/report, tag: "1.4.2" } } # manually
      +source: { image: { registry: docker-hub, image_name: acme/report, tag: "1.5.0" } } # manually
       schedule:
         cronjob: { scheduled_at: 0 3 * * *, timezone: Europe/Paris }
      -cpu: 250\\t# a tab
      +cpu: 500\\t# a tab
       max_duration_seconds: 1800
       variables:
      -  LOG_LEVEL: info # quiet
      +  LOG_LEVEL: debug # quiet
         # for tests
         SEED: "1"

    3 fields in 1 file take their live values.
    "
  `);
  expect(stderr).toMatchInlineSnapshot(`
    "1 file written.
    "
  `);
  expect(code).toBe(0);
  expect(await read(file)).toBe(
    shop.replace("cpu: 250", "cpu: 500").replace('"1.4.2"', '"1.5.0"').replace("info #", "debug #"),
  );
  const plan = await fixture.run(["plan", file]);
  expect(plan.stdout).toContain("No changes");
});

test("an update takes as many requests as a plan, and none that writes", async () => {
  const file = await live();
  await drift(["cpu: 250", "cpu: 500"]);
  await fixture.takeRequests();
  await fixture.run(["plan", file]);
  const planned = await fixture.takeRequests();
  await fixture.run(["dump", "--update", file, "--yes"]);
  const updated = await fixture.takeRequests();
  expect(updated.toSorted()).toEqual(planned.toSorted());
  expect(writesOf(updated)).toEqual([]);
});

test("a dry run and a missing confirmation write nothing", async () => {
  const file = await live();
  await drift(["cpu: 250", "cpu: 500"]);
  const shown = await fixture.run(["dump", "--update", file, "--dry-run"]);
  expect(shown.stdout).toContain("+cpu: 500");
  expect(shown.code).toBe(0);
  await fixture.takeRequests();
  const refused = await fixture.run(["dump", "--update", file]);
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.stderr).toContain("add --yes to skip the confirmation; --dry-run shows the changes");
  expect(await fixture.takeRequests()).toEqual([]);
  expect(await read(file)).toBe(shop);
});

test("only what the arguments choose is updated", async () => {
  const file = await live();
  await drift(["cpu: 250", "cpu: 500"], ["mode: STAGING", "mode: DEVELOPMENT"]);
  await fixture.run(["dump", "job:shop/staging/report", "--update", file, "--yes"]);
  expect(await read(file)).toBe(shop.replace("cpu: 250", "cpu: 500"));
});

describe("overlays, variables, anchors and files", () => {
  const base = `kind: Job
environment: shop/staging
name: report
cpu: 250
memory: 512
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { cronjob: { scheduled_at: 0 3 * * * } }
`;
  const above = `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
`;
  const changed = (text: string) =>
    text.replace("cpu: 250", "cpu: 500").replace("memory: 512", "memory: 1024");

  /** Applies other manifests than those that are going to be updated. */
  async function start(): Promise<void> {
    const file = await fixture.write("elsewhere/all.yaml", `${above}---\n${changed(base)}`);
    expect((await fixture.run(["apply", file, "--yes"])).code).toBe(0);
  }

  test("of several sources, the last one that declares a value changes", async () => {
    await start();
    await fixture.write("base/all.yaml", `${above}---\n${base}`);
    const overlay = await fixture.write(
      "over/job.yaml",
      "kind: Job\nenvironment: shop/staging\nname: report\ncpu: 300 # more here\n",
    );
    const sources = ["--update", join(fixture.folder, "base"), "--update", join(fixture.folder, "over")];
    const { code } = await fixture.run(["dump", ...sources, "--yes"]);
    expect(code).toBe(0);
    expect(await read(overlay)).toContain("cpu: 500 # more here");
    expect(await read(join(fixture.folder, "base/all.yaml"))).toBe(
      `${above}---\n${base.replace("512", "1024")}`,
    );
  });

  test.each([
    [
      "beside its document",
      "over/report.yaml",
      `kind: Job\nenvironment: shop/staging\nname: report\ncpu: 250 # here\n`,
    ],
    [
      "beside its document, whose address has the same variable,",
      "over/report.yaml",
      "kind: Job\nenvironment: shop/${STAGE}\nname: report\ncpu: 250 # here\n",
    ],
    [
      "in a new document",
      "over/other.yaml",
      `kind: Defaults\nenvironment: shop/staging\nfor: Job\ncpu: 250\n`,
    ],
  ])("the last source states %s what the others state for several resources", async (_, name, overlay) => {
    await start();
    const shared = `${above}---\n${base.replace("shop/staging", "shop/${STAGE}").replace("cpu: 250\n", "")}`;
    const folder = await fixture.write("base/all.yaml", shared).then(dirname);
    const over = await fixture.write(name, overlay).then(dirname);
    const update = ["dump", "--update", folder, "--update", over, "--var", "STAGE=staging", "--yes"];
    expect(await fixture.run(update)).toMatchObject({ code: 0 });
    expect(await read(join(folder, "all.yaml"))).toBe(shared);
    const text = await read(
      name.includes("report") ? join(over, "report.yaml") : join(over, "shop/staging/job-report.yaml"),
    );
    expect(text).toContain("memory: 1024");
    expect((await fixture.run(["plan", folder, over, "--var", "STAGE=staging"])).stdout).toContain(
      "No changes",
    );
  });

  test("fields of a template are changed in the last source; other documents of the same folder change in their own files", async () => {
    const sized = (name: string, cpu: number) => base.replace("report", name).replace("250", String(cpu));
    const elsewhere = `${above}---\n${sized("report", 500)}---\n${sized("cleanup", 500)}`;
    await fixture.run(["apply", await fixture.write("elsewhere/all.yaml", elsewhere), "--yes"]);
    const inside = base.replace("name: report", "name: ${name}").trimEnd().replaceAll("\n", "\n    ");
    const template = `kind: Template\nname: job\nparameters: { name: { type: string } }\ndocuments:\n  - ${inside}\n`;
    const shared = `${above}---\n${template}---\nfrom: job\nwith: { name: report }\n---\n`;
    const file = await fixture.write("base/all.yaml", shared + sized("cleanup", 250));
    await fixture.write("over/p.yaml", "kind: Project\nname: shop\n");
    const sources = [dirname(file), join(fixture.folder, "over")];
    const update = await fixture.run(["dump", ...sources.flatMap((each) => ["--update", each]), "--yes"]);
    expect(update).toMatchObject({ code: 0 });
    expect(await read(file)).toBe(shared + sized("cleanup", 500));
    expect(await read(join(fixture.folder, "over/shop/staging/job-report.yaml"))).toContain("cpu: 500");
    const alone = await fixture.run(["dump", "--update", file, "--yes"]);
    expect(alone.stdout).toContain('cpu is in the template "job", which other resources use too');
  });

  test("a value that stands for others stays, with the reason", async () => {
    await start();
    const text = `${above}---\n${base
      .replace("cpu: 250", "cpu: ${CPU}")
      .replace("memory: 512", "memory: &size 512\nmax_nb_restart: *size")}`;
    const file = await fixture.write("shared.yaml", text);
    const { code, stdout } = await fixture.run(["dump", "--update", file, "--var", "CPU=250", "--yes"]);
    expect(stdout).toMatchInlineSnapshot(`
      "Not changed:
        Job shop/staging/report: cpu is written with the variable CPU (shared.yaml:13:6)
          give the variable another value, or write the value itself
        Job shop/staging/report: memory is part of the anchor &size, which other fields repeat (shared.yaml:14:15)
          change the anchor, or write the value in each field that differs
        Job shop/staging/report: max_nb_restart repeats the anchor &size (shared.yaml:15:17)
          write the value here, or change the anchor

      3 not changed.
      "
    `);
    expect(code).toBe(1);
    expect(await read(file)).toBe(text);
  });

  test("a document for every value of a variable, and defaults, stay", async () => {
    await start();
    const job = base.replace("shop/staging", "shop/${STAGE}").replace("memory: 512\n", "");
    const defaults = "---\nkind: Defaults\nenvironment: shop/staging\nfor: Job\nmemory: 512\n";
    const text = `${above}---\n${job}${defaults}`;
    const file = await fixture.write("shared.yaml", text);
    const { code, stdout } = await fixture.run(["dump", "--update", file, "--var", "STAGE=staging", "--yes"]);
    expect(stdout).toMatchInlineSnapshot(`
      "Not changed:
        Job shop/staging/report: cpu is in a document whose address depends on STAGE, so it stands for several resources (shared.yaml:10:1)
          declare the field in a source that overlays this one
        Job shop/staging/report: memory comes from a document of defaults, which applies to other resources too (shared.yaml:20:9)
          declare the field in the document of the resource

      2 not changed.
      "
    `);
    expect(code).toBe(1);
    expect(await read(file)).toBe(text);
  });

  test("the text of a file changes in the file, unless several fields use it", async () => {
    const variables = (...names: string[]) =>
      `variables:\n${names.map((name) => `  ${name}: { file: { mount_path: /etc/${name}, from: conf.ini } }\n`).join("")}`;
    await fixture.write("elsewhere/conf.ini", "live=1\n");
    const there = await fixture.write("elsewhere/all.yaml", `${above}---\n${base}${variables("A", "B")}`);
    expect((await fixture.run(["apply", there, "--yes"])).code).toBe(0);

    const conf = await fixture.write("mine/conf.ini", "live=0\n");
    const file = await fixture.write("mine/all.yaml", `${above}---\n${base}${variables("A")}`);
    expect((await fixture.run(["dump", "--update", file, "--yes"])).code).toBe(0);
    expect(await read(conf)).toBe("live=1\n");

    await fixture.write("mine/conf.ini", "live=2\n");
    await fixture.write("mine/all.yaml", `${above}---\n${base}${variables("A", "B")}`);
    const { code, stdout } = await fixture.run(["dump", "--update", file, "--yes"]);
    expect(code).toBe(1);
    expect(stdout).toContain('variables.A.file.text is the text of "mine/conf.ini", which 2 fields use');
    expect(await read(conf)).toBe("live=2\n");
  });
});

test("an argument that chooses nothing is an error, and names what adds a manifest", async () => {
  await live();
  for (const argument of ["nope", "shop/stagin", "job:shop/staging/nope"]) {
    const ran = await fixture.run(["dump", argument, "--update", join(fixture.folder, "manifests"), "--yes"]);
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        `no manifest declares ${argument}, or something in it\n  check the address; --all`,
      ),
    });
  }
});

test("with --all, what no manifest declares gets a file of its own", async () => {
  const file = await live();
  const other = await fixture.write(
    "elsewhere/more.yaml",
    shop.replace("name: report", "name: cleanup").replace(/variables:[^]*$/, ""),
  );
  expect((await fixture.run(["apply", other, "--yes"])).code).toBe(0);
  const folder = join(fixture.folder, "manifests");
  const { code, stdout } = await fixture.run(["dump", "--update", folder, "--all", "--yes"]);
  expect(code).toBe(0);
  expect(stdout).toContain("manifests/shop/staging/job-cleanup.yaml (new)");
  expect(await read(file)).toBe(shop);
  expect((await fixture.run(["plan", folder])).stdout).toMatch(/^No changes to make: \d+ resources in acme/m);
});

test("--all writes nothing of what belongs to the organization, and names what new files leave out", async () => {
  const file = await live();
  const other = await fixture.write(
    "elsewhere/more.yaml",
    `${shop.replace("name: report", "name: cleanup")}secrets: { TOKEN: { from_env: A } }\n---\nkind: LabelsGroup\nname: team\nlabels: [{ key: a, value: b }]\n`,
  );
  expect((await fixture.run(["apply", other, "--yes"], { env: { A: "x-secret" } })).code).toBe(0);
  await fixture.takeRequests();
  const folder = join(fixture.folder, "manifests");
  const { stdout, stderr } = await fixture.run(["dump", "--update", folder, "--all", "--yes"]);
  expect(stdout.match(/^manifests\S+ \(new\)$/gm)).toEqual(["manifests/shop/staging/job-cleanup.yaml (new)"]);
  expect(stderr).toContain(
    "Left out: secret TOKEN of Job shop/staging/cleanup, because the API returns no secret values",
  );
  expect(stderr).toMatch(
    /Left out: resources of the organization outside of its projects \(.*LabelsGroup.*Member.*\)/,
  );
  expect((await fixture.takeRequests()).join("\n")).not.toMatch(/labelsGroups|apiToken|member/);
  const named = await fixture.run(["dump", "labelsgroup:team", "--update", file, "--all", "--dry-run"]);
  expect(named.stdout).toContain("labelsgroup-team.yaml (new)");
});

test("fields that no manifest may state together stay with the reason, and all others of the document are written", async () => {
  const text = (config: string, description: string) =>
    `kind: HelmRepository\nname: charts\ntype: HTTPS\nurl: https://charts.example.com\ndescription: ${description}\nconfig: ${config}\n`;
  const env = { PASSWORD: "x-secret" };
  const file = await fixture.write(
    "organization/charts.yaml",
    text("{ username: ada, password: { from_env: PASSWORD } }", "before"),
  );
  expect((await fixture.run(["apply", file, "--yes"], { env })).code).toBe(0);
  const organization = (await fixture.request("GET", "/organization"))["results"] as { id: string }[];
  const list = `/organization/${organization[0]?.id}/helmRepository`;
  const charts = ((await fixture.request("GET", list))["results"] as Record<string, unknown>[]).find(
    ({ name }) => name === "charts",
  );
  // Somebody adds what no manifest may state beside the user name.
  await fixture.request("PUT", `${list}/${String(charts?.["id"])}`, {
    ...charts,
    description: "after",
    config: { username: "ada", password: "x", role_arn: "arn" },
  });
  const { code, stdout } = await fixture.run(["dump", "--update", file, "--strict", "--yes"]);
  expect(code).toBe(1);
  expect(stdout).toContain("+description: after");
  expect(stdout).toMatch(
    /config.role_arn cannot be taken over, because a manifest with this value is not valid: .*exclude each other/,
  );
  expect(await read(file)).toBe(text("{ username: ada, password: { from_env: PASSWORD } }", "after"));
});

test("a resource that does not exist and one with another name stay", async () => {
  const file = await live();
  await fixture.write(
    "manifests/gone.yaml",
    shop.replace("name: report", "name: gone").split("---").at(-1) ?? "",
  );
  const { code, stdout } = await fixture.run([
    "dump",
    "--update",
    join(fixture.folder, "manifests"),
    "--yes",
  ]);
  expect(stdout).toMatchInlineSnapshot(`
    "Notes:
      Job shop/staging/gone does not exist
        apply the manifests to create it, or remove its document

    No file changes: the fields that the manifests declare have their live values.
    "
  `);
  expect(code).toBe(0);
  expect(await read(file)).toBe(shop);
});

test("the JSON document says what changes, what stays and what is written", async () => {
  const file = await live();
  await drift(["cpu: 250", "cpu: 500"]);
  const { stdout } = await fixture.run(["dump", "--update", file, "--yes", "--output", "json"]);
  expect(JSON.parse(stdout)).toMatchInlineSnapshot(`
    {
      "accepted": [
        {
          "address": "job:shop/staging/report",
          "field": "cpu",
        },
      ],
      "files": [
        {
          "difference": " source: { image: { registry: docker-hub, image_name: acme/report, tag: "1.4.2" } } # manually
     schedule:
       cronjob: { scheduled_at: 0 3 * * *, timezone: Europe/Paris }
    -cpu: 250\\t# a tab
    +cpu: 500\\t# a tab
     max_duration_seconds: 1800
     variables:
       LOG_LEVEL: info # quiet",
          "file": "manifests/shop.yaml",
          "new": false,
        },
      ],
      "format": "infrasync-update",
      "kept": [],
      "missing": [],
      "ok": true,
      "version": 1,
      "written": true,
    }
  `);
});

test("flags that need --update say so", async () => {
  const { code, stderr } = await fixture.run(["dump", "--all", "--yes"]);
  expect(code).toBe(3);
  expect(steady(stderr)).toMatchInlineSnapshot(`
    "error: --all, --yes need --update: without it, dump reads no manifests and changes none
      name the manifests, such as --update manifests
    "
  `);
});

test("a dump names the schema for editors where the folder, or one above it, has it", async () => {
  await live();
  await fixture.write("repository/.schemas/manifest.schema.json", "{}");
  const out = join(fixture.folder, "repository", "manifests");
  expect((await fixture.run(["dump", "--out", out])).code).toBe(0);
  expect(await read(join(out, "shop/staging/job-report.yaml"))).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/\.schemas\/manifest\.schema\.json\nkind: Job\n/,
  );
});

test("the difference shows no secret that a manifest declares", async () => {
  const text = `${shop}---
kind: Terraform
environment: shop/staging
name: network
terraform_files_source: { git_repository: { url: "https://github.com/acme/network" } }
backend: { kubernetes: {} }
engine: TERRAFORM
provider_version: { explicit_version: "1.9" }
job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 }
description: before
terraform_variables_source: { tf_vars: [{ key: password, value: s3cr3t-of-the-shop, secret: true }] }
`;
  const file = await fixture.write("manifests/shop.yaml", text);
  const ran = await fixture.run(["apply", file, "--yes"]);
  expect(ran.code, ran.stderr).toBe(0);
  await fixture.write("manifests/shop.yaml", text.replace("description: before", "description: after"));
  const { stdout, stderr } = await fixture.run(["dump", "--update", file, "--dry-run"]);
  expect(stdout).toContain("+description: before");
  expect(stdout + stderr).not.toContain("s3cr3t");
});

test("where live resources need a secret that the manifests do not have, the file names a source for it", async () => {
  const registry = (config: string) =>
    `kind: ContainerRegistry\nname: hub\ntype: ECR\nconfig:\n  region: eu-west-3\n${config}`;
  const file = await fixture.write(
    "manifests/hub.yaml",
    registry("  access_key_id: A\n  secret_access_key: { from_env: KEY }\n"),
  );
  expect((await fixture.run(["apply", file, "--yes"], { env: { KEY: "c0rrect" } })).code).toBe(0);
  await fixture.write("manifests/hub.yaml", registry("  role_arn: arn:aws:iam::1:role/hub # ours\n"));
  expect(await fixture.run(["dump", "--update", file, "--yes"])).toMatchObject({ code: 0 });
  expect(await read(file)).toBe(
    registry(
      "  # ours\n  access_key_id: A\n  secret_access_key:\n    from_env: CONTAINERREGISTRY_HUB_CONFIG_SECRET_ACCESS_KEY\n",
    ),
  );
  expect(await fixture.run(["plan", file, "--detailed-exitcode"])).toMatchObject({ code: 0 });
});

async function idOfReport(): Promise<string> {
  const { resources } = JSON.parse(
    (await fixture.run(["list", "job:shop/staging/report", "--output", "json"])).stdout,
  ) as { resources: { id: string }[] };
  return resources[0]?.id ?? "";
}

/** Somebody changes the live job by hand. */
async function byHand(change: object): Promise<void> {
  const path = `/job/${await idOfReport()}`;
  const now = (await fixture.request("GET", path)) as object;
  await fixture.request("PUT", path, { ...now, ...change });
}

describe("a change manually in a field that no manifest declares", () => {
  const plain = shop.replace("cpu: 250\t# a tab\n", "");

  test("is counted by each plan, listed by --strict, and taken over by dump --update --strict", async () => {
    const file = await live(plain);
    await byHand({ cpu: 950, max_nb_restart: 4 });
    const planned = await fixture.run(["plan", file]);
    expect(planned.stdout).toContain(
      "Notes:\n  Set on the server but missing in the manifests: 2 fields (Job shop/staging/report); list them with --strict\n",
    );
    expect(planned.stdout).toContain("No changes");
    expect((await fixture.run(["plan", file, "--output", "json"])).stdout).toContain('"undeclared_field"');
    const strict = await fixture.run(["plan", file, "--strict"]);
    expect(strict.stdout).toContain("cpu is 950, which no document declares; its default is 500");
    expect((await fixture.run(["plan", file, "--strict", "--detailed-exitcode"])).code).toBe(2);
    expect((await fixture.run(["dump", "--update", file, "--yes"])).stdout).toContain("No file changes");
    const { code, stdout } = await fixture.run(["dump", "--update", file, "--strict", "--yes"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("2 fields in 1 file take their live values"),
    });
    expect(await read(file)).toContain("cpu: 950\n");
    expect(await read(file)).toContain("max_nb_restart: 4\n");
    const again = await fixture.run(["plan", file]);
    expect(again.stdout).toContain("No changes");
    expect(again.stdout).not.toContain("not in the manifests");
  });

  test("variables and secrets are taken over too, each secret with a source for its value", async () => {
    const file = await live(plain);
    const id = await idOfReport();
    for (const is_secret of [false, true])
      await fixture.request("POST", "/variable", {
        key: is_secret ? "TOKEN" : "LEVEL",
        value: "manually",
        is_secret,
        variable_scope: "JOB",
        variable_parent_id: id,
      });
    const { code, stdout } = await fixture.run(["dump", "--update", file, "--strict", "--yes"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("2 fields in 1 file take their live values"),
    });
    expect(await read(file)).toContain("LEVEL: manually\n");
    expect(await read(file)).toMatch(/TOKEN: ?\n? *\{? ?from_env: SHOP_STAGING_JOB_REPORT_TOKEN/);
    expect((await fixture.run(["plan", file, "--strict", "--detailed-exitcode"])).code).toBe(0);
  });

  test("is taken into the last source of overlays, which gets the field", async () => {
    const base = await live(plain);
    const overlay = await fixture.write(
      "overlay/report.yaml",
      "kind: Job\nenvironment: shop/staging\nname: report\nmax_duration_seconds: 1800\n",
    );
    await byHand({ cpu: 950 });
    const sources = ["--update", base, "--update", overlay];
    expect((await fixture.run(["dump", ...sources, "--strict", "--yes"])).code).toBe(0);
    expect(await read(overlay)).toContain("cpu: 950\n");
  });

  test("shows in the next plan where dump has written the manifests, since these state what people change", async () => {
    await live(plain);
    const out = join(fixture.folder, "dumped");
    await fixture.run(["dump", "shop", "--out", out]);
    expect(await read(join(out, "shop", "staging", "job-report.yaml"))).toMatch(/^cpu: 500\nmemory: 512$/m);
    await byHand({ cpu: 950, max_nb_restart: 4, auto_deploy: false });
    const { stdout } = await fixture.run(["plan", out]);
    expect(stdout).toMatch(/cpu +950m -> 500m/);
    expect(stdout).toMatch(/max_nb_restart +4 -> 0/);
    expect(stdout).toMatch(/auto_deploy +false -> true/);
  });

  test("shows in every field of manifests that dump --all-fields has written", async () => {
    await live(plain.replace("description: 'Sends the report.'\n", ""));
    const out = join(fixture.folder, "dumped");
    await fixture.run(["dump", "shop", "--out", out, "--all-fields"]);
    expect((await fixture.run(["plan", out])).stdout).toContain("No changes");
    await byHand({ description: "changed manually", gpu: 1 });
    const { stdout } = await fixture.run(["plan", out]);
    expect(stdout).toMatch(/description +changed manually -> ""/);
    expect(stdout).toMatch(/gpu +1 -> 0/);
  });
});
