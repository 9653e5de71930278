import type { DifferenceLine } from "./difference.ts";

/** The colour of a block for people: `bad` deletes something, `note` changes something, `good` adds something. */
export type Tone = "good" | "note" | "bad" | "plain";

/** A resource as people name it: `Job shop/staging/migrate`. */
export interface ShownSubject {
  kind: string;
  reference: string;
}

/** Things of one sort: `2 variables (DB_URL, DB_USER)`. */
export interface Things {
  what: string;
  names: readonly string[];
}

/** A field of a resource: its value, or what it was and will be; a long text has lines of its own. */
export interface FieldRow {
  path: string;
  before?: string;
  after?: string;
  /** In place of values: why there are none. */
  note?: string;
  /** A long value, or how a long value changes. */
  text?: string;
  difference?: readonly DifferenceLine[];
}

/** What a change shows below its name. `isLost`: the things cease to exist. */
export type Detail =
  | { detail: "fields"; rows: readonly FieldRow[]; compares: boolean }
  | {
      detail: "things";
      heading: string;
      groups: readonly Things[];
      words: readonly string[];
      isLost: boolean;
    }
  | { detail: "note"; text: string };

/** What happens to a resource, or has happened. */
export interface ShownChange extends ShownSubject {
  /** `update`: by it, changes can be filtered. */
  type: string;
  /** The character before it in a list. */
  symbol: string;
  /** The first character of its lines in a block of the language `diff`, which gives them their colour. */
  diffSymbol: string;
  tone: Tone;
  verb: string;
  /** Beside the name: why it happens, or the source of a clone. */
  remark: string | undefined;
  details: readonly Detail[];
  /** Whether it adds or removes all that its details show. */
  isWhole: boolean;
  /** What became of it. */
  outcome?: { badge: string; tone: Tone; text: string; logs: readonly string[] };
}

/** Changes that do the same to several resources, as one. */
export interface ChangeGroup extends Pick<ShownChange, "symbol" | "tone" | "remark"> {
  /** `12 Jobs`. */
  title: string;
  subjects: readonly ShownSubject[];
  /** ` in shop/staging: a, b, c and 9 more`. */
  where: string;
  fields: readonly string[];
}

/** Changes under a heading; undefined: there is only one section. */
export interface Section<Shown = ShownChange | ChangeGroup> {
  heading: string | undefined;
  changes: readonly Shown[];
}

export interface ListItem {
  subject?: ShownSubject | undefined;
  text: string;
  isCode?: true;
  /** What helps, on a line of its own. */
  advice?: string | undefined;
}

/** Items under a heading. `end`: a command that answers all of them. */
export interface List {
  /** By it, a page can link to the list. */
  name: string;
  heading: string;
  tone: Tone;
  items: readonly ListItem[];
  end?: { heading: string; command: string } | undefined;
}

/** What happens to resources for good: for each, its fate in words, and what nobody can restore. */
export interface Losses {
  heading: string;
  resources: readonly (ShownSubject & { address: string; fate: string; lost: readonly string[] })[];
}
