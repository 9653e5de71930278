import { withoutIgnored } from "../fields/ignore.ts";
import type { Concern } from "./overlay.ts";

const isNew = "what others change later is ignored; a new resource gets all that its document states";

/** `manage.ignore`: fields that others change. */
export const ignore: Concern = {
  name: "ignore",
  state: {
    on: { nothing: isNew, source: isNew, existing: true },
    run: (_, { desired, stated }) => ({ stated: withoutIgnored(stated, desired.manage.ignore ?? []) }),
  },
};
