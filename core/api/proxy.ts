import { ClientSettingsError } from "./errors.ts";
import { type EnvironmentVariables, isThisMachine } from "./settings.ts";

/** The configured proxy for a base URL. */
export interface Proxy {
  variable: string;
  /** For messages: without the user and the password that the URL may have. */
  origin: string;
  /** The proxy settings for Node's agents, which interpret `NO_PROXY` themselves. */
  environment: EnvironmentVariables;
}

// Both came with the same versions of Node: 22.21 and 24.5.
const isSupported = process.allowedNodeEnvironmentFlags.has("--use-env-proxy");

/** The proxy for a base URL; none for this machine. @throws ClientSettingsError for an unusable proxy, which no request bypasses */
export function proxyFor(
  baseUrl: string,
  environment: EnvironmentVariables,
  canUse: boolean = isSupported,
): Proxy | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const variable = [name.toLowerCase(), name, "all_proxy", "ALL_PROXY"].find(
    (candidate) => environment[candidate],
  );
  if (variable === undefined || isThisMachine(hostname)) return undefined;
  if (!canUse) {
    throw new ClientSettingsError(
      `${variable} is set, and Node ${process.versions.node} does not support proxies`,
      `use Node 22.21, 24.5 or newer; or unset ${variable}, to reach ${hostname} without a proxy`,
    );
  }
  const given = environment[variable] ?? "";
  const url = URL.parse(given.includes("://") ? given : `http://${given}`);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new ClientSettingsError(
      `${variable} is not the URL of a proxy that speaks http or https`,
      "set it to one like http://proxy.example.com:3128",
    );
  }
  const exceptions = environment["no_proxy"] || environment["NO_PROXY"];
  return {
    variable,
    origin: url.origin,
    environment: { [name.toLowerCase()]: url.href, no_proxy: exceptions },
  };
}
