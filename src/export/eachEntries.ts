// The entry of a set that an object was made for: what is its own among the objects of one `for_each`.
import { isMap, isScalar, type Node } from 'yaml';
import type { Span } from '../model/diagnostic.ts';
import { EACH } from '../model/text/literalText.ts';
import { withoutReturns } from '../model/text/withoutReturns.ts';
import type { ExportedFile } from './files.ts';
import { keyText } from './yaml/edit.ts';
import { type EditedFile, edited } from './yaml/textEdit.ts';

/** An entry of a `for_each`. */
export interface EachEntry {
  /** The name that the entry has in the texts of the object: `each`, or what `as` says. */
  readonly as: string;
  readonly key: string;
  /** Where the entry is written; undefined if that is in no file of the folder. */
  readonly at: Span | undefined;
}

/** The entry that the object at this place was made for; undefined for an object that is written out. */
export function eachEntry(at: Span, files: readonly ExportedFile[]): EachEntry | undefined {
  const key = at.use?.instances.at(-1);
  if (key === undefined) return undefined;
  const own = files.find(({ file }) => file === at.file);
  const item = own && edited(own.text).mapAt(at);
  const named = item?.get('as');
  const as = typeof named === 'string' ? named : EACH;
  return { as, key, at: own && entryAt(item?.get('for_each', true), key, own, files) };
}

function entryAt(
  each: unknown,
  key: string,
  own: ExportedFile,
  files: readonly ExportedFile[],
): Span | undefined {
  if (isMap(each)) return keyAt(each, key, own);
  if (!isScalar(each)) return undefined;
  const sets = files.flatMap(file =>
    setsIn(edited(file.text), String(each.value)).flatMap(set => keyAt(set, key, file) ?? []),
  );
  return sets[0];
}

const setsIn = ({ documents }: EditedFile, name: string): readonly unknown[] =>
  documents.map(document => document.getIn(['sets', name], true));

function keyAt(set: unknown, key: string, { file, text }: ExportedFile): Span | undefined {
  const pair = isMap(set) ? set.items.find(one => keyText(one) === key) : undefined;
  const [offset] = (pair?.key as Node | undefined)?.range ?? [];
  if (offset === undefined) return undefined;
  const before = withoutReturns(text).slice(0, offset).split('\n');
  return { file, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
