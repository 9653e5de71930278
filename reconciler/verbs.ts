// Imports no code, so that the help of the command line need not load the reconciler.

import table from "./verbs.json" with { type: "json" };

/** A member of a request, beside the environment. */
export interface VerbMember {
  /** For help, the API and mistakes. */
  words: string;
  /** As the command line declares it; absent: only forms and programs declare it. */
  flag?: string;
  /** Of the page: its label, a first value, its longest text, and whether the offered value has to be typed again. */
  field?: { label: string; value?: string; longest: number; isRepeated?: true };
}

/** Something that people ask a running service for, in words. */
export interface VerbWords {
  description: string;
  role: "operate" | "approve";
  /** `a sync`, `an approval`. */
  noun: string;
  /** What somebody has done: `sync requested`, as in `sync requested by anna`. */
  done: string;
  /** The button of the page, for an environment and, where it can be requested everywhere, for all. */
  button: string;
  buttonOfAll?: string;
  /** The line of the page that hides the form until somebody opens it. */
  fold?: string;
  members: Readonly<Record<string, VerbMember>>;
  /** The verb that ends what it begins. */
  endedBy?: string;
}

export type VerbName = keyof typeof table;

export type MemberName = { [Verb in VerbName]: keyof (typeof table)[Verb]["members"] }[VerbName];

/** All that people can ask a running service for: command line, API and page are made from these rows. */
export const verbs = table as Readonly<Record<VerbName, VerbWords>>;
