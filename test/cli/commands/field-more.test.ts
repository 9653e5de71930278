import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type Fields, isFields, type Json } from "../../../core/values/json.ts";
import { forward } from "../../fixtures/forward.ts";
import { serve } from "../../fixtures/http-server.ts";
import { application as app, job, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

/** An application with these ports only. */
const application = (name: string, ports: string) => app(name).replace(/^ports: .*$/m, ports);

/** The objects of a resource, and of a request about it, that have the member which this version does not know. */
type Holders = (resource: Fields) => Record<string, unknown>;

const ofJob: Holders = ({ schedule, ...resource }) => ({
  "": resource,
  schedule: isFields(schedule) ? schedule["cronjob"] : undefined,
});

const ofApplication: Holders = ({ ports }) =>
  Object.fromEntries(
    (Array.isArray(ports) ? ports : []).map((port) => [
      isFields(port) ? String(port["internal_port"]) : "",
      port,
    ]),
  );

/**
 * A later version of the API: these objects have `burst`, which a PUT without it resets to 1.
 *
 * @param takesIt whether a PUT may have it; otherwise it is refused
 */
async function laterApi(kind: "job" | "application", holders: Holders, takesIt: boolean) {
  const burst: Record<string, Json> = {};
  const puts: Record<string, Json | undefined>[] = [];
  const target = fixture.env["INFRASYNC_BASE_URL"] ?? "";
  const member = kind === "job" ? "job_type" : "git_repository";
  const { url } = await serve(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const body = await textOf(request);
    const sent: unknown =
      method === "PUT" && new RegExp(`^/${kind}/[^/]+$`).test(path) ? JSON.parse(body) : undefined;
    const { host: _host, "content-length": _length, connection: _connection, ...others } = headers;
    if (isFields(sent)) {
      const given = Object.entries(holders(sent)).map(
        ([key, holder]) => [key, isFields(holder) ? holder["burst"] : undefined] as const,
      );
      puts.push(Object.fromEntries(given));
      if (!takesIt && given.some(([, value]) => value !== undefined)) {
        response.writeHead(400, { "content-type": "application/json" }).end('{"message":"burst is unknown"}');
        return;
      }
      for (const [key, value = 1] of given) burst[key] = value;
    }
    const known = (_member: string, value: unknown) => (isFields(value) ? without(value, "burst") : value);
    const answer = await forward(target, {
      method,
      path,
      headers: others,
      body: isFields(sent) ? JSON.stringify(sent, known) : body,
    });
    const shown = JSON.parse(answer.content.toString() || "null", (_member, value: unknown) => {
      if (!isFields(value) || !(member in value)) return value;
      const all = holders(value);
      for (const [key, holder] of Object.entries(all))
        if (isFields(key === "" ? value : holder))
          Object.assign(key === "" ? value : (holder as Fields), { burst: burst[key] ?? 7 });
      return value;
    }) as unknown;
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

function without({ ...fields }: Fields, member: string): Fields {
  delete fields[member];
  return fields;
}

test("a field that this version does not know is named, and an update sends it back as it was read, wherever it is", async () => {
  const { env, puts, burst } = await laterApi("job", ofJob, true);
  const file = await fixture.write("a.yaml", shop + job("nightly"));
  expect(await fixture.run(["apply", file, "--yes"], { env })).toMatchObject({ code: 0 });
  await fixture.write("a.yaml", shop + job("nightly", "memory: 2048"));
  const planned = await fixture.run(["plan", file], { env });
  expect(planned.stdout).toContain(
    "the server has schedule.cronjob.burst, burst, which this version of infrasync does not know",
  );
  expect(await fixture.run(["apply", file, "--yes"], { env })).toMatchObject({ code: 0 });
  expect(puts).toEqual([{ "": 7, schedule: 7 }]);
  expect(burst).toEqual({ "": 7, schedule: 7 });
  expect((await fixture.run(["plan", file], { env })).stdout).toContain("No changes");
});

test("where the server refuses the field, an update without it takes the approval that other losses take", async () => {
  const { env, puts } = await laterApi("job", ofJob, false);
  const file = await fixture.write("a.yaml", shop + job("nightly"));
  expect(await fixture.run(["apply", file, "--yes"], { env })).toMatchObject({ code: 0 });
  await fixture.write("a.yaml", shop + job("nightly", "memory: 2048"));
  const refused = await fixture.run(["apply", file, "--yes"], { env });
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stdout + refused.stderr).toContain("burst is unknown");
  expect(refused.stdout + refused.stderr).toContain("A request without these members would delete them");
  expect(refused.stdout + refused.stderr).toContain("--allow-replace 'job:shop/staging/nightly'");
  expect(puts).toEqual([{ "": 7, schedule: 7 }]);
  const consented = ["apply", file, "--yes", "--allow-replace", "job:shop/staging/nightly"];
  expect(await fixture.run(consented, { env })).toMatchObject({ code: 0 });
  expect(puts.slice(2)).toEqual([{}]);
});

test("the field of an element that is replaced is a loss, and other elements keep theirs", async () => {
  const { env, burst, puts } = await laterApi("application", ofApplication, true);
  const ports = (port: number) =>
    `ports: [{ internal_port: ${port}, publicly_accessible: true }, { internal_port: 8081, publicly_accessible: true }]`;
  const file = await fixture.write("a.yaml", shop + application("api", ports(8080)));
  expect(await fixture.run(["apply", file, "--yes"], { env })).toMatchObject({ code: 0 });
  await fixture.write("a.yaml", shop + application("api", ports(9090)));
  const refused = await fixture.run(["apply", file, "--yes"], { env });
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.stderr).toContain("would lose the unknown field ports[8080/HTTP].burst");
  expect(puts).toEqual([]);
  const consented = ["apply", file, "--yes", "--allow-replace", "application:shop/staging/api"];
  expect(await fixture.run(consented, { env })).toMatchObject({ code: 0 });
  expect(burst).toEqual({ 9090: 1, 8081: 7 });
});
