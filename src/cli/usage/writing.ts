// Writes edits into the files of a folder. Before that, a second reading of the new files shows
// that they change exactly what was intended.
import { relative, resolve } from 'node:path';
import equal from 'fast-deep-equal';
import { stateAfterEdits } from '../../access/narrow/stateAfterEdits.ts';
import type { ExportedFile } from '../../export/files.ts';
import { type UnwrittenEdit, withEdits, withVariables } from '../../export/narrowedFiles.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import { addAll } from '../../model/text/longLists.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { withTexts } from '../../pipeline/loading/filesOfRun.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { readFolder } from '../../read/files/folder.ts';
import { writeAll } from '../../read/files/writeFiles.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { refusedPlace } from '../refusedPlace.ts';
import { Stop } from '../stop.ts';

/** The files that change, and the edits that are not written. */
export interface WrittenFiles {
  readonly files: readonly ExportedFile[];
  readonly unwritten: readonly UnwrittenEdit[];
}

interface Writing {
  readonly tools: Schemas;
  readonly path: string;
  readonly state: DesiredState;
  /** The files whose text in `state` differs from the text on disk. */
  readonly instead?: readonly ExportedFile[];
  /** Reads the desired state as if these files had been written. */
  readonly read: (instead: readonly ExportedFile[]) => Promise<DesiredState>;
  /** Returns whether a part of the edits is as harmless as all edits together. */
  readonly isSafe: (edits: readonly ObjectEdit[]) => boolean;
}

const filesAt = (path: string, { project }: Pick<DesiredState, 'project'>, io: Io) =>
  readFolder(
    resolve(io.cwd, path),
    { projectFile: PROJECT_FILE, exclude: project.exclude ?? [] },
    file => relative(io.cwd, file) || '.',
  );

/** The objects in the files at `path` whose text contains a variable, as `kind key`. */
export async function objectsWithVariables(
  path: string,
  state: DesiredState,
  io: Io,
): Promise<ReadonlySet<string>> {
  const { files } = await filesAt(path, state, io);
  return withVariables(files, state.desired);
}

/** Returns the files with these edits. Edits that would change the meaning of anything else are left out. */
export async function writtenEdits(
  edits: readonly ObjectEdit[],
  { tools: { kinds }, path, state, instead = [], read, isSafe }: Writing,
  io: Io,
): Promise<WrittenFiles> {
  const { desired } = state;
  const onDisk = await filesAt(path, state, io);
  const { files } = withTexts(onDisk, instead);
  const unwritten: UnwrittenEdit[] = [];
  for (let left = edits; ; ) {
    const result = withEdits(left, { files, desired, kinds });
    addAll(unwritten, result.unwritten);
    const refused = new Set(result.unwritten.map(({ edit }) => edit));
    left = left.filter(edit => !refused.has(edit));
    if (left.length === 0) return { files: [], unwritten };
    if (refused.size > 0) continue;
    const after = await read(withLaterFiles(instead, result.files));
    const wrong = hasErrors(after.diagnostics)
      ? new Set(left)
      : differing(left, stateAfterEdits(desired, left), after.desired, kinds);
    if (wrong.size === 0 && isSafe(left)) return { files: result.files, unwritten };
    const because = wrong.size > 0 ? 'the file would mean something else' : 'it needs another edit';
    const out = wrong.size > 0 ? wrong : new Set(left);
    addAll(
      unwritten,
      left.filter(edit => out.has(edit)).map(edit => unwrittenOf(edit, because)),
    );
    left = left.filter(edit => !out.has(edit));
  }
}

/** Joins changed files with files that were changed after them. The later text counts. */
export function withLaterFiles(
  earlier: readonly ExportedFile[],
  later: readonly ExportedFile[],
): readonly ExportedFile[] {
  return [...new Map([...earlier, ...later].map(one => [one.file, one])).values()];
}

const unwrittenOf = (edit: ObjectEdit, because: string): UnwrittenEdit => ({
  edit,
  at: edit.object.at,
  because,
});

// The edits of objects that the new files declare differently than intended; all edits if another
// object differs.
function differing(
  edits: readonly ObjectEdit[],
  expected: readonly Desired[],
  found: readonly Desired[],
  kinds: KindTable,
): ReadonlySet<ObjectEdit> {
  const nameOf = ({ kind, key }: Desired) => addressOf(kind, key);
  // Sorts sets before the comparison, because their order has no meaning, and a file keeps its own order.
  const meant = ({ kind, fields }: Desired) => {
    const shape = kinds.get(kind)?.shape;
    return shape ? canonicalFields(shape, fields, 'desired') : fields;
  };
  const was = new Map(expected.map(object => [nameOf(object), meant(object)]));
  const is = new Map(found.map(object => [nameOf(object), meant(object)]));
  const names = new Set([...was.keys(), ...is.keys()]);
  const differs = new Set([...names].filter(name => !equal(was.get(name), is.get(name))));
  if (differs.size === 0) return new Set();
  const own = edits.filter(({ object }) => differs.has(nameOf(object)));
  const known = new Set(own.map(({ object }) => nameOf(object)));
  return new Set([...differs].every(name => known.has(name)) ? own : edits);
}

/** Writes the files: all of them or none. */
export async function writeFiles(files: readonly ExportedFile[], io: Io): Promise<void> {
  try {
    await writeAll(files.map(({ file, text }) => ({ path: resolve(io.cwd, file), text })));
  } catch (error) {
    const message = `nothing was written: ${reasonOf(error)}`;
    const hint = 'free disk space or allow writing there';
    throw refusedPlace(message, error) ?? new Stop(EXIT.failed, message, hint);
  }
}
