import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { frontEnds } from "./front-ends.ts";
import { program, start } from "./shop.ts";

/** Ends the engine by one SIGTERM as soon as there is a file `end`, and waits for it. */
const ended = `
  rm -f end
  pulumi up --yes --skip-preview > ended.log 2>&1 &
  engine=$!
  until [ -e end ]; do kill -0 $engine 2>/dev/null || break; sleep 0.05; done
  kill $engine
  for try in $(seq 300); do kill -0 $engine 2>/dev/null || break; sleep 0.1; done
  kill -0 $engine 2>/dev/null && { kill -9 $engine; echo "the engine goes on"; }
  cat ended.log
`;

test.for(frontEnds)(
  "$name: SIGTERM ends an up that waits an hour for the quota, and the next up completes it",
  async (frontEnd, context) => {
    const { server, stack } = await start(
      context,
      program(`new Project("shop", { name: "shop" });`),
      {},
      frontEnd,
      { usesLanguageHost: true },
    );
    await server.api("POST", "/_emulator/faults", [
      { status: 429, headers: { "retry-after": "3000" }, times: 1, after: 1 },
    ]);
    const run = stack.shell(ended, "");
    const over = new AbortController();
    void run.finally(() => over.abort());
    const isHit = async () => (await server.seen()).some((request) => "fault" in request);
    while (!over.signal.aborted && !(await isHit())) await sleep(20);
    await sleep(500);
    await stack.write("end", "");
    const { stdout } = await run;
    expect(stdout).toContain("SIGTERM received; cancelling");
    expect(stdout).not.toContain("the engine goes on");
    expect(stdout).toContain("was not sent: interrupted");
    await server.api("DELETE", "/_emulator/faults");
    await stack.shell("pulumi cancel --yes", "");
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    expect([...(await server.everything()).keys()]).toEqual(["shop"]);
  },
);
