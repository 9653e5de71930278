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
  /** A digest of the value that the source has now; absent: it cannot be read, or only by a command. */
  value?: string;
  /** When it was written last, as far as the API says so. */
  written?: OwnWrite;
}

/** The last write of a secret. */
export interface OwnWrite {
  /** Becomes another text when somebody writes it. */
  revision: string;
  /** By the clock of the server, in milliseconds since 1970. */
  at: number;
}

/** A secret that the service has written. */
export interface SecretRecord extends Pick<SeenSecret, "owner" | "path" | "source" | "value"> {
  /** As the answer has it; or, where no answer has it, a time by which the write was over. */
  written: Partial<OwnWrite> & Pick<OwnWrite, "at">;
}

type Secrets = NonNullable<ReconcilerState["secrets"]>;

/** The seen secrets that others have written or whose source is another now, and those whose source has another value. */
export function toWriteAgain(
  secrets: Secrets,
  seen: readonly SeenSecret[],
): Record<"again" | "rotated", SeenSecret[]> {
  const those = (is: (known: StoredSecret, each: SeenSecret) => boolean) =>
    seen.filter((each) => is(storedOf(secrets, each) ?? {}, each));
  return {
    again: those((known, each) => isWrittenByOthers(known, each) || isOther(known.source, each.source)),
    rotated: those((known, { value }) => isOther(known.value, value)),
  };
}

/** A list that still shows a secret as it was before the own write tells of no other write. */
function isWrittenByOthers({ revision, at }: StoredSecret, { written }: SeenSecret): boolean {
  return written !== undefined && at !== undefined && written.revision !== revision && !(written.at <= at);
}

function isOther(known: string | undefined, now: string | undefined): boolean {
  return known !== undefined && now !== undefined && known !== now;
}

/** The secrets with new ones, which are right as far as anybody knows. @param owners the keys of declared addresses; others are forgotten */
export function withSeen(
  secrets: Secrets,
  seen: readonly SeenSecret[],
  owners: ReadonlySet<string>,
): Secrets {
  const result = Object.fromEntries(
    Object.entries(secrets).flatMap(([owner, its]) => (owners.has(owner) ? [[owner, { ...its }]] : [])),
  );
  for (const each of seen) {
    const known = storedOf(result, each);
    const first = known && isWrittenByOthers(known, each) ? undefined : each.written;
    record(result, each, { ...first, ...known });
  }
  return result;
}

export function withWritten(secrets: Secrets, all: readonly SecretRecord[]): Secrets {
  const result = { ...secrets };
  for (const each of all) record(result, each, each.written);
  return result;
}

function record(
  secrets: Record<string, Secrets[string]>,
  { owner, path, source, value }: Omit<SecretRecord, "written">,
  more: StoredSecret,
): void {
  const entry = { source, ...(value !== undefined && { value }), ...more };
  secrets[owner] = { ...own(secrets, owner), [path]: entry };
}

function storedOf(
  secrets: Secrets,
  { owner, path }: Pick<SeenSecret, "owner" | "path">,
): StoredSecret | undefined {
  return own(own(secrets, owner) ?? {}, path);
}
