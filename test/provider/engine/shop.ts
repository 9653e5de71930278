import type { TestContext } from "vitest";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { isSoak } from "../../fixtures/fault-kinds.ts";
import { Harness } from "../../fixtures/harness.ts";
import { dynamicProvider, type FrontEnd, importOfClasses } from "./front-ends.ts";
import { makeStack } from "./make-stack.ts";
import { ProgramHost } from "./program-host.ts";
import type { Stack } from "./stack.ts";

/** The text of a program that uses the provider. */
export function program(body: string): string {
  return `${importOfClasses}\n${body}`;
}

/** The shop of the documentation: a project, an environment, an application and a job. `job` replaces parts of the job. */
export function shop(job = "", environment = ""): string {
  return program(`
    const shop = new Project("shop", { name: "shop" });
    const staging = new Environment("staging", {
      project: shop.id, name: "staging", mode: "STAGING", cluster: "eu-west", ${environment}
    });
    const api = new Application("api", {
      environment: staging.id,
      name: "api",
      gitRepository: { url: "https://github.com/acme/api", branch: "main" },
      ports: [{ internalPort: 8080, publiclyAccessible: true }],
    });
    export const nightly = new Job("nightly", {
      environment: staging.id,
      name: "nightly",
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
      schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } },
      ${job}
    });
    export const outputs = nightly.jobType;
  `);
}

/** A program with a job `first`, in an environment of its own. @param use the rest of the program */
export function firstJob(tag: string, use: string, options = "{}"): string {
  return program(`
    const shop = new Project("shop", { name: "shop" });
    const staging = new Environment("staging", { project: shop.id, name: "staging", cluster: "eu-west" });
    const first = new Job("first", {
      environment: staging.id, name: "first",
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "${tag}" } },
      schedule: { onStart: {} },
    }, ${options});
    ${use}
  `);
}

/** The begin of a program: an environment, and a function that makes jobs in it. */
export const stagingWithJobs = `
  const shop = new Project("shop", { name: "shop" });
  const staging = new Environment("staging", { project: shop.id, name: "staging" });
  const job = (name: string, args: object = {}, options: object = {}) =>
    new Job(name, {
      environment: staging.id, name,
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      schedule: { onStart: {} },
      ...args,
    }, options);
`;

const host = new ProgramHost();

interface StartOptions {
  packages?: Record<string, string>;
  /** Whether the language host of Node runs the program, as for a user. */
  usesLanguageHost?: boolean;
}

/** A server of its own for a test, and a stack that reaches it. Its programs are translated for the front end. */
export async function start(
  context: TestContext,
  text: string,
  options: EmulatorOptions = {},
  { files, of }: FrontEnd = dynamicProvider,
  { packages = {}, usesLanguageHost = isSoak }: StartOptions = {},
): Promise<{ server: Harness; stack: Stack }> {
  const server = await Harness.start(options);
  context.onTestFinished(() => server[Symbol.asyncDispose]());
  await server.forgetRequests();
  context.signal.addEventListener("abort", () => void reportRequests(server));
  const { url, tokens } = server.emulator;
  const stack = await makeStack(context, {
    program: text,
    translate: of,
    files,
    packages,
    ...(!usesLanguageHost && { host }),
    environment: { INFRASYNC_BASE_URL: url, INFRASYNC_TOKEN: tokens.admin },
  });
  return { server, stack };
}

/** Prints the last state of a test that took too long. */
async function reportRequests(server: Harness): Promise<void> {
  const seen = await server.seen();
  console.error("The server had seen:", seen.map((request) => JSON.stringify(request)).join("\n"));
}

/** The messages of a run without changes. */
export const nothing = { exitCode: 0, errors: [], steps: [] };
