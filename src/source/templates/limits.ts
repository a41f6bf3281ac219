// How much a few lines may become. Without limits, a short file could expand to more than fits into memory.

/** The maximum number of members of one `for_each`. */
export const MOST_OF_ONE = 10_000;

/** The most members that all `for_each` of a run make. */
export const MOST_OF_ALL = 100_000;

/** The most values that templates bring, and that repeated members have: twenty for each of so many objects. */
export const MOST_VALUES = 2_000_000;

/** The most templates that extend each other one after the other: a longer chain is a mistake. */
export const MOST_IN_CHAIN = 100;
