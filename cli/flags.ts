import type { SettingFlags } from "./settings/names.ts";

/** Flags that say what manifests are read with. */
export interface SourceFlags extends SettingFlags {
  /** `NAME=VALUE`. */
  var?: string[];
  varFile?: string[];
}

/** Flags that say what a plan may do, and with what. */
export interface PlanFlags extends SourceFlags {
  target?: string[];
  prune?: boolean;
  allowReplace?: string[];
}

/** The flag that answers the question before it is asked: `--yes` or `--auto-approve`. */
export interface ConsentFlags {
  autoApprove?: boolean;
}
