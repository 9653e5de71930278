import { may } from "../people/index.ts";
import { reasonToHold, reasonUntilCommit } from "../policy/index.ts";
import type { VerbName } from "../verbs.ts";
import { pause, resume } from "./pauses.ts";
import { malformed, wrong } from "./user-action.ts";
import type { Verb } from "./verb.ts";

const commitId = /^[0-9a-f]{7,64}$/;
/** Whoever writes manifests could make another plan with the same shorter beginning. */
const planId = /^[0-9a-f]{16,64}$/;

/** Whether an approval is about a plan: nobody else compares digests, neither for the answer nor before the plan is carried out. */
export function namesPlan(given: string, digest: string): boolean {
  return planId.test(given) && digest.startsWith(given);
}

export const table: Readonly<Record<VerbName, Verb>> = {
  approve: {
    offer: (_environment, { plan, requested }) =>
      plan && requested?.type !== "approve"
        ? { plan: [plan.digest], lost: [...plan.losing.values()] }
        : undefined,
    withoutEffect: (_environment, { unapprovable }) => unapprovable,
    delay: ({ delay }) => delay,
    prepare({ action: { plan: given = "", lost }, person, known, addressed }) {
      const { environments, where } = addressed();
      const [environment, second] = environments;
      if (!environment || second) throw wrong("an approval needs one environment: name it");
      const { plan, delay } = known.of(environment);
      if (!plan) throw wrong(`nothing differs in ${environment.name}`);
      const { digest, losing } = plan;
      const beginning = digest.slice(0, 16);
      const now = `; the plan of ${environment.name} is ${beginning}`;
      if (!namesPlan(given, digest))
        throw planId.test(given)
          ? wrong(`this is not the current plan${now}`)
          : malformed(`the request names no plan by at least 16 characters of its digest${now}`);
      const names = [...losing.values()];
      if (lost !== undefined && names.length > 0 && !names.includes(lost.trim()))
        throw wrong(
          `nothing is approved: the plan of ${environment.name} deletes data for good; type the name of the lost resource: ${names.join(" or ")}`,
        );
      return {
        to: environments,
        requested: { type: "approve", plan: digest },
        detail: `plan ${digest}: ${plan.text()}`,
        message: `The plan ${beginning} of ${where(environments)} is approved by ${person.identity.name}, and ${delay === undefined ? "the next cycle carries it out" : "is carried out later"}, unless the plan changes.`,
      };
    },
    lasts: ({ isCovered }) => isCovered,
    over: "the plan has changed",
  },
  sync: {
    offer: (_environment, { plan, hasFailed }) => (plan || hasFailed ? {} : undefined),
    withoutEffect({ names }, { rules, isBlocked, requested }, person) {
      const held = rules && reasonToHold(rules);
      if (held !== undefined) return held;
      if (isBlocked) return "a mistake must be corrected or a change allowed first";
      return requested?.type === "approve" && !may(person, "approve", names)
        ? `${requested.by.name} has approved its plan, and only a person with the role approve there can end the approval`
        : undefined;
    },
    prepare({ addressed }) {
      const { free: to, where, but } = addressed();
      const message = `The next cycle applies the differences in ${where(to)}.${but}`;
      return { to, requested: { type: "sync" }, message };
    },
    lasts: ({ isApplying, isAtWork }) => isApplying || isAtWork,
  },
  refresh: {
    offer: () => ({}),
    prepare({ action, addressed }) {
      const { environments, where } = addressed();
      return {
        refresh: action.environment === "" ? [] : (environments[0]?.names ?? []),
        message: `Live resources of ${where(environments)} are read again.`,
      };
    },
  },
  follow: {
    offer: (_environment, { rollback }) => (rollback ? {} : undefined),
    prepare({ requests, addressed }) {
      const { environments, where } = addressed();
      const to = environments.filter(({ key }) => requests.rollbackIn(key) !== undefined);
      if (to.length === 0)
        throw wrong(`${where(environments)} ${environments.length === 1 ? "is" : "are"} not rolled back`);
      return {
        to,
        rollback: null,
        message: `${where(to)} ${to.length === 1 ? "follows" : "follow"} the newest commit again.`,
      };
    },
  },
  resume: { prepare: resume },
  rollback: {
    offer(_environment, { commits, applied }) {
      const earlier = commits.flatMap(({ commit }) => (commit === applied ? [] : [commit]));
      return earlier.length > 0 ? { commit: earlier } : undefined;
    },
    withoutEffect: (_environment, { rules }) => rules && reasonUntilCommit(rules),
    async prepare({ action: { commit: given = "" }, known, clock, linesOf, addressed }) {
      const { free, where, but } = addressed();
      const all = free.flatMap((environment) => known.of(environment).commits);
      const isId = commitId.test(given);
      const meant = all.find(({ commit }) => isId && commit.startsWith(given));
      if (!meant) {
        const there = await linesOf([...new Set(all.map(({ commit }) => commit))], clock.now());
        throw (isId ? wrong : malformed)(
          there.length === 0
            ? "no applied commit is known for these environments"
            : `name one of the commits that were applied there: ${there.join("; ")}`,
        );
      }
      const { commit, tree } = meant;
      const to = free.filter((each) => known.of(each).commits.some((other) => other.tree === tree));
      return {
        to,
        requested: { type: "sync" },
        rollback: { commit, tree },
        detail: `to ${commit}`,
        message: `${where(to)} ${to.length === 1 ? "goes" : "go"} back to ${commit.slice(0, 7)}, until a commit changes the manifests there, or until the rollback is ended.${but}`,
      };
    },
  },
  pause: {
    offer: ({ names }) => (names.length > 0 ? {} : undefined),
    withoutEffect: (_environment, { rules }) =>
      rules && reasonToHold({ onCommit: rules.onCommit, onDrift: rules.onDrift }),
    prepare: pause,
  },
};
