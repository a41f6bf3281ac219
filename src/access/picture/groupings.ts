// What the objects of a drawing can be grouped by.

/** By the network that a resource belongs to. */
export const GROUPINGS = ['network'] as const;

export type Grouping = (typeof GROUPINGS)[number];
