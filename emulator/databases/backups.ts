import { Type } from "typebox";
import { HttpError, notFound } from "../world/errors.ts";
import { serviceOf } from "../http/lookup.ts";
import { get, post, remove, type Call, type Route } from "../http/routing.ts";
import { name } from "../bodies/common.ts";
import type { Backup } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { stamps } from "../world/store.ts";

const BackupRequest = Type.Object({ name, message: Type.String() });

const PAGE_SIZE = 20;

const many = "/database/{databaseId}/backup";

export const backupRoutes: Route[] = [
  get(many, (call) => {
    const { id } = serviceOf(call, { kind: "database" });
    const page = after(call.query["startId"], call.world.store.backups.under(id)).slice(0, PAGE_SIZE);
    return { page: 1, page_size: PAGE_SIZE, results: page.map((backup) => backupView(backup, call.world)) };
  }),
  post(many, 201, BackupRequest, (call, world, body) => {
    const database = serviceOf(call, { kind: "database" });
    world.operations.requireStaying(database.id);
    const spec = { message: body.message };
    const backup = { ...world.base(database.id), name: body.name, spec };
    return backupView(world.add(world.store.backups, backup), world);
  }),
  remove(`${many}/{backupId}`, (call) => call.world.remove(call.world.store.backups, backupOf(call))),
];

function after(startId: string | undefined, backups: Backup[]): Backup[] {
  if (startId === undefined) return backups;
  const index = backups.findIndex(({ id }) => id === startId);
  if (index === -1) throw new HttpError(400, `startId: this database has no backup with id ${startId}`);
  return backups.slice(index + 1);
}

function backupOf(call: Call): Backup {
  const id = call.param("backupId");
  const backup = call.world.store.backups.get(id);
  if (backup.parentId !== serviceOf(call, { kind: "database" }).id)
    throw notFound("backup of this database", id);
  return backup;
}

function backupView(backup: Backup, world: World): object {
  const { state, status } = progressOf(backup, world);
  return {
    ...stamps(backup),
    name: backup.name,
    message: backup.spec.message,
    status: {
      id: backup.id,
      state,
      service_deployment_status: "UP_TO_DATE",
      status_details: { action: "UNKNOWN", status, sub_action: "NONE" },
      is_part_last_deployment: false,
      deployment_requests_count: 0,
      deployment_request_id: null,
    },
  };
}

/** A backup takes as long as a deployment: it is queued in the first half of this time. */
function progressOf({ created_at }: Backup, { clock, behaviour }: World): { state: string; status: string } {
  const age = clock.now() - Date.parse(created_at);
  if (age >= behaviour.deploy_delay_ms) return { state: "READY", status: "SUCCESS" };
  if (age < behaviour.deploy_delay_ms / 2) return { state: "QUEUED", status: "QUEUED" };
  return { state: "EXECUTING", status: "EXECUTING" };
}
