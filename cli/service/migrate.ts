import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { readDatabase } from "../repository/database.ts";
import type { Console } from "../terminal/console.ts";

/** Makes or updates the common tables of a reconciler's workers, and returns the exit code. */
export async function migrateTables(
  environment: string | undefined,
  flags: { database?: string; dryRun?: boolean },
  console: Console,
): Promise<number> {
  const problems: Problem[] = [];
  const url = await readDatabase(flags, console, problems);
  if (url === undefined && problems.length === 0)
    problems.push({
      code: "argument",
      message: "the database is not set",
      advice: "set it with --database, INFRASYNC_DATABASE, or INFRASYNC_DATABASE_FILE",
    });
  if (environment !== undefined)
    problems.push({
      code: "argument",
      message: "infrasync reconcile migrate applies to the whole database, not to an environment",
      advice: `leave ${environment} out`,
    });
  if (url === undefined || problems.length > 0) throw new InvalidInputError(problems);
  const { connect, DatabaseError, migrate } = await import("../../reconciler/database/index.ts");
  try {
    const client = await connect(url);
    try {
      const { from, to } = await migrate(client, { isDry: flags.dryRun });
      console.note(
        from === to
          ? `The tables are up to date, at version ${to}.`
          : flags.dryRun
            ? `The tables are at version ${from}, and would be at version ${to}.`
            : `The tables were at version ${from}, and are at version ${to} now.`,
      );
    } finally {
      await client.end();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError("unreachable", exitCodes.failed, {
      message: error instanceof DatabaseError ? reason : `the database has refused the migration: ${reason}`,
      advice: error instanceof DatabaseError ? error.advice : "check the rights of its user",
    });
  }
  return exitCodes.done;
}
