// Versions of programs and kernels. They are stored as written (docs/server-behaviour.md#posture-checks).

const VERSION = /^v?\d+(\.\d+)*(-?[0-9a-z~-]+(\.[0-9a-z~-]+)*)?(\+[0-9a-z~-]+(\.[0-9a-z~-]+)*)?$/i;

/** Whether a text is a version: `1`, `1.2.3`, `v0.28.0-rc1`. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Whether a version is at least another version. A pre-release, such as `1.2-rc1`, is less than its release. */
export function isAtLeast(version: string, least: string): boolean {
  const own = parsed(version);
  const other = parsed(least);
  for (let place = 0; place < Math.max(own.numbers.length, other.numbers.length); place += 1) {
    const difference = (own.numbers[place] ?? 0) - (other.numbers[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return !own.isEarly || other.isEarly;
}

/** The release that a version belongs to: `1.2.3-rc1` belongs to `1.2.3`. */
export function releaseOf(version: string): string {
  return version.replace(/-.*/s, '');
}

function parsed(version: string) {
  const [, numbers = '', rest = ''] = version.match(/^v?(\d+(?:\.\d+)*)(.*)$/i) ?? [];
  return { numbers: numbers.split('.').map(Number), isEarly: /^-?[a-z~]/i.test(rest) };
}
