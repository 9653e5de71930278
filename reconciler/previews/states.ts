import { counted } from "../../core/values/text.ts";
import type { HealthState } from "../../core/deployments/index.ts";
import { OperationError } from "../../core/operations/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import type { PullRequest } from "../../adapters/forge/index.ts";
import { previewName, type PreviewPolicy } from "../policy/index.ts";
import type { CommentMemory } from "./comment.ts";
import { PreviewError } from "./existing-environment.ts";
import type { PreviewHealth } from "./operations.ts";

/** The states of the preview of a pull request, the worst first. */
export const previewStates = ["failed", "waiting", "ended", "ready"] as const;

/** The preview of a pull request, as the last look has left it. */
export interface PreviewOfRequest {
  /** `shop/pr-7`. */
  environment: string;
  number: number;
  /** Absent where the pull request is not among the open ones any more. */
  pullRequest?: { title: string; url: string };
  /** The newest commit of the pull request. */
  commit?: string;
  state: (typeof previewStates)[number];
  reason?: string | undefined;
  /** Whether somebody else has made it, or wants it too. */
  isContested?: true;
}

/** The result of a check of pull requests: the previews, or the reason why there was no check. */
export type PreviewCheck = { previews: readonly PreviewOfRequest[] } | { failure: string };

const illWords = {
  failed: "has failed",
  slow: "takes too long",
  halted: "was cancelled, or its service was uninstalled",
} as const satisfies Partial<Record<HealthState, string>>;

const shortestPause = 60_000;
const longestPause = 900_000;

/** The states of previews, by the numbers of their pull requests. */
export class PreviewStates {
  readonly comments = new Map<number, CommentMemory>();
  /** The health of their services; absent: unknown. */
  readonly health = new Map<number, PreviewHealth>();
  /** Why somebody else has a preview, or wants it too. */
  #contested: ReadonlyMap<number, string> = new Map();
  readonly #failures = new Map<
    number,
    {
      reason: string;
      commit: string;
      tries: number;
      again: number;
      /** Whether nothing is wrong: something else has to end first, or the quota does not suffice. */
      isWait: boolean;
    }
  >();

  /** Whether the last try for a commit has failed, and the next one is not due. */
  isPaused(number: number, commit: string, now: number): boolean {
    const last = this.#failures.get(number);
    return last?.commit === commit && now < last.again;
  }

  /** Somebody else has these previews, or wants them too; others may be made at once now. */
  contestedNow(reasons: ReadonlyMap<number, string>): void {
    for (const number of this.#contested.keys()) if (!reasons.has(number)) this.#failures.delete(number);
    this.#contested = reasons;
  }

  succeeded(number: number): void {
    this.#failures.delete(number);
  }

  /** Records a try that has failed: the pause before the next one grows. `isNews`: it failed for another reason before. */
  failed(number: number, commit: string, error: unknown, now: number) {
    const last = this.#failures.get(number);
    const reason = reasonOf(error);
    const tries = last?.commit === commit ? last.tries + 1 : 1;
    const pause = Math.min(shortestPause * 2 ** (tries - 1), longestPause);
    const isBusy = error instanceof OperationError && error.code === "busy";
    const isShortage = error instanceof PreviewError && error.isShortage;
    this.#failures.set(number, { reason, commit, tries, again: now + pause, isWait: isBusy || isShortage });
    return { reason, isNews: last?.reason !== reason, isBusy, isShortage };
  }

  /** Forgets the failures of all other pull requests. */
  forgetFailuresExcept(numbers: ReadonlySet<number>): void {
    for (const number of this.#failures.keys()) if (!numbers.has(number)) this.#failures.delete(number);
  }

  /** The state of an open pull request's preview after a check. */
  shown(
    { from, max }: PreviewPolicy,
    { number, title, url, head }: PullRequest,
    withoutRoom: readonly number[],
  ): PreviewOfRequest {
    const failure = this.#failures.get(number);
    const { deployed, ended } = this.comments.get(number) ?? {};
    const preview = {
      environment: `${from[0]}/${previewName(number)}`,
      number,
      pullRequest: { title, url },
      commit: head.commit,
    };
    const is = (state: PreviewOfRequest["state"], reason?: string) => ({ ...preview, state, reason });
    const contest = this.#contested.get(number);
    if (contest !== undefined) return { ...is("failed", contest), isContested: true };
    if (withoutRoom.includes(number)) return is("waiting", `the limit is ${counted(max, "preview")}`);
    if (failure) return is(failure.isWait ? "waiting" : "failed", failure.reason);
    if (ended === head.commit) return is("ended", "it has expired; the next commit creates a new one");
    if (deployed !== head.commit) return is("waiting");
    const health = this.health.get(number);
    if (!health) return is("waiting", "the health of its services has not been read yet");
    const ills = Object.entries(illWords).flatMap(([state, words]) => {
      const names = health.get(state as keyof typeof illWords) ?? [];
      return names.length === 0 ? [] : [`the deployment of ${names.join(", ")} ${words}`];
    });
    if (ills.length > 0) return is("failed", ills.join("; "));
    const deploying = health.get("deploying") ?? [];
    return deploying.length > 0 ? is("waiting", `being deployed: ${deploying.join(", ")}`) : is("ready");
  }

  /** The previews of pull requests that are over, and whose deletion has failed. */
  leftovers({ from }: PreviewPolicy, open: readonly PullRequest[]): PreviewOfRequest[] {
    const numbers = new Set(open.map(({ number }) => number));
    return [...this.#failures.keys()]
      .filter((number) => !numbers.has(number))
      .map((number) => this.leftover(from[0], number));
  }

  leftover(project: string, number: number): PreviewOfRequest {
    const { reason, isWait = true } = this.#failures.get(number) ?? {};
    return {
      environment: `${project}/${previewName(number)}`,
      number,
      state: isWait ? "waiting" : "failed",
      reason,
    };
  }
}

/** The reason of a failure, in one line. */
export function reasonOf(error: unknown): string {
  if (error instanceof InvalidInputError) return error.problems.map(({ message }) => message).join("; ");
  return error instanceof Error ? error.message : String(error);
}
