// What has to be said on the command line before an apply goes on.
import type { HazardCode } from '../model/codes.ts';

/** What is said in place of `--allow`. */
const INSTEAD: { readonly [code in HazardCode]?: string } = {
  REVEALS_SECRET: '--secrets-to file:PATH',
  CONFLICT: '--resolve desired|live',
};

/** The flags that accept hazards, each once. One that a place for secrets takes away is better not accepted. */
export function neededFlags(codes: Iterable<HazardCode>): string[] {
  return [...new Set(codes)].map(code => INSTEAD[code] ?? `--allow ${code}`);
}
