import type { Leases as RealLeases, LeasesSettings } from "../../reconciler/database/leases.ts";
import { DatabaseError, LateAnswerError, paceOf, type ProvedSession } from "../../adapters/database/index.ts";

/** The code that is tried: the real one, or one with a mistake. */
export type LeasesClass = new (settings: LeasesSettings) => RealLeases;

/** The faults among which each query of a worker chooses; the first is none. */
const faults = ["none", "slow", "late", "cut", "stall", "gone", "unlocked", "dead"] as const;
type Fault = (typeof faults)[number];

/** Which query meets which fault. */
export type Schedule = ReadonlyMap<number, Fault>;

interface Server {
  timeline: number;
  sessions: Map<number, { locks: Set<string>; listens: Set<string> }>;
  workers: Map<string, { pid: number; seen: number; slowness: number }>;
  lease: { epoch: number; worker: string; timeline: number } | undefined;
  /** The number of the newest change that somebody has noted before writing it. */
  noted: number;
}

const source = "team";
/** Milliseconds of a run, and after which no fault begins any more. */
const [length, calm] = [250_000, 30_000];
const nobody = "00000000-0000-0000-0000-000000000000";
let runs = 0;

/**
 * Two workers with the code of the leases, a database that knows their statements, and an API, in a time of its own: the same
 * schedule gives the same run. It says what has gone wrong.
 */
