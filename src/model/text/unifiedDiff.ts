// The difference of two texts as a patch that `git apply` reads.
import { formatPatch, INCLUDE_HEADERS, structuredPatch } from 'diff';

/** The number of lines before and after each change, by which the change is found. */
const CONTEXT = 3;

/**
 * The patch of one file; empty if the texts are equal. `path` is the path, with slashes, from the folder in which the patch is
 * applied.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const names = [`a/${path}`, `b/${path}`] as const;
  const patch = structuredPatch(...names, before, after, undefined, undefined, {
    context: CONTEXT,
  });
  return formatPatch({ ...patch, isGit: true }, INCLUDE_HEADERS);
}
