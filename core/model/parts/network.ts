import { path } from "../../api/index.ts";
import { flag, object } from "../schema/field.ts";
import { membersPart } from "./members.ts";
import type { Part } from "./part.ts";

const schema = object(
  "Network settings of the service; those of its ingress are among the advanced settings.",
  {
    sticky_session: flag("Whether requests of one client always go to the same instance.", {
      default: false,
    }),
  },
  { default: {}, resettable: false },
);

/** @param type as in paths: `application` */
export function network(type: string): Part {
  return membersPart({
    name: "network setting",
    member: "network",
    pathOf: (id) => path`/${type}/${id}/network`,
    schema,
  });
}