export async function run(
  Leases: LeasesClass,
  schedule: Schedule,
  promotedAt = Infinity,
): Promise<{ wrong: string[]; queries: number }> {
  runs += 1;
  const events: { at: number; number: number; run(): void }[] = [];
  let [now, number, queries] = [0, 0, 0];
  let isOneDead = false;
  const wrong: string[] = [];
  const over = new AbortController();
  const at = (time: number, act: () => void) =>
    void events.push({ at: Math.max(now, time), number: (number += 1), run: act });
  const servers: Server[] = [
    { timeline: 1, sessions: new Map(), workers: new Map(), lease: undefined, noted: 0 },
  ];
  const primary = () => servers.at(-1) as Server;
  if (promotedAt < length)
    at(promotedAt, () => {
      const { lease, noted } = primary();
      servers.push({
        timeline: 2,
        sessions: new Map(),
        workers: new Map(),
        lease: lease && { ...lease },
        noted,
      });
    });
  /** What has been pushed, what the API has, how often the source was taken, and the newest of these turns that has written. */
  let [pushed, applied, turns, newest] = [0, 0, 0, 0];
  for (let push = 0; push < 60; push += 1) at(push * 1000, () => void (pushed += 1));

  const worker = async (name: string, release: readonly number[]) => {
    let stalledUntil = 0;
    let pids = 0;
    const url = `model:${runs}:${name}`;
    /** Calls a function of this worker, when it does not stand still. */
    const here = (time: number, act: () => void) =>
      at(time, () => {
        if (now >= stalledUntil) act();
        else if (stalledUntil < length) here(stalledUntil, act);
      });
    const sleep = (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal?.addEventListener("abort", () => resolve(), { once: true });
        if (signal?.aborted) resolve();
        else here(now + milliseconds, resolve);
      });
    /** Gives up waiting for an answer at the pace of the database. */
    const giveUp = (reject: (error: unknown) => void) => {
      const { limit } = paceOf(url);
      here(now + limit, () => reject(new LateAnswerError(limit)));
    };
    /** Takes a question to the server and its answer back. @param cut of a session, which waits for its answer by itself */
    const ask = (work: () => object[], isFaulty: boolean, cut?: (fault: Fault) => void): Promise<object[]> =>
      new Promise((resolve, reject) => {
        const fault = isFaulty && now < calm ? (schedule.get((queries += 1)) ?? "none") : "none";
        if (fault === "stall") stalledUntil = now + 15_000;
        // Its connection stays, and nobody tells.
        if (fault === "dead" && !isOneDead) {
          isOneDead = true;
          stalledUntil = Infinity;
        }
        if (!cut) giveUp(reject);
        if (fault === "cut" && cut) return at(now + 1, () => cut(fault));
        // The answer comes, and after it the session is another one.
        if (cut) at(now + 6, () => cut(fault));
        const took = fault === "late" ? 7000 : fault === "slow" ? 3000 : 10;
        at(now + 5, () => {
          try {
            const rows = work();
            here(now + took, () => {
              paceOf(url).took(took);
              resolve(rows);
            });
          } catch (error) {
            here(now + took, () => reject(error));
          }
        });
      });
    const session = (): ProvedSession => {
      const server = primary();
      const pid = (pids += 1) * 2 + (name === "a" ? 0 : 1);
      const own = { locks: new Set<string>(), listens: new Set<string>() };
      server.sessions.set(pid, own);
      const end = () => void server.sessions.delete(pid);
      let busy: Promise<unknown> = Promise.resolve();
      let isLate = false;
      const inTurn = (work: () => object[]): Promise<object[]> =>
        new Promise((resolve, reject) => {
          let isAnswered = false;
          const late = (error: unknown) => {
            isLate ||= !isAnswered;
            reject(error);
          };
          const isBehind = isLate;
          if (isBehind) giveUp(late);
          busy = busy.then(() => {
            if (!isBehind) giveUp(late);
            return ask(work, true, (fault) => {
              if (fault === "cut" || fault === "gone") end();
              if (fault === "unlocked") own.locks.delete(`infrasync source ${source}`);
            })
              .finally(() => {
                isAnswered = true;
                isLate = false;
              })
              .then(resolve, reject);
          });
        });
      const does = (text: string, values: readonly unknown[]) => {
        if (!server.sessions.has(pid)) throw new DatabaseError("the session has ended", "");
        return answerTo(server, pid, text, values);
      };
      return {
        pid,
        token: "its",
        timeline: server.timeline,
        query: <Row extends object>(text: string, values: readonly unknown[] = []) =>
          inTurn(() => does(text, values)) as Promise<Row[]>,
        async together(all) {
          return (await inTurn(() => all.map(({ text, values }) => does(text, values)))) as object[][];
        },
        onNotice: () => undefined,
        onEnd: () => undefined,
        end: () => at(now + 5, end),
      };
    };
    const answerTo = (server: Server, pid: number, text: string, values: readonly unknown[]): object[] => {
      const own = server.sessions.get(pid)?.locks ?? new Set();
      const proof = (locks: unknown) => ({
        pid,
        token: "its",
        channels: [],
        missing: (JSON.parse(String(locks)) as string[]).filter((lock) => !own.has(lock)),
      });
      const endWorker = (id: string) => {
        const known = server.workers.get(id);
        if (known && text.includes("pg_terminate_backend")) server.sessions.delete(known.pid);
      };
      if (text.includes("to_regclass")) return [{}];
      if (text.includes("max(version)")) return [{ version: 999 }];
      if (text.includes("with own as")) {
        const [id, silence, locks, slowness] = values as [string, number, string, number];
        const known = server.workers.get(id);
        if (known) Object.assign(known, { seen: now, slowness });
        const isSilent = (its: { seen: number; slowness: number }) =>
          its.seen < now - silence * 1000 * (text.includes("* slowness") ? its.slowness : 1);
        for (const [other, its] of server.workers)
          if (other !== id && isSilent(its)) {
            endWorker(other);
            server.workers.delete(other);
          }
        return [{ own: known ? 1 : 0, alive: server.workers.size, ...proof(locks) }];
      }
      if (text.includes("with recursive tried")) {
        const [names, , id, timeline] = values as [string[], number, string, number];
        const lock = `infrasync source ${source}`;
        const isFree = [...server.sessions.values()].every(({ locks }) => !locks.has(lock));
        if (!names.includes(source) || !isFree) return [];
        own.add(lock);
        const { lease } = server;
        const raise = text.includes("epoch = its.epoch + 1") ? 1 : 0;
        server.lease = { epoch: (lease?.epoch ?? 0) + (lease ? raise : 1), worker: id, timeline };
        const slowness = lease && (server.workers.get(lease.worker)?.slowness ?? null);
        return [{ name: source, epoch: server.lease.epoch, former: lease ? { ...lease, slowness } : null }];
      }
      if (text.startsWith("select pg_advisory_unlock(")) {
        own.delete(`infrasync source ${source}`);
        return [];
      }
      if (text.includes("with returned as")) {
        const [, epoch, lock] = values as [string, number, string];
        if (text.includes("pg_advisory_unlock")) own.delete(lock);
        if (server.lease?.epoch === epoch) server.lease.worker = nobody;
        return [];
      }
      if (text.includes("pg_advisory_lock(")) own.add(String(values[0]));
      else if (text.includes("insert into infrasync.worker"))
        server.workers.set(String(values[0]), { pid, seen: now, slowness: Number(values[4]) });
      else if (text.startsWith("select pg_backend_pid()")) return [proof(values[0])];
      else if (text.includes("pg_terminate_backend")) endWorker(String(values[0]));
      else if (text.includes("delete from infrasync.worker")) server.workers.delete(String(values[0]));
      else if (text === "note") {
        const [epoch, change] = values as [number, number];
        if (server.lease?.epoch !== epoch)
          throw Object.assign(new Error("another worker has taken the source"), { code: "IS001" });
        server.noted = Math.max(server.noted, change);
      } else if (text === "noted") return [{ noted: server.noted }];
      return [];
    };
    const leases = new Leases({
      url,
      version: "1",
      signal: over.signal,
      channels: [],
      onNotice: () => undefined,
      onChange: () => undefined,
      server: {
        open: async () => {
          await ask(() => [], false);
          return session();
        },
        beside: () => ({
          query: <Row extends object>(text: string, values: readonly unknown[] = []) =>
            ask(() => answerTo(primary(), -1, text, values), true) as Promise<Row[]>,
          end: () => Promise.resolve(),
        }),
        async leadsTo(_url, { pid }, lock) {
          await ask(() => [], true);
          const { sessions, timeline } = primary();
          return { isHere: sessions.get(pid)?.locks.has(lock) === true, timeline };
        },
        now: () => now,
        counted: () => now,
        sleep,
      },
    });
    // Whoever finds no database when it starts ends, and its supervisor starts it again.
    const isOpen = () =>
      leases.open().then(
        () => true,
        () => false,
      );
    while (!(await isOpen())) await sleep(500);
    void leases.run();
    while (!over.signal.aborted) {
      const lease = await leases.take(source, over.signal);
      const turn = (turns += 1);
      try {
        let [{ noted } = { noted: 0 }] = await lease.query<{ noted: number }>("noted");
        while (!lease.lost.aborted && !over.signal.aborted) {
          const change = applied + 1;
          if (change <= pushed) {
            await lease.query("note", [lease.epoch, change]);
            await lease.ensure();
            if (noted < applied) wrong.push(`${now}: ${name} does not know of a write that was made`);
            noted = change;
            // It reaches the API within a second, and may be overtaken by that of the next worker.
            const underWay = (change + turn) % 2 === 0 ? 900 : 5;
            at(now + underWay, () => {
              if (turn < newest) wrong.push(`${now}: ${name} writes although another worker has written`);
              newest = Math.max(newest, turn);
              applied = Math.max(applied, change);
            });
            await sleep(underWay + 1);
          }
          if (release.some((time) => time <= now && now < time + 1000)) break;
          await sleep(200);
        }
      } catch {
        // It tries again.
      }
      await lease.release();
      await sleep(500);
    }
  };
  const ended = [worker("a", [9000]), worker("b", [15_000])].map((each) => each.catch(() => undefined));
  for (;;) {
    await new Promise(setImmediate);
    events.sort((left, right) => right.at - left.at || right.number - left.number);
    const next = events.pop();
    if (!next || next.at > length) break;
    now = next.at;
    next.run();
  }
  if (applied < pushed) wrong.push(`of ${pushed} pushes, ${applied} are applied`);
  over.abort();
  for (let rest = events.length; rest > 0; rest -= 1) {
    events.pop()?.run();
    await new Promise(setImmediate);
  }
  await Promise.race([Promise.all(ended), new Promise(setImmediate)]);
  return { wrong, queries };
}

/** Schedules with each single fault at each of the first queries, and with two: all pairs, or so many, in the same order each time. */
export function* schedules(queries: number, pairs: number): Generator<Schedule> {
  yield new Map();
  const real = faults.slice(1);
  const single = [...Array(queries * real.length).keys()].map(
    (index) => [Math.floor(index / real.length) + 1, real[index % real.length] ?? "cut"] as const,
  );
  for (const one of single) yield new Map([one]);
  const both = single.flatMap((one) =>
    single.flatMap((other) => (one[0] < other[0] ? [[one, other] as const] : [])),
  );
  const step = Math.max(1, both.length / pairs);
  for (let pair = 0; pair < both.length; pair += step) yield new Map(both[Math.floor(pair)]);
}
