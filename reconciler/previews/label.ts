import { clocksAgree } from "../../core/api/index.ts";
import { type Fields, textIn } from "../../core/values/json.ts";
import { expiryKey } from "../../core/model/parts/index.ts";
import { durationOf } from "../../core/model/schema/duration.ts";

/** What a preview says about itself on the server: when it ends, and whose it is. */
export interface PreviewLabel {
  /** As its variable has it: `2026-11-25T10:35:00Z`. */
  ends: string;
  /** The lifetime that the policy declared: `3d`. */
  lifetime: string;
  /** The environment for which it was written, `shop/pr-7`: a clone has the variables of its source. */
  of: string;
  /** Who has made it. */
  owner: string;
}

/** The variable of a label, as a manifest declares it. */
export function labelVariable({ ends, lifetime, of, owner }: PreviewLabel): Fields {
  const description = `preview ${of} of ${owner}, for ${lifetime}`;
  return { variables: { [expiryKey]: { value: ends, description } } };
}

/** The label that the variable of an environment is; undefined if it is in another form. */
export function labelIn(entry: Fields): PreviewLabel | undefined {
  const ends = textIn(entry, "value") ?? "";
  const [, of = "", owner = "", lifetime = ""] =
    /^preview (.+?\/pr-\d+) of ([^,]+), for (.+)$/i.exec(textIn(entry, "description") ?? "") ?? [];
  return durationOf(lifetime) && endAt(Date.parse(ends)) === ends ? { ends, lifetime, of, owner } : undefined;
}

/** When a preview ends: counted from its making, and a changed lifetime moves the end. @param present its label; undefined: it is made now */
export function endOf(
  lifetime: string,
  present: Pick<PreviewLabel, "ends" | "lifetime"> | undefined,
  { serverTime, serverAhead }: { serverTime: number; serverAhead: number },
): string {
  // Where the two clocks disagree, a preview ends by the later one.
  const now = clocksAgree(serverAhead) ? serverTime : Math.max(serverTime, serverTime - serverAhead);
  const begin = present ? Date.parse(present.ends) - (durationOf(present.lifetime) ?? 0) : now;
  return endAt(begin + (durationOf(lifetime) ?? 0)) ?? "";
}

const minute = 60_000;

/** The text of an end, in whole minutes, so that it is short. @param milliseconds since 1970 */
function endAt(milliseconds: number): string | undefined {
  if (Number.isNaN(milliseconds)) return undefined;
  return new Date(Math.ceil(milliseconds / minute) * minute).toISOString().replace(".000Z", "Z");
}
