import { ApiError, type Clock, clocksAgree } from "../../core/api/index.ts";
import { formatReference } from "../../core/address.ts";
import { nameKey } from "../../core/names.ts";
import type { KeptPreviews } from "./kept.ts";
import { type Forge, keepComment, type PullRequest, findMarked } from "../../adapters/forge/index.ts";
import type { Log } from "../log.ts";
import { previewName, type PreviewPolicy } from "../policy/index.ts";
import {
  type CommentMemory,
  commentName,
  endedText,
  failedText,
  previewText,
  rememberedIn,
} from "./comment.ts";
import { type Existing, existingPreviews, isOurs, isOver } from "./existing.ts";
import type { PreviewRecord, RecordedPreview } from "./record.ts";
import {
  type DeletionContext,
  deployPreview,
  healthIn,
  linksOfPreview,
  makePreview,
  type PreviewContext,
  PreviewError,
  removePreview,
  serviceKey,
} from "./operations.ts";
import { PreviewStates, reasonOf } from "./states.ts";

/** The parts of a keeper. */
export interface KeeperSettings {
  /** The forge, with the token as it is now. */
  forge(): Promise<Forge>;
  /** The branch into which pull requests go. */
  branch: string;
  clock: Clock;
  log: Log;
  /** The requested previews, also those of earlier processes. */
  record: PreviewRecord;
  /** How long a deployment may take, in milliseconds. */
  slowAfter: number;
  /** Is told after each look how the previews stand; default: nobody. */
  watch?: { previewsKept(kept: KeptPreviews): void };
}

/** The context of making or deleting previews, with the forge of their pull requests. */
type OnForge<Context extends DeletionContext = PreviewContext> = Context & { forge: Forge };

const clocksDiffer =
  "its time is over by the clock of the server, which differs by more than an hour from that of this machine; set the clock of this machine";

/** How long a clone that was asked for may take to appear, in milliseconds. */
const longestClone = 3_600_000;

/** Keeps one preview for each open, labelled pull request. */
export class PreviewKeeper {
  readonly #settings: KeeperSettings;
  readonly #states = new PreviewStates();

  constructor(settings: KeeperSettings) {
    this.#settings = settings;
  }

