// Limits on the expansion of templates and `for_each`. Without them, a short file could expand to more than fits into memory.

/** The maximum number of members of one `for_each`. */
export const MOST_OF_ONE = 10_000;

/** The maximum number of members that all `for_each` of a run make together. */
export const MOST_OF_ALL = 100_000;

/** The maximum number of values from templates, and of values in repeated members: twenty for each of `MOST_OF_ALL` objects. */
export const MOST_VALUES = 2_000_000;

/** The maximum number of characters in texts that `for_each` fills in: five hundred for each of `MOST_OF_ALL` objects. */
export const MOST_CHARACTERS = 50_000_000;

/** The maximum number of templates in a chain, each of which extends the next. A longer chain is a mistake. */
export const MOST_IN_CHAIN = 100;
