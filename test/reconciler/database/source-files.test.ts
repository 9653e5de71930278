import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SourceFiles } from "../../../reconciler/database/source-files.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

/** A table of files, which a test can take back to an earlier state. */
class Table {
  rows = new Map<string, string>();
  beat = Promise.withResolvers<void>();
  joins = 0;
  epoch = 1;
  async query<Row extends object>(text: string, [, given]: readonly unknown[] = []): Promise<Row[]> {
    await Promise.resolve();
    if (text.startsWith("select"))
      return [...this.rows].map(([its, value]) => ({ name: its, content: value })) as unknown as Row[];
    if (text.startsWith("insert"))
      for (const { name, content } of JSON.parse(String(given)) as { name: string; content: string }[])
        this.rows.set(name, content);
    else this.rows.delete(String(given));
    return [];
  }
  join(text: string, values: readonly unknown[]): Promise<unknown> {
    this.joins += 1;
    return this.query(text, values);
  }
  nextBeat(): Promise<void> {
    return this.beat.promise;
  }
}

async function machine(table: Table): Promise<{ folder: string; open(): SourceFiles }> {
  const folder = temporaryFolder("files");
  return { folder, open: () => new SourceFiles(table, "one", folder) };
}

test("a machine that has seen a newer state than the database holds what it knows until somebody confirms", async () => {
  const table = new Table();
  const { folder, open } = await machine(table);
  const pauses = join(folder, "pauses.json");
  const first = open();
  await first.restore();
  await writeFile(join(folder, "state.json"), "{}");
  await first.save();
  const backup = new Map(table.rows);
  await writeFile(pauses, "paused");
  await first.save();

  table.rows = new Map(backup);
  await expect(open().restore()).rejects.toThrow(
    /^the database has gone back in time: .* state 1 .* state 2/,
  );
  const other = await machine(table);
  await expect(other.open().restore()).rejects.toThrow("nothing is applied");
  expect(await readFile(pauses, "utf8")).toBe("paused");

  await writeFile(join(folder, "older-database-accepted"), "");
  const again = open();
  await again.restore();
  expect(await readFile(pauses, "utf8")).toBe("paused");
  expect(table.rows.get("pauses.json")).toBe("paused");
  await open().restore();

  await other.open().restore();
  expect(await readFile(join(other.folder, "pauses.json"), "utf8")).toBe("paused");
});

test("a machine takes what another one has written since, and a database that has lost all from it", async () => {
  const table = new Table();
  const [one, other] = [await machine(table), await machine(table)];
  const first = one.open();
  await writeFile(join(one.folder, "state.json"), "1");
  await first.save();
  const second = other.open();
  await second.restore();
  await writeFile(join(other.folder, "state.json"), "22");
  await second.save();
  await one.open().restore();
  expect(await readFile(join(one.folder, "state.json"), "utf8")).toBe("22");
  table.rows.clear();
  const last = one.open();
  await last.restore();
  await last.save();
  expect(table.rows.get("state.json")).toBe("22");
});

test("after a refresh that has only cost requests, the source is stored with the next heartbeat; anything else is stored at once", async () => {
  const table = new Table();
  const { folder, open } = await machine(table);
  const files = open();
  await files.restore();
  const write = (name: string, content: string) => writeFile(join(folder, name), content);
  await write("quota.json", "1");
  const waiting = files.saveAfterRefresh();
  await write("quota.json", "1 and 1");
  await write("state.json", "{}");
  await files.saveAfterRefresh();
  expect(table.joins).toBe(0);
  expect(table.rows.get("quota.json")).toBe("1 and 1");

  table.beat.resolve();
  await waiting;
  expect(table.rows.get("generation")).toBe("1");
  await write("quota.json", "1 and 1 and 1");
  await files.saveAfterRefresh();
  expect([table.joins, table.rows.get("quota.json")]).toEqual([1, "1 and 1 and 1"]);
});
