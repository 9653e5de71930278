import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ profile: { server: { taken_name_status: 400 } } });
const line = ["probe", "--project-prefix", "probe-", "--only", "names-are-unique", "--only", "put-replaces"];

test("without --yes, a probe shows what it would do, and sends nothing", async () => {
  const { code, stdout, stderr } = await fixture.run(line);
  expect({ code, stdout, stderr }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "
    At most 30 requests, in a throwaway project that is removed at the end. Nothing has been sent; add --yes to run them.
    ",
      "stdout": "STORY             REQUESTS  ASSUMPTION
    names-are-unique  2         A second resource of the same kind, parent and name is refused with 409.
    put-replaces      3         A PUT resets the fields that it leaves out.
    ",
    }
  `);
  expect(await fixture.takeRequests()).toEqual([]);
});

test("a probe shows what differs, writes a profile, and leaves nothing", async () => {
  const file = join(fixture.folder, "server.json");
  const { code, stdout, stderr } = await fixture.run([...line, "--yes", "--profile", file]);
  expect({ code, stdout, stderr }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "
    18 requests sent.
    To run a server like this one: infrasync emulator --profile server.json
    ",
      "stdout": "differs     names-are-unique  the second creation was refused with 400
                Two runs at once can create two resources with one name; every plan then shows both ids, and changes neither. A refusal with another status than 409 is an error of the run.
    as assumed  put-replaces      the description was reset
    ",
    }
  `);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchInlineSnapshot(`
    {
      "findings": [
        {
          "result": "differs",
          "seen": "the second creation was refused with 400",
          "story": "names-are-unique",
        },
        {
          "result": "as assumed",
          "seen": "the description was reset",
          "story": "put-replaces",
        },
      ],
      "format": "infrasync-server-profile",
      "server": {
        "taken_name_status": 400,
      },
      "version": 1,
    }
  `);
  const clean = await fixture.run(["probe", "--clean", "--project-prefix", "probe-"]);
  expect(clean).toMatchObject({ code: 0, stderr: "Nothing is left behind.\n" });
});

test("a project that cannot be removed is named, and the next clean removes it", async () => {
  await fixture.fault({ method: "DELETE", path: "/project/*", times: 1, status: 500 });
  const { code, stderr } = await fixture.run([...line, "--yes"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /The project probe-\w+ is left behind: .*500.*\. To remove it: infrasync probe --clean --project-prefix probe-\n/,
  );
  const clean = await fixture.run(["probe", "--clean", "--project-prefix", "probe-"]);
  expect(clean).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^removed the project probe-\w+\n$/),
  });
});

test.each([
  [["--yes"], "--project-prefix is missing"],
  [["--clean", "--project-prefix", "x"], '--project-prefix cannot be "x"'],
  [["--only", "nothing"], 'there is no story "nothing"'],
  [
    ["--only", "variables-do-not-outdate", "--project-prefix", "probe-"],
    "deploys something, which may cost money",
  ],
])("a probe with %j is refused before a request", async (flags, message) => {
  const { code, stderr } = await fixture.run(["probe", ...flags]);
  expect(code).toBe(3);
  expect(stderr).toContain(message);
  expect(await fixture.takeRequests()).toEqual([]);
});
