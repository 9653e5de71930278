import { onTestFinished } from "vitest";
import { connect, Leases, migrate } from "../../reconciler/database/index.ts";
import { Wire } from "./cut.ts";
import { Postgres } from "./postgres.ts";

/** A PostgreSQL with the tables of infrasync, for one test. */
export async function aDatabase(): Promise<Postgres> {
  const postgres = await Postgres.start();
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  const client = await connect(postgres.url);
  await migrate(client);
  await client.end();
  return postgres;
}

/** The leases of a worker, and its way to the database. */
export async function aWorker(
  postgres: Postgres,
  { channels = [], delay = 0 }: { channels?: readonly string[]; delay?: number } = {},
): Promise<{
  leases: Leases;
  wire: Wire;
  /** What it has told of the database: why it is away, or that it is back. */
  reported: string[];
  take(source?: string): ReturnType<Leases["take"]>;
}> {
  const wire = await Wire.to(postgres.port);
  wire.delay = delay;
  const reported: string[] = [];
  const over = new AbortController();
  const leases = new Leases({
    url: postgres.urlAt(wire.port),
    version: "1.2.3",
    signal: over.signal,
    channels,
    onNotice: () => undefined,
    onChange: (error) => void reported.push(error instanceof Error ? error.message : "back"),
  });
  await leases.open();
  const running = leases.run();
  onTestFinished(async () => {
    over.abort();
    wire.close();
    await running;
    await leases.close();
  });
  return { leases, wire, reported, take: (source = "team") => leases.take(source, over.signal) };
}
