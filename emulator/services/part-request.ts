import { Type } from "typebox";
import { flag, oneOf } from "../bodies/common.ts";

// The bodies of the parts of a service.

export const RestrictionRequest = Type.Object({
  mode: oneOf("EXCLUDE", "MATCH"),
  type: oneOf("PATH"),
  value: Type.String({ minLength: 1 }),
});

export const NetworkRequest = Type.Object({ sticky_session: flag });

export const CustomDomainRequest = Type.Object({
  domain: Type.String({ minLength: 1 }),
  generate_certificate: Type.Boolean(),
  use_cdn: flag,
});
