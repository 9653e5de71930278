export { type Budget, BudgetMeter } from "./budget.ts";
export { pagesBeyondFirst } from "./pages.ts";
export { isUsualCut, type Once, type PageQuery, unlessUnable, type Witness } from "./witness.ts";
export { type Client, createClient } from "./client.ts";
export type { Query } from "./requests.ts";
export {
  type Clock,
  clockByServer,
  clocksAgree,
  comesWithin,
  LONGEST_SLEEP,
  systemClock,
  toleratedDifference,
} from "./clock.ts";
export * from "./errors.ts";
export { RequestMeter, type Spent } from "./meter.ts";
export { spentBy } from "./gate.ts";
export type { Entry, Ledger, Settlement, Purpose, QuotaFigure, Spender } from "./ledger.ts";
export type { ListNotes } from "./list-evidence.ts";
export { path } from "./path.ts";
export { proxyFor } from "./proxy.ts";
export { HiddenTexts } from "../redaction/hidden-texts.ts";
export { holdsToken, plainCause, redactor } from "../redaction/redact.ts";
export { betweenOf } from "./obstacle.ts";
export { type PlainRequest, sendOnce } from "./send-once.ts";
export { requestedDelay, requestedTime, failedTry, retryDelay } from "./retry-delay.ts";
export type { PersistentText } from "./server-pages.ts";
export type { SharedReads, SharedReadsUse } from "./shared-reads.ts";
export {
  authorization,
  checkedBaseUrl,
  type ClientSettings,
  type EnvironmentVariables,
  isThisMachine,
  type RequestLogger,
  type Wait,
} from "./settings.ts";
export { type HttpAnswer, createTransport, type NoAnswer } from "./transport.ts";
export { longWait } from "./wait-text.ts";
