/** The `format` member of a saved plan: what tells it from every other file. */
export const planFormat = "infrasync-plan";
