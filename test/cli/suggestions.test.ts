import { describe, expect, test } from "vitest";
import { infrasync } from "./captured.ts";
import { useFixture } from "./fixture.ts";
import { cronJob, lifecycleJob, shop } from "../fixtures/manifests.ts";

const fixture = useFixture();

describe("a command of another tool works, or the answer names the infrasync command", () => {
  test.each<[typed: string, advice: string]>([
    ["up", "infrasync apply changes live resources to match the manifests"],
    ["sync manifests", "infrasync apply changes live resources to match the manifests"],
    [
      "preview",
      "infrasync plan shows what apply would change; preview create, list and delete are about environments of pull requests",
    ],
    [
      "delete manifests",
      "infrasync destroy deletes what the manifests declare, or one live resource: infrasync destroy shop/staging",
    ],
    [
      "import job.nightly 123",
      "infrasync dump writes manifests of live resources; from then on they are managed",
    ],
    ["export", "infrasync dump writes manifests of live resources"],
    ["whoami", "infrasync doctor shows whether the token works, and for which organization"],
    ["state list", "there is no state: every run reads the live resources, and infrasync list shows them"],
    [
      "rollout undo job/migrate",
      "infrasync rollback goes back to the version that ran before; infrasync status shows deployments, and infrasync restart starts services again",
    ],
    ["lint manifests", "infrasync validate checks manifests without sending requests"],
    ["help lint", "infrasync validate checks manifests without sending requests"],
    ["plan --save plan.json", "did you mean --out? It saves the plan for infrasync apply --plan"],
    ["logs shop/staging/api --lines 5", "did you mean --tail?"],
    ["history --since yesterday", "did you mean --limit? It takes a number of entries"],
    ["plan -var TAG=1", "write it with two dashes: --var NAME=VALUE"],
    [
      "plan -n staging",
      "name an environment of the settings file, such as infrasync plan staging, or use --target 'PROJECT/ENVIRONMENT/**'",
    ],
    [
      "plan --environment staging",
      "name an environment of the settings file, such as infrasync plan staging, or use --target 'PROJECT/ENVIRONMENT/**'",
    ],
    ["list -o yaml", "infrasync render, get and dump print YAML; for programs use --output json"],
    ["deploy --env production", "name the environment by its address: PROJECT/ENVIRONMENT"],
    ["get jobs -n shop/production", "write a pattern: infrasync list 'PROJECT/ENVIRONMENT/**'"],
    ["deploy shop/production -w", "did you mean --wait?"],
    [
      "apply --force",
      "nothing forces a run: --yes skips the confirmation, and a refusal names the approval that it needs, such as --allow-replace",
    ],
    [
      "env list",
      "infrasync list 'environment:**' shows the environments, and infrasync status their services",
    ],
    [
      "upgrade",
      "infrasync apply changes live resources to match the manifests; to update the program itself, install the new version over the old one",
    ],
    [
      "get shop extra",
      "infrasync get shows one resource: name only that one, such as infrasync get shop/production",
    ],
    ["get jobs -o yaml", "use --output json, or infrasync dump for manifests"],
    [
      "get secrets",
      "documents declare variables and secrets; infrasync get PROJECT/ENVIRONMENT/SERVICE shows what a service has; a project of that name is project:secrets",
    ],
    ["terraform", "infrasync list 'terraform:**' lists the live resources of this kind"],
    ["deplyo", "did you mean deploy?"],
    ["destory", "did you mean destroy?"],
    ["destro", "did you mean destroy?"],
    ["stpo", "did you mean stop?"],
    ["stap", "see --help"],
    ["shop", "did you mean show?"],
    ["distroy", "see --help"],
    ["constructor", "see --help"],
  ])("%s", async (typed, advice) => {
    const { code, stdout, stderr } = await infrasync(typed.split(" "));
    expect({ code, stdout, advice: stderr.split("\n")[1] }).toEqual({
      code: 3,
      stdout: "",
      advice: `  ${advice}`,
    });
  });

  test.each(
    "add autoscale branch context contexts copy cp deployment deployments env format inspect kubectl merge mv policy proxy release releases rename revision secret ssh template use-context variable variables var vars watch".split(
      " ",
    ),
  )("%s is answered, and not by the name of a command that looks like it", async (word) => {
    const { stderr } = await infrasync([word]);
    expect(stderr.split("\n")[1]).toMatch(/^  (?!see --help|did you mean).{20,}/);
  });

  test.each<[typed: string, shown: readonly string[]]>([
    ["get jobs", ["Job shop/staging/migrate", "Job shop/staging/nightly"]],
    ["list jobs", ["Job shop/staging/migrate", "Job shop/staging/nightly"]],
    ["get job", ["Job shop/staging/migrate", "Job shop/staging/nightly"]],
    ["get envs", ["Environment shop/staging"]],
    ["get svc", ["Job shop/staging/migrate", "Job shop/staging/nightly"]],
    ["get pods", ["Job shop/staging/migrate", "Job shop/staging/nightly"]],
    ["get 'job:**'", ["Job shop/staging/migrate", "Job shop/staging/nightly"]],
    ["list clusters", ["eu-west AWS", "us-east AWS"]],
    ["get cluster", ["eu-west AWS", "us-east AWS"]],
    ["get job migrate", ["name: migrate"]],
    ["get job/migrate", ["name: migrate"]],
    ["get job/shop/staging/migrate", ["name: migrate"]],
    ["get job:migrate", ["name: migrate"]],
    ["get jobs migrate", ["name: migrate"]],
    ["get job:shop/staging/migrate -o yaml", ["name: migrate"]],
    ["dump shop -o yaml", ["name: shop", "name: staging", "name: migrate", "name: nightly"]],
  ])("%s does it", async (typed, shown) => {
    await fixture.write("shop.yaml", shop + lifecycleJob("migrate") + cronJob("nightly"));
    await fixture.run(["apply", fixture.folder, "--yes"]);
    const { code, stdout } = await fixture.run(typed.replaceAll("'", "").split(" "));
    const lines = stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "));
    expect(code).toBe(0);
    expect(lines.filter((line) => /^(?:Job|Environment|eu-|us-|name: )/.test(line))).toEqual(
      shown.map((start) => expect.stringMatching(new RegExp(`^${start}`))),
    );
  });

  test("a kind and a name that several resources have is asked about", async () => {
    const others = `${shop}${lifecycleJob("migrate")}`
      .replaceAll("staging", "testing")
      .replace(/.*shop\n---/s, "---");
    await fixture.write("shop.yaml", shop + lifecycleJob("migrate") + others);
    await fixture.run(["apply", fixture.folder, "--yes"]);
    const { code, stderr } = await fixture.run(["get", "job", "migrate"]);
    expect({ code, message: stderr.split("\n")[0] }).toEqual({
      code: 3,
      message: "error: job:*/*/migrate can mean job:shop/staging/migrate or job:shop/testing/migrate",
    });
  });

  test("the environment of a project that is called like a kind is found by its names", async () => {
    await fixture.write("job.yaml", shop.replaceAll("shop", "job"));
    await fixture.run(["apply", fixture.folder, "--yes"]);
    const { code, stdout } = await fixture.run(["get", "job/staging"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("kind: Environment") });
  });

  test("plan help shows the help of plan", async () => {
    expect(await infrasync(["plan", "help"])).toEqual(await infrasync(["plan", "--help"]));
  });

  test.each(["version", "-v", "-V", "--version"])("%s prints the version", async (typed) => {
    expect(await infrasync([typed])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });

  test("help apply plan shows the help of both", async () => {
    const helps = await Promise.all(["apply", "plan"].map((name) => infrasync([name, "--help"])));
    expect(await infrasync(["help", "apply", "plan"])).toEqual({
      code: 0,
      stdout: helps.map(({ stdout }) => stdout).join("\n"),
      stderr: "",
    });
  });

  test.each([
    ["-o", "json"],
    ["-ojson"],
    ["--output=json"],
    ["--no-color", "--output", "json"],
    ["--target", "shop/**", "-o", "json"],
  ])("options may precede the command: %s %s", async (...options) => {
    await fixture.write("shop.yaml", shop);
    const { code, stdout } = await fixture.run([...options, "plan", fixture.folder]);
    expect({ code, document: JSON.parse(stdout) }).toMatchObject({ code: 0, document: { ok: true } });
  });
});

test.each([
  [
    "nightly-report",
    "did you mean job:shop/staging/nightly-report? a target is an address or a pattern, such as job:shop/staging/* or shop/**",
  ],
  [
    "Staging",
    "did you mean shop/staging/**? a target is an address or a pattern, such as job:shop/staging/* or shop/**",
  ],
  [
    "application:shop/staging/nightly-report",
    "did you mean job:shop/staging/nightly-report? a target is an address or a pattern, such as job:shop/staging/* or shop/**",
  ],
  ["elsewhere", "a target is an address or a pattern, such as job:shop/staging/* or shop/**"],
])("the target %s, which chooses nothing, gets advice", async (target, advice) => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  const { code, stderr } = await fixture.run(["plan", fixture.folder, "--target", target]);
  expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  expect(stderr.split("\n").slice(0, 2)).toEqual([
    `error: the target "${target}" matches no document`,
    `  ${advice}`,
  ]);
});

