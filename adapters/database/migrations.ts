import type { Client } from "pg";
import { codeOf } from "../../core/values/error-code.ts";

/** The migrations of the database, forwards only: each only adds, so that the version before works with it too. */
export const migrations: readonly string[] = [
  `
  create table infrasync.worker (
    id uuid primary key,
    host text not null,
    process_id integer not null,
    version text not null,
    -- The server process of the connection that holds the locks of the worker.
    lock_process_id integer not null,
    started_at timestamptz not null default now(),
    seen_at timestamptz not null default now()
  );
  comment on table infrasync.worker is 'The processes that keep sources synced, and when each was seen last.';

  create table infrasync.source_status (
    source text primary key,
    team text,
    state text not null,
    worker uuid not null,
    host text not null,
    seen_at timestamptz not null default now(),
    view jsonb not null
  );
  comment on table infrasync.source_status is 'How each source stands, who looks after it, and when that worker said so last.';

  create table infrasync.source_file (
    source text not null,
    name text not null,
    content text not null,
    written_at timestamptz not null default now(),
    primary key (source, name)
  );
  comment on table infrasync.source_file is 'The data folder of a source: its files.';

  create view infrasync.journal as
    select source, entry.line::jsonb as entry
    from infrasync.source_file, string_to_table(content, E'\\n') as entry(line)
    where name = 'journal.jsonl' and entry.line like '{%}' and entry.line not like '{"current":%';

  create view infrasync.audit as
    select source, entry.line::jsonb as entry
    from infrasync.source_file, string_to_table(content, E'\\n') as entry(line)
    where name = 'audit.jsonl' and entry.line like '{%}';
  `,
  `
  create table infrasync.passed_request (
    id uuid primary key,
    source text not null,
    request jsonb not null,
    answer jsonb,
    requested_at timestamptz not null default now()
  );
  comment on table infrasync.passed_request is 'What people ask one worker about a source that another one has, while it is answered.';
  `,
  `
  create table infrasync.token (
    -- A hash of the token and of its server.
    key text primary key,
    version bigint not null default 0,
    account jsonb not null,
    changed_at timestamptz not null default now()
  );
  comment on table infrasync.token is 'The ledger of each token: the requests of the window of its quota, and who sent them.';

  create view infrasync.spending as
    select key, spender.who, purpose.name as purpose, purpose.requests::integer as requests, changed_at
    from infrasync.token, jsonb_each(account -> 'spent') as spender(who, purposes),
      jsonb_each_text(spender.purposes) as purpose(name, requests);
  `,
  `
  -- Reads are repeated after a crash, so these rows need not outlast one.
  create unlogged table infrasync.shared_read (
    -- A hash of the token, its server, the organization and the request.
    key text primary key,
    path text not null,
    -- When a worker started to read it: the others wait for its answer.
    reading_at timestamptz,
    begun_at timestamptz,
    answer jsonb
  );
  comment on table infrasync.shared_read is 'What one worker has read for all: events without their changes, and names and ids of lists. It has no secrets.';
  `,
  `
  create table infrasync.claim (
    source text not null,
    organization text not null,
    -- The key of an address, or the id of a live resource.
    key text not null,
    -- Whether the source would prune it; otherwise its documents declare it.
    is_pruned boolean not null,
    primary key (source, organization, key)
  );
  create index claim_by_key on infrasync.claim (organization, key);
  comment on table infrasync.claim is 'The resources that the documents of each source declare, and those that it would prune: no two sources may have one.';
  `,
  `
  create view infrasync.deletion as
    select source, entry ->> 'id' as id, to_timestamp((entry ->> 'at')::float8 / 1000) as at, entry ->> 'title' as title
    from infrasync.source_file,
      jsonb_array_elements(case when name = 'state.json' then content::jsonb -> 'deletions' end) as entry
    where entry ? 'tree';
  comment on view infrasync.deletion is 'What each source has deleted or replaced in the last day, or has started to.';
  `,
  `
  create table infrasync.session (
    -- A hash of the id that only the browser has.
    key text primary key,
    -- Encrypted with a key that is made of the id.
    content bytea not null,
    ends_at timestamptz not null
  );
  create index session_by_end on infrasync.session (ends_at);
  comment on table infrasync.session is 'The sessions of browsers: who has signed in to the page. Nothing of one can be read without its id.';
  `,
  `
  -- Reads are repeated after a crash, so these rows need not outlast one.
  create unlogged table infrasync.kept_parts (
    source text not null,
    -- A hash of the token, its server and the organization.
    name text not null,
    content text not null,
    written_at timestamptz not null default now(),
    primary key (source, name)
  );
  comment on table infrasync.kept_parts is 'What the worker of a source has read of variables and other parts, with hashes in the place of values, keyed by the token.';
  `,
  `
  create function infrasync.tell_claim() returns trigger language plpgsql as
    $$ begin perform pg_notify('infrasync_claim', ''); return null; end $$;
  -- However many rows one transaction changes, it tells that once.
  create trigger tell_claim after insert or update or delete on infrasync.claim
    for each row execute function infrasync.tell_claim();
  create trigger tell_no_claim after truncate on infrasync.claim execute function infrasync.tell_claim();
  `,
  `
  create table infrasync.lease (
    source text primary key,
    -- Raised by each worker that takes the source.
    epoch bigint not null,
    worker uuid not null,
    -- Of PostgreSQL: a promotion of a copy begins another one.
    timeline integer not null,
    taken_at timestamptz not null default now()
  );
  comment on table infrasync.lease is 'How many times each source was taken, and by which worker last: what an earlier one still writes is refused.';

  create function infrasync.fence(of_source text, of_epoch bigint) returns boolean language plpgsql as
    $$ begin
      perform from infrasync.lease where source = of_source and epoch = of_epoch for share;
      if found then return true; end if;
      raise exception 'another worker has taken the source %', of_source using errcode = 'IS001';
    end $$;
  `,
  `
  alter table infrasync.worker add column slowness double precision not null default 1;
  comment on column infrasync.worker.slowness is 'By what the limits of time of this worker are multiplied, because its database or its machine is slow.';
  -- Of a worker that has fallen silent: its row is gone.
  alter table infrasync.lease add column slowness double precision;
  `,
];

