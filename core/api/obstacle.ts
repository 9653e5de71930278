import { proxyCredentials, proxyRoute } from "../files/program-cause.ts";
import type { HttpAnswer, NetworkRoute } from "./transport.ts";

/** Why a connection failed, in plain words: Node's messages are those of OpenSSL and the system. */
export interface Obstacle {
  what: string;
  advice: string;
  /** Whether a later try would fail the same way. */
  isLasting: boolean;
}

/** The reason by the code and message of Node's error. */
export function obstacleOf(code: string, message: string, route: NetworkRoute): Obstacle {
  const lasting = (what: string, advice: string): Obstacle => ({ what, advice, isLasting: true });
  switch (code) {
    case "ENOTFOUND": {
      const host = lastWord(message);
      // A proxy resolves names itself, so a direct host is one of NO_PROXY.
      const isDirect = host === new URL(route.server).hostname;
      const advice = checkRoute(isDirect ? { ...route, proxy: undefined } : route);
      return lasting(`there is no host ${host} (${code})`, advice);
    }
    case "ECONNREFUSED":
      return {
        what: `no server listens${at(message)} (${code})`,
        advice: checkRoute(route),
        isLasting: false,
      };
    case "CERT_HAS_EXPIRED":
      return lasting(
        "the certificate of the server has expired",
        "renew it, or correct the clock of this machine",
      );
    case "CERT_NOT_YET_VALID":
      return lasting("the certificate of the server is not valid yet", "check the clock of this machine");
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return lasting(
        `the certificate of the server is for another host (${message.split("altnames: ").at(-1)})`,
        "set the base URL to a host of the certificate",
      );
    case "ERR_PROXY_TUNNEL":
      return lasting(message, proxyAdvice(message, route));
    default:
  }
  if (/CERT|SIGNED|^UNABLE_TO/.test(code)) {
    return lasting(
      `the certificate of the server is not trusted (${code})`,
      "for an authority of your own set NODE_EXTRA_CA_CERTS to the file of its certificate",
    );
  }
  if (code === "EPROTO") return lasting(...handshake(message));
  return { what: message, advice: checkRoute(route), isLasting: code.startsWith("ERR_") };
}

/** OpenSSL writes `write EPROTO 40F8…:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:…`. */
function handshake(message: string): [what: string, advice: string] {
  const reason = /:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1] ?? message;
  return /wrong version number|http request/.test(reason)
    ? [
        "the server answers, but not in https",
        "check the port of the base URL; a URL for plain http begins with http://",
      ]
    : [`the server and Node do not agree on TLS: ${reason}`, "check the base URL, and any proxy"];
}

/** The proxy or firewall that has answered in place of the server: the APIs never answer an error with a page for people. */
export function betweenOf({
  status,
  body,
  route,
}: Pick<HttpAnswer, "status" | "body" | "route">): Pick<Obstacle, "what" | "advice"> | undefined {
  if (status === 407)
    return { what: "a proxy asks for a user and a password", advice: proxyAdvice("407", route) };
  const isGateway = status >= 502 && status <= 504 && body.length > 0 && !/^\s*[{[]/.test(startOf(body));
  if (status < 400 || !(isPage(body) || isGateway)) return undefined;
  const who = `${isPage(body) ? "an HTML page" : "a text"} of a proxy, a gateway or a firewall`;
  return { what: `${who}, so the answer is not from the server`, advice: checkRoute(route) };
}

export function isPage(body: Buffer): boolean {
  return /^\s*<(?:!doctype|html)/i.test(startOf(body));
}

function startOf(body: Buffer): string {
  return body.toString("latin1", 0, 200);
}

function proxyAdvice(message: string, route?: NetworkRoute): string {
  const variable =
    route?.proxy?.variable ?? (route?.server.startsWith("http:") ? "HTTP_PROXY" : "HTTPS_PROXY");
  return /\b407\b/.test(message) ? proxyCredentials(variable) : proxyRoute(variable);
}

function checkRoute(route?: NetworkRoute): string {
  return route?.proxy
    ? `check the base URL, the proxy ${route.proxy.origin} (${route.proxy.variable}) and the network`
    : "check the base URL and the network";
}

function lastWord(message: string): string {
  return message.split(" ").at(-1) ?? "";
}

/** `connect ECONNREFUSED 127.0.0.1:8080`; for a host with several addresses, only the code. */
function at(message: string): string {
  return message.includes(" ") ? ` at ${lastWord(message)}` : "";
}
