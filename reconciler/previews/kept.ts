/** How the preview of a pull request stands, the worst first. */
export const previewStates = ["failed", "waiting", "ended", "ready"] as const;

/** The preview of a pull request, as the last look has left it. */
export interface KeptPreview {
  /** `shop/pr-7`. */
  environment: string;
  number: number;
  /** Absent where the pull request is not among the open ones any more. */
  pullRequest?: { title: string; url: string };
  /** The newest commit of the pull request. */
  commit?: string;
  state: (typeof previewStates)[number];
  /** Why it is not ready. */
  reason?: string;
}

/** What a look at pull requests has left: the previews, or why there was no look. */
export type KeptPreviews = { previews: readonly KeptPreview[] } | { failure: string };
