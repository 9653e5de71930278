import { lineWithoutCredentials } from "../../../../core/redaction/credential-forms.ts";
import { adviceOf } from "../../../../cli/render/remedies.ts";
import { isDeepStrictEqual } from "node:util";
import { getHeapStatistics } from "node:v8";
import type { Problem } from "../../../../core/problems/problem.ts";
import {
  formatManifest,
  type ManifestDocument,
  parseManifest,
} from "../../../../core/manifests/manifest/index.ts";
import { corpus, troublemakers } from "./corpus.ts";
import { withoutValue } from "../../../../core/source/file-problems.ts";

/** The figures of a run of the fuzzer. */
export interface FuzzReport {
  count: number;
  /** The number of texts without a problem. */
  valid: number;
  /**
   * The largest processor time of one text, in multiples of the time for the reference manifests in the same process.
   */
  worstCost: number;
  /** The largest growth of the heap during one text, including garbage. */
  worstMegabytes: number;
}

/** Source of random numbers from 0 to below 1 (mulberry32). */
type Random = () => number;

function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const below = (random: Random, limit: number) => Math.floor(random() * limit);

const pick = <Item>(random: Random, items: readonly Item[], otherwise: Item): Item =>
  items[below(random, items.length)] ?? otherwise;

/** The mutated manifest with this number: the same for the same seed and index, made of one of the texts. */
export function mutatedManifest(seed: number, index: number, texts = corpus): string {
  const random = randomOf(seed * 1_000_003 + index);
  let text = pick(random, texts, "");
  for (let left = 1 + below(random, 4); left > 0; left--)
    text = pick(random, mutations, insert)(text, random);
  return text;
}

type Mutation = (text: string, random: Random) => string;

const insert: Mutation = (text, random) =>
  splice(text, below(random, text.length), 0, pick(random, troublemakers, ""));

const mutations: readonly Mutation[] = [
  insert,
  (text, random) =>
    splice(text, below(random, text.length), 1 + below(random, 3), pick(random, troublemakers, "")),
  (text, random) => splice(text, below(random, text.length), below(random, 40), ""),
  (text, random) => {
    const start = below(random, text.length);
    return splice(text, below(random, text.length), 0, text.slice(start, start + below(random, 200)));
  },
  (text, random) => text.slice(0, below(random, text.length)),
  (text, random) => `${text}${pick(random, ["", "---\n"], "")}${pick(random, corpus, "")}`,
  (text, random) => replaceValue(text, random, pick(random, troublemakers, "")),
  (text, random) => replaceValue(text, random, pick(random, text.split("\n"), "")),
  (text, random) => mapLine(text, random, (line) => `${" ".repeat(below(random, 5))}${line.trimStart()}`),
  (text, random) => mapLine(text, random, (line) => `${line}\n${line}`),
  (text, random) => {
    const times = 2 ** below(random, 14);
    return splice(
      text,
      below(random, text.length),
      0,
      pick(random, troublemakers, "").repeat(Math.min(times, 2_000)),
    );
  },
];

const splice = (text: string, at: number, dropped: number, added: string) =>
  `${text.slice(0, at)}${added}${text.slice(at + dropped)}`;

function mapLine(text: string, random: Random, change: (line: string) => string): string {
  const lines = text.split("\n");
  const at = below(random, lines.length);
  return lines.map((line, index) => (index === at ? change(line) : line)).join("\n");
}

/** Replaces the text after a colon, which keeps most of the document well-formed. */
function replaceValue(text: string, random: Random, value: string): string {
  return mapLine(text, random, (line) => line.replace(/:.*$/s, `: ${value}`));
}

/** The maximum cost of a text in multiples of the reference: the worst text costs about two, a blow-up hundreds. */
const costLimit = 25;

/** Milliseconds of this thread's processor time. */
function processorTime(run: () => void): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/**
 * The cost of parsing the corpus 20 times, 37,000 characters without a mistake. Limits are multiples of it, so that
 * they mean the same on a slow or busy machine.
 */
function referenceCost(): number {
  const manifests = corpus
    .map((text) => `---\n${text}`)
    .join("")
    .repeat(20);
  const runs = Array.from({ length: 6 }, () =>
    processorTime(() => parseManifest(manifests, "reference.yaml")),
  );
  // The first run compiles the code.
  return Math.min(...runs.slice(1));
}

/**
 * Parses mutated manifests, and throws for one that is handled badly: a thrown error, a blow-up, a problem without a
 * position or advice, a valid document that changes when it is written.
 */
export function fuzzManifests(count: number, seed: number): FuzzReport {
  const report: FuzzReport = { count, valid: 0, worstCost: 0, worstMegabytes: 0 };
  const reference = referenceCost();
  for (let index = 0; index < count; index++) {
    const text = mutatedManifest(seed, index);
    try {
      check(text, report, reference);
    } catch (cause) {
      throw new Error(`seed ${seed}, index ${index}: ${JSON.stringify(text.slice(0, 2000))}`, { cause });
    }
  }
  return report;
}

function check(text: string, report: FuzzReport, reference: number): void {
  const heap = getHeapStatistics().used_heap_size;
  let parsed: ReturnType<typeof parseManifest> | undefined;
  const cost = processorTime(() => (parsed = parseManifest(text, "fuzz.yaml"))) / reference;
  const { documents, problems } = parsed ?? { documents: [], problems: [] };
  const megabytes = (getHeapStatistics().used_heap_size - heap) / 1e6;
  report.worstCost = Math.max(report.worstCost, cost);
  report.worstMegabytes = Math.max(report.worstMegabytes, megabytes);
  demand(cost < costLimit, `it took ${cost} times as long as the reference`);
  demand(megabytes < 256, `it took ${megabytes} MB`);

  demand(problems.length <= 101, "too many problems");
  for (const problem of problems) checkProblem(problem, text);
  for (const document of documents) checkDocument(document);
  if (problems.length === 0) report.valid++;
  demand(!("polluted" in {}), "the prototype of all objects has been changed");
}

function checkProblem({ message, position, ...help }: Problem, text: string): void {
  const advice = adviceOf(help);
  demand(message !== "" && advice !== undefined && advice !== "", "a problem without words");
  demand(!/[\p{Cc}\p{Cf}\p{Cs}]/u.test(message + advice), `control characters in: ${message} / ${advice}`);
  if (!position) return demand(/1 MiB|text in UTF-8/.test(message), `no place: ${message}`);
  const line = text.replace(/^\uFEFF/, "").split("\n")[position.line - 1];
  // A line that may hold a secret is shown up to its value.
  const isShown =
    line !== undefined &&
    (line.startsWith(position.text) ||
      ["…", withoutValue(line), lineWithoutCredentials(line)].includes(position.text));
  demand(isShown, `another line: ${JSON.stringify(position)}`);
  demand(
    position.column >= 1 && position.column <= (line ?? "").length + 2,
    `no such column: ${JSON.stringify(position)}`,
  );
}

function checkDocument(document: ManifestDocument): void {
  const { position, ...manifest } = document;
  demand(position([]).line <= position(["name"]).line, "the name stands before the document");
  const written = parseManifest(formatManifest(manifest), "written.yaml");
  demand(written.problems.length === 0, `what is written is wrong: ${JSON.stringify(written.problems)}`);
  const [{ position: _position, ...again } = { position: undefined }] = written.documents;
  demand(isDeepStrictEqual(again, manifest), "what is written says something else");
}

function demand(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
