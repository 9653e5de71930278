import { randomBytes } from "node:crypto";
import { HttpError } from "../world/errors.ts";
import type { ApiToken, AssignedRole, Scope } from "../world/records.ts";
import type { World } from "../world/world.ts";

// The scopes that operations need; the first matching rule applies. The description of the API lists the scopes without
// their meaning.
const rules: { methods: string; path: RegExp; scopes: Scope[] }[] = [
  { methods: "GET PUT", path: /\/(kubeconfig|token)$/, scopes: ["Admin"] },
  { methods: "GET", path: /./, scopes: ["Read", "Deploy", "Write", "Admin"] },
  {
    methods: "POST PUT DELETE",
    path: /\/(apiToken|policyApiToken|webhook|customRole|member|inviteMember|transferOwnership|enterpriseconnection|billingInfo|creditCard|creditCode|changePlan|credentials)(\/|$)/,
    scopes: ["Admin"],
  },
  {
    methods: "DELETE",
    path: /(^\/(organization|project|environment)|\/cluster)\/\{\w+\}$/,
    scopes: ["Admin"],
  },
  {
    methods: "POST",
    path: /\/(deploy|redeploy|stop|restart-service|cancelDeployment)$/,
    scopes: ["Deploy", "Admin"],
  },
  { methods: "POST PUT PATCH DELETE", path: /./, scopes: ["Write", "Admin"] },
];

export function scopesFor(method: string, path: string): Scope[] {
  const rule = rules.find(({ methods, path: pattern }) => methods.includes(method) && pattern.test(path));
  return rule?.scopes ?? ["Admin"];
}

export function newSecret(): string {
  return randomBytes(24).toString("hex");
}

/** Undefined: the header contains no known token, or an expired one. */
export function authenticate(header: string | undefined, world: World): ApiToken | undefined {
  const secret = /^(?:token|bearer)\s+(\S+)$/i.exec(header ?? "")?.[1];
  if (secret === undefined) return undefined;
  return world.store.apiTokens.all().find((token) => token.secret === secret && !expired(token, world));
}

function expired({ spec }: ApiToken, world: World): boolean {
  return spec.expires_at !== undefined && Date.parse(spec.expires_at) <= world.clock.now();
}

/** A custom role has no scopes, but rules of its own. */
export const scopesOf: Record<AssignedRole["role"], readonly Scope[]> = {
  Owner: ["Admin"],
  Admin: ["Admin"],
  DevOps: ["Write", "Deploy"],
  Write: ["Write"],
  Deploy: ["Deploy"],
  Read: ["Read"],
  Billing: ["Read"],
  Viewer: ["Read"],
  Custom: [],
};

export function requireScope({ spec: { role } }: ApiToken, allowed: readonly Scope[], world: World): void {
  if (world.behaviour.scopes_ignored || scopesOf[role].some((scope) => allowed.includes(scope))) return;
  throw new HttpError(403, `the token has the scope ${role}; this needs ${allowed.join(" or ")}`);
}
