import type { PartRequest } from "../model/parts/index.ts";
import { Tries } from "./write.ts";

/** A creation is sent twice at most: where the server does not replace an existing key, each one creates another part. */
const mostCreations = 2;

/** The requests for the parts of one resource in a run, and the answers of the server. */
export class PartSends {
  /** When the creation of a part was sent, by `MEMBER KEY`. */
  readonly #createdAt = new Map<string, number[]>();
  readonly #tries = new Map<string, Tries>();
  readonly #done = new Set<string>();
  readonly #unlisted = new Set<string>();

  /** The tries of a request: new ones, or those before it where it cannot be sent again. */
  begin(member: string, request: PartRequest): Tries {
    const names = request.keys.map((key) => `${member} ${key}`);
    const before = this.maySend(member, request)
      ? undefined
      : names.map((name) => this.#tries.get(name)).find((tries) => tries !== undefined);
    const tries = before ?? new Tries();
    for (const name of names) this.#tries.set(name, tries);
    return tries;
  }

  /** Whether the request may be sent, perhaps once more. */
  maySend(member: string, { method, keys }: PartRequest): boolean {
    return method !== "POST" || keys.every((key) => this.#creationsOf(member, [key]).length < mostCreations);
  }

  sending(member: string, { method, keys }: PartRequest, now: number): void {
    if (method !== "POST") return;
    for (const key of keys)
      this.#createdAt.set(`${member} ${key}`, [...this.#creationsOf(member, [key]), now]);
  }

  /** Call it when the server has refused the request because of another operation: nothing was done. */
  refused(member: string, { method, keys }: PartRequest): void {
    if (method === "POST") for (const key of keys) this.#createdAt.get(`${member} ${key}`)?.pop();
  }

  /** Call it when the server has made these changes: they are not sent again, whatever a list shows later. */
  done(member: string, keys: readonly string[]): void {
    for (const key of keys) {
      this.#done.add(`${member} ${key}`);
      this.#unlisted.add(`${member} ${key}`);
    }
  }

  isDone(member: string, key: string): boolean {
    return this.#done.has(`${member} ${key}`);
  }

  /** Call it when a list has been read. @param isShown whether the list shows the change */
  listed(members: ReadonlySet<string>, isShown: (member: string, key: string) => boolean): void {
    for (const { member, key } of this.unlistedIn(members))
      if (isShown(member, key)) this.#unlisted.delete(`${member} ${key}`);
  }

  /** Whether a change has been made that no list has shown yet. */
  isUnlisted(member: string, key: string): boolean {
    return this.#unlisted.has(`${member} ${key}`);
  }

  /** The changes of these members that have been made and that no list has shown yet. */
  unlistedIn(members: ReadonlySet<string>): { member: string; key: string }[] {
    return [...this.#unlisted]
      .map((name) => ({ member: name.slice(0, name.indexOf(" ")), key: name.slice(name.indexOf(" ") + 1) }))
      .filter(({ member }) => members.has(member));
  }

  /** Of these keys, those whose creation may have been carried out twice. */
  twiceOf(member: string, keys: readonly string[]): string[] {
    return keys.filter((key) => this.#creationsOf(member, [key]).length > 1);
  }

  /** Milliseconds between the first and the last creation of these keys: by so much later a late list shows the last. */
  spanOf(member: string, keys: readonly string[]): number {
    const times = this.#creationsOf(member, keys);
    return Math.max(...times) - Math.min(...times);
  }

  #creationsOf(member: string, keys: readonly string[]): number[] {
    return keys.flatMap((key) => this.#createdAt.get(`${member} ${key}`) ?? []);
  }
}
