// Patterns of names, in which `*` matches any text. They are not compiled to regular expressions, because these have limits of
// length and time.

/** Returns whether a name consists of these parts, with any text between them. */
export function globOf(parts: readonly string[]): (name: string) => boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return name => name === first;
  return name => {
    if (!name.startsWith(first)) return false;
    let from = first.length;
    for (const part of others) {
      const at = name.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return name.length - last.length >= from && name.endsWith(last);
  };
}
