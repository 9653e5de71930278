import type { Concern } from "../plan/planning.ts";
import { pathAmong, withoutIgnored } from "../../rules/ignored-fields.ts";

const isNew = "later changes by others are ignored; a new resource gets all declared fields";

export const ignore: Concern = {
  name: "ignore",
  programs: true,
  state: {
    on: { nothing: isNew, source: isNew, existing: true },
    run: (_, { desired, declared }) => {
      const paths = desired.ignored ?? (desired.manage.ignore ?? []).map((path) => pathAmong(declared, path));
      return { declared: withoutIgnored(desired.address.kind.fields, declared, paths) };
    },
  },
};
