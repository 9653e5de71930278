export { Board } from "./board.ts";
export { KnownCommits } from "./commits.ts";
export { FleetBoard } from "./fleet-board.ts";
export { fleetMetrics } from "./metrics/fleet-metrics.ts";
export { checkedWords, fleetSummary, sourceWords } from "./page/fleet-overview.ts";
export { serveFleetPage } from "./page/fleet-server.ts";
export { doubtWords, slowDatabase, summary, quotaText, uncheckedIn } from "./summary.ts";
export { type Deliveries, type SourceMetrics, sourceMetrics } from "./metrics/source-metrics.ts";
export type { Observer } from "./observer.ts";
export type { PagePeople } from "./page/people.ts";
export { type ServedPage, servePage } from "./page/server.ts";
export {
  answerControl,
  type Control,
  type ControlAnswer,
  controlAnswerIn,
  controlMessage,
  controlledSource,
  passedControl,
  refused,
} from "./control.ts";
export { findSocket, type ServedSocket, serveSocket } from "./socket.ts";
export { suspensionsOf } from "./environment-statuses.ts";
export { activityWords, clockText, previewWords, relative, relativeText } from "./page/words.ts";
export {
  type EnvironmentStatus,
  type EnvironmentSummary,
  type FleetStatus,
  fleetStatusForm,
  type PreviewStatus,
  type ServiceStatus,
  serviceStatusForm,
  type WatchedSource,
} from "./status-form.ts";
