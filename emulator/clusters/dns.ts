import { invalid } from "../world/errors.ts";
import { get, put, type Route } from "../http/routing.ts";
import { validateAt } from "../http/validation.ts";
import type { Cluster } from "../world/records.ts";
import { clusterOf, markChanged } from "./lookup.ts";
import { DnsProviderRequest, dnsProviderRequests, type DnsProvider } from "../bodies/clusters.ts";

const path = "/cluster/{clusterId}/dnsProvider";

/** The DNS providers of clusters. No response contains a secret. */
export const dnsRoutes: Route[] = [
  get(path, (call) => dnsView(clusterOf(call))),
  put(path, DnsProviderRequest, (call, world, body) => {
    check(body.dns_provider);
    return dnsView(markChanged(clusterOf(call), { dns: body.dns_provider }, world));
  }),
];

function check(desired: DnsProvider): void {
  const schema = dnsProviderRequests[String(desired.provider)];
  if (!schema)
    throw invalid("dns_provider.provider", `must be one of ${Object.keys(dnsProviderRequests).join(",")}`);
  validateAt("dns_provider", schema, desired);
}

function dnsView({ id, dns }: Cluster): object {
  if (!dns) return { dns_provider: { provider: "QOVERY", domain: `z${id.slice(0, 8)}.domains.internal` } };
  const { api_token: _, credentials, ...rest } = dns;
  const { aws_secret_access_key: _key, ...readable } = credentials ?? {};
  return { dns_provider: { ...rest, ...(credentials && { credentials: readable }) } };
}
