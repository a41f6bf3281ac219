// What has to be said on the command line before an apply goes on.
import type { HazardCode } from '../model/codes.ts';

/** The flags that accept hazards, each once. One that a place for secrets takes away is better not accepted. */
export function neededFlags(codes: Iterable<HazardCode>): string[] {
  return [...new Set(codes)].map(code =>
    code === 'REVEALS_SECRET' ? '--secrets-to file:PATH' : `--allow ${code}`,
  );
}
