// Rewrites every text in a value: in objects, lists, maps and sets.

/**
 * Returns a function that rewrites every text in a value; values that are not texts stay as they are. An object that occurs twice
 * is rewritten once.
 */
export function rewritingTexts(rewrite: (text: string) => string): <T>(value: T) => T {
  const known = new WeakMap<object, unknown>();
  const rewritten = (value: unknown): unknown => {
    if (typeof value === 'string') return rewrite(value);
    if (typeof value !== 'object' || value === null) return value;
    const made = known.get(value) ?? madeAgain(value);
    known.set(value, made);
    return made;
  };
  const madeAgain = (value: object): unknown => {
    if (Array.isArray(value)) return value.map(rewritten);
    if (value instanceof Map)
      return new Map([...value].map(([key, item]) => [rewritten(key), rewritten(item)]));
    if (value instanceof Set) return new Set([...value].map(rewritten));
    const isPlain = Object.getPrototypeOf(value) === Object.prototype;
    return isPlain
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewritten(item)]))
      : value;
  };
  return <T>(value: T) => rewritten(value) as T;
}
