import { randomBytes } from "node:crypto";
import { HttpError } from "../world/errors.ts";
import type { ApiToken, Role } from "../world/records.ts";
import type { World } from "../world/world.ts";

interface Rule {
  methods: string;
  path: RegExp;
  roles: Role[];
}

// The scopes that operations need; the first matching rule applies. reference.md lists the scopes without saying what
// each allows, so these rules follow the project's notes on the interface.
const rules: Rule[] = [
  { methods: "GET PUT", path: /\/kubeconfig$/, roles: ["Admin"] },
  { methods: "GET", path: /./, roles: ["Read", "Deploy", "Write", "Admin"] },
  {
    methods: "POST PUT DELETE",
    path: /\/(apiToken|webhook|customRole|member|inviteMember|billingInfo|credentials)(\/|$)/,
    roles: ["Admin"],
  },
  {
    methods: "DELETE",
    path: /(^\/(organization|project|environment)|\/cluster)\/\{\w+\}$/,
    roles: ["Admin"],
  },
  {
    methods: "POST",
    path: /\/(deploy|redeploy|stop|restart-service|cancelDeployment)$/,
    roles: ["Deploy", "Admin"],
  },
  { methods: "POST PUT DELETE", path: /./, roles: ["Write", "Admin"] },
];

/** The scopes that allow an operation; a token needs one of them. */
export function rolesFor(method: string, path: string): Role[] {
  const rule = rules.find(({ methods, path: pattern }) => methods.includes(method) && pattern.test(path));
  return rule?.roles ?? ["Admin"];
}

/** A random secret. */
export function newSecret(): string {
  return randomBytes(24).toString("hex");
}

/** The token of a request; undefined when the header contains no known token, or an expired one. */
export function authenticate(header: string | undefined, world: World): ApiToken | undefined {
  const secret = /^(?:token|bearer)\s+(\S+)$/i.exec(header ?? "")?.[1];
  if (secret === undefined) return undefined;
  return world.store.apiTokens.all().find((token) => token.secret === secret && !expired(token, world));
}

function expired({ spec }: ApiToken, world: World): boolean {
  return spec.expires_at !== undefined && Date.parse(spec.expires_at) <= world.clock.now();
}

/** Throws 403 when the token's scope does not allow the operation. */
export function requireRole(token: ApiToken, roles: Role[]): void {
  const role = token.spec.role === "Owner" ? "Admin" : token.spec.role;
  if (roles.some((allowed) => allowed === role)) return;
  throw new HttpError(403, `the token has the scope ${role}; this needs ${roles.join(" or ")}`);
}
