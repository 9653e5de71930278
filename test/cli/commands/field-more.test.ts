import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type Fields, isFields } from "../../../core/json.ts";
import { forward } from "../../fixtures/forward.ts";
import { serve } from "../../fixtures/http-server.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

/**
 * A later version of the API: each job has `burst`, which a PUT without it resets to 1.
 *
 * @param takesIt whether a PUT may have it; otherwise it is refused
 */
async function laterApi(takesIt: boolean) {
  const burst = new Map<string, number>();
  const puts: Fields[] = [];
  const target = fixture.env["INFRASYNC_BASE_URL"] ?? "";
  const { url } = await serve(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const body = await textOf(request);
    const isJob = /^\/job\/[^/]+$/.test(path);
    const sent: unknown = method === "PUT" && isJob ? JSON.parse(body) : undefined;
    const { host: _host, "content-length": _length, connection: _connection, ...others } = headers;
    if (isFields(sent)) puts.push(sent);
    if (isFields(sent) && "burst" in sent && !takesIt) {
      response.writeHead(400, { "content-type": "application/json" }).end('{"message":"burst is unknown"}');
      return;
    }
    const { burst: given = 1, ...known } = isFields(sent) ? sent : {};
    if (sent !== undefined && takesIt) burst.set(path.slice(5), Number(given));
    const answer = await forward(target, {
      method,
      path,
      headers: others,
      body: isFields(sent) ? JSON.stringify(known) : body,
    });
    const shown = JSON.parse(answer.content.toString() || "null", (_member, value: unknown) =>
      isFields(value) && "job_type" in value
        ? { ...value, burst: burst.get(String(value["id"])) ?? 7 }
        : value,
    ) as unknown;
    const {
      "content-length": _its,
      "transfer-encoding": _transfer,
      "content-encoding": _encoding,
      ...rest
    } = answer.headers;
    response.writeHead(answer.status, rest).end(shown === null ? "" : JSON.stringify(shown));
  });
  return { env: { ...fixture.env, INFRASYNC_BASE_URL: url }, burst, puts };
}

test.each([
  ["takes it, an update sends it back as it was read", true, [7]],
  ["refuses it, an update leaves it out: a PUT cannot reset it", false, [7, undefined]],
])(
  "a field that this version does not know is named, and where the server %s",
  async (_title, takesIt, sent) => {
    const { env, puts, burst } = await laterApi(takesIt);
    const file = await fixture.write("a.yaml", shop + job("nightly"));
    expect(await fixture.run(["apply", file, "--yes"], { env })).toMatchObject({ code: 0 });
    await fixture.write("a.yaml", shop + job("nightly", "memory: 2048"));
    const planned = await fixture.run(["plan", file], { env });
    expect(planned.stdout).toContain("the server has burst, which this version of infrasync does not know");
    expect(await fixture.run(["apply", file, "--yes"], { env })).toMatchObject({ code: 0 });
    expect(puts.map((body) => body["burst"])).toEqual(sent);
    expect([...burst.values()]).toEqual(takesIt ? [7] : []);
    expect((await fixture.run(["plan", file], { env })).stdout).toContain("No changes");
  },
);
