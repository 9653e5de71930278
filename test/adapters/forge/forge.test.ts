import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Forge, ForgeError, forges, keepComment } from "../../../adapters/forge/index.ts";
import { github } from "../../../adapters/forge/github.ts";
import { gitlab } from "../../../adapters/forge/gitlab.ts";
import type { ForgeSettings } from "../../../adapters/forge/index.ts";
import {
  type ForgeServer,
  gitHostToken,
  repository,
  startGitHub,
  startGitLab,
} from "../../fixtures/forges/server.ts";
import { type QuickClock, quickClock } from "../../fixtures/quick-clock.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

test("each forge has a server for tests", () => {
  const files = forges.map(({ title }) => `test/fixtures/forges/${title.toLowerCase()}.ts`);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

interface Place {
  server: ForgeServer;
  forge: Forge;
  clock: QuickClock;
  /** Opens a pull request. */
  open(given: { number: number; labels?: string[]; isFork?: boolean; branch?: string; into?: string }): void;
  merge(number: number, commit: string): void;
}

const settingsFor = (apiUrl: string, clock: QuickClock): ForgeSettings => ({
  apiUrl,
  token: gitHostToken,
  environment: {},
  clock,
  longestWait: 120_000,
});

async function onGitHub(): Promise<Place> {
  const server = await startGitHub();
  const clock = quickClock(0.5);
  return {
    server,
    clock,
    forge: github.connect(repository, settingsFor(server.url, clock)),
    open: ({ number, labels = [], isFork = false, branch = "topic", into = "main" }) =>
      server.pulls.push({
        number,
        labels,
        head: {
          ref: branch,
          sha: `${number}`.padStart(40, "a"),
          ...(isFork && { repository: "other/infra" }),
        },
        base: { ref: into, sha: "b".repeat(40) },
      }),
    merge(number, commit) {
      const pull = server.pulls.find((each) => each.number === number);
      Object.assign(pull ?? {}, {
        state: "closed",
        merged_at: "2026-01-27T19:01:12Z",
        merge_commit_sha: commit,
      });
    },
  };
}

async function onGitLab(): Promise<Place> {
  const server = await startGitLab();
  const clock = quickClock(0.5);
  return {
    server,
    clock,
    forge: gitlab.connect("7", settingsFor(server.url, clock)),
    open: ({ number, labels = [], isFork = false, branch = "topic", into = "main" }) =>
      server.requestsToMerge.push({
        iid: number,
        labels,
        source_branch: branch,
        target_branch: into,
        sha: `${number}`.padStart(40, "a"),
        ...(isFork && { source_project_id: 8 }),
      }),
    merge(number, commit) {
      const request = server.requestsToMerge.find(({ iid }) => iid === number);
      Object.assign(request ?? {}, { state: "merged", squash_commit_sha: commit });
    },
  };
}

describe.each([
  ["GitHub", onGitHub],
  ["GitLab", onGitLab],
])("%s", (_name, start) => {
  test("lists the open pull requests into a branch, page by page, with a label, and tells forks", async () => {
    const { forge, server, open } = await start();
    for (const number of [1, 2, 3, 4, 5])
      open({ number, labels: number % 2 === 1 ? ["preview"] : [], isFork: number === 5 });
    open({ number: 6, labels: ["preview"], into: "release" });
    const all = await forge.openPullRequests("main");
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    expect(server.requests).toHaveLength(3);
    const labelled = await forge.openPullRequests("main", "preview");
    expect(labelled.map(({ number, isFork }) => [number, isFork])).toEqual([
      [1, false],
      [3, false],
      [5, true],
    ]);
    expect(all[0]).toMatchObject({
      state: "open",
      head: { branch: "topic", commit: "1".padStart(40, "a") },
      base: { branch: "main" },
      mergedAs: [],
    });
  });

  test("opens a pull request, and says why it cannot", async () => {
    const { forge } = await start();
    const desired = { title: "Promote", body: "A change.", head: "infrasync/promote", base: "main" };
    const opened = await forge.openPullRequest(desired);
    expect(opened).toMatchObject({ title: "Promote", state: "open", head: { branch: "infrasync/promote" } });
    expect(opened.url).toMatch(/\/(?:pull|merge_requests)\/1$/);
    expect(await forge.openPullRequests("main")).toHaveLength(1);
    await expect(forge.openPullRequest(desired)).rejects.toThrow(
      "request of infrasync/promote cannot be opened",
    );
  });

  test("finds a pull request by its number and by the commit of its merge", async () => {
    const { forge, open, merge } = await start();
    open({ number: 4 });
    merge(4, "c".repeat(40));
    expect(await forge.pullRequest(4)).toMatchObject({
      number: 4,
      state: "merged",
      mergedAs: ["c".repeat(40)],
    });
    expect(await forge.pullRequest(5)).toBeUndefined();
    const [found, ...others] = await forge.pullRequestsOf("c".repeat(40));
    expect(found).toMatchObject({ number: 4, state: "merged" });
    expect(others).toEqual([]);
    expect(await forge.pullRequestsOf("d".repeat(40))).toEqual([]);
  });

  test("keeps one comment: adds it, changes it, leaves it, removes it; those of others stay, whatever they say", async () => {
    const { forge, server } = await start();
    const foreign = { id: 7, author: "mallory", body: "<!-- infrasync plan -->\nAll is well." };
    server.comments.set(4, [foreign, { id: 8, author: "dev", body: "Nice." }]);
    expect((await keepComment(forge, 4, "infrasync plan", undefined)).did).toBe("nothing");
    expect((await keepComment(forge, 4, "infrasync plan", "one")).did).toBe("added");
    expect((await keepComment(forge, 4, "infrasync plan", "one")).did).toBe("nothing");
    expect((await keepComment(forge, 4, "infrasync plan", "two")).did).toBe("changed");
    expect((await keepComment(forge, 4, "infrasync preview", "links")).did).toBe("added");
    expect(server.comments.get(4)?.map(({ body }) => body)).toEqual([
      foreign.body,
      "Nice.",
      "<!-- infrasync plan -->\ntwo",
      "<!-- infrasync preview -->\nlinks",
    ]);
    expect((await keepComment(forge, 4, "infrasync plan", undefined)).did).toBe("removed");
    expect(server.comments.get(4)).toHaveLength(3);
  });

  test("removes the second of two comments that runs at the same time have written", async () => {
    const { forge, server } = await start();
    await Promise.all([1, 2].map((run) => forge.addComment(4, `<!-- infrasync plan -->\n${run}`)));
    await keepComment(forge, 4, "infrasync plan", "the plan");
    expect(server.comments.get(4)?.map(({ body }) => body)).toEqual(["<!-- infrasync plan -->\nthe plan"]);
  });

  test("sets statuses, and reads the newest of each name that it has set itself", async () => {
    const { forge, server } = await start();
    const commit = "e".repeat(40);
    const status = { name: "infrasync/plan", state: "success", description: "1 to update" } as const;
    await forge.setStatus(commit, { ...status, state: "failure" });
    await forge.setStatus(commit, { ...status, url: "https://ci.example.com/1" });
    // The same once more is no error.
    await forge.setStatus(commit, { ...status, url: "https://ci.example.com/1" });
    await forge.setStatus(commit, { ...status, name: "infrasync/apply", description: "x".repeat(500) });
    const { me } = server;
    server.me = "mallory";
    await forge.setStatus(commit, { ...status, name: "infrasync/forged", description: "forged" });
    server.me = me;
    const own = await forge.ownStatuses(commit);
    expect(own.map(({ name }) => name).toSorted()).toEqual(["infrasync/apply", "infrasync/plan"]);
    expect(own.find(({ name }) => name === "infrasync/plan")).toEqual(status);
    expect(own.find(({ name }) => name === "infrasync/apply")?.description).toHaveLength(
      forge.longestDescription,
    );
  });

  test("waits as the Git host asks, and tries again what does no harm", async () => {
    const { forge, server, clock } = await start();
    server.faults.push(
      { match: /^GET/, status: 429, headers: { "retry-after": "7" } },
      { match: /^GET/, status: 502 },
    );
    expect(await forge.openPullRequests("main")).toEqual([]);
    expect(clock.slept[0]).toBeGreaterThanOrEqual(7000);
    expect(clock.slept[0]).toBeLessThan(8000);
    expect(clock.slept).toHaveLength(2);
  });

  test.each(["999999", new Date(Date.now() + 9e9).toUTCString()])(
    "does not wait where it is asked to for longer than a job may: %s",
    async (wait) => {
      const { forge, server, clock } = await start();
      server.faults.push({ match: /^GET/, status: 429, headers: { "retry-after": wait } });
      await expect(forge.openPullRequests("main")).rejects.toThrow(/limit/);
      expect(clock.slept).toEqual([]);
    },
  );

  test("does not write a comment twice when the answer to the first is lost", async () => {
    const { forge, server } = await start();
    server.faults.push({ match: /^POST .*(comments|notes)/, status: 502 });
    await expect(forge.addComment(4, "text")).rejects.toThrow(
      /cannot be written: 502, Git(Hub|Lab) has failed/,
    );
    expect(server.writes()).toHaveLength(1);
  });

  test("gives up where a limit lasts longer than its longest wait", async () => {
    const { forge, server, clock } = await start();
    server.faults.push({ match: /^GET/, status: 429, headers: { "retry-after": "3000" } });
    await expect(forge.openPullRequests("main")).rejects.toMatchObject({ failure: "limited" });
    expect(clock.slept).toEqual([]);
  });

  test.each([
    [401, "Bad credentials", /token is unknown or expired/],
    [403, "Resource not accessible by integration", /check that the token has the right/],
    [404, "Not Found", /check that the token has the right/],
    [422, "Validation Failed", /correct the mistakes that the Git host names/],
  ])("says what a refusal with %i means, without the token", async (status, message, advice) => {
    const { forge, server } = await start();
    server.faults.push({ match: /^POST/, status, body: { message: `${message} (token ${gitHostToken})` } });
    const error = await forge.addComment(4, "text").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ForgeError);
    const { message: said, advice: given } = error as ForgeError;
    expect(said).toContain(message);
    expect(given).toMatch(advice);
    expect(`${said} ${given} ${String((error as Error).stack)}`).not.toContain(gitHostToken);
  });

  test.each([301, 302, 307, 308])(
    "follows a repository that was renamed, and names its new place: %i",
    async (status) => {
      const { forge, server } = await start();
      const place = { headers: { location: `${server.url}/anywhere/else` } };
      server.faults.push(
        { match: /^GET/, status, ...place },
        { match: /^GET .*else/, status: 200, body: [] },
      );
      expect(await forge.openPullRequests("main")).toEqual([]);
      server.faults.push({ match: /^POST/, status, ...place });
      await expect(forge.addComment(4, "text")).rejects.toThrow(
        /the repository has moved to .*\/anywhere\/else/,
      );
      const elsewhere = { location: "https://git.example.com/new" };
      server.faults.push({ match: /^GET/, status, headers: elsewhere });
      await expect(forge.openPullRequests("main")).rejects.toThrow(
        /has moved to https:\/\/git\.example\.com\/new/,
      );
    },
  );

  test.each([
    [
      "https://git.example.com/users/sign_in",
      /redirects to https:\/\/git\.example\.com\/users\/sign_in, which is not its API/,
    ],
    [
      "https://git.example.com/maintenance.html",
      /redirects to https:\/\/git\.example\.com\/maintenance\.html, which is not its API/,
    ],
    ["itself", /redirects to itself/],
  ])("does not call a redirect to %s a move", async (to, said) => {
    const { forge, server } = await start();
    server.faults.push(
      ...Array.from({ length: 10 }, () => ({
        match: /^GET/,
        status: 302,
        headers: { location: to === "itself" ? "" : to },
      })),
    );
    await expect(forge.openPullRequests("main")).rejects.toThrow(said);
  });

  test("blames a proxy for its page, and says when a limit is over", async () => {
    const { forge, server } = await start();
    const page = "<!DOCTYPE html><html>no</html>";
    server.faults.push(
      { match: /^POST/, status: 403, body: page },
      { match: /^POST/, status: 407, body: {} },
    );
    await expect(forge.addComment(4, "text")).rejects.toThrow(/a proxy, a gateway or a firewall/);
    await expect(forge.addComment(4, "text")).rejects.toThrow(/a proxy asks for a user and a password/);
    server.faults.push({ match: /^GET/, status: 429, headers: { "retry-after": "3000" } });
    await expect(forge.openPullRequests("main")).rejects.toMatchObject({
      advice: expect.stringMatching(/^try again after \d{4}-/),
    });
  });

  test("does not follow a list to another server", async () => {
    const { forge, server } = await start();
    server.faults.push({
      match: /^GET/,
      status: 200,
      body: [],
      headers: { link: '<https://evil.example.com/next>; rel="next"' },
    });
    expect(await forge.openPullRequests("main")).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});

test("GitHub's limits answer 403: with a time, without one, and where it is none but a missing right", async () => {
  const { forge, server, clock } = await onGitHub();
  const reset = String(Math.ceil(clock.now() / 1000) + 20);
  server.faults.push(
    { match: /^GET/, status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset } },
    { match: /^GET/, status: 403, headers: { "retry-after": "0" } },
  );
  expect(await forge.openPullRequests("main")).toEqual([]);
  expect(clock.slept[0]).toBeGreaterThanOrEqual(19_000);
  expect(clock.slept[1]).toBe(60_000);
  server.faults.push({ match: /^GET/, status: 403, headers: { "x-ratelimit-remaining": "4000" } });
  await expect(forge.openPullRequests("main")).rejects.toMatchObject({ failure: "refused", status: 403 });
});

test("a token is sent over https only, but for this machine", () => {
  expect(() => github.connect(repository, settingsFor("http://api.example.com", quickClock(0.5)))).toThrow(
    /is not an https URL/,
  );
});

test.each([
  ["GitHub", startGitHub, github, "https://github.com"],
  ["GitLab", startGitLab, gitlab, "https://gitlab.example.com"],
] as const)(
  "%s lists the repositories of a group page by page, without archived ones",
  async (_name, start, forge, web) => {
    const server = await start();
    expect(await forge.repositoriesOf("acme", settingsFor(server.url, quickClock(0.5)))).toEqual(
      ["infra", "shop"].map((name) => ({ path: `acme/${name}`, repository: `${web}/acme/${name}.git` })),
    );
  },
);

test.each([
  ["GitHub", onGitHub, "head.sha", (pull: object) => ({ ...pull, head: { ref: "topic", repo: null } })],
  ["GitHub", onGitHub, "head.repo", (pull: object) => ({ ...pull, head: { ref: "topic", sha: "a" } })],
  ["GitHub", onGitHub, "labels", (pull: object) => ({ ...pull, labels: undefined })],
  ["GitLab", onGitLab, "source_project_id", (pull: object) => ({ ...pull, source_project_id: undefined })],
  ["GitLab", onGitLab, "target_branch", (pull: object) => ({ ...pull, target_branch: undefined })],
])("%s: an answer without a member is refused, not read as empty", async (_name, start, member, without) => {
  const { forge, server, open } = await start();
  open({ number: 4 });
  const root =
    member === "labels" || member.startsWith("head")
      ? `/repos/${repository}/pulls/4`
      : "/projects/7/merge_requests/4";
  const answer = await fetch(server.url + root, { headers: { authorization: `Bearer ${gitHostToken}` } });
  server.faults.push({ match: /\/4$/, status: 200, body: without((await answer.json()) as object) });
  await expect(forge.pullRequest(4)).rejects.toThrow(`is not what its API promises: ${member} is missing`);
});

test("a merge request without a commit is an error unless it is closed: the commit is unknown, not empty", async () => {
  const server = await startGitLab();
  const forge = gitlab.connect("7", settingsFor(server.url, quickClock(0.5)));
  server.requestsToMerge.push({ iid: 1, source_branch: "topic", sha: null });
  server.requestsToMerge.push({ iid: 2, source_branch: "old", sha: null, state: "closed" });
  server.requestsToMerge.push({ iid: 3, source_branch: "new", sha: null, state: "merged" });
  const message = "GitLab does not name the commit of the merge request !1";
  await expect(forge.pullRequest(1)).rejects.toThrow(message);
  await expect(forge.openPullRequests("main")).rejects.toThrow(message);
  await expect(forge.pullRequest(3)).rejects.toThrow(
    "GitLab does not name the commit of the merge request !3",
  );
  expect(await forge.pullRequest(2)).toMatchObject({ state: "closed" });
});

test.each([
  [gitlab, "CI_PROJECT_ID", { GITLAB_CI: "true", CI_COMMIT_SHA: "c" }],
  [gitlab, "CI_COMMIT_SHA", { GITLAB_CI: "true", CI_PROJECT_ID: "7" }],
  [github, "GITHUB_REPOSITORY", { GITHUB_ACTIONS: "true", GITHUB_SHA: "c" }],
  [github, "GITHUB_SHA", { GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "acme/infra" }],
])(
  "a job of %o without %s is refused: nothing is looked up by an empty name",
  async (system, name, given) => {
    const folder = temporaryFolder("job");
    const GITHUB_EVENT_PATH = join(folder, "event.json");
    await writeFile(GITHUB_EVENT_PATH, "{}");
    await expect(async () => system.jobIn({ ...given, GITHUB_EVENT_PATH })).rejects.toThrow(
      `${name} is missing`,
    );
  },
);
