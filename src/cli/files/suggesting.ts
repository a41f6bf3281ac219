// `plan --suggest-renames`: prints a patch that declares deletions and creations of a plan as
// renames.
import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import equal from 'fast-deep-equal';
import type { ExportedFile } from '../../export/files.ts';
import { type FormerName, formerNames, type UnwrittenName } from '../../export/formerNames.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { RefusedRename, SuggestedRenames } from '../../model/suggestedRename.ts';
import { inserted } from '../../model/text/insertions.ts';
import { unifiedDiff } from '../../model/text/unifiedDiff.ts';
import { visibleLines } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { readFolder } from '../../read/files/folder.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { renameLines } from '../../report/plan/suggestedRenames.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { SourceFlags } from '../flags/flags.ts';
import { control, type Io, say } from '../io.ts';
import { loadRequest } from './desired.ts';

interface Suggesting {
  readonly tools: Schemas;
  readonly path: string;
  readonly state: DesiredState;
  readonly flags: SourceFlags;
}

/** Writes the patch to stdout, and the renames that are not in it to stderr. */
export async function suggestRenames(
  renames: SuggestedRenames,
  asked: Suggesting,
  io: Io,
): Promise<void> {
  const { tools, path, state } = asked;
  const selection = { projectFile: PROJECT_FILE, exclude: state.project.exclude ?? [] };
  const shownAs = (file: string) => relative(io.cwd, file) || '.';
  const { files } = await readFolder(resolve(io.cwd, path), selection, shownAs);
  const { kinds } = tools;
  const { desired } = state;
  const { written, unwritten } = formerNames(renames.suggested, { files, desired, kinds });
  const placed = inWorkTree(written, path, io);
  const proved = await meant(placed.written, files, asked, io);
  const patches = files.map(({ file, text }) => {
    const own = proved.written.filter(one => one.file === file);
    const insertions = own.map(one => one.insertion);
    return { own, patch: unifiedDiff(placed.pathOf(file), text, inserted(text, insertions)) };
  });
  const changed = patches.filter(({ patch }) => patch !== '');
  const printable = changed.filter(({ patch }) => isPrintable(patch));
  const hidden = changed.filter(one => !printable.includes(one)).flatMap(({ own }) => own);
  // Prints patches unescaped, because a patch must match the file byte for byte. Patches with
  // hidden characters are left out above.
  for (const { patch } of printable) control(io.stdout, patch);
  const report = {
    written: printable.flatMap(({ own }) => own.map(({ rename }) => rename)),
    files: printable.length,
    unwritten: [
      ...unwritten,
      ...placed.unwritten,
      ...proved.unwritten,
      ...unwrittenOf(hidden, 'the lines around it have hidden characters or commands'),
      ...renames.refused.map(refusal),
    ],
    alike: renames.alike,
    unproven: renames.unproven,
  };
  for (const line of renameLines(report)) say(io.stderr, line);
}

const refusal = ({ rename, because }: RefusedRename): UnwrittenName => ({
  rename,
  because: `with this rename the plan would be refused: ${because}`,
});

// Whether a patch may be printed unchanged to a terminal or to the log of a job. Tabs and Windows line ends are harmless.
function isPrintable(patch: string): boolean {
  const text = patch
    .replace(/^([ +-])\uFEFF/m, '$1')
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', ' ');
  return visibleLines(text) === text && !/^.\s*::/m.test(text);
}

interface Placed {
  readonly written: readonly FormerName[];
  readonly unwritten: readonly UnwrittenName[];
}

// Splits renames by whether `git apply` can change their files. In a work tree, `git apply`
// resolves paths from the root of the tree, whatever the current directory; elsewhere, from the
// current directory.
function inWorkTree(
  names: readonly FormerName[],
  path: string,
  io: Io,
): Placed & { readonly pathOf: (file: string) => string } {
  const repository = repositoryOf(resolve(io.cwd, path));
  const root = repository?.root ?? realpathSync(io.cwd);
  const realOf = (file: string) => realpathSync(resolve(io.cwd, file));
  const pathOf = (file: string) => relative(root, realOf(file)).split(sep).join('/');
  const isInside = ({ file }: FormerName) =>
    !pathOf(file).startsWith('../') &&
    (repository === null || repositoryOf(realOf(file))?.root === root);
  const outside = names.filter(one => !isInside(one));
  return {
    pathOf,
    written: names.filter(isInside),
    unwritten: unwrittenOf(outside, 'it is outside the work tree'),
  };
}

const unwrittenOf = (names: readonly FormerName[], because: string): readonly UnwrittenName[] =>
  names.map(({ rename }) => ({ rename, because }));

// Leaves out edits that would change the meaning of anything else. To detect such edits, the edited
// files are read again.
async function meant(
  names: readonly FormerName[],
  files: readonly ExportedFile[],
  { tools, path, flags }: Suggesting,
  io: Io,
): Promise<Placed> {
  if (names.length === 0) return { written: [], unwritten: [] };
  const request = loadRequest(path, flags, io);
  const before = await loadDesired(tools, request);
  const isMeant = async (some: readonly FormerName[]): Promise<boolean> => {
    const instead = files.map(({ file, text }) => {
      const own = some.filter(one => one.file === file).map(one => one.insertion);
      return { file, text: inserted(text, own) };
    });
    const after = await loadDesired(tools, { ...request, instead });
    if (hasErrors(after.diagnostics) && !hasErrors(before.diagnostics)) return false;
    return equal(contentOf(after.desired), contentOf(before.desired, some));
  };
  if (await isMeant(names)) return { written: names, unwritten: [] };
  const written: FormerName[] = [];
  for (const one of names) if (await isMeant([...written, one])) written.push(one);
  const others = names.filter(one => !written.includes(one));
  return { written, unwritten: unwrittenOf(others, 'the file would mean something else') };
}

// The declarations of the files, with the former names added.
function contentOf(desired: readonly Desired[], names: readonly FormerName[] = []) {
  const entries = new Map(
    names.map(({ rename: { kind, key, entry } }) => [addressOf(kind, key), entry]),
  );
  return desired.map(({ kind, key, fields, lifecycle }) => {
    const entry = entries.get(addressOf(kind, key));
    return {
      kind,
      key,
      fields,
      lifecycle: entry ? { ...lifecycle, [entry.name]: entry.value } : lifecycle,
    };
  });
}
