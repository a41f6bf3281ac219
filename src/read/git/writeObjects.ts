// Writes git objects. `git commit-tree` and `git commit` are not used, because they need the name of a person and read the clock.
// In the separate folder of a run, each object is written as a file. For the repository of the user, the objects of several commits
// are sent to git at once in a pack, as for a push, and git unpacks them into single objects.
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { quoted } from '../../model/text/visible.ts';
import { reasonOf } from '../files/fileText.ts';
import { fullDiskIn, withFullDisk } from './fullDisk.ts';
import { isKnownCommit, noteCommit } from './knownCommits.ts';
import { looseObject, looseTree, type TreeEntry, writeLoose } from './looseObjects.ts';
import { formatOf, type NewObject, nameOfObject, type ObjectFormat } from './objectNames.ts';
import { type GitPlace, git } from './runGit.ts';

/** A commit to be written. */
export interface NewCommit {
  /** The files by name, each as a text or as the hash of an existing blob. Names have no slash, because there are no folders. */
  readonly files: ReadonlyMap<string, string | { readonly blob: string }>;
  readonly parents: readonly string[];
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
}

/** A commit that was made, but may not be written yet. */
export interface MadeCommit {
  /** Its hash. */
  readonly commit: string;
  /** The commit itself, with the tree and the texts of its files. */
  readonly objects: readonly NewObject[];
}

/** Writes a commit with its files, as `makeCommit` makes it; resolves to its hash. Rejects if git fails. */
export async function writeCommit(place: GitPlace, commit: NewCommit): Promise<string> {
  const made = await makeCommit(place, commit);
  await writeCommits(place, [made]);
  return made.commit;
}

