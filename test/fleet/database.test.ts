import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { infrasync } from "../cli/captured.ts";
import { useFixture, writesOf } from "../cli/fixture.ts";
import { makeCertificate } from "../fixtures/certificate.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { useFleet } from "./fleet.ts";
import { Postgres } from "./postgres.ts";
import { statusOf, type Worker } from "./workers.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);
const wait = { timeout: 60_000, interval: 100 };

const stateOf = async (worker: Worker) => (await statusOf(worker)).sources[0]?.state;

test("a dry run of migrate tries the migrations, says which version they lead to, and leaves no table", async () => {
  await using server = await Postgres.start();
  const migrate = (...flags: string[]) =>
    infrasync(["reconcile", "migrate", ...flags], { env: { INFRASYNC_DATABASE: server.url } });
  const says = (words: string) => ({ code: 0, stderr: expect.stringContaining(words) });
  expect(await migrate("--dry-run")).toMatchObject(says("are at version 0, and would be at version"));
  expect(await server.query("select 1 from pg_namespace where nspname = 'infrasync'")).toEqual([]);
  expect(await migrate("--yes")).toMatchObject(says("were at version 0"));
  expect(await migrate("--dry-run")).toMatchObject(says("up to date"));
});

test("with sslmode=verify-full, the certificate of the database is checked", async () => {
  const own = makeCertificate("127.0.0.1");
  await using server = await Postgres.start(own);
  const trusted = (cert: string, name: string) => {
    const file = join(fleet.folder, name);
    writeFileSync(file, cert);
    return `${server.url}?sslmode=verify-full&sslrootcert=${file}`;
  };
  const migrate = (url: string) => infrasync(["reconcile", "migrate"], { env: { INFRASYNC_DATABASE: url } });
  const wrong = trusted(makeCertificate("127.0.0.1").cert, "other.pem");
  for (const url of [wrong, `${server.url}?sslmode=verify-full`]) {
    const refused = await migrate(url);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("the certificate of the database is not trusted");
    expect(refused.stderr).toContain("sslrootcert");
  }
  const right = trusted(own.cert, "right.pem");
  expect(await migrate(right)).toMatchObject({ code: 0 });
  const [row] = await server.query<{ count: number }>(
    "select count(*)::integer as count from infrasync.worker",
  );
  expect(row?.count).toBe(0);
  fleet.state(["one"]);
  const worker = await fleet.start({ INFRASYNC_DATABASE: right });
  await expect.poll(() => stateOf(worker), wait).toBe("synced");
  const [encrypted] = await server.query<{ ssl: boolean }>(
    "select bool_and(ssl) as ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.application_name = 'infrasync'",
  );
  expect(encrypted?.ssl).toBe(true);
});

test("a database that has lost its data: sources and git rebuild all but history, and the deletions of the day still count", async () => {
  await fleet.migrate();
  const repository = fleet.state(["one"], { more: () => "policy: { max_deletes_per_day: 1 }\n" }).get("one");
  const flags = ["--prune"];
  const first = await fleet.start({}, flags);
  const pruned = shop
    .replaceAll("shop", "one")
    .replaceAll("kind: Environment\n", "kind: Environment\nmanage: { prune: true }\n");
  repository?.push({
    "infra/a.yaml": pruned,
    "infra/b.yaml": ["b", "c", "d"].map((name) => job(name, "", "one/staging")).join(""),
  });
  const jobs = async () =>
    (await fixture.requests()).filter((line) => line.startsWith("POST") && line.endsWith("/job")).length;
  const deletions = async () =>
    writesOf(await fixture.requests()).filter((line) => line.startsWith("DELETE")).length;
  await expect.poll(jobs, wait).toBe(3);
  repository?.push({ "infra/b.yaml": ["b", "c"].map((name) => job(name, "", "one/staging")).join("") });
  await expect.poll(deletions, wait).toBe(1);
  await expect.poll(() => stateOf(first), wait).toBe("synced");
  first.child.process.kill("SIGTERM");
  await first.child.ended;
  await fleet.postgres.query("drop schema infrasync cascade");
  await fleet.migrate();
  // The next worker has a folder of its own, in which there is nothing.
  const second = await fleet.start({}, flags);
  await expect.poll(() => stateOf(second), wait).toBe("synced");
  repository?.push({
    "infra/b.yaml": job("b", "", "one/staging"),
    "infra/e.yaml": job("e", "", "one/staging"),
  });
  const reasons = async () => {
    const status = (await (await fetch(`${second.url}/sources/one/status.json`)).json()) as {
      environments: { reasons: string[] }[];
    };
    return status.environments.flatMap((each) => each.reasons).join("\n");
  };
  await expect.poll(reasons, wait).toContain("delete");
  expect(await deletions()).toBe(1);
});

test("a worker goes on with tables of a later version, and a worker that needs later tables says what to do", async () => {
  await fleet.migrate();
  const repository = fleet.state(["one"]).get("one");
  const worker = await fleet.start();
  await expect.poll(() => stateOf(worker), wait).toBe("synced");
  // What a later version may do: it only adds.
  await fleet.postgres.query("alter table infrasync.worker add column later text");
  await fleet.postgres.query("create table infrasync.later (id uuid primary key)");
  await fleet.postgres.query("insert into infrasync.migration (version) values (1000)");
  repository?.push({ "infra/b.yaml": job("b", "", "one/staging") });
  await expect.poll(() => fleet.api.writes.filter(({ line }) => line.endsWith("/job")).length, wait).toBe(1);
  worker.child.process.kill("SIGTERM");
  await worker.child.ended;
  const again = await fleet.start();
  await expect.poll(() => stateOf(again), wait).toBe("synced");
  expect(await fleet.migrate()).toMatchObject({ code: 0, stderr: expect.stringContaining("up to date") });
  await fleet.postgres.query("delete from infrasync.migration where version > 1");
  await expect(fleet.start()).rejects.toThrow(
    /the database has version 1 of the tables, and this program needs \d+\n.*run infrasync reconcile migrate/s,
  );
});
