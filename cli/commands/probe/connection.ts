import {
  authorization,
  checkedBaseUrl,
  createTransport,
  proxyFor,
  systemClock,
} from "../../../core/api/index.ts";
import type { Connection, Recorder, TokenName } from "../../probe/index.ts";
import type { Settings } from "../../settings/index.ts";
import type { Console } from "../../terminal/console.ts";

/** Where tokens of a single scope may be. */
export const tokenVariables: readonly { scope: TokenName; variable: string }[] = [
  { scope: "Read", variable: "INFRASYNC_PROBE_READ_TOKEN" },
  { scope: "Deploy", variable: "INFRASYNC_PROBE_DEPLOY_TOKEN" },
  { scope: "Write", variable: "INFRASYNC_PROBE_WRITE_TOKEN" },
];

/** The way of the probe to the server of the settings. */
export function connectionFor(settings: Settings, console: Console, recorder?: Recorder): Connection {
  const { env, clock = systemClock, signal } = console.io;
  const baseUrl = checkedBaseUrl(settings);
  const proxy = proxyFor(baseUrl, env);
  const limits = { requestTimeout: 60_000, maxResponseSize: 64 * 1024 * 1024 };
  const scheme = settings.tokenScheme && { scheme: settings.tokenScheme };
  const transportWith = (token: string) => {
    console.hide(token);
    return createTransport({ ...limits, proxy, authorization: authorization({ token, ...scheme }) });
  };
  const transports = new Map<TokenName, ReturnType<typeof createTransport>>();
  transports.set("own", transportWith(settings.token));
  for (const { scope, variable } of tokenVariables) {
    const token = env[variable];
    if (token) transports.set(scope, transportWith(token));
  }
  return {
    baseUrl,
    transport: (name) => transports.get(name),
    clock,
    signal,
    ...(recorder && { onExchange: (exchange) => recorder.add(exchange) }),
  };
}
