import { Type } from "typebox";
import { flag, id, name, nullable, oneOf, text } from "../bodies/common.ts";

const optionalText = Type.Optional(nullable(Type.String()));

const receiver = {
  name,
  description: Type.String(),
  type: oneOf("SLACK", "EMAIL"),
  send_resolved: Type.Boolean(),
  owner: optionalText,
  severity: optionalText,
  // Of a Slack channel.
  webhook_url: optionalText,
  // Of an address.
  to: text,
  from: text,
  smarthost: text,
  auth_username: optionalText,
  auth_password: optionalText,
  require_tls: flag,
};

export const AlertReceiverRequest = Type.Object({ organization_id: id, ...receiver });
export const AlertReceiverEditRequest = Type.Object(receiver);
