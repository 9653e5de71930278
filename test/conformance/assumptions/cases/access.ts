import { resourceIn } from "../answers.ts";
import { type Exchange, scopes, type Server, type TokenName } from "../server.ts";
import { asAssumed, differs, type CaseFinding, type AssumptionCase } from "../assumption-case.ts";

/** An id that no resource has. */
const nobody = "00000000-0000-4000-8000-000000000000";

/** The permissions of a token with a single scope in an empty environment. */
const operations: readonly [Exchange["method"], path: string, scopes: readonly TokenName[]][] = [
  ["GET", "", scopes],
  ["POST", "/deploy", ["Deploy"]],
  ["POST", "/cancelDeployment", ["Deploy"]],
  ["PUT", "", ["Write"]],
  ["POST", "/job", ["Write"]],
  ["POST", "/clone", ["Write"]],
  ["DELETE", "", []],
];

/** The permissions of a token with a single scope in an organization. The bodies are empty, so that nothing is created. */
const organizationOperations: typeof operations = [
  ["GET", "/project", scopes],
  ["POST", "/project", ["Write"]],
  ["POST", "/labelsGroups", ["Write"]],
  ["POST", "/apiToken", []],
];

/** Cases about tokens, quotas and missing resources. */
export const accessCases: readonly AssumptionCase[] = [
  {
    name: "missing-means-404",
    assumption: "A resource that does not exist is answered with 404.",
    reason: "Only a 404 means that a resource is gone; a 403 is an error of the token.",
    otherwise:
      "infrasync takes a 403 for the end of a deletion only if the server has accepted the deletion in the same run.",
    requests: 1,
    needs: "nothing",
    async check({ server }) {
      const { status } = await server.get(`/environment/${nobody}`);
      if (status === 404) return asAssumed("the answer has the status 404");
      return differs(`the answer has the status ${status}`);
    },
  },
  {
    name: "quota-is-told",
    assumption:
      "Each answer says how many requests are left, and when the quota resets, in seconds since 1970.",
    reason: "A run trusts these numbers, and waits or stops before the quota is used up.",
    otherwise: "A run notices at the first 429, and waits with growing pauses.",
    requests: 2,
    needs: "nothing",
    async check({ server, organizationId }) {
      const read = async () => (await server.get(`/organization/${organizationId}`)).headers;
      const first = numbersIn(await read());
      const second = numbersIn(await read());
      if (!first || !second) return differs("the answers have no `X-RateLimit-*` headers");
      const isNewWindow = second.reset > first.reset;
      if (second.remaining >= first.remaining && !isNewWindow)
        return differs("the number of requests that are left does not fall");
      const left = second.reset - server.clock.now() / 1000;
      return left > -60 && left < 86_400
        ? asAssumed(`${second.remaining} of ${second.limit} are left`)
        : differs("the time of the reset is not in seconds since 1970");
    },
  },
  {
    name: "scopes-are-enforced",
    assumption:
      "Read reads; Deploy also deploys and cancels; Write also creates, changes and clones; none of them deletes an environment.",
    reason: "`doctor` and the messages of a 403 name the scope that an operation needs.",
    otherwise: "Messages name the wrong scope; nothing else depends on it.",
    requests: 22,
    needs: "environment",
    takesScopes: true,
    async check({ server, projectId, clusterId }) {
      const body = { name: "scopes", mode: "DEVELOPMENT", cluster: clusterId, cluster_id: clusterId };
      const { id } = resourceIn(await server.send("POST", `/project/${projectId}/environment`, body));
      return tried(server, ["/environment", id], operations);
    },
  },
  {
    name: "scopes-hold-in-the-organization",
    assumption:
      "In the organization, Read and Deploy only read; Write also creates projects and labels groups; none of them creates tokens.",
    reason: "`doctor` and the messages of a 403 name the scope that an operation needs.",
    otherwise: "Messages name the wrong scope; nothing else depends on it.",
    requests: 12,
    needs: "environment",
    takesScopes: true,
    check: async ({ server, organizationId }) =>
      tried(server, ["/organization", organizationId], organizationOperations),
  },
];

/** Tries each operation on a resource with each token of a single scope. */
async function tried(
  server: Server,
  [kind, id]: [kind: string, id: string],
  tries: typeof operations,
): Promise<CaseFinding> {
  const wrong: { token: TokenName; operation: string; status: number }[] = [];
  for (const token of scopes)
    for (const [method, rest, allowed] of tries) {
      const body = method === "POST" || method === "PUT" ? {} : undefined;
      const { status } = await server.send(method, `${kind}/${id}${rest}`, body, token);
      const operation = `${method} ${kind}/{id}${rest}`;
      if (allowed.includes(token) === (status === 403)) wrong.push({ token, operation, status });
    }
  if (wrong.length === 0) return asAssumed(`tried with ${scopes.join(", ")}`);
  const seen = wrong.map(({ token, operation, status }) => `${token} gets ${status} for ${operation}`);
  return differs(seen.join("; "));
}

function numbersIn(headers: Record<string, string>) {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
    Number(headers[`x-ratelimit-${name}`] ?? Number.NaN),
  );
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return [limit, remaining, reset].every((number) => Number.isFinite(number))
    ? { limit, remaining, reset }
    : undefined;
}
