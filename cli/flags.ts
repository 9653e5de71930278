import type { SettingFlags } from "./settings/names.ts";

export interface SourceFlags extends SettingFlags {
  /** `NAME=VALUE`. */
  var?: string[] | undefined;
  varFile?: string[] | undefined;
  /** `ADDRESS:FIELD=VALUE`. */
  set?: string[];
  /** Whether every environment of the settings file is meant. */
  all?: boolean;
}

export interface PlanFlags extends SourceFlags {
  target?: string[];
  prune?: boolean;
  allowReplace?: string[];
  allowInfrastructure?: boolean;
  confirm?: string[];
  rotateSecrets?: string[];
}

/** The flag that skips the confirmation: `--yes` or `--auto-approve`. */
export interface ConsentFlags {
  autoApprove?: boolean;
  /** Whether the plan is only shown. */
  dryRun?: boolean;
  /** The file that gets the values that the API shows once. */
  secretsOut?: string;
  /** Whether commands that manifests name as sources of secrets may be run. */
  allowCommands?: boolean;
}
