import {
  choice,
  flag,
  list,
  map,
  needed,
  object,
  required,
  text,
  wholeNumber,
  withoutDefault,
} from "../schema/field.ts";

const scaler = object({
  scaler_type: required(text("Type of the KEDA scaler, such as `cpu`.")),
  role: required(choice(["PRIMARY", "SAFETY"], "Role of the scaler.")),
  enabled: flag("Whether it is in use.", { default: true }),
  config_json: map("Configuration of the scaler, as an object."),
  config_yaml: text("Configuration of the scaler, as YAML."),
  trigger_authentication: object("How the scaler authenticates.", {
    name: required(text("Name of the trigger authentication.")),
    config_yaml: text("Configuration, as YAML."),
  }),
});

export const autoscaling = object("Autoscaling by KEDA.", {
  mode: needed(choice(["KEDA"], "Autoscaler.")),
  polling_interval_seconds: withoutDefault(
    wholeNumber("Seconds between checks of the scalers.", { minimum: 0, platformSets: [{ is: 30 }] }),
  ),
  cooldown_period_seconds: withoutDefault(
    wholeNumber("Seconds before scaling down.", { minimum: 0, platformSets: [{ is: 300 }] }),
  ),
  scalers: needed(list(scaler, "Scalers.", { minItems: 1 })),
});
