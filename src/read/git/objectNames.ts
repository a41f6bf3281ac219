// How git names objects: by a hash of their type, length and content, with the hash function of the repository.
import { createHash } from 'node:crypto';
import { type GitPlace, git } from './runGit.ts';

/** A hash function for the names of objects. */
export type ObjectFormat = 'sha1' | 'sha256';

/** An object that is to be written. */
export interface NewObject {
  readonly type: 'blob' | 'commit' | 'tree';
  readonly content: Buffer;
}

/** The name of an object in a repository of this format. */
export const nameOfObject = ({ type, content }: NewObject, format: ObjectFormat): string =>
  createHash(format).update(`${type} ${content.length}\0`).update(content).digest('hex');

/**
 * The hash function of a repository: that of objects of it, if one is given by its whole name, otherwise as git says. Rejects if git
 * fails.
 */
export async function formatOf(place: GitPlace, objects: readonly string[]): Promise<ObjectFormat> {
  const [length = await askedLength(place)] = objects.map(name => name.length);
  return length === 64 ? 'sha256' : 'sha1';
}

async function askedLength(place: GitPlace): Promise<number> {
  const answer = await git(place, ['rev-parse', '--show-object-format']);
  return answer.toString('utf8').trim() === 'sha256' ? 64 : 40;
}
