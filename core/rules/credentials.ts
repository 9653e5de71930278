import { type Fields, isFields } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import { entriesIn, statedParts } from "../parts/index.ts";

/** Why no value of a variable may be a credential. */
export const credentialRisk = "everyone who sees the environment can read the value";

/** The parts of a resource whose values look like credentials, each with the sort of credential. Never a value. */
export function openCredentials(kind: Kind, stated: Fields): { path: [string, string]; what: string }[] {
  return statedParts(kind).flatMap(({ member, form }) =>
    Object.entries(entriesIn(stated, member)).flatMap(([key, entry]) => {
      const what = isFields(entry) ? form.credentialIn?.(key, entry) : undefined;
      return what === undefined ? [] : [{ path: [member, key] as [string, string], what }];
    }),
  );
}
