import { reasonToHold, type Share } from "../policy/index.ts";
import type { VerbName } from "../verbs.ts";
import { pause, resume } from "./pause-verbs.ts";
import { UserActionError } from "./user-action.ts";
import type { ShareHold, Verb } from "./verb.ts";

const shortestCommit = 7;
/** Whoever writes manifests could make another plan with the same shorter beginning. */
const shortestPlan = 16;

/** What holds a share ends only with a commit: an approval and a rollback wait for the end of a pause and for a window. */
const untilCommit = ({ rules }: ShareHold) => (rules && !isPassing(rules) ? reasonToHold(rules) : undefined);

export const table: Readonly<Record<VerbName, Verb>> = {
  approve: {
    offer: (_share, { plan, requested }) =>
      plan && requested?.type !== "approve"
        ? { plan: [plan.digest], lost: [...plan.losing.values()] }
        : undefined,
    withoutEffect: untilCommit,
    prepare({ action, person: { identity: by }, known, requests, addressed }) {
      const { shares, where, later, ended } = addressed();
      const [share, second] = shares;
      if (!share || second) throw wrong("a plan is approved in one environment: name it");
      const { plan } = known().of(share);
      if (!plan) throw wrong(`nothing differs in ${share.name}`);
      const { digest, losing } = plan;
      const { plan: given = "", lost } = action;
      if (given.length < shortestPlan || !digest.startsWith(given))
        throw wrong(
          `${given === "" ? "name the plan" : "this is not its plan now"}; the plan of ${share.name} is ${digest.slice(0, shortestPlan)}`,
        );
      const names = [...losing.values()];
      if (lost !== undefined && names.length > 0 && !names.includes(lost.trim()))
        throw wrong(
          `nothing is approved: the plan of ${share.name} loses something for good; type the name of what is lost: ${names.join(" or ")}`,
        );
      return {
        detail: `plan ${digest}: ${plan.text()}${ended(shares, digest)}`,
        act: () => requests.ask([share.key], { type: "approve", by, plan: digest }),
        message: `The plan ${digest.slice(0, shortestPlan)} of ${where(shares)} is approved by ${by.name}, and carried out in the next cycle, unless it changes before.${later(shares, digest)}`,
      };
    },
    lasts: ({ isCovered }) => isCovered,
    over: "the plan is another one by now",
  },
  sync: {
    offer: (_share, { plan, hasFailed }) => (plan || hasFailed ? {} : undefined),
    withoutEffect: ({ rules, isBlocked, approval }) =>
      (rules && reasonToHold(rules)) ??
      (isBlocked ? "something has to be mended or allowed first" : undefined) ??
      (approval && `${approval.by.name} has approved its plan, and only who may approve there ends that`),
    prepare({ person: { identity: by }, requests, addressed }) {
      const { free, where, but, later, ended } = addressed();
      return {
        ...detailOf(ended(free)),
        act: () => requests.ask(keysOf(free), { type: "sync", by }),
        message: `The next cycle applies what differs in ${where(free)}.${but}${later(free)}`,
      };
    },
    lasts: ({ isApplying, isAtWork }) => isApplying || isAtWork,
  },
  refresh: {
    offer: () => ({}),
    prepare({ action, requests, addressed }) {
      const { shares, where } = addressed();
      return {
        act: async () => requests.refresh(action.environment === "" ? [] : (shares[0]?.names ?? [])),
        message: `Live resources of ${where(shares)} are read again.`,
      };
    },
  },
  follow: {
    offer: (_share, { rollback }) => (rollback ? {} : undefined),
    prepare({ person: { identity: by }, requests, addressed }) {
      const { shares, where, later, ended } = addressed();
      const there = shares.filter(({ key }) => requests.rollbackIn(key) !== undefined);
      if (there.length === 0)
        throw wrong(`${where(shares)} ${shares.length === 1 ? "is" : "are"} not rolled back`);
      return {
        ...detailOf(ended(there)),
        act: async () => {
          for (const { key } of there) await requests.endRollback(key, by);
        },
        message: `${where(there)} ${there.length === 1 ? "follows" : "follow"} the newest commit again.${later(there)}`,
      };
    },
  },
  resume: {
    // The page offers it beside each pause.
    offer: () => undefined,
    prepare: resume,
  },
  rollback: {
    offer(_share, { commits, applied }) {
      const earlier = commits.flatMap(({ commit }) => (commit === applied ? [] : [commit]));
      return earlier.length > 0 ? { commit: earlier } : undefined;
    },
    withoutEffect: untilCommit,
    prepare({ action: { commit: given = "" }, person: { identity: by }, known, requests, clock, addressed }) {
      const { free, where, later, ended } = addressed();
      const applied = free.map((share) => ({ share, commits: known().of(share).commits }));
      const all = applied.flatMap(({ commits }) => commits);
      const meant = all.find(({ commit }) => given.length >= shortestCommit && commit.startsWith(given));
      if (!meant) {
        const there = [...new Set(all.map(({ commit }) => commit.slice(0, 7)))];
        throw wrong(
          there.length === 0
            ? "no commit is known to have been applied there"
            : `name one of the commits that were applied there: ${there.join(", ")}`,
        );
      }
      const { commit, tree } = meant;
      const there = applied.flatMap(({ share, commits }) =>
        commits.some((each) => each.tree === tree) ? [share] : [],
      );
      const at = new Date(clock.now()).toISOString();
      return {
        detail: `to ${commit}${ended(there)}`,
        act: () => requests.rollBack(keysOf(there), { commit, tree, by, at }),
        message: `${where(there)} ${there.length === 1 ? "goes" : "go"} back to ${commit.slice(0, 7)}, until a commit changes the manifests there, or until somebody has it follow the repository again.${later(there)}`,
      };
    },
  },
  pause: {
    offer: ({ names }) => (names.length > 0 ? {} : undefined),
    withoutEffect: ({ rules }) =>
      rules?.onCommit === "off" && rules.onDrift === "off" ? reasonToHold(rules) : undefined,
    prepare: pause,
  },
};

/** For the audit, where nothing else is to be said. */
function detailOf(ended: string): { detail?: string } {
  return ended === "" ? {} : { detail: ended.slice(2) };
}

function keysOf(some: readonly Share[]): string[] {
  return some.map(({ key }) => key);
}

function wrong(message: string): UserActionError {
  return new UserActionError("wrong", message);
}

/** Whether what holds a share ends without a commit. */
function isPassing({
  suspensions = [],
  closed,
  onCommit,
  onDrift,
}: NonNullable<ShareHold["rules"]>): boolean {
  const isOpening = closed === undefined || closed.until !== undefined;
  return (
    suspensions.every(({ pause: ofPerson }) => ofPerson) &&
    isOpening &&
    !(onCommit === "off" && onDrift === "off")
  );
}
