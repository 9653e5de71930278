import { expect, test } from "vitest";
import { frontEndsOf } from "./front-ends.ts";
import { program, start } from "./shop.ts";

const inStaging = (text: string) =>
  program(`
    const shop = new Project("shop", { name: "shop" });
    const staging = new Environment("staging", { project: shop.id, name: "staging", cluster: "eu-west" });
    const image = { registry: "docker-hub", imageName: "acme/report", tag: "1" };
    const args: any = { environment: staging.id, source: { image }, schedule: { onStart: {} } };
    ${text}
  `);

const git = (url: string) => `environment: staging.id, name: "api", gitRepository: { url: "${url}" }`;

/** A resource with mistakes, and what a preview says of it. */
const mistakes: [resource: string, ...messages: string[]][] = [
  [
    `new Job("half", { ...args, name: "half", cpu: 1.5, memory: -3, memmory: 1, maxNbRestart: "2" });`,
    "cpu must be a whole number, not a number with a fraction",
    "memory must be 1 or more, not -3",
    'a Job has no input "memmory"; did you mean memory?',
    "maxNbRestart must be a whole number, not a text",
  ],
  [
    `new Job("unscheduled", { ...args, name: "unscheduled", schedule: {} });`,
    "schedule states nothing; state cronjob or onStart or onStop or onDelete, or leave schedule out",
  ],
  [
    `new Application("api", { ${git("https://git.acme.example/api")} });`,
    'gitRepository.provider is needed: "GITHUB", "GITLAB", "BITBUCKET" (Git provider; may be left out where the host of the URL shows it)',
  ],
  [
    `new Application("api", { ${git("https://github.com/acme/api")}, minRunningInstances: 5, maxRunningInstances: 2 });`,
    "minRunningInstances is more than maxRunningInstances; raise maxRunningInstances, or lower minRunningInstances",
  ],
];

test.for(frontEndsOf(import.meta.filename))(
  "$name: a preview reports all mistakes of a resource at once, in the terms of the program",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, "", {}, frontEnd);
    for (const [resource, ...messages] of mistakes) {
      await stack.rewrite(inStaging(resource));
      const { exitCode, errors } = await stack.preview();
      expect(exitCode).not.toBe(0);
      for (const message of messages) expect(errors.join("\n")).toContain(message);
    }
    expect(await server.seen()).toEqual([]);
  },
);

test.for(frontEndsOf(import.meta.filename))(
  "$name: an unknown entry of the organization is answered with the nearest one and the list, and a 403 is shown once, without a stack",
  async (frontEnd, context) => {
    const misspelt = `new Job("nightly", { ...args, name: "nightly", source: { image: { ...image, registry: "dokcer-hub" } } });`;
    const { server, stack } = await start(context, inStaging(misspelt), {}, frontEnd);
    const { errors } = await stack.up();
    expect(errors.join("\n")).toMatch(
      /source\.image\.registry: there is no container registry "dokcer-hub".*did you mean "?docker-hub/,
    );
    expect(errors.join("\n")).toContain("ecr-production");

    await stack.rewrite(inStaging(`new Job("nightly", { ...args, name: "nightly" });`));
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await server.api("POST", "/_emulator/faults", [
      { method: "GET", path: "/environment/*/services", status: 403 },
    ]);
    const refresh = await stack.refresh();
    expect(refresh.exitCode).not.toBe(0);
    const about = refresh.errors.filter((message) => message.includes("403"));
    expect(about).toHaveLength(1);
    expect(about[0]?.match(/403/g)).toHaveLength(1);
    expect(refresh.errors.join("\n")).not.toMatch(/^\s+at /m);
  },
);
