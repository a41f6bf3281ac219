// The entry of a set for which an object was made: it distinguishes the object from the other objects of the same `for_each`.
import {
  type Document,
  isMap,
  isScalar,
  type Node,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Span } from '../../model/diagnostic.ts';
import { EACH } from '../../model/text/literalText.ts';
import { withoutReturns } from '../../model/text/withoutReturns.ts';

/** An entry of a `for_each`. */
export interface EachEntry {
  /** The name of the entry in the texts of the object: `each`, or the value of `as`. */
  readonly as: string;
  readonly key: string;
  /** The position of the entry; undefined if it is in none of the files. */
  readonly at: Span | undefined;
}

/** A file of the folder. */
interface WrittenFile {
  readonly file: string;
  readonly text: string;
}

/** The entry for which the object at this position was made; undefined for an object that is written out. */
export function entryOf(at: Span, files: readonly WrittenFile[]): EachEntry | undefined {
  const key = at.use?.instances.at(-1);
  if (key === undefined) return undefined;
  const own = files.find(({ file }) => file === at.file);
  const item = own && mapAt(at, own);
  const named = item?.get('as');
  const as = typeof named === 'string' ? named : EACH;
  return { as, key, at: own && placeOf(item?.get('for_each', true), key, own, files) };
}

const documentsIn = ({ text }: WrittenFile): readonly Document[] =>
  [
    ...parseAllDocuments(withoutReturns(text), { uniqueKeys: false, logLevel: 'silent' }),
  ] as readonly Document[];

function mapAt({ line, column }: Span, own: WrittenFile): YAMLMap | undefined {
  const lines = withoutReturns(own.text)
    .split('\n')
    .slice(0, line - 1);
  const offset = lines.reduce((sum, { length }) => sum + length + 1, column - 1);
  let found: YAMLMap | undefined;
  for (const document of documentsIn(own))
    visit(document, {
      Map: (_, map) => {
        if (map.range?.[0] !== offset) return undefined;
        found = map;
        return visit.BREAK;
      },
    });
  return found;
}

function placeOf(
  each: unknown,
  key: string,
  own: WrittenFile,
  files: readonly WrittenFile[],
): Span | undefined {
  if (isMap(each)) return keyAt(each, key, own);
  if (!isScalar(each)) return undefined;
  for (const file of files)
    for (const document of documentsIn(file)) {
      const found = keyAt(document.getIn(['sets', String(each.value)], true), key, file);
      if (found) return found;
    }
  return undefined;
}

function keyAt(set: unknown, key: string, { file, text }: WrittenFile): Span | undefined {
  const pair = isMap(set)
    ? set.items.find(one => isScalar(one.key) && String(one.key.value) === key)
    : undefined;
  const [offset] = (pair?.key as Node | undefined)?.range ?? [];
  if (offset === undefined) return undefined;
  const before = withoutReturns(text).slice(0, offset).split('\n');
  return { file, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
