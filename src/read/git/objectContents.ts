// The contents of git objects.
import { looseBlob } from './looseObjects.ts';
import { type GitPlace, git } from './runGit.ts';

/**
 * The contents of objects; null for an object that the repository does not have. At most one process is started, and none for
 * objects that are files of the separate folder of the run.
 */
export async function contentsOf(
  place: GitPlace,
  objects: readonly string[],
): Promise<readonly (Buffer | null)[]> {
  const loose = new Map<string, Buffer>();
  for (const object of objects) {
    const content = await looseBlob(place, object);
    if (content !== null) loose.set(object, content);
  }
  const others = Array.from(new Set(objects)).filter(object => !loose.has(object));
  const contents = await askGit(place, others);
  const read = new Map(others.map((object, i) => [object, contents[i]]));
  return objects.map(object => loose.get(object) ?? read.get(object) ?? null);
}

async function askGit(
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
