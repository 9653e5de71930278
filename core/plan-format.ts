/** The `format` of a plan, saved or shown: it tells the file from every other. */
export const planFormat = "infrasync-plan";
