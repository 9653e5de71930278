import { type Client, type Clock, createClient, startRun } from "../../../core/index.ts";
import type { DeploymentOrder } from "../../../core/deployments/index.ts";
import { chooseServices, ordersFor } from "../../../core/deployments/index.ts";
import type { DeploymentAction } from "../../../core/deployments/order.ts";
import { parsePattern } from "../../../core/model/addresses/pattern.ts";
import { Harness } from "../../fixtures/harness.ts";

/** A server whose time passes only while the engine waits, and an engine with the same clock. */
export class Course {
  readonly harness: Harness;
  readonly clock: Clock;
  /** The milliseconds that the engine has waited. */
  waited = 0;
  /** Called after each wait. */
  onWait: () => void = () => undefined;

  constructor(harness: Harness) {
    this.harness = harness;
    const start = Date.now();
    this.clock = {
      now: () => start + this.waited,
      random: () => 0,
      sleep: async (milliseconds, signal) => {
        if (signal?.aborted) return;
        this.waited += milliseconds;
        await harness.api("POST", "/_emulator/clock", { advance_ms: Math.ceil(milliseconds) });
        if (milliseconds > 0) this.onWait();
      },
    };
  }

  /** A server on which a deployment takes this number of milliseconds. */
  static async start(deployDelay: number): Promise<Course> {
    return new Course(await Harness.start({ clock: "frozen", behaviour: { deploy_delay_ms: deployDelay } }));
  }

  /** A separate run. */
  context(signal?: AbortSignal, onQuota: "wait" | "fail" = "fail") {
    const { emulator } = this.harness;
    const client: Client = createClient(
      { baseUrl: emulator.url, token: emulator.tokens.admin, onQuota, ...(signal && { signal }) },
      this.clock,
    );
    return startRun(client, { clock: this.clock, limits: { busy: 120_000 }, ...(signal && { signal }) });
  }

  /** The order for the resources that a pattern selects, in one environment. */
  async order(action: DeploymentAction, ...patterns: string[]): Promise<DeploymentOrder> {
    const { organization } = this.harness;
    const choices = await chooseServices(
      this.context(),
      organization,
      patterns.map((text) => parsePattern(text)),
    );
    const [order] = ordersFor(action, choices, {});
    if (!order) throw new Error("nothing is chosen");
    return order;
  }

  /** How many deployments of an environment were started, according to its history. */
  async deployments(environmentId: string): Promise<number> {
    return (await this.harness.results(`/environment/${environmentId}/deploymentHistoryV2`)).length;
  }
}
