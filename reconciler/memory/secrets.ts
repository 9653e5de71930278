import { own } from "../../core/json.ts";
import type { ReconcilerState } from "./state.ts";

/** A described secret as it was seen. */
export interface SeenSecret {
  /** The key of the address of its owner. */
  owner: string;
  /** `secrets.PASSWORD` */
  path: string;
  /** `PASSWORD` */
  key: string;
  /** Becomes another text when somebody writes it. */
  mark: string;
}

type Secrets = NonNullable<ReconcilerState["secrets"]>;

/** For how long a look may show a secret as it was before the service has written it, in milliseconds. */
const settling = 60_000;

/** Of the secrets that were seen, those that somebody else has written since they were seen before. */
export function writtenByOthers(secrets: Secrets, seen: readonly SeenSecret[]): SeenSecret[] {
  return seen.filter(({ owner, path, mark }) => {
    const known = own(own(secrets, owner) ?? {}, path);
    return known?.mark !== undefined && known.mark !== mark;
  });
}

/**
 * The secrets with those that are seen for the first time, or again after the service has written them: these are as they
 * should be, as far as anybody knows.
 *
 * @param owners the keys of the addresses that documents describe; all others are forgotten
 */
export function withSeen(
  secrets: Secrets,
  seen: readonly SeenSecret[],
  owners: ReadonlySet<string>,
  now: number,
): Secrets {
  const result = Object.fromEntries(
    Object.entries(secrets).flatMap(([owner, its]) => (owners.has(owner) ? [[owner, { ...its }]] : [])),
  );
  for (const { owner, path, mark } of seen) {
    const { mark: known, written = -Infinity } = own(own(result, owner) ?? {}, path) ?? {};
    if (known === undefined && now - written >= settling)
      result[owner] = { ...own(result, owner), [path]: { mark } };
  }
  return result;
}

/** The secrets after the service has written some of them. */
export function withWritten(
  secrets: Secrets,
  written: readonly Pick<SeenSecret, "owner" | "path">[],
  now: number,
): Secrets {
  const result = { ...secrets };
  for (const { owner, path } of written) result[owner] = { ...own(result, owner), [path]: { written: now } };
  return result;
}