/** The version of this program. */
export const desiredVersion = migrations.length;

/** The version of a database; 0: it has no tables of infrasync. */
export async function versionOf(query: (text: string) => Promise<object[]>): Promise<number> {
  const [found] = await query("select max(version) as version from infrasync.migration").catch(whereMissing);
  return found && "version" in found ? Number(found.version) : 0;
}

/** @returns no rows where there is no such table, or schema */
function whereMissing(error: unknown): object[] {
  if (isMissing(error)) return [];
  throw error;
}

/** Whether a query was refused because there is no such table, or schema. */
export function isMissing(error: unknown): boolean {
  return ["42P01", "3F000"].includes(codeOf(error) ?? "");
}

/** Updates a database, in one transaction that excludes other processes. Returns both versions. */
export async function migrate(
  client: Client,
  { isDry = false }: { isDry?: boolean | undefined } = {},
): Promise<{ from: number; to: number }> {
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock(hashtextextended('infrasync migrations', 0))");
    await client.query("create schema if not exists infrasync");
    await client.query(
      "create table if not exists infrasync.migration (version integer primary key, applied_at timestamptz not null default now())",
    );
    const from = await versionOf(async (text) => (await client.query<object>(text)).rows);
    for (const [index, text] of migrations.entries()) {
      if (index < from) continue;
      await client.query(text);
      await client.query("insert into infrasync.migration (version) values ($1)", [index + 1]);
    }
    await client.query(isDry ? "rollback" : "commit");
    return { from, to: Math.max(from, desiredVersion) };
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}
