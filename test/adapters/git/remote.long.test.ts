import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Repository, readRepositoryAddress } from "../../../adapters/git/index.ts";
import { httpBackend, serveHttps, serveSsh, sshServer } from "../../fixtures/git-servers.ts";
import { newestOfBranch } from "../../../adapters/git/remote.ts";
import { runGit } from "../../../adapters/git/run-git.ts";
import { serveReplies } from "../../fixtures/http-server.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { shop } from "../../fixtures/manifests.ts";
import { mayBeMissing } from "../../fixtures/tools.ts";

function startOrigin(): GitRepository {
  const origin = new GitRepository();
  onTestFinished(() => origin[Symbol.dispose]());
  return origin;
}

/** Reads the manifests of the newest commit of a remote repository. */
async function read(origin: GitRepository, url: string, env: Record<string, string>): Promise<string[]> {
  const reading = readRepositoryAddress(url, { allowLocal: false });
  if ("problem" in reading) throw new Error(reading.problem.message);
  const repository = new Repository({
    address: reading.address,
    branch: "main",
    folder: join(origin.folder, "data"),
    env: { PATH: process.env["PATH"], ...env },
  });
  const commit = await repository.fetch(await repository.newest());
  const ids = (await repository.list(await repository.treeOf(commit, "infra"))).map(({ id }) => id);
  return [...(await repository.contents(ids, 10_000)).values()].map(String);
}

test.skipIf(mayBeMissing(httpBackend))(
  "over https, the token is the one in the file at that moment, and the certificate has to be right",
  async () => {
    const origin = startOrigin();
    origin.push({ "infra/shop.yaml": shop });
    const server = await serveHttps(origin, "first-token");
    const file = join(origin.folder, "token");
    const env = { INFRASYNC_GIT_TOKEN_FILE: file, GIT_SSL_CAINFO: server.authority };
    writeFileSync(file, "first-token\n");
    expect(await read(origin, server.url, env)).toEqual([shop]);
    // The token is changed on both sides, and a new commit is there.
    server.token = "second-token";
    await expect(read(origin, server.url, env)).rejects.toMatchObject({
      failure: "unreachable",
      message: expect.stringContaining("Authentication failed"),
    });
    writeFileSync(file, "second-token\n");
    origin.push({ "infra/shop.yaml": undefined, "infra/other.yaml": "# other\n" });
    expect(await read(origin, server.url, env)).toEqual(["# other\n"]);
    await expect(read(origin, server.url, { INFRASYNC_GIT_TOKEN_FILE: file })).rejects.toMatchObject({
      failure: "unreachable",
      message: expect.stringMatching(/certificate/i),
    });
  },
);

test("a repository that has moved shows where to, without a token or what its server adds", async () => {
  const { url, received } = await serveReplies(
    ...Array.from({ length: 2 }, () => (response: ServerResponse) => {
      const location = "https://anna:secret@git.example.com/new/home.git/info/refs?service=git-upload-pack";
      response.writeHead(301, { location }).end();
    }),
  );
  const folder = startOrigin().folder;
  const environment = { PATH: process.env["PATH"] };
  const call = (args: readonly string[]) => runGit(args, { folder, env: environment });
  const address = { url: `${url}/old.git`, protocol: "https" as const };
  await expect(newestOfBranch({ call, address, environment }, "main")).rejects.toThrow(
    /it has moved to https:\/\/git\.example\.com\/new\/home\.git$/,
  );
  expect(received.at(-1)?.headers.authorization).toBeUndefined();
});

test.each([
  ["https://git.example.com/users/sign_in", "https://git.example.com/users/sign_in, which is no repository"],
  ["https://git.example.com/old.git.zip", "https://git.example.com/old.git.zip, which is no repository"],
  ["/old.git/info/refs?service=git-upload-pack", "itself"],
])("a redirect of a repository to %s is no move", async (location, to) => {
  const { url } = await serveReplies((response) => void response.writeHead(301, { location }).end());
  const folder = startOrigin().folder;
  const environment = { PATH: process.env["PATH"] };
  const call = (args: readonly string[]) => runGit(args, { folder, env: environment });
  const address = { url: `${url}/old.git`, protocol: "https" as const };
  const error = await newestOfBranch({ call, address, environment }, "main").catch(String);
  expect(error).toContain(`; the server redirects to ${to}`);
  expect(error).not.toMatch(/moved to/);
});

