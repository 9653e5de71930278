/** The states of an environment beside the commit in force, the worst first. */
export const syncStates = [
  /** A change has failed, or was not tried because of one. */
  "failed",
  /** A mistake that live state shows, or a missing consent. */
  "blocked",
  /** The commit drops the applied one, and its plan deletes. */
  "held",
  /** A deployment has failed, was cancelled, or takes longer than it should; or a service was uninstalled. */
  "unhealthy",
  /** Somebody else sets a field again and again. */
  "drift_loop",
  "drift",
  /** The policy or the quota lets the commit wait. */
  "waiting",
  /** An earlier commit is in force and applied there, at the request of a person, or by the policy. */
  "rolled_back",
  /** The commit is applied, and a deployment is under way. */
  "deploying",
  /** Not everything has been read yet. */
  "unread",
  /** The policy says that nobody looks. */
  "unwatched",
  "synced",
] as const;

export type SyncState = (typeof syncStates)[number];
