import { randomBytes } from "node:crypto";
import { HttpError } from "./errors.ts";
import type { ApiToken, Role } from "../world/records.ts";
import type { World } from "../world/world.ts";

interface Rule {
  methods: string;
  path: RegExp;
  roles: Role[];
}

// Which scope an operation needs: the first rule that fits. reference.md names the scopes and does not say;
// this is the reading of the project's notes on the interface.
const rules: Rule[] = [
  { methods: "GET", path: /./, roles: ["Read", "Deploy", "Write", "Admin"] },
  { methods: "POST PUT DELETE", path: /\/(apiToken|webhook)(\/|$)/, roles: ["Admin"] },
  { methods: "DELETE", path: /^\/(organization|project|environment)\/\{\w+\}$/, roles: ["Admin"] },
  {
    methods: "POST",
    path: /\/(deploy|redeploy|stop|restart-service|cancelDeployment)$/,
    roles: ["Deploy", "Admin"],
  },
  { methods: "POST PUT DELETE", path: /./, roles: ["Write", "Admin"] },
];

/** The scopes of which a token needs one for an operation. */
export function rolesFor(method: string, path: string): Role[] {
  const rule = rules.find(({ methods, path: pattern }) => methods.includes(method) && pattern.test(path));
  return rule?.roles ?? ["Admin"];
}

/** A secret that cannot be guessed. */
export function newSecret(): string {
  return randomBytes(24).toString("hex");
}

/** The token of a request; undefined when the header names none that is known and not expired. */
export function authenticate(header: string | undefined, world: World): ApiToken | undefined {
  const secret = /^(?:token|bearer)\s+(\S+)$/i.exec(header ?? "")?.[1];
  if (secret === undefined) return undefined;
  return world.store.apiTokens.all().find((token) => token.secret === secret && !expired(token, world));
}

function expired({ spec }: ApiToken, world: World): boolean {
  return spec.expires_at !== undefined && Date.parse(spec.expires_at) <= world.clock.now();
}

/** Throws 403 when the token's scope does not suffice. */
export function requireRole(token: ApiToken, roles: Role[]): void {
  if (roles.includes(token.spec.role)) return;
  throw new HttpError(403, `the token has the scope ${token.spec.role}; this needs ${roles.join(" or ")}`);
}
