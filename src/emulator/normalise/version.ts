// Versions of programs and kernels (facts §5.7). They are kept as written; only whether they are one is asked.

const VERSION = /^v?\d+(\.\d+)*(-?[0-9a-z~-]+(\.[0-9a-z~-]+)*)?(\+[0-9a-z~-]+(\.[0-9a-z~-]+)*)?$/i;

/** Whether a text is a version: `1`, `1.2.3`, `v0.28.0-rc1`. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}
