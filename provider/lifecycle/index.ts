import { kindOf } from "../../core/kinds/index.ts";
import { Bindings } from "./bindings.ts";
import * as checking from "./check.ts";
import * as creating from "./create.ts";
import * as differing from "./diff.ts";
import { explainError } from "./errors.ts";
import type { Properties } from "./inputs.ts";
import * as reading from "./read.ts";
import * as removing from "./remove.ts";
import { Session } from "./session.ts";
import { type Config, readSettings, type Settings } from "./settings.ts";
import * as updating from "./update.ts";

/*
 * The lifecycle of resources on plain values, without anything of Pulumi. What the engine stores in its state calls
 * these functions by these names: they change with a major version alone.
 */

/** Checks inputs, without a request. */
export async function check(kind: string, olds: Properties, news: Properties): Promise<checking.Checked> {
  return checking.check(kindOf(kind), olds, news);
}

/** Compares outputs with inputs, without a request. */
export async function diff(
  kind: string,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<differing.Difference> {
  return differing.diff(bindings, kindOf(kind), id, olds, news);
}

/** Makes a resource: creates it, clones it, or takes it over. */
export async function create(
  kind: string,
  inputs: Properties,
  config: Config | undefined,
): ReturnType<typeof creating.create> {
  return within(config, (session) => creating.create(session, kindOf(kind), inputs));
}

/** Reads a resource as it is. */
export async function read(
  kind: string,
  id: string,
  olds: Properties,
  config: Config | undefined,
): ReturnType<typeof reading.read> {
  return within(config, (session) => reading.read(session, kindOf(kind), id, olds));
}

/** Changes a resource. */
export async function update(
  kind: string,
  id: string,
  olds: Properties,
  news: Properties,
  config: Config | undefined,
): ReturnType<typeof updating.update> {
  return within(config, (session) => updating.update(session, kindOf(kind), id, olds, news));
}

/** Deletes a resource, and waits until it is gone. */
export async function remove(
  kind: string,
  id: string,
  olds: Properties,
  config: Config | undefined,
): Promise<void> {
  return within(config, (session) => removing.remove(session, kindOf(kind), id, olds));
}

const bindings = new Bindings();

/** One for each token and server; a provider process has one. */
const sessions = new Map<string, Session>();

async function within<Result>(
  config: Config | undefined,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  let settings: Settings | undefined;
  try {
    settings = await readSettings(config);
    const key = JSON.stringify(settings);
    const session = sessions.get(key) ?? new Session(settings, bindings);
    sessions.set(key, session);
    return await work(session);
  } catch (error) {
    throw explainError(error, settings);
  }
}
