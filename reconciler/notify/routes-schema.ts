import {
  choice,
  list,
  map,
  object,
  required,
  type DeclaredValue,
  text,
  word,
} from "../../core/model/schema/field.ts";
import { newsTypes, repeatable } from "../journal/index.ts";

/** The schema of the file of notifications. */
export const routesSchema = object("The receivers of notifications.", {
  routes: list(
    object({
      url_file: required(word("The file with the URL that is notified.")),
      secret_file: word("The file with the secret for signatures of messages."),
      format: choice(["slack", "json"], "`slack` or `json`, the default."),
      template: word(
        "For `slack`: the text of each event, with `{text}`, `{event}`, `{environment}`, `{commit}` and `{reasons}`.",
      ),
      environments: list(
        text("PROJECT/ENVIRONMENT, with `*` for anything within a name and `**` for any names.", {
          format: "environments",
        }),
        "The environments whose events it gets; default: all. Events without an environment go to all routes.",
      ),
      events: list(
        choice([...newsTypes], "A state, or something that happens."),
        "The events that it gets; default: all.",
      ),
    }),
    "The receivers, and the events that each gets.",
  ),
  repeat_after: map(
    `After what time a lasting state is notified again, such as \`unhealthy: 4h\`: ${repeatable.map((each) => `\`${each}\``).join(", ")}.`,
    text("A time.", { format: "duration" }),
  ),
});

export type DeclaredNotifications = DeclaredValue<typeof routesSchema>;
