import { NotFoundError } from "../api/index.ts";
import { writing } from "../api/write-client.ts";
import { formatReference } from "../model/addresses/address.ts";
import {
  type Run,
  isEmpty,
  OperationError,
  outdated,
  type Tries,
  type NextStep,
  write,
  type WritePolicy,
  type WriteWords,
} from "../operations/index.ts";
import { readStatuses, type DeploymentOrder, type OrderRequest, requestsOf } from "./order.ts";
import { startedSince } from "./new-deployment.ts";
import { isIdle, type Statuses } from "../state/live/index.ts";

/** After an unclear outcome, checks twice before the one repetition; if the first request has worked, the server refuses the second. */
const policy: WritePolicy = { resends: 1, checksAtOnce: true, pause: 2_000 };

const words: WriteWords = {
  perhaps: "it may or may not have been started",
  checking: "checking whether the deployment was started",
  gaveUp: (limit) => `its status did not change within ${limit}`,
  busy: (limit) => `another operation has been in progress for ${limit}`,
};

/** Starts the operation of an order, and returns the statuses before. @throws OperationError `busy`, `unclear`, `pending` or `gone` */
export async function startDeployment(context: Run, order: DeploymentOrder): Promise<Statuses> {
  const before = await readStatuses(context, order, context.client);
  if (order.action === "cancel" && isIdle(before.state)) return before;
  const sent = await Promise.allSettled(
    requestsOf(order).map((request) => send(context, order, request, before)),
  );
  // A status that was read before the deployment began does not describe it.
  context.live.forgetStatuses(order.environment.id);
  for (const result of sent) if (result.status === "rejected") throw result.reason;
  return before;
}

async function send(
  context: Run,
  order: DeploymentOrder,
  { path, body, services }: OrderRequest,
  first: Statuses,
): Promise<void> {
  const { client, limits } = context;
  let before = first;
  const check = async ({ isStarted, isPerhapsOurs }: Tries): Promise<NextStep<undefined, true>> => {
    if (!isStarted) return { send: undefined };
    const now = await readStatuses(context, order, client.finishing);
    if (!isPerhapsOurs) {
      // The request was refused: somebody else has started the operation.
      before = now;
      return { send: undefined };
    }
    switch (startedSince(order.action, before, now, services)) {
      case "all":
        return { end: true };
      case "none":
        return { send: undefined };
      case "some":
        throw new OperationError(
          "unclear",
          `${words.perhaps}: an operation has started on some of the services`,
          { remedies: [{ again: "later" }] },
        );
    }
  };
  await write<undefined, true>(context, {
    policy,
    words,
    limit: limits.busy,
    check,
    async send(_body, tries) {
      try {
        if (!isEmpty(await writing(client).post(path, body))) return true;
        tries.isAccepted = true;
        return undefined;
      } catch (cause) {
        if (!(cause instanceof NotFoundError)) throw cause;
        throw outdated(
          "gone",
          `Environment ${formatReference(order.environment.address.names)}, or one of the services, has disappeared meanwhile`,
          cause,
        );
      }
    },
  });
}
