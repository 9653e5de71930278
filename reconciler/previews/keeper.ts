import { ApiError, type Clock, clocksAgree } from "../../core/api/index.ts";
import { formatReference } from "../../core/model/addresses/address.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { type Forge, keepComment, type PullRequest, findMarked } from "../../adapters/forge/index.ts";
import type { Log } from "../log.ts";
import { previewName, type PreviewPolicy } from "../policy/index.ts";
import {
  type CommentMemory,
  commentNameOf,
  endedText,
  failedText,
  previewText,
  memoryIn,
} from "./comment.ts";
import {
  endIn,
  type ExistingEnvironment,
  existingPreview,
  PreviewError,
  existingPreviews,
  isOver,
  ownershipOf,
} from "./existing-environment.ts";
import { claimOf, contestedPreviews } from "./contests.ts";
import type { OtherSources } from "../sources/index.ts";
import type { PreviewRecord, RecordedPreview } from "./record.ts";
import {
  type DeletionContext,
  deployPreview,
  healthIn,
  isOwn,
  linksOfPreview,
  makePreview,
  type PreviewContext,
  removePreview,
  serviceKey,
} from "./operations.ts";
import { type PreviewCheck, type PreviewOfRequest, PreviewStates, reasonOf } from "./states.ts";

export interface KeeperSettings {
  /** The Git host, with the token as it is now. */
  forge(): Promise<Forge>;
  /** The branch into which pull requests go. */
  branch: string;
  /** Whose the previews are, as their labels say. */
  owner: string;
  /** Says which previews this source wants, and learns which of them other sources want too; default: there are none. */
  claim?: OtherSources["claimPreviews"] | undefined;
  clock: Clock;
  log: Log;
  /** The requested previews, also those of earlier processes. */
  record: PreviewRecord;
  /** How long a deployment may take, in milliseconds. */
  slowAfter: number;
  /** Called with the states of the previews after each refresh. */
  watch?: { previewsChecked(check: PreviewCheck): Promise<void> | void };
}

type KeeperSource<Context extends DeletionContext> = Omit<Context, "owner">;

type OnForge<Context extends DeletionContext = PreviewContext> = Context & { forge: Forge };

const clocksDiffer =
  "it has expired by the clock of the server, which differs from the clock of this machine by more than an hour; set the clock of this machine";

/** How long a clone that was requested may take to appear, in milliseconds. */
const longestClone = 3_600_000;

/** Keeps one preview for each open, labelled pull request. */
export class PreviewKeeper {
  readonly #settings: KeeperSettings;
  readonly #states = new PreviewStates();

  constructor(settings: KeeperSettings) {
    this.#settings = settings;
  }

  /** Makes, changes and deletes previews as the pull requests are now. What fails for one leaves the others alone. Never throws. */
  keep(given: KeeperSource<PreviewContext>): Promise<void> {
    const { branch, log, record, owner } = this.#settings;
    const { policy } = given;
    const [project] = policy.from;
    return this.#refresh("previews cannot be checked; they stay as they are", async () => {
      const forge = await this.#settings.forge();
      const context: OnForge = { ...given, owner, forge };
      const labelled = await forge.openPullRequests(branch, policy.label);
      const open = labelled.filter((each) => isDesired(each, policy));
      const isElsewhere = (each: RecordedPreview) => nameKey(each.project) !== nameKey(project);
      await this.#endAll(context, record.previews.filter(isElsewhere));
      const guarded = (number: number, request: PullRequest | undefined, work: () => Promise<void>) =>
        this.#guarded(context, project, number, request, work);
      const { ours, others: notOurs } = await this.#known(context, project);
      for (const preview of ours) {
        const request = open.find(({ number }) => number === preview.number);
        await guarded(preview.number, request, () => this.#end(context, preview, request));
      }
      const there = new Set(ours.map(({ number }) => number));
      const contested = await contestedPreviews(
        this.#settings.claim,
        context,
        [...there, ...open.map(({ number }) => number)],
        notOurs,
      );
      this.#states.contestedNow(contested);
      const first = open.filter(({ number }) => there.has(number));
      const others = open
        .filter(({ number }) => !there.has(number) && !contested.has(number))
        .toSorted((a, b) => a.number - b.number);
      const room = Math.max(0, policy.max - first.length);
      const waiting = others.slice(room).map(({ number }) => number);
      if (waiting.length > 0) log.debug({ waiting, max: policy.max }, "more pull requests than previews");
      for (const request of [...first, ...others.slice(0, room)])
        await guarded(request.number, request, () => this.#bringUpToDate(context, request));
      for (const request of open.filter(({ number }) => contested.has(number) && !there.has(number)))
        await guarded(request.number, request, () =>
          Promise.reject(new PreviewError(contested.get(request.number) ?? "")),
        );
      const numbers = new Set([...there, ...[...open, ...record.previews].map(({ number }) => number)]);
      this.#states.forgetFailuresExcept(numbers);
      return [
        ...open.map((request) => this.#states.shown(policy, request, waiting)),
        ...this.#states.leftovers(policy, open),
      ];
    });
  }

  /** Deletes the previews and their comments, because the policy has none any more. Never throws. */
  end(given: KeeperSource<DeletionContext>): Promise<void> {
    const { record, owner, claim } = this.#settings;
    return this.#refresh("previews that the policy no longer declares cannot be deleted", async () => {
      await claim?.(claimOf(given, []));
      if (record.previews.length > 0)
        await this.#endAll({ ...given, owner, forge: await this.#settings.forge() }, record.previews);
      return record.previews.map(({ project, number }) => this.#states.leftover(project, number));
    });
  }

