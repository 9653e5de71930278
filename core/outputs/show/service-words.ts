import type { DeploymentStatus } from "../../state/live/index.ts";
import { firstNamed, shorten } from "../../values/text.ts";

const waiting: Record<DeploymentStatus, string> = {
  NEVER_DEPLOYED: "never deployed",
  OUT_OF_DATE: "out of date: deploy it",
  UP_TO_DATE: "",
};

/** What differs at a service from the manifests, and why it has to be deployed, each as words. */
export function serviceNotes({
  declared,
  deploymentStatus,
  changes = [],
}: {
  declared?: string | undefined;
  deploymentStatus: string | undefined;
  changes?: readonly string[] | undefined;
}): string[] {
  const own = Object.entries(waiting).find(([status]) => status === deploymentStatus)?.[1] ?? "";
  return [
    declared === undefined ? "" : `manifests say ${shortVersion(declared)}`,
    own === "" && changes.length > 0 ? `${firstNamed(changes)} changed since: deploy it` : own,
  ].filter((each) => each !== "");
}

/** A version for a column: of a commit, its first characters. */
export function shortVersion(version: string): string {
  return /^[0-9a-f]{40}$/.test(version) ? version.slice(0, 8) : shorten(version, 30);
}
