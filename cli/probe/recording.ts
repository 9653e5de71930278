import { STATUS_CODES } from "node:http";
import { phrasesOf } from "../../core/api/index.ts";
import { isFields } from "../../core/json.ts";
import type { Exchange } from "./server.ts";

/** The requests and answers of a probe, without names and ids of the organization. */
export interface Recording {
  format: "infrasync-recording";
  version: 1;
  exchanges: readonly Exchange[];
}

const uuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi;

// Ids that a recording has in place of real ones, and those that no server has given.
const replacedId = "00000000-0000-4000-8000-";

const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

// The members whose values are words of the API; any other text may be a name or a secret.
const wordMembers =
  /^(?:kind|mode|type|state|status|scope|action|sub_action|protocol|scheme|origin|owned_by|\w+_(?:type|status|state|provider))$/;

const word = /^[A-Z]{2,}(?:_[A-Z0-9]+)*$/;

/** Keeps the exchanges of a probe. Ids are replaced, and texts that the probe has not sent itself. */
export class Recorder {
  readonly #exchanges: Exchange[] = [];
  /** Real ids and texts, and what stands for them. */
  readonly #ids = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  readonly #own = new Set<string>();

  add({ method, path, body, status, headers, answer }: Exchange): void {
    this.#collect(body);
    this.#exchanges.push({
      method,
      path: this.#withoutIds(path),
      ...(body !== undefined && { body: this.#replaced(body, "") }),
      status,
      headers,
      ...(answer !== undefined && {
        answer: status < 400 ? this.#replaced(answer, "") : this.#refusal(answer, status),
      }),
    });
  }

  get recording(): Recording {
    return { format: "infrasync-recording", version: 1, exchanges: this.#exchanges };
  }

  #replaced(value: unknown, member: string): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#replaced(each, member));
    if (isFields(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, this.#replaced(each, name)]),
      );
    return typeof value === "string" ? this.#text(value, member) : value;
  }

  /** What is kept of a refusal: its other members may be called like a person, and a number may tell of one. */
  #refusal(answer: unknown, status: number): unknown {
    if (typeof answer === "string") return this.#text(answer, "");
    if (!isFields(answer)) return {};
    const texts = ["error", "message"].flatMap((name) => {
      const text = answer[name];
      return typeof text === "string" ? [[name, this.#text(text, name)]] : [];
    });
    return { ...("status" in answer && { status }), ...Object.fromEntries(texts) };
  }

  #text(text: string, member: string): string {
    if (text.replaceAll(uuid, "") === "") return this.#withoutIds(text);
    // A refusal may repeat what was sent, and what a proxy has added to it: only the name of its status stays.
    const isStatus = member === "error" && Object.values(STATUS_CODES).includes(text);
    const isWord = isStatus || member === "instance_type" || (wordMembers.test(member) && word.test(text));
    if (text === "" || this.#own.has(text) || isWord || time.test(text)) return text;
    const stand = standIn(this.#texts, text, (count) => `text-${count}`);
    return member === "message" ? [stand, ...phrasesOf(text)].join(" ") : stand;
  }

  /** Remembers the texts that the probe sends, without those that the server has told it. */
  #collect(value: unknown): void {
    if (typeof value === "string" && !this.#texts.has(value)) this.#own.add(value);
    if (typeof value !== "object" || value === null) return;
    for (const each of Object.values(value)) this.#collect(each);
  }

  #withoutIds(text: string): string {
    return text.replaceAll(uuid, (id) =>
      id.startsWith(replacedId)
        ? id
        : standIn(this.#ids, id, (count) => `${replacedId}${String(count).padStart(12, "0")}`),
    );
  }
}

/** The replacement of a text, the same each time. */
function standIn(known: Map<string, string>, text: string, make: (count: number) => string): string {
  const stand = known.get(text) ?? make(known.size + 1);
  known.set(text, stand);
  return stand;
}
