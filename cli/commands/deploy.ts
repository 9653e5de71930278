import type { Version } from "../../core/deployments/index.ts";
import type { Command } from "./command.ts";
import { declareOperation, type OperationCommandFlags, runOperation } from "./operation.ts";

interface Flags extends OperationCommandFlags {
  imageTag?: string;
  commit?: string;
}

/** `infrasync deploy`. */
export const deploy: Command<[patterns: string[]], Flags> = {
  name: "deploy",
  description: "Deploy environments or services; those of one environment with one request.",
  examples: [
    "deploy shop/production --wait",
    "deploy job:shop/production/migrate application:shop/production/api",
    "deploy 'container:shop/staging/*' --image-tag 1.5.0 --wait",
  ],

  declare(line) {
    line
      .option("--image-tag <tag>", "image tag that the services are to run; they must run an image")
      .option("--commit <id>", "commit that the services are to run; they must come from a git repository");
    declareOperation(line, "deploy");
  },

  run({ args: [patterns], flags, console }) {
    const { imageTag, commit } = flags;
    const version: Version = {
      ...(imageTag !== undefined && { image_tag: imageTag }),
      ...(commit !== undefined && { git_commit_id: commit }),
    };
    return runOperation("deploy", patterns, flags, console, version);
  },
};
