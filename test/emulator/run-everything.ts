import { onTestFinished } from "vitest";
import { createEmulator } from "../../emulator/index.ts";
import { routes } from "../../emulator/routes.ts";
import { Client } from "../fixtures/client.ts";
import type { Answer } from "../fixtures/client.ts";
import { everyOperation } from "./every-operation.ts";

interface Journal {
  requests: { method: string; path: string; status: number }[];
}

/** The operations of the routes without a successful request. */
export function untried({ requests }: Journal): string[] {
  const done = requests.filter(({ status }) => status < 300);
  return routes
    .filter(({ method, path }) => {
      // A literal part of another operation's path is not an id.
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]*[0-9][^/]*")}$`);
      return !done.some((request) => request.method === method && pattern.test(request.path));
    })
    .map(({ method, path }) => `${method} ${path}`);
}

/** Counts its requests. */
class CountingClient extends Client {
  sent = 0;

  override call<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    this.sent += 1;
    return super.call(method, path, body);
  }
}

/**
 * Does every operation of the emulator once.
 *
 * @param clientUrl the URL for the requests, from that of the emulator: its own, or that of a proxy in front of it
 * @returns the requests that the emulator has seen, and how many of them went around `clientUrl`, because the shapes of the API do not have them
 */
export async function runEverything(
  clientUrl: (url: string) => Promise<string>,
): Promise<{ journal: Journal; further: number }> {
  const url = (provider: string) => `https://${provider}.com/acme/web`;
  const repositories = (["github", "gitlab", "bitbucket"] as const).map((provider) => ({
    provider: provider.toUpperCase() as "GITHUB",
    url: url(provider),
  }));
  const emulator = await createEmulator({
    behaviour: { rate_limit: 0 },
    clock: "frozen",
    seed: { git_repositories: repositories },
  });
  onTestFinished(() => emulator.close());
  const control = new Client(emulator.url, "none");
  const client = new Client(await clientUrl(emulator.url), emulator.tokens.admin);
  const further = new CountingClient(emulator.url, emulator.tokens.admin);
  await everyOperation(client, further, async () => {
    await control.post("/_emulator/clock", { advance_ms: 10_000 });
  });
  const journal = await control.get<Journal>("/_emulator/requests");
  return { journal, further: further.sent };
}
