// The whole hash of a git object: 40 digits with SHA-1, 64 with SHA-256.

const WHOLE_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Whether a text is a whole hash, and not a short one, a ref or an expression. */
export const isWholeHash = (text: string): boolean => WHOLE_HASH.test(text);
