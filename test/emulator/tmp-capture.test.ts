import { writeFileSync } from "node:fs";
import { onTestFinished, test } from "vitest";
import { createEmulator } from "../../emulator/index.ts";
import { Client } from "../fixtures/client.ts";
import { everyOperation } from "./every-operation.ts";
test("capture", async () => {
  const repositories = (["github", "gitlab", "bitbucket"] as const).map((provider) => ({
    provider: provider.toUpperCase() as "GITHUB",
    url: `https://${provider}.com/acme/web`,
    commits: [{ git_commit_id: "c" }],
  }));
  const emulator = await createEmulator({
    rateLimit: 0,
    clock: "frozen",
    seed: { git_repositories: repositories },
  });
  onTestFinished(() => emulator.close());
  const seen: object[] = [];
  class Capturing extends Client {
    override async call<Body>(method: string, path: string, body?: unknown) {
      const answer = await super.call<Body>(method, path, body);
      seen.push({ method, path, sent: body, status: answer.status, body: answer.body });
      return answer;
    }
  }
  const client = new Capturing(emulator.url, emulator.tokens.admin);
  const control = new Client(emulator.url, "none");
  await everyOperation(
    client,
    client,
    client,
    async () => void (await control.post("/_emulator/clock", { advance_ms: 10_000 })),
  );
  writeFileSync("/tmp/capture.json", JSON.stringify(seen));
});
