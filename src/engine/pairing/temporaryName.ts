// The temporary name of an object between the two steps of a name swap.

/** The temporary name, derived from the final name so that a later run recognises the object. */
export const temporaryName = (name: string): string => `${name}~meshform`;