  /** Reports the previews that a function gives, or why it fails. @param failed what cannot be done then */
  async #refresh(failed: string, previewsNow: () => Promise<PreviewOfRequest[]>): Promise<void> {
    const { record, log, watch } = this.#settings;
    try {
      const damage = await record.open();
      if (damage !== undefined) log.warn({}, damage);
      watch?.previewsChecked({ previews: await previewsNow() });
    } catch (error) {
      const reason = reasonOf(error);
      log.warn({ reason }, failed);
      watch?.previewsChecked({ failure: reason });
    }
  }

  /** Deletes previews that no policy wants. */
  async #endAll(context: OnForge<DeletionContext>, previews: readonly RecordedPreview[]): Promise<void> {
    const projects = new Map(previews.map((each) => [nameKey(each.project), each.project]));
    for (const project of projects.values())
      for (const preview of (await this.#known(context, project)).ours)
        await this.#guarded(context, project, preview.number, undefined, () =>
          this.#remove(context, preview, "the policy no longer declares it"),
        );
  }

  /** The environments with names of previews: those made here, by their labels or by events, and all others. Updates the record. */
  async #known(
    context: DeletionContext,
    project: string,
  ): Promise<{ ours: ExistingEnvironment[]; others: ExistingEnvironment[] }> {
    const { run, organization, owner } = context;
    const { record } = this.#settings;
    const existing = await existingPreviews(run, organization, project);
    for (const each of existing)
      if (ownershipOf(each, owner) === "own") await record.keep({ project, number: each.number });
    for (const recorded of record.previews.filter((each) => nameKey(each.project) === nameKey(project))) {
      const isThere = existing.some(({ number }) => number === recorded.number);
      const mayCome =
        recorded.requested !== undefined && run.client.serverTime < recorded.requested + longestClone;
      if (!isThere && !mayCome) await record.forget(recorded);
    }
    const [ours = [], others = []] = [true, false].map((isOurs) =>
      existing.filter((each) => isOwn(each, owner) === isOurs),
    );
    return { ours, others };
  }

  /** Deletes a preview. The comment goes first: as long as the environment is there, the next look continues. */
  async #remove(context: OnForge<DeletionContext>, preview: ExistingEnvironment, why: string): Promise<void> {
    const { log, record } = this.#settings;
    const { number, address } = preview;
    await keepComment(context.forge, number, commentNameOf(context.owner), undefined);
    await removePreview(context, preview);
    await record.forget({ project: address.names[0] ?? "", number });
    this.#states.comments.delete(number);
    this.#states.health.delete(number);
    log.info({ preview: formatReference(address.names) }, `the preview is deleted, because ${why}`);
  }

  async #end(context: OnForge, preview: ExistingEnvironment, listed: PullRequest | undefined): Promise<void> {
    const { log, record } = this.#settings;
    const { forge, policy, run } = context;
    const { number, address } = preview;
    if (ownershipOf(preview, context.owner) === "unfinished")
      return this.#remove(context, preview, "its clone was not completed");
    // A list may lag behind; only the pull request itself says that it is over.
    const request = listed ?? (await forge.pullRequest(number));
    if (!request) throw new PreviewError(`the pull request ${number} of a preview cannot be found`);
    if (!isDesired(request, policy)) await this.#remove(context, preview, "its pull request is closed");
    else if (isOver(preview, run.client.serverTime)) {
      if (!clocksAgree(run.client.serverAhead)) throw new PreviewError(clocksDiffer);
      const ended = endedText(address.names, request.head.commit);
      await keepComment(forge, number, commentNameOf(context.owner), ended);
      await removePreview(context, preview);
      await record.forget({ project: policy.from[0], number });
      this.#states.comments.set(number, { ended: request.head.commit });
      log.info({ preview: previewName(number) }, "the preview is deleted, because it has expired");
    }
  }

  async #bringUpToDate(context: OnForge, request: PullRequest): Promise<void> {
    const { log, record } = this.#settings;
    const { forge, policy, run } = context;
    const { number, head } = request;
    const [project] = policy.from;
    const memory = await this.#memoryOf(forge, number);
    if (memory.ended === head.commit) return;
    const names = [project, previewName(number)];
    const before = await existingPreview(context.run, context.organization, context.policy.from[0], number);
    this.#states.health.delete(number);
    if (before && memory.deployed === head.commit) return this.#readHealth(context, before);

    const refresh = async () => {
      const now = await forge.pullRequest(number);
      return now !== undefined && isDesired(now, policy);
    };
    const isStillDesired = async () => {
      if (!(await refresh())) return false;
      // A clone says only after its end that it is a preview.
      if (!before) await record.keep({ project, number, requested: run.client.serverTime });
      return true;
    };
    const { did, changed } = await makePreview(context, { number, ...head }, isStillDesired);
    if (did === "declined") return;
    const preview = await existingPreview(context.run, context.organization, context.policy.from[0], number);
    if (!preview) throw new PreviewError(`the preview ${previewName(number)} has disappeared`);
    await record.keep({ project, number });
    if (!(await refresh())) return this.#remove(context, preview, "its pull request was closed meanwhile");
    const named = policy.services.map(({ slug, name }) => serviceKey(slug, name));
    // Of one that was deployed before, only what the commit concerns.
    const isKnown = before !== undefined && memory.deployed !== undefined;
    await deployPreview(context, number, isKnown ? new Set([...changed, ...named]) : undefined);
    const links = await linksOfPreview(context, number);
    const text = previewText(names, head.commit, links, endIn(preview));
    await keepComment(forge, number, commentNameOf(context.owner), text);
    this.#states.comments.set(number, { deployed: head.commit });
    await this.#readHealth(context, preview);
    const done =
      did === "created" ? "the preview is created and deployed" : "the preview is deployed for a new commit";
    log.info({ preview: names.join("/"), commit: head.commit }, done);
  }

  /** Reads the health of the services of a preview. An error of the API does not fail the preview: its health stays unknown. */
  async #readHealth(context: OnForge, preview: ExistingEnvironment): Promise<void> {
    const health = await healthIn(context, preview, this.#settings.slowAfter).catch((error: unknown) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    });
    if (health) this.#states.health.set(preview.number, health);
  }

  async #memoryOf(forge: Forge, number: number): Promise<CommentMemory> {
    const known = this.#states.comments.get(number);
    if (known) return known;
    const [comment] = await findMarked(forge, number, commentNameOf(this.#settings.owner));
    const read = comment ? memoryIn(comment.body) : {};
    this.#states.comments.set(number, read);
    return read;
  }

  /** Does something for one pull request. A failure is reported once, and tried again after a pause that grows. */
  async #guarded(
    { forge, owner }: OnForge<DeletionContext>,
    project: string,
    number: number,
    request: PullRequest | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    const { clock, log } = this.#settings;
    const commit = request?.head.commit ?? "";
    if (this.#states.isPaused(number, commit, clock.now())) return;
    try {
      await work();
      this.#states.succeeded(number);
    } catch (error) {
      const { reason, isNews, isBusy, isShortage } = this.#states.failed(number, commit, error, clock.now());
      if (!isNews) return;
      const preview = previewName(number);
      if (isBusy) return log.debug({ preview, reason }, "the preview is being deployed; trying again later");
      log.warn({ preview, reason }, "the preview differs from its policy; trying again later");
      if (!request || isShortage) return;
      const text = failedText([project, preview], reason);
      await keepComment(forge, number, commentNameOf(owner), text).catch(() => undefined);
      this.#states.comments.delete(number);
    }
  }
}

function isDesired({ state, isFork, labels }: PullRequest, { label }: PreviewPolicy): boolean {
  return state === "open" && !isFork && labels.includes(label);
}
