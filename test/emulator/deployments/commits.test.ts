import { expect, test } from "vitest";
import type { Client, Resource } from "../../fixtures/client.ts";
import { startWorld } from "../start-world.ts";

const url = "https://github.com/acme/web";
const repository = { url, branch: "main" };
const commits = ["c2", "c1"].map((git_commit_id) => ({
  git_commit_id,
  message: `the commit ${git_commit_id}`,
}));

/** A body of each kind of service from git, and where an answer has its repository. */
const kinds = [
  ["application", { git_repository: repository }, ["git_repository"]],
  ["job", { source: { docker: { git_repository: repository } } }, ["source", "docker", "git_repository"]],
  [
    "helm",
    {
      source: { git_repository: repository },
      arguments: [],
      auto_deploy: false,
      values_override: {},
      allow_cluster_wide_resources: false,
      timeout_sec: 600,
    },
    ["source", "git", "git_repository"],
  ],
] as const;

function commitOf(service: Resource, path: readonly string[]): unknown {
  const inside = path.reduce<Record<string, unknown>>(
    (value, member) => value[member] as Record<string, unknown>,
    service,
  );
  return inside["deployed_commit_id"];
}

async function historyOf(client: Client, path: string): Promise<unknown[]> {
  const history = await client.list(`${path}/deploymentHistoryV2`);
  return history.map(
    ({ details }) => (details as { commit?: { git_commit_id?: string } }).commit?.git_commit_id,
  );
}

test.for(kinds)(
  "a deployed %s from git tells its commit, and so does its history",
  async ([kind, body, place]) => {
    const seed = { git_repositories: [{ provider: "GITHUB" as const, url, commits }] };
    const { client, environmentId } = await startWorld({ behaviour: { deploy_delay_ms: 0 }, seed });
    const made = await client.post(`/environment/${environmentId}/${kind}`, { name: "web", ...body });
    const path = `/${kind}/${made.id}`;
    expect(commitOf(made, place)).toBeUndefined();
    await client.post(`/environment/${environmentId}/deploy`);
    expect(commitOf(await client.get(path), place)).toBe("c2");
    await client.post(`${path}/deploy`, { git_commit_id: "c1" });
    await client.post(`${path}/redeploy`);
    expect(commitOf(await client.get(path), place)).toBe("c1");
    expect(await historyOf(client, path)).toEqual(["c1", "c1", "c2"]);
  },
);

test("a repository of which the seed says nothing has a commit of its own on each branch", async () => {
  const { client, environmentId } = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
  const body = { name: "web", git_repository: { url } };
  const { id } = await client.post(`/environment/${environmentId}/application`, body);
  const deployed = async (branch: string) => {
    await client.put(`/application/${id}`, { ...body, git_repository: { url, branch } });
    await client.post(`/environment/${environmentId}/deploy`);
    return commitOf(await client.get(`/application/${id}`), ["git_repository"]);
  };
  const main = await deployed("main");
  expect(main).toMatch(/^[0-9a-f]{40}$/);
  expect(await deployed("next")).not.toBe(main);
  expect(await deployed("main")).toBe(main);
  await client.post(`/application/${id}/stop`);
  expect(commitOf(await client.get(`/application/${id}`), ["git_repository"])).toBe(main);
});
