import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { Secrets } from "../../../provider/lifecycle/secrets.ts";
import { Harness } from "../../fixtures/harness.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const id = "3f0c5b0e-7a68-4c6e-9d3c-0d1f6a1f4a11";
const canary = "ghp_Correct.Horse+Battery";
const application: Properties = {
  environment: id,
  name: "api",
  gitRepository: { url: "https://github.com/acme/api" },
};
const job: Properties = {
  environment: id,
  name: "nightly",
  source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
  schedule: { cronjob: { scheduledAt: "0 3 * * *" } },
};

/** Every failure of a check, and every error of a creation. */
const wrong: [what: string, kind: string, pointer: string, inputs: Properties][] = [
  ["an enum", "Job", "/cpuArchitecture", { ...job, cpuArchitecture: canary }],
  [
    "a cron expression",
    "Job",
    "/schedule/cronjob/scheduledAt",
    { ...job, schedule: { cronjob: { scheduledAt: canary } } },
  ],
  ["all of a schedule", "Job", "/schedule", { ...job, schedule: { cronjob: { scheduledAt: canary } } }],
  ["a name with a control character", "Job", "/name", { ...job, name: `${canary}\u0007` }],
  ["a name with a blank at its end", "Job", "/name", { ...job, name: `${canary} ` }],
  ["an id", "Job", "/environment", { ...job, environment: canary }],
  ["a number", "Job", "/cpu", { ...job, cpu: canary }],
  ["a number that is too small", "Job", "/cpu", { ...job, cpu: -48_151_623 }],
  ["the keys of an object", "Job", "/source", { ...job, source: { [canary]: true } }],
  ["a text for an object", "Job", "/source", { ...job, source: canary }],
  [
    "a long text",
    "Job",
    "/schedule/cronjob/timezone",
    { ...job, schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: canary.repeat(20) } } },
  ],
  ["a group twice", "Job", "/labelsGroups", { ...job, labelsGroups: [canary, canary] }],
];

test.each(wrong)("no failure of a check shows %s that is secret", async (_, kind, pointer, inputs) => {
  const given = { ...inputs, __secret: [pointer] };
  const { failures } = await new Lifecycle({}).check(kind, {}, given, undefined);
  const text = failures.map(({ reason }) => reason).join("\n");
  expect(failures.length).toBeGreaterThan(0);
  // Not with a matcher of the text: its failure message would print the secret.
  expect(text.toLowerCase().includes(canary.slice(0, 8).toLowerCase())).toBe(false);
  expect(text.includes("48151623")).toBe(false);
  const [property = ""] = pointer.slice(1).split("/");
  expect(text).toContain(property);
});

async function start() {
  const server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const values: Record<string, string> = {
    "infrasync:baseUrl": server.emulator.url,
    "infrasync:token": server.emulator.tokens.admin,
  };
  const config = { get: (key: string) => values[key] };
  const lifecycle = new Lifecycle({});
  const project = await lifecycle.create("Project", { name: "shop" }, config);
  const inputs = { project: project.id, name: "staging", cluster: "eu-west" };
  const environment = await lifecycle.create("Environment", inputs, config);
  return { server, config, lifecycle, environment: environment.id };
}

test("no error shows a secret reference to a missing resource, nor a secret that the server quotes", async () => {
  const { server, config, lifecycle, environment } = await start();
  const created = (inputs: Properties, secret: string) =>
    lifecycle
      .create("Application", { ...application, environment, ...inputs, __secret: [secret] }, config)
      .then(
        () => "",
        (error: Error) => `${error.message}\n${error.stack}\n${String(error.cause)}`,
      );
  const gitRepository = { url: "https://github.com/acme/api", gitToken: canary };
  const unknown = await created({ gitRepository }, "/gitRepository/gitToken");
  expect(unknown).toContain('gitRepository.gitToken: there is no git token "[secret]"');
  expect(unknown.includes(canary)).toBe(false);

  const body = {
    status: 400,
    error: "Bad Request",
    message: `description: ${canary.repeat(60)} is too long`,
  };
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/application", status: 400, body },
  ]);
  const refused = await created({ name: "other", description: canary.repeat(60) }, "/description");
  expect(refused).toContain("The server says");
  expect(refused).toContain("[secret]…");
  expect(refused.includes(canary)).toBe(false);
});