  /**
   * Looks at the pull requests once, and makes, changes and deletes previews. What fails for one leaves the others alone.
   * Never throws.
   */
  async keep(context: PreviewContext): Promise<void> {
    const { branch, log, record } = this.#settings;
    const { policy } = context;
    const [project] = policy.from;
    try {
      await record.open();
      const forge = await this.#settings.forge();
      const open = (await forge.openPullRequests(branch, policy.label)).filter((each) =>
        isWanted(each, policy),
      );
      const isElsewhere = (each: RecordedPreview) => nameKey(each.project) !== nameKey(project);
      await this.#endAll({ ...context, forge }, record.previews.filter(isElsewhere));
      const ours = await this.#known(context, project);
      for (const preview of ours) {
        const request = open.find(({ number }) => number === preview.number);
        await this.#guarded({ ...context, forge }, project, preview.number, request, () =>
          this.#end({ ...context, forge }, preview, request),
        );
      }
      const there = new Set(ours.map(({ number }) => number));
      const first = open.filter(({ number }) => there.has(number));
      const others = open.filter(({ number }) => !there.has(number)).toSorted((a, b) => a.number - b.number);
      const room = Math.max(0, policy.max - first.length);
      const waiting = others.slice(room).map(({ number }) => number);
      if (waiting.length > 0) log.debug({ waiting, max: policy.max }, "more pull requests than previews");
      for (const request of [...first, ...others.slice(0, room)])
        await this.#guarded({ ...context, forge }, project, request.number, request, () =>
          this.#bringUpToDate({ ...context, forge }, request),
        );
      const numbers = new Set([...there, ...[...open, ...record.previews].map(({ number }) => number)]);
      this.#states.forgetFailuresExcept(numbers);
      this.#settings.watch?.previewsKept({
        previews: [
          ...open.map((request) => this.#states.shown(policy, request, waiting)),
          ...this.#states.leftovers(policy, open),
        ],
      });
    } catch (error) {
      const reason = reasonOf(error);
      log.warn({ reason }, "previews cannot be checked; they stay as they are");
      this.#settings.watch?.previewsKept({ failure: reason });
    }
  }

  /**
   * Deletes the previews that were made, and their comments, because the policy has none any more. Never throws.
   */
  async end(context: DeletionContext): Promise<void> {
    const { log, record, watch } = this.#settings;
    try {
      await record.open();
      if (record.previews.length > 0)
        await this.#endAll({ ...context, forge: await this.#settings.forge() }, record.previews);
      watch?.previewsKept({
        previews: record.previews.map(({ project, number }) => this.#states.leftover(project, number)),
      });
    } catch (error) {
      const reason = reasonOf(error);
      log.warn({ reason }, "previews that the policy does not want cannot be deleted");
      watch?.previewsKept({ failure: reason });
    }
  }

  /** Deletes previews that no policy wants. */
  async #endAll(context: OnForge<DeletionContext>, previews: readonly RecordedPreview[]): Promise<void> {
    const projects = new Map(previews.map((each) => [nameKey(each.project), each.project]));
    for (const project of projects.values())
      for (const preview of await this.#known(context, project))
        await this.#guarded(context, project, preview.number, undefined, () =>
          this.#remove(context, preview, "the policy does not want it any more"),
        );
  }

  /**
   * The previews of a project that were made here: those with a mark, and clones that an earlier process has begun. Brings
   * the record up to date with what is there.
   */
  async #known({ run, organization }: DeletionContext, project: string): Promise<Existing[]> {
    const { record } = this.#settings;
    const existing = await existingPreviews(run, organization, project);
    for (const { number } of existing.filter(isOurs)) await record.keep({ project, number });
    for (const recorded of record.previews.filter((each) => nameKey(each.project) === nameKey(project))) {
      const isThere = existing.some(({ number }) => number === recorded.number);
      const mayCome = recorded.asked !== undefined && run.client.serverTime < recorded.asked + longestClone;
      if (!isThere && !mayCome) await record.forget(recorded);
    }
    return existing.filter((each) => isOurs(each) || record.isBegun(each));
  }

  /** Deletes a preview. The comment goes first: as long as the environment is there, the next look continues. */
  async #remove(context: OnForge<DeletionContext>, preview: Existing, why: string): Promise<void> {
    const { log, record } = this.#settings;
    const { number, address } = preview;
    await keepComment(context.forge, number, commentName, undefined);
    await removePreview(context, preview, (each) => record.isBegun(each));
    await record.forget({ project: address.names[0] ?? "", number });
    this.#states.comments.delete(number);
    this.#states.health.delete(number);
    log.info({ preview: formatReference(address.names) }, `the preview is deleted, because ${why}`);
  }

  /** Deletes a preview whose pull request is closed, or whose time is over. */
  async #end(context: OnForge, preview: Existing, listed: PullRequest | undefined): Promise<void> {
    const { log, record } = this.#settings;
    const { forge, policy, run } = context;
    const { number, address } = preview;
    if (record.isBegun(preview)) return this.#remove(context, preview, "its clone was not made to its end");
    // A list may lag behind; only the pull request itself says that it is over.
    const request = listed ?? (await forge.pullRequest(number));
    if (!request) throw new PreviewError(`the pull request ${number} of a preview cannot be found`);
    if (!isWanted(request, policy)) await this.#remove(context, preview, "its pull request is over");
    else if (isOver(preview, run.client.serverTime)) {
      if (!clocksAgree(run.client.serverAhead)) throw new PreviewError(clocksDiffer);
      await keepComment(forge, number, commentName, endedText(address.names, request.head.commit));
      await removePreview(context, preview);
      await record.forget({ project: policy.from[0], number });
      this.#states.comments.set(number, { ended: request.head.commit });
      log.info({ preview: previewName(number) }, "the preview is deleted, because its time is over");
    }
  }

  async #bringUpToDate(context: OnForge, request: PullRequest): Promise<void> {
    const { log, record } = this.#settings;
    const { forge, policy, run } = context;
    const { number, head } = request;
    const [project] = policy.from;
    const remembered = await this.#memoryOf(forge, number);
    if (remembered.ended === head.commit) return;
    const names = [project, previewName(number)];
    const before = await this.#existing(context, number);
    this.#states.health.delete(number);
    if (before && remembered.deployed === head.commit) return this.#readHealth(context, before);

    const look = async () => {
      const now = await forge.pullRequest(number);
      return now !== undefined && isWanted(now, policy);
    };
    const isStillWanted = async () => {
      if (!(await look())) return false;
      // A clone says only after its end that it is a preview.
      if (!before) await record.keep({ project, number, asked: run.client.serverTime });
      return true;
    };
    const { did, changed } = await makePreview(
      context,
      { number, commit: head.commit, branch: head.branch },
      isStillWanted,
    );
    if (did === "declined") return;
    const preview = await this.#existing(context, number);
    if (!preview) throw new PreviewError(`the preview ${previewName(number)} has disappeared`);
    await record.keep({ project, number });
    if (!(await look())) return this.#remove(context, preview, "its pull request was closed meanwhile");
    const named = policy.services.map(({ slug, name }) => serviceKey(slug, name));
    // Of one that was deployed before, only what the commit concerns.
    const isKnown = before !== undefined && remembered.deployed !== undefined;
    await deployPreview(context, number, isKnown ? new Set([...changed, ...named]) : undefined);
    const links = await linksOfPreview(context, number);
    await keepComment(
      forge,
      number,
      commentName,
      previewText(names, head.commit, links, preview.mark?.value),
    );
    this.#states.comments.set(number, { deployed: head.commit });
    await this.#readHealth(context, preview);
    const done =
      did === "created" ? "the preview is made and deployed" : "the preview is deployed for a new commit";
    log.info({ preview: names.join("/"), commit: head.commit }, done);
  }

  /** Reads the health of the services of a preview. An error of the API does not fail the preview: its health stays unknown. */
  async #readHealth(context: OnForge, preview: Existing): Promise<void> {
    const health = await healthIn(context, preview, this.#settings.slowAfter).catch((error: unknown) => {
      if (error instanceof ApiError) return undefined;
      throw error;
    });
    if (health) this.#states.health.set(preview.number, health);
  }

  async #memoryOf(forge: Forge, number: number): Promise<CommentMemory> {
    const known = this.#states.comments.get(number);
    if (known) return known;
    const [comment] = await findMarked(forge, number, commentName);
    const read = comment ? rememberedIn(comment.body) : {};
    this.#states.comments.set(number, read);
    return read;
  }

  async #existing(
    { run, organization, policy }: PreviewContext,
    number: number,
  ): Promise<Existing | undefined> {
    const all = await existingPreviews(run, organization, policy.from[0]);
    return all.find((each) => each.number === number);
  }

  /** Does something for one pull request. A failure is reported once, and tried again after a pause that grows. */
  async #guarded(
    { forge }: OnForge<DeletionContext>,
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
      if (isBusy) {
        log.debug(
          { preview: previewName(number), reason },
          "the preview is being deployed; trying again later",
        );
        return;
      }
      log.warn(
        { preview: previewName(number), reason },
        "the preview is not as it should be; trying again later",
      );
      if (!request || isShortage) return;
      const names = [project, previewName(number)];
      await keepComment(forge, number, commentName, failedText(names, reason)).catch(() => undefined);
      this.#states.comments.delete(number);
    }
  }
}

/** Whether a pull request is one that gets a preview. */
function isWanted({ state, isFork, labels }: PullRequest, { label }: PreviewPolicy): boolean {
  return state === "open" && !isFork && labels.includes(label);
}
