import { expect, test } from "vitest";
import { migrations } from "../../../adapters/database/migrations.ts";

/** What the version before can work beside: things of their own, and columns that may be empty or have a default. */
const additions = [
  /^create (?:unlogged )?table /,
  /^create (?:or replace )?view /,
  /^create index /,
  /^comment on /,
  /^alter table \S+ add column \S+ (?:(?!not null|unique|primary key|references).)+$/s,
  /^alter table \S+ add column \S+ .*not null default [^,]+$/s,
  /^create trigger \S+ after .+ on \S+ (?:for each row )?execute function \S+\(\)$/,
];
/** The only functions that may be: those that notify whoever listens, and those that look, and refuse. */
const functions =
  /create function \S+\(.*?\) returns (?:trigger|boolean) language plpgsql as\s+\$\$ begin\s+(?:perform pg_notify\('\w+', ''\); return null;|perform from [^;]+;\s+if found then return true; end if;\s+raise exception [^;]+;)\s+end \$\$;/g;

/** The statements of a migration that do anything else than to add. */
function changesIn(migration: string): string[] {
  return migration
    .replaceAll(/--.*$/gm, "")
    .replaceAll(functions, "")
    .split(";")
    .map((statement) => statement.trim().replaceAll(/\s+/g, " "))
    .filter((statement) => statement !== "" && !additions.some((allowed) => allowed.test(statement)));
}

test("migrations only add, so that workers of the version before go on meanwhile", () => {
  expect(migrations.flatMap(changesIn)).toEqual([]);
});

test.each([
  "drop table infrasync.worker",
  "alter table infrasync.worker drop column host",
  "alter table infrasync.worker rename column host to machine",
  "alter table infrasync.worker alter column host set not null",
  "alter table infrasync.worker add column zone text not null",
  "delete from infrasync.source_status",
  "create table infrasync.a (id uuid); drop view infrasync.audit",
  "create function infrasync.f() returns trigger language sql as 'delete from infrasync.worker'",
  "create trigger t before insert on infrasync.claim execute function infrasync.f()",
])("the rule finds %s", (statement) => {
  expect(changesIn(statement)).toHaveLength(1);
});

test.each([
  "alter table infrasync.worker add column zone text",
  "alter table infrasync.worker add column zone text not null default ''",
  "create index on infrasync.source_status (state)",
])("the rule lets %s through", (statement) => {
  expect(changesIn(statement)).toEqual([]);
});
