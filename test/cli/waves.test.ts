import { request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { serve } from "../fixtures/http-server.ts";
import { job } from "../fixtures/manifests.ts";
import { useFixture } from "./fixture.ts";

// How often a plan waits for the server: requests that are sent at the same time are one wave.

const fixture = useFixture({ rateLimit: 0 });

/** Milliseconds without a new request after which a wave is complete. */
const quiet = 200;

/** A proxy in front of the emulator that answers the requests of a wave together; it keeps the paths of each wave. */
async function serveWaves(target: string): Promise<{ url: string; waves: string[][] }> {
  const waves: string[][] = [];
  let held: { request: IncomingMessage; response: ServerResponse }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    waves.push(
      held.map(({ request }) => (request.url ?? "").replace(/\?.*/, "").replaceAll(/[0-9a-f-]{36}/g, "{id}")),
    );
    for (const { request, response } of held.splice(0)) forward(target, request, response);
  };
  const { url } = await serve((request, response) => {
    held = [...held, { request, response }];
    clearTimeout(timer);
    const { length } = held;
    timer = setTimeout(() => {
      // Requests that arrived while the process was busy come first.
      setImmediate(() => held.length === length && release());
    }, quiet);
  });
  return { url, waves };
}

function forward(target: string, request: IncomingMessage, response: ServerResponse): void {
  const { method = "GET", url = "/", headers } = request;
  const onward = send(new URL(url, target), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  request.pipe(onward);
}

test("a plan of five environments waits four times: a wave for each level", async () => {
  const environments = ["a", "b", "c", "d", "e"];
  const manifests = await fixture.write(
    "shop.yaml",
    [
      "kind: Project\nname: shop\n",
      ...environments.flatMap((name) => [
        `kind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\n`,
        ...["one", "two"].map((each) => job(each, "", `shop/${name}`).replace(/^---\n/, "")),
      ]),
    ].join("---\n"),
  );
  expect((await fixture.run(["apply", manifests, "--yes"])).code).toBe(0);
  const { url, waves } = await serveWaves(fixture.emulator.url);
  const { stdout, code } = await fixture.run(["plan", manifests], { env: { INFRASYNC_BASE_URL: url } });
  expect({ stdout, code }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No changes") as string,
  });
  expect(waves).toEqual([
    ["/organization"],
    ["/organization/{id}/project"],
    ["/project/{id}/environment"],
    environments.map(() => "/environment/{id}/services"),
  ]);
});
