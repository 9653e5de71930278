import { own } from "../../core/values/json.ts";
import type { StoredSecret, ReconcilerState } from "./state.ts";

export interface SeenSecret {
  /** The key of the address of its owner. */
  owner: string;
  /** `secrets.PASSWORD` */
  path: string;
  /** The name by which a choice of secrets means it: `PASSWORD`. */
  key: string;
  /** A digest of where its value comes from. */
  source: string;
  /** When it was written last, as far as the API says so. */
  written?: OwnWrite;
}

/** The last write of a secret. */
export interface OwnWrite {
  /** Becomes another text when somebody writes it. */
  mark: string;
  /** By the clock of the server, in milliseconds since 1970. */
  at: number;
}

/** A secret that the service has written. */
export interface RememberedSecret extends Pick<SeenSecret, "owner" | "path" | "source"> {
  /** As the answer has it; or, where no answer has told it, a time by which the write was over. */
  written: Partial<OwnWrite> & Pick<OwnWrite, "at">;
}

type Secrets = NonNullable<ReconcilerState["secrets"]>;

/** Of the secrets that were seen, those that somebody else has written, and those whose values come from elsewhere now. */
export function toWriteAgain(secrets: Secrets, seen: readonly SeenSecret[]): SeenSecret[] {
  return seen.filter((each) => {
    const known = keptOf(secrets, each);
    return known !== undefined && (isWrittenByOthers(known, each) || isFromElsewhere(known, each));
  });
}

/** A list that still shows a secret as it was before the own write tells of no other write. */
function isWrittenByOthers({ mark, at }: StoredSecret, { written }: SeenSecret): boolean {
  return written !== undefined && at !== undefined && written.mark !== mark && !(written.at <= at);
}

function isFromElsewhere({ source }: StoredSecret, seen: SeenSecret): boolean {
  return source !== undefined && source !== seen.source;
}

/**
 * The secrets with those that are seen for the first time: these are as they should be, as far as anybody knows.
 *
 * @param owners the keys of the addresses that documents describe; all others are forgotten
 */
export function withSeen(
  secrets: Secrets,
  seen: readonly SeenSecret[],
  owners: ReadonlySet<string>,
): Secrets {
  const result = Object.fromEntries(
    Object.entries(secrets).flatMap(([owner, its]) => (owners.has(owner) ? [[owner, { ...its }]] : [])),
  );
  for (const each of seen) {
    const { owner, path, source, written } = each;
    const known = keptOf(result, each);
    const first = known && isWrittenByOthers(known, each) ? undefined : written;
    result[owner] = { ...own(result, owner), [path]: { source, ...first, ...known } };
  }
  return result;
}

/** The secrets after the service has written some of them. */
export function withWritten(secrets: Secrets, all: readonly RememberedSecret[]): Secrets {
  const result = { ...secrets };
  for (const { owner, path, source, written } of all)
    result[owner] = { ...own(result, owner), [path]: { source, ...written } };
  return result;
}

function keptOf(
  secrets: Secrets,
  { owner, path }: Pick<SeenSecret, "owner" | "path">,
): StoredSecret | undefined {
  return own(own(secrets, owner) ?? {}, path);
}