describe("mistakes in documents that come from other tools", () => {
  const errorsOf = async () => {
    const { code, stderr } = await fixture.run(["validate", fixture.folder]);
    expect(code).toBe(3);
    const lines = stderr.split("\n");
    return lines.flatMap((line, index) =>
      line.includes("error: ")
        ? [`${line.replace(/^.*error: /, "")}: ${(lines[index + 3] ?? "").trim()}`]
        : [],
    );
  };

  test("kind: job is told with the right spelling, beside the other mistakes of the document", async () => {
    await fixture.write(
      "job.yaml",
      cronJob("report", "max_nb_restart: -1\n").replace("kind: Job", "kind: job"),
    );
    expect(await errorsOf()).toEqual([
      'unknown kind "job": did you mean Job?',
      "max_nb_restart must be 0 or more, not -1: write a number in that range (Restarts before a run counts as failed)",
    ]);
  });

  test.each([
    ["CronJob", "use Job"],
    ["Postgres", "use Database"],
    ["Service", "use Application or Container"],
    ["Deployment", "use Application or Container"],
    ["StatefulSet", "use Container or Database"],
    ["Namespace", "use Environment"],
    ["deploymentrules", "did you mean DeploymentRule?"],
  ])("kind: %s", async (kind, advice) => {
    await fixture.write("a.yaml", `kind: ${kind}\nname: a\n`);
    expect(await errorsOf()).toContainEqual(`unknown kind "${kind}": ${advice}`);
  });

  test.each([
    [
      "command: [run]",
      'a Job has no field "command"',
      "use entrypoint or arguments in schedule.cronjob, schedule.on_start, schedule.on_stop or schedule.on_delete",
    ],
    ["env: { A: b }", 'a Job has no field "env"', "use variables"],
    ["image: a:1", 'a Job has no field "image"', "use image_name or tag in source.image"],
    ["timeout: 60", 'a Job has no field "timeout"', "use max_duration_seconds"],
    ["resources: {}", 'a Job has no field "resources"', "use cpu or memory"],
    [
      "apiVersion: v1",
      'a Job has no field "apiVersion"',
      "leave it out: a document has its kind, its parent, its name and its fields side by side, at the top",
    ],
    ["variables: [A=b]", "variables must be a mapping, not a list", "write variables: { A: b }"],
    [
      "variables: [{ name: A, value: 'x y' }]",
      "variables must be a mapping, not a list",
      'write variables: { A: "x y" }',
    ],
    ["secrets: [A=b]", "secrets must be a mapping, not a list", "write secrets: { A: { from_env: A } }"],
    [
      "labels_groups: [1.10] # pinned",
      "labels_groups[0] must be a text, not the number 1.1",
      'write labels_groups: ["1.10"] # pinned',
    ],
    [
      "kind: Container",
      'duplicate key "kind"',
      "keep one of them, or put --- on a line of its own before it: there the next document begins",
    ],
    // The rest of the next document is no mistake of this one.
    [
      "kind: Project\nname: shop\nports: [8080]",
      'duplicate key "kind"',
      "keep one of them, or put --- on a line of its own before it: there the next document begins",
    ],
  ])("%s", async (member, message, advice) => {
    await fixture.write("job.yaml", cronJob("report", `${member}\n`));
    expect(await errorsOf()).toEqual([`${message}: ${advice}`]);
  });

  test.each([
    [
      "source: { image: { tag: ${TAG} } }",
      "invalid YAML: ${TAG} has no quotes",
      'inside { } and [ ], write "${TAG}", with quotes',
    ],
    [
      "${FIELD}: 1",
      'a Job has no field "${FIELD}"',
      "write the name of the field: variables are replaced only in values",
    ],
    [
      "variables: { '${KEY}': a }",
      'variables: "${KEY}" cannot be a key',
      "write the key itself: variables are replaced only in values",
    ],
  ])("a reference to a variable where it is not filled in: %s", async (member, message, advice) => {
    const rest = cronJob("report").replace(/^source:\n.*\n/m, "");
    await fixture.write("job.yaml", `${member.startsWith("source") ? rest : cronJob("report")}${member}\n`);
    expect((await errorsOf())[0]).toBe(`${message}: ${advice}`);
  });

  test("a reference to a variable in the settings file, which is not filled in", async () => {
    await fixture.write("shop.yaml", shop);
    // oxlint-disable-next-line no-template-curly-in-string
    await fixture.write("infrasync.config.yaml", "base_url: https://${HOST}/api\n");
    expect(await errorsOf()).toEqual([
      // oxlint-disable-next-line no-template-curly-in-string
      "base_url contains ${HOST}, but variables are replaced only in manifests, not in the settings file: write the value itself, or set INFRASYNC_BASE_URL",
    ]);
  });
});
