// Writes the former names of objects into the files that declare them. Nothing else of a text changes, not even its layout,
// because a person reads the result as a patch.
import { isMap, isScalar, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { namingFields } from '../kinds/identity/identity.ts';
import type { KindTable } from '../kinds/kind.ts';
import { spanText } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import type { SuggestedRename } from '../model/suggestedRename.ts';
import type { Insertion } from '../model/text/insertions.ts';
import { literally } from '../model/text/literalText.ts';
import { jsonString, quoted } from '../model/text/visible.ts';
import { withoutReturns } from '../model/text/withoutReturns.ts';
import { nameInYaml } from '../model/text/yamlText.ts';
import { type EachEntry, entryOf } from '../source/templates/entryOf.ts';
import type { ExportedFile } from './files.ts';
import { notEditedBecause } from './sharedTexts.ts';
import { keyText } from './yaml/edit.ts';
import { type EditedFile, edited } from './yaml/textEdit.ts';

/** A former name, and the text that declares it. */
export interface FormerName {
  readonly rename: SuggestedRename;
  readonly file: string;
  readonly insertion: Insertion;
}

/** A former name that a person must write, and why. */
export interface UnwrittenName {
  readonly rename: SuggestedRename;
  readonly because: string;
  /** The entry that must contain it, if several objects come from one text. */
  readonly entry?: EachEntry | undefined;
}

/** The files that may change, and all objects that they declare. */
export interface Declaring {
  readonly files: readonly ExportedFile[];
  readonly desired: readonly Desired[];
  readonly kinds: KindTable;
}

/** The former names that can be written into the text of their object alone, and those that a person must write. */
export function formerNames(
  renames: readonly SuggestedRename[],
  { files, desired, kinds }: Declaring,
): { readonly written: readonly FormerName[]; readonly unwritten: readonly UnwrittenName[] } {
  const texts = new Map(files.map(file => [file.file, file]));
  const open = new Map<string, EditedFile>();
  const openedAt = (file: ExportedFile): EditedFile => {
    const known = open.get(file.file) ?? edited(file.text);
    open.set(file.file, known);
    return known;
  };
  const owners = Map.groupBy(desired, ({ at }) => spanText(at));
  const written: FormerName[] = [];
  const unwritten: UnwrittenName[] = [];
  for (const rename of renames) {
    const { at } = rename;
    const file = texts.get(at.file);
    const isShared = (owners.get(spanText(at))?.length ?? 0) > 1;
    const because = unwrittenBecause(rename, file, isShared);
    const found = because ?? insertionInto(file as ExportedFile, openedAt, rename, kinds);
    if (typeof found === 'string') {
      const entry = isShared ? entryOf(at, files) : undefined;
      unwritten.push({ rename, because: found, entry });
    }
    if (typeof found !== 'string') written.push({ rename, file: at.file, insertion: found });
  }
  return { written, unwritten };
}

// The metadata of sops, whose checksum covers the whole text.
const ENCRYPTED = /^\s*"?sops"?\s*:/m;

function unwrittenBecause(
  { at, isDeclared, former }: SuggestedRename,
  file: ExportedFile | undefined,
  isShared: boolean,
): string | undefined {
  const shared = notEditedBecause(at);
  if (shared !== undefined) return shared.because;
  if (file === undefined) return 'it is in another layer';
  if (isShared) return 'several objects are made from it';
  if (ENCRYPTED.test(file.text)) return 'it is in an encrypted file, which has a checksum';
  return isDeclared ? `first remove the entry that deletes ${former}` : undefined;
}

function insertionInto(
  file: ExportedFile,
  open: (file: ExportedFile) => EditedFile,
  { at, kind, entry }: SuggestedRename,
  kinds: KindTable,
): Insertion | string {
  const map = open(file).mapAt(at);
  if (map === undefined) return 'it is written as an alias';
  if (isUsed(map.anchor, file)) return 'it is anchored, and used elsewhere';
  const declared = kinds.get(kind);
  const [naming] = declared ? namingFields(declared) : [];
  const pairOf = (key: string) => map.items.find(pair => keyText(pair) === key);
  const name = pairOf(naming ?? '');
  const lifecycle = pairOf('lifecycle');
  const text = withoutReturns(file.text);
  if (lifecycle !== undefined) return intoLifecycle(lifecycle, entry, { ...file, text });
  if (!isScalar(name?.key) || !isScalar(name.value))
    return 'the object does not contain its name as text';
  return afterName(map, { key: name.key, value: name.value }, { entry, text });
}

// Whether an alias may name the anchor. Text that only looks like the alias counts too: then a person writes the entry.
const isUsed = (anchor: string | undefined, { text }: ExportedFile): boolean =>
  anchor !== undefined && text.includes(`*${anchor}`);

type Entry = SuggestedRename['entry'];

const entryText = ({ name, value }: Entry, isJson: boolean): string =>
  isJson ? `"${name}": ${jsonString(literally(value))}` : `${name}: ${nameInYaml(value)}`;

function afterName(
  map: YAMLMap,
  { key, value }: { readonly key: Scalar; readonly value: Scalar },
  { entry, text }: { readonly entry: Entry; readonly text: string },
): Insertion | string {
  const [start] = key.range ?? [];
  const [, end] = value.range ?? [];
  if (start === undefined || end === undefined)
    return 'the object does not contain its name as text';
  if (map.flow) {
    const isJson = key.type === 'QUOTE_DOUBLE';
    const word = isJson ? '"lifecycle"' : 'lifecycle';
    return { offset: end, text: `, ${word}: { ${entryText(entry, isJson)} }` };
  }
  if (value.type === 'BLOCK_LITERAL' || value.type === 'BLOCK_FOLDED')
    return 'its name is written over several lines';
  const column = columnIn(text, start);
  const lineEnd = text.indexOf('\n', end);
  const line = `\n${' '.repeat(column)}lifecycle: { ${entryText(entry, false)} }`;
  return { offset: lineEnd < 0 ? text.length : lineEnd, text: line };
}

/** The settings beside which a former name has no effect, or a different one. */
const OTHERS: ReadonlySet<string> = new Set(['id', 'was', 'delete']);

function intoLifecycle(
  { value }: Pair<unknown, unknown>,
  entry: Entry,
  file: ExportedFile,
): Insertion | string {
  if (!isMap(value) || isUsed(value.anchor, file) || !value.range)
    return 'its `lifecycle` is written as an alias, or used elsewhere';
  const other = value.items.map(keyText).find(key => OTHERS.has(key));
  if (other !== undefined) return `its \`lifecycle\` has ${quoted(other)}`;
  const [first] = value.items;
  if (first === undefined)
    return { offset: value.range[0] + 1, text: ` ${entryText(entry, false)} ` };
  if (!isScalar(first.key) || !first.key.range) return 'its `lifecycle` is written as an alias';
  const [offset] = first.key.range;
  if (value.flow) {
    const isJson = first.key.type === 'QUOTE_DOUBLE';
    return { offset, text: `${entryText(entry, isJson)}, ` };
  }
  const indent = ' '.repeat(columnIn(file.text, offset));
  return { offset, text: `${entryText(entry, false)}\n${indent}` };
}

const columnIn = (text: string, offset: number): number =>
  offset - (text.lastIndexOf('\n', offset - 1) + 1);