test("where a repository has moved to is asked by the proxy that is set, as git asks", async () => {
  const location = "https://git.example.com/new.git/info/refs?service=git-upload-pack";
  const { url: proxy, received } = await serveReplies(
    (response) => void response.writeHead(301, { location }).end(),
  );
  const environment = { PATH: process.env["PATH"], http_proxy: proxy };
  const folder = startOrigin().folder;
  const call = (args: readonly string[]) => runGit(args, { folder, env: environment });
  const address = { url: "http://git.invalid/old.git", protocol: "https" as const };
  await expect(newestOfBranch({ call, address, environment }, "main")).rejects.toThrow(
    /it has moved to https:\/\/git\.example\.com\/new\.git$/,
  );
  expect(received.map(({ url }) => url)).toEqual(
    Array.from({ length: 2 }, () => "http://git.invalid/old.git/info/refs?service=git-upload-pack"),
  );
});

test("a repository that has moved, whose server then does not say where to, is not told to be at its old address", async () => {
  const { url } = await serveReplies(
    (response) => void response.writeHead(301, { location: "https://127.0.0.1:9/new.git" }).end(),
    (response) => void response.writeHead(500).end(),
  );
  const folder = startOrigin().folder;
  const environment = { PATH: process.env["PATH"] };
  const call = (args: readonly string[]) => runGit(args, { folder, env: environment });
  const address = { url: `${url}/old.git`, protocol: "https" as const };
  const error = await newestOfBranch({ call, address, environment }, "main").catch(String);
  expect(error).toMatch(/cannot be read/);
  expect(error).not.toMatch(/moved to/);
});

test.skipIf(mayBeMissing(httpBackend))(
  "over https, git trusts the authorities that Node is told to trust",
  async () => {
    const origin = startOrigin();
    origin.push({ "infra/shop.yaml": shop });
    const server = await serveHttps(origin, "token");
    const env = { INFRASYNC_GIT_TOKEN: "token", NODE_EXTRA_CA_CERTS: server.authority };
    expect(await read(origin, server.url, env)).toEqual([shop]);
    await expect(
      read(origin, server.url, { ...env, NODE_EXTRA_CA_CERTS: join(origin.folder, "nowhere") }),
    ).rejects.toMatchObject({ message: expect.stringMatching(/certificate/i) });
  },
);

test.skipIf(mayBeMissing(sshServer)).each([0, 2] as const)(
  "over ssh with protocol %i, the key lets in, and a host whose key is not known is refused",
  async (protocol) => {
    const origin = startOrigin();
    origin.push({ "infra/shop.yaml": shop });
    const server = await serveSsh(origin, protocol);
    const odd = join(origin.folder, "a folder 100%h");
    mkdirSync(odd);
    const [key = "", knownHosts = ""] = [server.key, server.knownHosts].map((file) => {
      const copy = join(odd, basename(file));
      cpSync(file, copy);
      chmodSync(copy, 0o600);
      return copy;
    });
    const env = { INFRASYNC_GIT_SSH_KEY_FILE: key, INFRASYNC_GIT_KNOWN_HOSTS: knownHosts };
    expect(await read(origin, server.url, env)).toEqual([shop]);
    origin.push({ "infra/shop.yaml": "# new\n" });
    expect(await read(origin, server.url, env)).toEqual(["# new\n"]);
    const empty = join(origin.folder, "empty");
    writeFileSync(empty, "");
    for (const hosts of [server.wrongHosts, empty])
      await expect(
        read(origin, server.url, { ...env, INFRASYNC_GIT_KNOWN_HOSTS: hosts }),
      ).rejects.toMatchObject({
        failure: "unreachable",
        message: expect.stringContaining("Host key verification failed."),
      });
    // A key that it does not know does not come in.
    const stranger = join(origin.folder, "ssh", "other-host");
    chmodSync(stranger, 0o600);
    await expect(
      read(origin, server.url, { ...env, INFRASYNC_GIT_SSH_KEY_FILE: stranger }),
    ).rejects.toMatchObject({ message: expect.stringContaining("Permission denied (publickey") });
  },
);
