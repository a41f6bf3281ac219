// The name that an object has between the two steps of a name swap.

/** The name of an object between two halves of a swap, from the one that it will have. A later run knows it again by it. */
export const temporaryName = (name: string): string => `${name}~meshform`;
