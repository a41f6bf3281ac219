// The contents of git objects.
import { type GitPlace, git } from './runGit.ts';

/** The contents of objects, read with one process; null for an object that the repository does not have. */
export async function contentsOf(
  place: GitPlace,
  objects: readonly string[],
): Promise<readonly (Buffer | null)[]> {
  if (objects.length === 0) return [];
  const input = objects.map(object => `${object}\n`).join('');
  return readBatch(await git(place, ['cat-file', '--batch'], { input }), objects.length);
}

// Parses `<object> blob <size>`, followed by that number of bytes.
function readBatch(answer: Buffer, count: number): (Buffer | null)[] {
  let offset = 0;
  return Array.from({ length: count }, () => {
    const end = answer.indexOf('\n', offset);
    const head = answer.toString('utf8', offset, end);
    const start = end + 1;
    if (head.endsWith(' missing')) {
      offset = start;
      return null;
    }
    const size = Number(head.split(' ').at(-1));
    offset = start + size + 1;
    return / blob \d+$/.test(head) ? answer.subarray(start, start + size) : null;
  });
}
