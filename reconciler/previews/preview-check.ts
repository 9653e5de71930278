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
  /** Why it is not ready. */
  reason?: string | undefined;
  /** Whether somebody else has made it, or wants it too. */
  isContested?: true;
}

/** The result of a check of pull requests: the previews, or the reason why there was no check. */
export type PreviewCheck = { previews: readonly PreviewOfRequest[] } | { failure: string };
