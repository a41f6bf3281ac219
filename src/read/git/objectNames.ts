// How git names objects: by a hash of their type, length and content, with the hash function of the repository.
import { createHash } from 'node:crypto';
import type { Environment } from '../environment.ts';
import { repositoryOf } from './repository.ts';
import { type GitPlace, git } from './runGit.ts';

/** A hash function for the names of objects. */
export type ObjectFormat = 'sha1' | 'sha256';

/** An object that is to be written. */
export interface NewObject {
  readonly type: 'blob' | 'commit' | 'tree';
  readonly content: Buffer;
}

/** The name of an object in a repository of this format. */
export const nameOfObject = (object: NewObject, format: ObjectFormat): string =>
  createHash(format).update(wholeOf(object)).digest('hex');

/** An object with its type and length, as git names and stores it. */
export const wholeOf = ({ type, content }: NewObject): Buffer =>
  Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);

/** The hash functions of repositories, by the environment of the run. A repository never changes its hash function. */
const known = new WeakMap<Environment, Map<string, ObjectFormat>>();

/** The hash function of a repository, and the path of its object folder from the root of the checkout. Rejects if git fails. */
export async function objectsIn(
  place: GitPlace,
): Promise<{ readonly format: ObjectFormat; readonly path: string }> {
  const args = ['rev-parse', '--show-object-format', '--git-path', 'objects'];
  const answer = (await git(place, args)).toString('utf8');
  const [said = '', path = ''] = answer.split(/\n(.*)\n$/s);
  const format = said === 'sha256' ? 'sha256' : 'sha1';
  const formats = known.get(place.host.env) ?? new Map<string, ObjectFormat>();
  known.set(place.host.env, formats.set(rootOf(place), format));
  return { format, path };
}

/**
 * The hash function of a repository, derived from the length of the first of these whole names of its objects. If none is given,
 * git is asked. Rejects if git fails.
 */
export async function formatOf(place: GitPlace, objects: readonly string[]): Promise<ObjectFormat> {
  const [object] = objects;
  if (object !== undefined) return object.length === 64 ? 'sha256' : 'sha1';
  return known.get(place.host.env)?.get(rootOf(place)) ?? (await objectsIn(place)).format;
}

const rootOf = ({ folder }: GitPlace): string => repositoryOf(folder)?.root ?? folder;
