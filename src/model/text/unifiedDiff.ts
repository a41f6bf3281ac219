// The difference of two texts as a patch that `git apply` reads.
import { formatPatch, INCLUDE_HEADERS, structuredPatch } from 'diff';

/** The number of unchanged lines around each change, by which tools find its place. */
const CONTEXT = 3;

/**
 * The patch of one file; empty if the texts are equal. `path` is relative to the folder in which the patch is applied, and has
 * slashes.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const names = [`a/${path}`, `b/${path}`] as const;
  const patch = structuredPatch(...names, before, after, undefined, undefined, {
    context: CONTEXT,
  });
  return formatPatch({ ...patch, isGit: true }, INCLUDE_HEADERS);
}
