import { beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../../core/api/index.ts";
import { Cache } from "../../../../core/state/live/cache.ts";

let time = 0;
let cache: Cache<string[]>;
let requests: string[];

beforeEach(() => {
  time = 0;
  requests = [];
  cache = new Cache({ ...systemClock, now: () => time }, 5000);
});

/** A request that responds when the test tells it to. */
function request(): { send: () => Promise<string[]>; answer: (value: string[]) => void; fail: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const send = () => {
    requests.push("GET");
    return promise;
  };
  return { send, answer: resolve, fail: () => reject(new Error("the request failed")) };
}

const answered = (value: string[]) => {
  const { send, answer } = request();
  answer(value);
  return send;
};

test("the lifetime of a value starts when it arrives, however long the read took", async () => {
  const { send, answer } = request();
  const first = cache.read("a", send);
  time += 60_000;
  const second = cache.read("a", answered(["another"]));
  answer(["a"]);
  expect(await Promise.all([first, second])).toEqual([["a"], ["a"]]);
  time += 4_999;
  expect(await cache.read("a", answered(["another"]))).toEqual(["a"]);
  expect(cache.get("a")).toMatchObject({ value: ["a"] });
  time += 1;
  expect(cache.get("a")).toBeUndefined();
  expect(cache.known()).toEqual(new Map());
  expect(await cache.read("a", answered(["another"]))).toEqual(["another"]);
  expect(requests).toHaveLength(2);
});

test("a failure reaches all waiting readers and is not kept", async () => {
  const { send, fail } = request();
  const both = Promise.allSettled([cache.read("a", send), cache.read("a", send)]);
  fail();
  expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await cache.read("a", answered(["a"]))).toEqual(["a"]);
  expect(requests).toHaveLength(2);
});

test("ids ignore case, and are requested in the case of the first reader", async () => {
  await cache.read("Ab", answered(["a"]));
  expect(await cache.read("aB", answered(["another"]))).toEqual(["a"]);
  cache.change("AB", (value) => [...value, "b"]);
  expect([...cache.known()]).toEqual([["Ab", ["a", "b"]]]);
  cache.forget("ab");
  expect([...cache.known()]).toEqual([]);
});

test("a change during a read is part of the value", async () => {
  const { send, answer } = request();
  const reading = cache.read("a", send);
  cache.change("a", (value) => [...value, "written"]);
  answer(["read"]);
  expect(await reading).toEqual(["read", "written"]);
  expect(cache.get("a")?.value).toEqual(["read", "written"]);
});

test("a change of a known value is visible to later readers", async () => {
  await cache.read("a", answered(["read"]));
  cache.change("a", (value) => [...value, "written"]);
  expect(await cache.read("a", answered(["another"]))).toEqual(["read", "written"]);
});

test("a change of a value that was never read stores nothing", () => {
  cache.change("a", (value) => [...value, "written"]);
  expect(cache.get("a")).toBeUndefined();
});

test("a value that is forgotten during a read reaches the waiting readers and is not kept", async () => {
  const { send, answer } = request();
  const reading = cache.read("a", send);
  cache.forget("a");
  const later = cache.read("a", answered(["new"]));
  answer(["old"]);
  expect([await reading, await later]).toEqual([["old"], ["new"]]);
  expect(cache.get("a")?.value).toEqual(["new"]);
});

test("a fresh read replaces the known value; of two, the later one stays", async () => {
  await cache.read("a", answered(["known"]));
  const [older, newer] = [request(), request()];
  const readings = [cache.refresh("a", older.send), cache.refresh("a", newer.send)];
  newer.answer(["newer"]);
  older.answer(["older"]);
  expect(await Promise.all(readings)).toEqual([["older"], ["newer"]]);
  expect(cache.get("a")?.value).toEqual(["newer"]);
});
