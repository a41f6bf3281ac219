// Writes edits of single objects and items into the files that declare them. Only the object's own text changes. An edit of a
// text that comes from a template, another layer or an alias is not written, but reported.
import type { YAMLMap } from 'yaml';
import type { KindTable, Shape } from '../kinds/kind.ts';
import { acceptableItems } from '../model/acceptableItems.ts';
import { type Span, spanText } from '../model/diagnostic.ts';
import type { Desired } from '../model/object.ts';
import type { ObjectEdit } from '../model/objectEdit.ts';
import { pointer } from '../model/text/pointer.ts';
import type { Path } from '../model/value.ts';
import type { ExportedFile } from './files.ts';
import { notEditedBecause } from './sharedTexts.ts';
import { setField } from './yaml/edit.ts';
import { type EditedFile, edited } from './yaml/textEdit.ts';

/** An edit that cannot be written, and the reason. */
export interface UnwrittenEdit {
  readonly edit: ObjectEdit;
  readonly at: Span;
  readonly because: string;
}

/** The changed files, and the edits that are not in them. */
export interface WrittenEdits {
  readonly files: readonly ExportedFile[];
  readonly unwritten: readonly UnwrittenEdit[];
}

/** What edits are written into. */
interface Edited {
  readonly files: readonly ExportedFile[];
  readonly desired: readonly Desired[];
  readonly kinds: KindTable;
}

/**
 * Writes edits into `files`, the files that may change. `desired` are all objects that the files declare. An edit that fails is
 * not written, and does not affect the other edits.
 */
export function withEdits(edits: readonly ObjectEdit[], into: Edited): WrittenEdits {
  const results: WrittenEdits[] = [];
  const failures = new Map<ObjectEdit, unknown>();
  const isWritable = (some: readonly ObjectEdit[]): boolean => {
    try {
      results.push(writtenTogether(some, into));
      return true;
    } catch (error) {
      const edit = some.at(-1);
      if (edit) failures.set(edit, error);
      return false;
    }
  };
  const writable = acceptableItems(edits, isWritable);
  // Each attempt that succeeds has all edits of those before it.
  const { files, unwritten } = results.at(-1) ?? writtenTogether([], into);
  const failed = edits.filter(edit => !writable.includes(edit));
  return {
    files,
    unwritten: [
      ...unwritten,
      ...failed.map(edit => ({
        edit,
        at: placeOf(edit),
        because: `the file cannot be edited there: ${reasonOf(failures.get(edit))}`,
      })),
    ],
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

function writtenTogether(
  edits: readonly ObjectEdit[],
  { files, desired, kinds }: Edited,
): WrittenEdits {
  const texts = new Map(files.map(({ file, text }) => [file, edited(text)]));
  const owners = Map.groupBy(desired, ({ at }) => spanText(at));
  const isShared = ({ at }: Desired): boolean => (owners.get(spanText(at))?.length ?? 0) > 1;
  const touched = new Set<string>();
  const unwritten: UnwrittenEdit[] = [];
  // Items are removed after the other edits of their list, because the position of an item is its position in the text as it was
  // read.
  for (const edit of edits) {
    const at = placeOf(edit);
    const because = writeOne(edit, { at, isShared: isShared(edit.object), texts, kinds });
    if (because === undefined) touched.add(at.file);
    else unwritten.push({ edit, at, because });
  }
  return {
    files: files.flatMap(({ file, text }) => {
      const now = touched.has(file) ? texts.get(file)?.text() : undefined;
      return now === undefined || now === text ? [] : [{ file, text: now }];
    }),
    unwritten,
  };
}

/** Where an edit is written. */
const placeOf = ({ object, path }: Pick<ObjectEdit, 'object' | 'path'>): Span =>
  object.spans[pointer(path)] ?? object.at;

interface Writing {
  readonly at: Span;
  readonly isShared: boolean;
  readonly texts: ReadonlyMap<string, EditedFile>;
  readonly kinds: KindTable;
}

const NOT_REMOVED = {
  removed: undefined,
  alias: 'it is written as an alias',
  anchored: 'it is anchored, and used elsewhere',
} as const;

// Writes an edit. Returns why it cannot be written; undefined if it was.
function writeOne(
  { object, path, fields }: ObjectEdit,
  { at, isShared, texts, kinds }: Writing,
): string | undefined {
  const shared = notEditedBecause(at) ?? notEditedBecause(object.at);
  if (shared !== undefined) return shared.because;
  if (isShared) return 'several objects are made from it';
  const text = texts.get(at.file);
  if (!text) return 'it is in another layer';
  const map = text.mapAt(at);
  if (!map) return NOT_REMOVED.alias;
  if (hasVariables(map))
    return 'it contains a variable, which may have another value in another run';
  if (fields === undefined) return NOT_REMOVED[text.remove(at)];
  const shape = shapeAt(kinds.get(object.kind)?.shape, path);
  const known = shape?.type === 'object' ? shape.fields : new Map<string, never>();
  const names = Object.keys(fields);
  const foreign = names.find(name => isForeign(object.spans[pointer([...path, name])], at));
  if (foreign !== undefined) return `${foreign} comes from a template or another layer`;
  const order = [...known.keys()];
  const missed = names.filter(
    name =>
      setField(map, { name, order, shape: known.get(name)?.shape }, fields[name]) === 'anchored',
  );
  return missed.length > 0 ? `${missed.join(', ')} is anchored, and used elsewhere` : undefined;
}

const hasVariables = (map: YAMLMap): boolean => /\$\{/.test(JSON.stringify(map.toJSON() ?? null));

/**
 * The objects whose text contains a variable, as `kind key`: with another value of the variable, they may mean something else.
 */
export function withVariables(
  files: readonly ExportedFile[],
  desired: readonly Desired[],
): ReadonlySet<string> {
  const texts = new Map(
    files.flatMap(({ file, text }) => (text.includes('${') ? [[file, edited(text)] as const] : [])),
  );
  const found = desired.filter(({ at }) => {
    const map = texts.get(at.file)?.mapAt(at);
    return map !== undefined && hasVariables(map);
  });
  return new Set(found.map(({ kind, key }) => `${kind} ${key}`));
}

// Whether a text is written elsewhere than its object.
const isForeign = (span: Span | undefined, at: Span): boolean =>
  span !== undefined && (span.use !== undefined || span.file !== at.file);

function shapeAt(shape: Shape | undefined, path: Path): Shape | undefined {
  const [name, , ...rest] = path;
  if (name === undefined || shape?.type !== 'object') return shape;
  const list = shape.fields.get(name)?.shape;
  return list?.type === 'list' ? shapeAt(list.items, rest) : undefined;
}
