// Reads and writes objects in the separate folder of a run without starting git. Each object is a file there, in the format of
// `gitformat-loose`: what a run writes, and what git fetches for it. The name of an object is the hash of its content, so whatever
// is read here is what git would read; anything else is left to git.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { inflated } from './brokenObjects.ts';
import { type NewObject, nameOfObject, type ObjectFormat, wholeOf } from './objectNames.ts';
import type { GitPlace } from './runGit.ts';
import { isWholeHash } from './wholeHash.ts';

/** An object of the separate folder, by its whole hash; null if it is not a file there, or not with this hash. */
export async function looseObject(place: GitPlace, name: string): Promise<NewObject | null> {
  const { objects = place.host.shared?.objects } = place;
  if (objects === undefined || !isWholeHash(name)) return null;
  return storedAs(fileOf(objects.path, name), name);
}

const fileOf = (folder: string, name: string): string =>
  join(folder, name.slice(0, 2), name.slice(2));

async function storedAs(file: string, name: string): Promise<NewObject | null> {
  const packed = await readFile(file).catch(() => null);
  return packed === null ? null : objectIn(packed, name);
}

/**
 * Writes an object into a folder of objects, unless the folder has it as a file. Like git by default, it does not wait for the
 * disk: after a power failure, a file that is not what its name says is written again. Rejects if it cannot be written.
 */
export async function writeLoose(
  folder: string,
  object: NewObject,
  format: ObjectFormat,
): Promise<void> {
  const name = nameOfObject(object, format);
  const file = fileOf(folder, name);
  if ((await storedAs(file, name)) !== null) return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // git removes files of this name that a run has left.
  const draft = join(folder, `tmp_obj_${randomUUID()}`);
  try {
    await writeFile(draft, deflateSync(wholeOf(object)), { flag: 'wx', mode: 0o444 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

// `<type> <size>`, a zero byte, and the content, compressed together.
function objectIn(packed: Buffer, name: string): NewObject | null {
  const whole = inflated(packed);
  if (whole === null || whole === 'larger') return null;
  const end = whole.indexOf(0);
  if (end < 0) return null;
  const [type] = whole.toString('latin1', 0, end).split(' ');
  if (type !== 'blob' && type !== 'commit' && type !== 'tree') return null;
  const object = { type, content: whole.subarray(end + 1) } as const;
  return nameOfObject(object, name.length === 64 ? 'sha256' : 'sha1') === name ? object : null;
}

/** An entry of a tree. */
export interface TreeEntry {
  readonly mode: string;
  readonly object: string;
}

/** The tree of a commit, by the names of its entries; null if the folder does not have the commit or the tree. */
export async function looseTree(
  place: GitPlace,
  commit: string,
): Promise<ReadonlyMap<string, TreeEntry> | null> {
  const stored = await looseObject(place, commit);
  if (stored?.type !== 'commit') return null;
  const [, name = ''] = /^tree ([0-9a-f]+)\n/.exec(stored.content.toString('latin1')) ?? [];
  const tree = await looseObject(place, name);
  return tree?.type === 'tree' ? entriesOf(tree.content, name.length / 2) : null;
}

// `<mode> <name>`, a zero byte, and the hash in `length` bytes.
function entriesOf(tree: Buffer, length: number): ReadonlyMap<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; ; ) {
    const end = tree.indexOf(0, at);
    if (end < 0) return entries;
    const [mode = '', ...name] = tree.toString('utf8', at, end).split(' ');
    at = end + 1 + length;
    entries.set(name.join(' '), { mode, object: tree.toString('hex', end + 1, at) });
  }
}

/** The content of a blob, given by its hash, or by the hash of a commit and the name of a file in its root: `commit:name`. */
export async function looseBlob(place: GitPlace, asked: string): Promise<Buffer | null> {
  const [named = '', ...file] = asked.split(':');
  const name =
    file.length === 0 ? named : (await looseTree(place, named))?.get(file.join(':'))?.object;
  const object = name === undefined ? null : await looseObject(place, name);
  return object?.type === 'blob' ? object.content : null;
}
