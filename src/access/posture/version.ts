// Versions of agents and systems: numbers separated by dots. A suffix after a hyphen or plus sign is ignored.

/** The numbers of a version; null if the text is not a version. */
export function versionOf(text: string): readonly number[] | null {
  const [, numbers] = /^\s*v?(\d+(?:\.\d+)*)/.exec(text) ?? [];
  return numbers === undefined ? null : numbers.split('.').map(Number);
}

/** The first version anywhere in a text, such as `14.2` in `macOS 14.2`. */
export function versionIn(text: string): readonly number[] | null {
  return versionOf(/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '');
}

/** Whether `version` is at least `least`. Missing numbers count as zero. */
export function isAtLeast(version: readonly number[], least: readonly number[]): boolean {
  for (let at = 0; at < Math.max(version.length, least.length); at++) {
    const difference = (version[at] ?? 0) - (least[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
