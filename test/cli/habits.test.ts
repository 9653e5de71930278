import { describe, expect, test } from "vitest";
import { infrasync } from "./captured.ts";
import { useFixture } from "./fixture.ts";
import { cronJob, shop } from "../fixtures/manifests.ts";

const fixture = useFixture();

describe("what people type by habit does it, or names what does it here", () => {
  test.each<[typed: string, advice: string]>([
    ["up", "infrasync apply changes live resources to match the manifests"],
    ["sync manifests", "infrasync apply changes live resources to match the manifests"],
    [
      "preview",
      "infrasync plan shows what apply would change; preview create, list and delete are about environments of pull requests",
    ],
    [
      "delete manifests",
      "infrasync destroy deletes what the manifests describe; infrasync plan --destroy shows what that is",
    ],
    [
      "import job.nightly 123",
      "infrasync dump writes manifests of live resources, and infrasync convert those of a Terraform state; from then on they are managed",
    ],
    ["export", "infrasync dump writes manifests of live resources"],
    [
      "state list",
      "there is no state: every run reads the live resources, and infrasync list shows them; infrasync convert reads a Terraform state",
    ],
    ["lint manifests", "infrasync validate checks manifests without sending requests"],
    ["help lint", "infrasync validate checks manifests without sending requests"],
    ["plan -var TAG=1", "write it with two dashes: --var NAME=VALUE"],
    [
      "plan -n staging",
      "a document names its environment; to choose those of one environment, use --target 'PROJECT/ENVIRONMENT/**'",
    ],
    [
      "plan --environment staging",
      "a document names its environment; to choose those of one environment, use --target 'PROJECT/ENVIRONMENT/**'",
    ],
    [
      "list -o yaml",
      "infrasync render, get and dump print YAML without a flag; for programs use --output json",
    ],
    ["deplyo", "did you mean deploy?"],
    ["destory", "see --help"],
    ["stpo", "see --help"],
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
  ["nightly-report", "a target is a whole address, or a pattern: --target 'job:*/*/nightly-report'"],
  ["Staging", "a target is a whole address, or a pattern: --target 'environment:*/staging'"],
  ["elsewhere", "a target is an address or a pattern, such as job:shop/staging/* or shop/**"],
])("the target %s, which chooses nothing, gets advice", async (target, advice) => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  const { code, stderr } = await fixture.run(["plan", fixture.folder, "--target", target]);
  expect({ code, requests: await fixture.takeRequests() }).toEqual({ code: 3, requests: [] });
  expect(stderr.split("\n").slice(0, 2)).toEqual([
    `error: the target "${target}" chooses nothing that a document describes`,
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
    [
      "command: [run]",
      'a Job has no field "command"',
      "here that is entrypoint or arguments in schedule.cronjob, schedule.on_start, schedule.on_stop or schedule.on_delete",
    ],
    ["env: { A: b }", 'a Job has no field "env"', "here that is variables"],
    ["timeout: 60", 'a Job has no field "timeout"', "here that is max_duration_seconds"],
    ["retries: 3", 'a Job has no field "retries"', "here that is max_nb_restart"],
    ["resources: {}", 'a Job has no field "resources"', "here that is cpu or memory"],
    [
      "apiVersion: v1",
      'a Job has no field "apiVersion"',
      "leave it out: a document has its kind, its parent, its name and its fields side by side, at the top",
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
      "write the field itself: variables are filled in in values only",
    ],
    [
      "variables: { '${KEY}': a }",
      'variables: "${KEY}" cannot be a key',
      "write the key itself: variables are filled in in values only",
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
      "base_url contains ${HOST}, but variables are filled in in manifests only, not in the settings file: write the value itself, or set INFRASYNC_BASE_URL",
    ]);
  });
});
