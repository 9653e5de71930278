// Imports nothing, so that the help of the command line need not load the reconciler.

/** A member of a request, beside the environment. */
export interface VerbMember {
  /** For help, the API and mistakes. */
  words: string;
  /** As the command line declares it; absent: only forms and programs state it. */
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

/** All that people can ask a running service for: command line, API and page are made from these rows. */
export const verbs = {
  approve: {
    description: "Approve the plan of an environment.",
    role: "approve",
    noun: "an approval",
    done: "approved",
    button: "Approve this plan",
    members: {
      plan: {
        words: "the digest of the plan, as status shows it, or its first 16 characters",
        flag: "--plan <digest>",
      },
      lost: {
        words: "the name of a resource with a final loss in the plan",
        field: { label: "which is lost for good", longest: 300, isRepeated: true },
      },
    },
  },
  sync: {
    description: "Apply differences, and retry failed deployments.",
    role: "operate",
    noun: "a sync",
    done: "sync requested",
    button: "Sync now",
    buttonOfAll: "Sync all",
    members: {},
  },
  refresh: {
    description: "Read live resources again.",
    role: "operate",
    noun: "a refresh",
    done: "refresh requested",
    button: "Refresh",
    buttonOfAll: "Refresh all",
    members: {},
  },
  follow: {
    description: "End a rollback: follow the repository again.",
    role: "operate",
    noun: "the end of a rollback",
    done: "end of the rollback requested",
    button: "Follow the newest commit",
    members: {},
  },
  resume: {
    description: "End your own pause.",
    role: "operate",
    noun: "the end of a pause",
    done: "end of the pause requested",
    button: "Resume",
    members: { all: { words: "also the pauses of others, with the role approve", flag: "--all" } },
  },
  rollback: {
    description: "Roll back to an earlier commit, and hold it.",
    role: "operate",
    noun: "a rollback",
    done: "rollback requested",
    button: "Roll back until the next commit there",
    fold: "Roll back",
    members: {
      commit: {
        words: "a commit that was applied there before, or its first 7 characters",
        flag: "--to <commit>",
        field: { label: "to", longest: 64 },
      },
    },
    endedBy: "follow",
  },
  pause: {
    description: "Pause changes for some time.",
    role: "operate",
    noun: "a pause",
    done: "pause requested",
    button: "Pause",
    buttonOfAll: "Pause",
    fold: "Pause",
    members: {
      for: {
        words: "how long, such as 90m, 12h or 3d",
        flag: "--for <time>",
        field: { label: "for", value: "2h", longest: 20 },
      },
      until: { words: "until when, such as 2026-12-01T08:00:00Z", flag: "--until <time>" },
      reason: {
        words: "the reason, which others will see",
        flag: "--reason <text>",
        field: { label: "because", longest: 300 },
      },
    },
    endedBy: "resume",
  },
} as const satisfies Record<string, VerbWords>;

export type VerbName = keyof typeof verbs;

export function membersOf(verb: VerbName): Readonly<Record<string, VerbMember>> {
  return verbs[verb].members;
}
