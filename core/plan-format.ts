/** The `format` of a plan, saved or shown: it tells the file from every other. */
export const planFormat = "infrasync-plan";

/** The version of that format. It grows when a member is removed or changes its meaning. */
export const planVersion = 3;
