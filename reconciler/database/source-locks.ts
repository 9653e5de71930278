import { isLock, lockKey, unknownFactor } from "../../adapters/database/index.ts";
import { lockOf } from "./lock-names.ts";
import { belief, beliefInUrl, type WorkerSession } from "./worker-session.ts";

/** The worker of a source that has been given back: nobody. */
const nobody = "00000000-0000-0000-0000-000000000000";

interface FormerHolder {
  worker: string;
  timeline: number;
  /** By what its limits are multiplied; null: nobody knows. */
  slowness: number | null;
}

/** Milliseconds before the first write: whoever had the source may still believe that for a moment, and its last write may be under way as long. */
export function waitAfter(
  former: FormerHolder | undefined,
  own: { worker: string; timeline: number },
): number {
  if (!former) return 0;
  const slowness = former.slowness ?? unknownFactor;
  if (former.timeline !== own.timeline) return 2 * beliefInUrl * slowness;
  return former.worker === nobody || former.worker === own.worker ? 0 : 2 * belief * slowness;
}

type Locks = Pick<WorkerSession, "withLocks">;

/** Takes sources that no worker has, name by name, and never more than `most`: each lock that is taken is in the answer. */
export function takeLocks(
  session: Locks,
  names: readonly string[],
  most: number,
  { worker, timeline }: Pick<FormerHolder, "worker" | "timeline">,
): Promise<{ name: string; epoch: number; former: FormerHolder | null }[]> {
  return session.withLocks(
    `with recursive tried (number, name, is_taken, taken) as (
         select 0, null::text, false, 0
         union all
         select number + 1, ($1::text[])[number + 1], next.is_taken, taken + next.is_taken::integer
         from tried cross join lateral (
           select case when taken < $2
             then pg_try_advisory_lock(${lockKey(`'${lockOf("")}' || ($1::text[])[number + 1]`)})
             else false end as is_taken offset 0
         ) as next
         where number < cardinality($1::text[]) and taken < $2
       ),
       raised as (
         insert into infrasync.lease as its (source, epoch, worker, timeline)
         select name, 1, $3, $4 from tried where is_taken
         on conflict (source) do update set epoch = its.epoch + 1, worker = excluded.worker,
           timeline = excluded.timeline, taken_at = now(), slowness = null
         returning source, epoch
       )
       select source as name, raised.epoch::integer, case when former.source is not null then jsonb_build_object(
           'worker', former.worker, 'timeline', former.timeline, 'slowness', coalesce(worker.slowness, former.slowness)) end as former
       from raised left join infrasync.lease former using (source) left join infrasync.worker on worker.id = former.worker`,
    [names, most, worker, timeline],
  );
}

/** Gives back the locks of sources, as far as this connection has them. */
export function giveBackLocks(session: Locks, names: readonly string[]): Promise<unknown> {
  const lock = `'${lockOf("")}' || name`;
  return session
    .withLocks(
      `select pg_advisory_unlock(${lockKey(lock)}) from unnest($1::text[]) as name
       where exists (select from pg_locks where pid = pg_backend_pid() and ${isLock(lock)})`,
      [names],
    )
    .catch(() => undefined);
}

/** Gives back a source, so that the next worker need not wait. */
export function giveBackLease(session: Locks, name: string, epoch: number): Promise<unknown> {
  return session
    .withLocks(
      `with returned as (update infrasync.lease set worker = '${nobody}' where source = $1 and epoch = $2)
       select pg_advisory_unlock(${lockKey("$3::text")})`,
      [name, epoch, lockOf(name)],
    )
    .catch(() => undefined);
}
