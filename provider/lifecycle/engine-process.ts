import { connect, Server } from "node:net";

/** Milliseconds between two connections to an engine that closes idle ones. */
const pause = 500;

/** The address of the engine in the arguments of a provider process. */
export function engineAddressIn(args: readonly string[]): string | undefined {
  return args.slice(2).find((argument) => /^[\w.[\]]+:\d+$/.test(argument));
}

/** Ends this process when no engine listens at the address any more: a killed engine ends no provider. */
export function endWithEngine(address: string): void {
  const [port = "", ...host] = address.split(":").toReversed();
  let isRefused = true;
  const connection = connect(Number(port), host.toReversed().join(":").replaceAll(/[[\]]/g, ""), () => {
    isRefused = false;
  });
  connection.unref().on("error", () => undefined);
  connection.on("close", () => {
    if (isRefused) process.kill(process.pid, "SIGTERM");
    else setTimeout(() => endWithEngine(address), pause).unref();
  });
  connection.resume();
}

/** Calls back when the engine cancels a run. Pulumi's host of dynamic providers, whose servers this process has, ignores that. */
export function onCancel(cancel: () => void): void {
  const { _getActiveHandles: handles } = process as { _getActiveHandles?(): unknown[] };
  for (const server of handles?.call(process).filter((handle) => handle instanceof Server) ?? [])
    server.on("stream", (_stream: unknown, headers: Record<string, unknown>) => {
      if (headers[":path"] === "/pulumirpc.ResourceProvider/Cancel") cancel();
    });
}
