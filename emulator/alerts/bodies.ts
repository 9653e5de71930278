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

const rule = {
  name,
  description: Type.String(),
  tag: Type.String(),
  condition: Type.Object({
    kind: oneOf("CUSTOM", "BUILT"),
    operator: Type.Optional(oneOf("NONE", "ABOVE", "BELOW", "ABOVE_OR_EQUAL", "BELOW_OR_EQUAL", "EQUAL")),
    threshold: Type.Optional(Type.Number()),
    function: Type.Optional(oneOf("NONE", "AVG", "MAX", "MIN", "SUM", "COUNT")),
    promql: Type.String(),
  }),
  for_duration: Type.String(),
  severity: oneOf("LOW", "MEDIUM", "HIGH", "CRITICAL"),
  enabled: Type.Boolean(),
  alert_receiver_ids: Type.Array(id),
  presentation: Type.Object({ summary: optionalText, runbook_url: optionalText }),
};

export const AlertRuleRequest = Type.Object({
  organization_id: id,
  cluster_id: id,
  ...rule,
  target: Type.Object({ target_type: Type.String(), target_id: id }),
});
export const AlertRuleEditRequest = Type.Object(rule);
