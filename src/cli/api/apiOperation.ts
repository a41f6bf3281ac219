// Finds the operation that a user names, and summarises its special properties.
import type { Operation } from '../../contract/index.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** The operation with this id. Throws a `Stop` with the closest id if there is none. */
export function operationOrStop(operations: Iterable<Operation>, id: string): Operation {
  const all = new Map([...operations].map(operation => [operation.id, operation]));
  const found = all.get(id);
  if (found !== undefined) return found;
  const hint = didYouMean(id, all.keys()) ?? wayToFind(all.values(), id);
  throw new Stop(EXIT.usage, `unknown operation ${quoted(id)}`, hint);
}

function wayToFind(operations: Iterable<Operation>, word: string): string {
  const isFound = [...operations].some(operation => hasWords(operation, [word]));
  return isFound
    ? `\`meshform api list ${word}\` lists the operations with this word`
    : '`meshform api list` lists all operations';
}

/** Whether an operation contains every word of the filter in its id, method, paths, tag, summary or notes. */
export function hasWords(operation: Operation, words: readonly string[]): boolean {
  const { id, method, path, netbirdPath = '', tag, summary } = operation;
  const parts = [id, method, path, netbirdPath, tag, summary, ...marksOf(operation)];
  const text = parts.join(' ').toLowerCase();
  return words.every(word => text.includes(word.toLowerCase()));
}

/** Labels for an operation with limited availability: the servers that offer it, and the users that may call it. */
export function marksOf(operation: Operation): readonly string[] {
  return [
    ...(operation.isOutside ? ['outside the specification'] : []),
    ...(operation.cloudOnly ? ['cloud only'] : []),
    ...(operation.embeddedIdp ? ['embedded identity provider'] : []),
    ...(operation.public ? ['public'] : []),
  ];
}

/** An operation as a JSON document. */
export function knownOf(operation: Operation): object {
  const { id, method, path, netbirdPath, tag, summary } = operation;
  return {
    id,
    method,
    path,
    ...(netbirdPath === undefined ? {} : { netbird_path: netbirdPath }),
    tag,
    summary,
    cloud_only: operation.cloudOnly,
    embedded_idp: operation.embeddedIdp,
    public: operation.public,
    outside_specification: operation.isOutside,
  };
}
