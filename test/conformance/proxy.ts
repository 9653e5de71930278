import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const script = "../shared/tools/conformance-proxy.mjs";

/** The findings of the proxy. */
export interface Report {
  checked: number;
  uncovered: string[];
  violations: unknown[];
}

interface Proxy {
  url: string;
  report(): Promise<Report>;
  stop(): Promise<void>;
}

/** Starts the proxy that checks all traffic against the API description. */
export async function startProxy(target: string): Promise<Proxy> {
  const child = spawn(process.execPath, [script, "--target", target], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    report: async () => (await (await fetch(`${url}/_conformance`)).json()) as Report,
    stop: async () => {
      const exit = once(child, "exit");
      child.kill();
      await exit;
    },
  };
}
