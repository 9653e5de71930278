import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Fleet, type Source } from "../../../reconciler/sources/index.ts";
import { fastClock } from "../../fixtures/fast-clock.ts";

const source = (name: string, branch = "main"): Source => ({
  name,
  file: "a.yaml",
  repository: "https://git.example.com/a.git",
  branch,
});

/** Resolves when the signal aborts. */
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** A fleet whose sources do what their names say; it writes down what happens. */
function fleet() {
  const happened: string[] = [];
  const stop = new AbortController();
  const held = Promise.withResolvers<void>();
  const made = new Fleet({
    clock: fastClock(1000),
    signal: stop.signal,
    async open({ name, branch = "" }, signal) {
      const its = `${name} ${branch}`;
      if (name.startsWith("hangs")) await new Promise(() => {});
      if (name.startsWith("fails")) throw new Error("no");
      happened.push(`${its} begins`);
      return {
        async run(started) {
          started();
          await aborted(signal);
          if (name.startsWith("slow")) await held.promise;
          happened.push(`${its} ends`);
        },
      };
    },
    onFailure: ({ name }) => void happened.push(`${name} failed`),
  });
  return { fleet: made, happened, stop, held };
}

test("sources that hang or fail hold up no other, however many there are", async () => {
  const { fleet: made, happened, stop } = fleet();
  const bad = ["hangs", "fails"].flatMap((word) =>
    [...Array(30).keys()].map((each) => source(`${word}-${each}`)),
  );
  made.follow([...bad, source("good")]);
  await expect.poll(() => happened).toContain("good main begins");
  // One that fails is opened again, and goes on to be shown as failed since the first time.
  await expect.poll(() => happened.filter((each) => each === "fails-0 failed").length).toBeGreaterThan(1);
  expect(made.members.find(({ source: { name } }) => name === "fails-0")?.failure).toMatchObject({
    error: new Error("no"),
  });
  stop.abort();
});

test("a source that is declared in another form begins when its old form has ended, and only then", async () => {
  const { fleet: made, happened, held, stop } = fleet();
  made.follow([source("slow"), source("other")]);
  await expect.poll(() => happened).toHaveLength(2);
  made.follow([source("slow", "next"), source("other")]);
  await turn();
  made.follow([source("slow", "last"), source("other")]);
  for (let each = 0; each < 20; each += 1) await turn();
  expect(happened.filter((each) => each.startsWith("slow"))).toEqual(["slow main begins"]);
  held.resolve();
  await expect
    .poll(() => happened.filter((each) => each.startsWith("slow")))
    .toEqual(["slow main begins", "slow main ends", "slow last begins"]);
  made.follow([source("other")]);
  await expect.poll(() => made.members.map(({ source: { name } }) => name)).toEqual(["other"]);
  stop.abort();
  await made.over();
  expect(happened.filter((each) => each.startsWith("other"))).toEqual([
    "other main begins",
    "other main ends",
  ]);
});

test("a source whose right is lost while it is opened has not failed, and is opened again at once", async () => {
  const opened: string[] = [];
  const stop = new AbortController();
  const made = new Fleet({
    clock: fastClock(1),
    signal: stop.signal,
    async admit() {
      opened.push("admitted");
      return async () => void opened.push("given back");
    },
    async open(_source, signal) {
      opened.push("opened");
      return opened.length < 5 ? "again" : { run: () => aborted(signal) };
    },
    onFailure: () => void opened.push("failed"),
  });
  made.follow([source("one")]);
  await expect.poll(() => opened).toEqual(["admitted", "opened", "given back", "admitted", "opened"]);
  expect(made.members[0]).not.toHaveProperty("failure");
  stop.abort();
  await made.over();
  expect(opened.at(-1)).toBe("given back");
});

test("the right to work on a source that ends before it is opened is given back", async () => {
  const happened: string[] = [];
  const stop = new AbortController();
  const made = new Fleet({
    clock: fastClock(1),
    signal: stop.signal,
    async admit() {
      stop.abort();
      return async () => void happened.push("given back");
    },
    async open(_source, signal) {
      happened.push("opened");
      return { run: () => aborted(signal) };
    },
    onFailure: () => void happened.push("failed"),
  });
  made.follow([source("one")]);
  await made.over();
  expect(happened).toEqual(["given back"]);
});

test("a source whose right was lost often waits no longer after its first failures", async () => {
  const waits: number[] = [];
  const stop = new AbortController();
  let opened = 0;
  const made = new Fleet({
    clock: { ...fastClock(1000), sleep: async (milliseconds) => void waits.push(milliseconds) },
    signal: stop.signal,
    async open() {
      if ((opened += 1) <= 5) return "again";
      throw new Error("no such repository");
    },
    onFailure: () => opened === 7 && stop.abort(),
  });
  made.follow([source("one")]);
  await made.over();
  expect(Math.max(...waits)).toBe(10_000);
});
