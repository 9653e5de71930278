import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { Captured, documentOf } from "../captured.ts";
import { runCommandLine } from "../command-line.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

const container = (name: string, more = "") => `---
kind: Container
environment: shop/staging
name: ${name}
registry: docker-hub
image_name: acme/${name}
tag: 1.4.2
${more}
`;
const isPublic = "ports: [{ internal_port: 8080, publicly_accessible: true }]";

/** Runs a command that keeps what it reads. */
const run = (args: string[], columns?: number) =>
  fixture.run(args, {
    env: { ...fixture.env, XDG_CACHE_HOME: join(fixture.folder, "caches") },
    ...(columns !== undefined && { columns }),
  });

/** Applies manifests, and lets the changes settle that the events name. */
async function applied(manifests: string): Promise<void> {
  await fixture.write("shop.yaml", manifests);
  expect((await run(["apply", join(fixture.folder, "shop.yaml"), "--yes"])).stderr).not.toContain("error");
  await settled();
}

async function settled(): Promise<void> {
  await fixture.advance(60_000);
  await fixture.takeRequests();
}

const linksIn = (requests: readonly string[]) =>
  requests.filter((request) => request.endsWith("/link")).length;

beforeEach(() =>
  applied(
    shop + container("web", `${isPublic}\ncustom_domains: { shop.example.com: {} }`) + container("worker"),
  ),
);

test("status, list and get show the URLs of a service, its own domain first, in text and JSON", async () => {
  expect((await run(["status"])).stdout).toMatch(
    /Container shop\/staging\/web +READY +1\.4\.2 +https:\/\/shop\.example\.com \+1 +never deployed/,
  );
  expect((await run(["list"])).stdout).toMatch(/^Container +shop\/staging\/worker.* -$/m);
  expect((await run(["get", "container:shop/staging/web"])).stdout).toContain(
    "# url: https://shop.example.com\n# url: https://z",
  );
  const urls = ["https://shop.example.com", expect.stringMatching(/^https:\/\/z/)];
  expect(documentOf(await run(["status", "--output", "json"]))).toMatchObject({
    environments: [{ services: [{ urls }, { urls: [] }] }],
  });
  expect(documentOf(await run(["get", "shop/staging/web", "--output", "json"]))).toMatchObject({ urls });
});

test("only services with public ports cost a request, at most twenty a run, and none while they are cached", async () => {
  await applied(
    shop + Array.from({ length: 23 }, (_, index) => container(`web-${index}`, isPublic)).join(""),
  );
  const looked = async () => {
    const { stderr } = await run(["status", "shop/staging"]);
    return { links: linksIn(await fixture.takeRequests()), stderr };
  };
  expect(await looked()).toEqual({
    links: 20,
    stderr:
      "Note: the URLs of 4 services are not shown, because each costs a request; the next run reads more, and infrasync open SERVICE reads one\n",
  });
  expect(await looked()).toEqual({ links: 4, stderr: "" });
  expect(await looked()).toEqual({ links: 0, stderr: "" });
});

test("a changed port or domain makes the cached URLs unknown", async () => {
  const urls = async () => (await run(["get", "shop/staging/web"])).stdout.match(/^# url: /gm)?.length;
  await applied(shop + container("web", isPublic) + container("other", isPublic));
  await run(["status"]);
  expect(await urls()).toBe(2);
  await applied(shop + container("web", `${isPublic}\ncustom_domains: { new.example.com: {} }`));
  expect((await run(["status"])).stdout).toContain("https://shop.example.com +2");
  const second = isPublic.replace("]", ", { internal_port: 9090, name: admin, publicly_accessible: true }]");
  await applied(shop + container("web", second));
  expect((await run(["status"])).stdout).toContain("https://shop.example.com +3");
});

test("a server that does not tell the URL of a service leaves it out", async () => {
  await fixture.fault({ path: "/container/*/link", status: 501 });
  expect((await run(["status", "--output", "json"])).code).toBe(0);
});

test("open prints the URL of a service, or of the only one in an environment that has one", async () => {
  for (const address of ["container:shop/staging/web", "shop/staging/web", "web", "shop/staging"])
    expect(await run(["open", address])).toEqual({
      code: 0,
      stdout: "https://shop.example.com\n",
      stderr: "",
    });
  expect(documentOf(await run(["open", "web", "--output", "json"]))).toMatchObject({
    address: "container:shop/staging/web",
    urls: ["https://shop.example.com", expect.any(String)],
  });
});

test.each([
  ["worker", '"worker" has no URL: no port of it can be reached from outside'],
  ["worker", "publish one: ports:"],
  ["shop/stagign", "did you mean shop/staging"],
])("open %s says what is wrong", async (address, message) => {
  const { code, stderr } = await run(["open", address]);
  expect(code).toBe(3);
  expect(stderr).toContain(message);
});

test("open of a job advises no port", async () => {
  await applied(cronJob("report"));
  expect((await run(["open", "report"])).stderr).toContain(
    "these kinds have public ports: Application, Container, Helm",
  );
});

test("open names the services of an environment of which several have a URL", async () => {
  await applied(container("other", isPublic));
  expect((await run(["open", "shop/staging"])).stderr).toContain(
    "has 2 services with a URL: container:shop/staging/web, container:shop/staging/other",
  );
});

test("the end of a deployment shows state, version and URL of what was deployed, in text and JSON", async () => {
  const row =
    /\n {2}Container shop\/staging\/web +DEPLOYED +1\.4\.2 +\d+ s ago +https:\/\/shop\.example\.com \+1\n/;
  expect((await run(["deploy", "shop/staging/web", "--wait"])).stdout).toMatch(row);
  await fixture.write("web.yaml", container("web", `cpu: 750\n${isPublic}`));
  const file = join(fixture.folder, "web.yaml");
  expect((await run(["apply", file, "--yes", "--deploy", "--wait"])).stdout).toMatch(row);
  await fixture.write("web.yaml", container("web", isPublic).replace("1.4.2", "1.5.0"));
  const document = documentOf(await run(["apply", file, "--yes", "--deploy", "--wait", "--output", "json"]));
  expect(document).toMatchObject({ deployed: [{ services: [{ version: "1.5.0", state: "DEPLOYED" }] }] });
});

test("at a terminal, open starts the program that opens URLs, and prints the URL where there is none", async () => {
  const opened = async (folder: string) => {
    const [stdout, stderr] = [new Captured(80), new Captured(80)];
    const env = { ...fixture.env, PATH: folder };
    const io = { stdin: process.stdin, stdout, stderr, env, signal: new AbortController().signal };
    const code = await runCommandLine(["open", "shop/staging/web"], io);
    return { code, stdout: stdout.text, reported: /Opened https:\/\/shop\.example\.com/.test(stderr.text) };
  };
  const note = join(fixture.folder, "opened");
  await fixture.write("bin/xdg-open", `#!/bin/sh\nprintf %s "$1" > ${note}\n`);
  await chmod(join(fixture.folder, "bin/xdg-open"), 0o755);
  expect(await opened(join(fixture.folder, "bin"))).toEqual({ code: 0, stdout: "", reported: true });
  await expect.poll(() => readFile(note, "utf8").catch(String)).toBe("https://shop.example.com");
  expect(await opened(join(fixture.folder, "nowhere"))).toEqual({
    code: 0,
    stdout: "https://shop.example.com\n",
    reported: false,
  });
});
