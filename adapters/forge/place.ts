import type { ForgeSystem } from "./system.ts";

/** The host and the project in the address of a repository; empty if the address lacks them. */
export function placeOf(url: string): { host: string; project: string | undefined } {
  const [, scpHost, scpPath] = /^\w[\w.-]*@([\w.-]+):([^:]+)$/.exec(url) ?? [];
  const parsed = scpHost === undefined ? URL.parse(url) : undefined;
  const host = scpHost ?? parsed?.hostname ?? "";
  const path = (scpPath ?? parsed?.pathname ?? "").replace(/^\/+/, "").replace(/\.git\/?$|\/+$/g, "");
  return { host, project: host === "" || path === "" ? undefined : path };
}

/** The page of a commit on its Git host; undefined: the address does not tell the project. */
export function commitPage(forge: ForgeSystem, url: string, commit: string): string | undefined {
  const { host, project } = placeOf(url);
  return project === undefined ? undefined : `https://${host}/${project}/${forge.commitPath}/${commit}`;
}