/** Makes a commit with its files, and writes nothing. A parent that is not a commit is left out. Rejects if git fails. */
export async function makeCommit(
  place: GitPlace,
  { files, parents, at, message }: NewCommit,
): Promise<MadeCommit> {
  const format = await formatOf(place, [...parents, ...blobsAmong(files)]);
  const objects: NewObject[] = [];
  const written = (object: NewObject): string => {
    objects.push(object);
    return nameOfObject(object, format);
  };
  const entries = [...files].map(([name, file]): NewEntry => {
    const blob = typeof file === 'string' ? written(blobOf(file)) : file.blob;
    return { name: Buffer.from(name), blob: Buffer.from(blob, 'hex') };
  });
  const tree = written({ type: 'tree', content: treeOf(entries) });
  const followed = await commitsAmong(place, parents);
  const by = `meshform <meshform> ${Math.floor(at / 1000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...followed.map(parent => `parent ${parent}`),
    `author ${by}`,
    `committer ${by}`,
    '',
    message,
    '',
  ];
  const commit = written({ type: 'commit', content: Buffer.from(lines.join('\n')) });
  return { commit, objects };
}

/** Writes all objects of these commits, with at most one process. Rejects if they cannot be written. */
export async function writeCommits(place: GitPlace, made: readonly MadeCommit[]): Promise<void> {
  if (made.length === 0) return;
  const commits = made.map(({ commit }) => commit);
  const objects = made.flatMap(one => one.objects);
  const format = await formatOf(place, commits);
  const { objects: folder = place.host.shared?.objects } = place;
  if (folder !== undefined) await writeEach(folder.path, objects, format);
  else await unpack(place, packOf(objects, format));
  for (const commit of commits) noteCommit(place, commit);
}

const unpack = (place: GitPlace, pack: Buffer): Promise<unknown> =>
  git(place, ['unpack-objects', '-q'], { input: pack }).catch((error: unknown) => {
    throw withFullDisk(error, undefined);
  });

// Writes the objects in their order: a commit after everything that it has, so that no kill leaves half a commit.
async function writeEach(
  folder: string,
  objects: readonly NewObject[],
  format: ObjectFormat,
): Promise<void> {
  try {
    for (const object of objects) await writeLoose(folder, object, format);
  } catch (error) {
    if (fullDiskIn(error) !== null) throw withFullDisk(error, folder);
    throw new Error(
      `the objects of git cannot be written to ${quoted(folder)}: ${reasonOf(error)}`,
    );
  }
}

const blobsAmong = (files: NewCommit['files']): readonly string[] =>
  [...files.values()].flatMap(file => (typeof file === 'string' ? [] : [file.blob]));

const blobOf = (text: string): NewObject => ({ type: 'blob', content: Buffer.from(text) });

/** The hash that the text of a file has as a blob. Rejects if git fails. */
export async function nameOfBlob(
  place: GitPlace,
  text: string,
  others: readonly string[],
): Promise<string> {
  return nameOfObject(blobOf(text), await formatOf(place, others));
}

/** An entry of a new tree. */
interface NewEntry {
  readonly name: Buffer;
  readonly blob: Buffer;
}

// Sorts the entries by the bytes of their names, because git reads no other order.
const treeOf = (entries: readonly NewEntry[]): Buffer =>
  Buffer.concat(
    entries
      .toSorted((one, other) => Buffer.compare(one.name, other.name))
      .flatMap(({ name, blob }) => [Buffer.from('100644 '), name, Buffer.from([0]), blob]),
  );

const TYPES = { commit: 1, tree: 2, blob: 3 } as const;

/** A pack with these objects, in the format of `gitformat-pack`. */
function packOf(objects: readonly NewObject[], format: ObjectFormat): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const all = Buffer.concat([
    head,
    ...objects.flatMap(({ type, content }) => [
      headOf(TYPES[type], content.length),
      deflateSync(content),
    ]),
  ]);
  return Buffer.concat([all, createHash(format).update(all).digest()]);
}

// The type with the lowest four bits of the size, then seven bits of the size per byte, the lowest bits first. Every byte but the
// last has its highest bit set.
function headOf(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128))
    bytes.push(rest % 128);
  return Buffer.from(bytes.map((byte, i) => (i < bytes.length - 1 ? byte | 128 : byte)));
}

// The parents that are commits. Other parents are left out, because anybody who can push may have replaced a commit with another
// object.
async function commitsAmong(
  place: GitPlace,
  parents: readonly string[],
): Promise<readonly string[]> {
  const asked: string[] = [];
  for (const parent of parents) if (!(await isCommitHere(place, parent))) asked.push(parent);
  if (asked.length === 0) return parents;
  const input = asked.map(parent => `${parent}\n`).join('');
  const answer = await git(place, ['cat-file', '--batch-check'], { input });
  const lines = answer.toString('utf8').split('\n');
  for (const [i, parent] of asked.entries())
    if (/ commit \d+$/.test(lines[i] ?? '')) noteCommit(place, parent);
  const others = new Set(asked.filter((_, i) => / (?:blob|tree|tag) \d+$/.test(lines[i] ?? '')));
  return parents.filter(parent => !others.has(parent));
}

// Whether an object is a commit, as far as that is known without git.
async function isCommitHere(place: GitPlace, object: string): Promise<boolean> {
  if (isKnownCommit(place, object)) return true;
  if ((await looseObject(place, object))?.type !== 'commit') return false;
  noteCommit(place, object);
  return true;
}

/**
 * The hashes of the files in a commit without folders, by name; empty if the object is not such a commit. Rejects if git fails.
 */
export async function blobsIn(
  place: GitPlace,
  commit: string,
): Promise<ReadonlyMap<string, string>> {
  const tree = await looseTree(place, commit);
  if (tree !== null) return plainFiles(tree);
  if (await isText(place, commit)) return new Map();
  const listed = await git(place, ['ls-tree', '-z', commit]);
  const files = listed
    .toString('utf8')
    .split('\0')
    .flatMap((line): [string, string][] => {
      const [, blob, name] = /^100644 blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return blob === undefined || name === undefined ? [] : [[name, blob]];
    });
  return new Map(files);
}

/** The hashes of the files among the entries of a tree, by name. */
const plainFiles = (tree: ReadonlyMap<string, TreeEntry>): ReadonlyMap<string, string> =>
  new Map(
    Array.from(tree).flatMap(([name, { mode, object }]) =>
      mode === '100644' && name !== '' ? [[name, object] as const] : [],
    ),
  );

async function isText(place: GitPlace, object: string): Promise<boolean> {
  if (isKnownCommit(place, object)) return false;
  const answer = await git(place, ['cat-file', '--batch-check'], { input: `${object}^{}\n` });
  return / blob \d+\n$/.test(answer.toString('utf8'));
}
