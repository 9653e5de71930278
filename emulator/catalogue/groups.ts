import type { Route } from "../http/routing.ts";
import { groupView } from "../services/shared.ts";
import type { Named } from "../world/records.ts";
import { countUses } from "../world/references.ts";
import type { World } from "../world/world.ts";
import { collection } from "./collection.ts";
import { AnnotationsGroupRequest, LabelsGroupRequest } from "../bodies/catalogue.ts";

/** Annotation groups and label groups. */
export const groupRoutes: Route[] = [
  ...collection<AnnotationsGroupRequest>({
    path: "annotationsGroups",
    id: "annotationsGroupId",
    table: (store) => store.annotationsGroups,
    body: AnnotationsGroupRequest,
    view: groupView,
    listed: counted,
  }),
  ...collection<LabelsGroupRequest>({
    path: "labelsGroups",
    id: "labelsGroupId",
    table: (store) => store.labelsGroups,
    body: LabelsGroupRequest,
    view: groupView,
    listed: counted,
  }),
];

function counted(group: Named, world: World): object {
  return { ...groupView(group), associated_items_count: countUses(group.id, world) };
}
