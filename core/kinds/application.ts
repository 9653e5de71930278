import Type from "typebox";
import {
  description,
  dockerfilePath,
  dockerTargetBuildStage,
  gitRepository,
  ports,
  storage,
} from "./fields.ts";
import { completeGitRepository } from "./git.ts";
import { customDomains, variables } from "../parts/index.ts";
import { defineKind } from "./kind.ts";
import { commandFields, service, serviceFields, serviceReports } from "./service.ts";

const scaler = Type.Object(
  {
    scaler_type: Type.String({ description: "Type of the KEDA scaler, such as `cpu`." }),
    role: Type.Enum(["PRIMARY", "SAFETY"], { type: "string", description: "Role of the scaler." }),
    enabled: Type.Optional(Type.Boolean({ description: "Whether it is in use.", default: true })),
    config_json: Type.Optional(
      Type.Object({}, { description: "Configuration of the scaler, as an object.", opaque: true }),
    ),
    config_yaml: Type.Optional(Type.String({ description: "Configuration of the scaler, as YAML." })),
    trigger_authentication: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: "Name of the trigger authentication." }),
          config_yaml: Type.Optional(Type.String({ description: "Its configuration, as YAML." })),
        },
        { additionalProperties: false, description: "How the scaler authenticates." },
      ),
    ),
  },
  { additionalProperties: false },
);

export const application = defineKind({
  name: "Application",
  description: "An application is built from a git repository and kept running.",
  ...service("application"),
  fields: Type.Object(
    {
      description,
      git_repository: Type.Optional({ ...gitRepository, resettable: false }),
      build_mode: Type.Optional(
        Type.Enum(["DOCKER"], { type: "string", description: "How it is built.", default: "DOCKER" }),
      ),
      dockerfile_path: dockerfilePath,
      docker_target_build_stage: dockerTargetBuildStage,
      ...serviceFields("application"),
      min_running_instances: Type.Optional(
        Type.Integer({ description: "Instances that always run.", minimum: 0, default: 1 }),
      ),
      max_running_instances: Type.Optional(
        Type.Integer({ description: "Instances that run at most; -1: no limit.", minimum: -1, default: 1 }),
      ),
      auto_preview: Type.Optional(
        Type.Boolean({
          description:
            "Whether a preview environment is cloned automatically; the environment's value when left out.",
          resettable: false,
        }),
      ),
      ports,
      storage,
      ...commandFields,
      autoscaling: Type.Optional(
        Type.Object(
          {
            mode: Type.Optional(
              Type.Enum(["KEDA"], { type: "string", description: "Autoscaler.", resettable: false }),
            ),
            polling_interval_seconds: Type.Optional(
              Type.Integer({
                description: "Seconds between looks at the scalers.",
                minimum: 0,
                resettable: false,
              }),
            ),
            cooldown_period_seconds: Type.Optional(
              Type.Integer({ description: "Seconds before scaling down.", minimum: 0, resettable: false }),
            ),
            scalers: Type.Optional(
              Type.Array(scaler, { description: "Scalers.", minItems: 1, resettable: false }),
            ),
          },
          { additionalProperties: false, description: "Autoscaling by KEDA.", needs: ["mode", "scalers"] },
        ),
      ),
    },
    { additionalProperties: false, needs: ["git_repository"] },
  ),
  parts: [variables("APPLICATION"), customDomains],
  complete: completeGitRepository,
  reports: serviceReports,
});