test("no message shows a credential with which infrasync is configured, whatever quotes it", async () => {
  const folder = temporaryFolder("provider");
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const { server, config, environment } = await start();
  const [token, apply, database, notify, forge] = ["one", "two", "three", "four", "five"].map(
    (each) => `canary-number-${each}`,
  );
  const configured = {
    INFRASYNC_TOKEN: server.emulator.tokens.admin,
    INFRASYNC_READ_TOKEN: token,
    INFRASYNC_APPLY_TOKEN_FILE: file("apply", `${apply}\n`),
    INFRASYNC_DATABASE: `postgres://user:${database}@db.example/x`,
    INFRASYNC_NOTIFY_URL_FILE: file("notify", `https://chat.example/hook/${notify}`),
    INFRASYNC_GIT_HOST_API: `https://user:${forge}@forge.example/api`,
  };
  const quoted = [token, apply, database, `/hook/${notify}`, forge, server.emulator.tokens.admin].join(" ");
  const checking = new Lifecycle(configured);
  const { failures } = await checking.check("Job", {}, { ...job, cpuArchitecture: quoted }, config);
  const said = failures.map(({ reason }) => reason);
  const lifecycle = new Lifecycle(configured);
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/application", status: 400, body: { message: quoted } },
  ]);
  await lifecycle.create("Application", { ...application, environment }, config).catch((error: Error) => {
    said.push(`${error.message}\n${error.stack}\n${String(error.cause)}`);
  });
  expect(said).toHaveLength(2);
  for (const text of said) {
    expect(text).toContain("[secret]");
    expect(/canary-number/i.test(text)).toBe(false);
    expect(text.includes(server.emulator.tokens.admin)).toBe(false);
  }
});

test("secrets are remembered, so that a refresh and a deletion hide them too", async () => {
  const { config, lifecycle, environment } = await start();
  const inputs = { ...application, environment, description: canary };
  const secret = { __secret: ["/description"] };
  const checked = await lifecycle.check("Application", {}, { ...inputs, ...secret }, config);
  expect(checked).toEqual({ inputs: { ...inputs, ...secret }, failures: [] });
  const { id: made, outs } = await lifecycle.create("Application", checked.inputs, config);
  expect(outs).toMatchObject(secret);
  const { props } = await lifecycle.read("Application", made, outs, config);
  expect(props).toMatchObject(secret);
  const { outs: updated } = await lifecycle.update("Application", made, outs, inputs, config);
  expect(updated).not.toHaveProperty("__secret");
});

test("a short secret is hidden in quotes, but not inside other words", () => {
  const secrets = new Secrets({ __secret: ["/a"], a: ["or", "x.y"] });
  expect(secrets.hide('there is no "or", or X.Y, or xay')).toBe(
    'there is no "[secret]", or [secret], or xay',
  );
});

test("the value of a secret Terraform variable is secret, whether the program says so or not", async () => {
  const inputs: Properties = {
    environment: id,
    name: "network",
    terraformFilesSource: { gitRepository: { url: "https://github.com/acme/network" } },
    backend: { kubernetes: {} },
    engine: "TERRAFORM",
    providerVersion: { explicitVersion: "1.9" },
    jobResources: { cpuMilli: 500, ramMib: 512, storageGib: 1 },
  };
  const checked = (variable: Properties) => {
    const given = { ...inputs, terraformVariablesSource: { tfVars: [variable] } };
    return new Lifecycle({}).check("Terraform", {}, given, undefined);
  };
  const pointer = "/terraformVariablesSource/tfVars/0/value";
  const hidden = await checked({ key: "a", value: canary, secret: true });
  expect(hidden.inputs["__secret"]).toEqual([pointer]);
  const shown = await checked({ key: "a", value: "plain", secret: false });
  expect(shown.inputs).not.toHaveProperty("__secret");
  const { failures } = await checked({ key: canary, value: 48_151_623, secret: true });
  expect(
    failures
      .map(({ reason }) => reason)
      .join("")
      .includes("48151623"),
  ).toBe(false);
  expect(failures.map(({ property }) => property)).toEqual([expect.stringContaining("terraform"), ""]);
});
