// Files of a test, tightened: what is found, and the files afterwards.
import { inParts } from '../../../src/engine/scope/parts.ts';
import { withEdits } from '../../../src/export/narrowedFiles.ts';
import type { Dialect } from '../../../src/kinds/traits.ts';
import { afterEdits, withLater } from '../../../src/usage/findings/later.ts';
import type { TightenInput } from '../../../src/usage/findings/tighten.ts';
import { tightened } from '../../../src/usage/findings/tighten.ts';
import { KINDS, loadFiles } from '../../support/files.ts';

type More = Partial<Pick<TightenInput, 'guarded' | 'observed' | 'protect' | 'withVariables'>> & {
  readonly dialect?: Dialect;
};

/** The findings in files, and the files with the edits, which are looked at again until nothing more is written. Throws if files are not valid. */
export function tighten(texts: Readonly<Record<string, string>>, more: More = {}) {
  const first = tightenedOnce(texts, more);
  let { objects, after, accountAfter } = first;
  for (let before = texts; before !== after; ) {
    const { observed } = more;
    const seen = observed && afterEdits(observed, accountAfter);
    const next = tightenedOnce(after, { ...more, ...(seen && { observed: seen }) });
    const isSame = Object.keys(after).every(file => after[file] === next.after[file]);
    before = after;
    if (isSame) break;
    ({ objects } = withLater({ objects, kept: [] }, next));
    ({ after, accountAfter } = next);
  }
  return { ...first, objects, after, accountAfter };
}

function tightenedOnce(texts: Readonly<Record<string, string>>, more: More) {
  const { desired, accessTests, diagnostics } = loadFiles(texts);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const { dialect = 'netbird', guarded = [], ...observed } = more;
  const asKept: TightenInput['asKept'] = objects => inParts(objects, KINDS, dialect);
  const input = { desired, accessTests, kinds: KINDS, asKept, guarded, ...observed };
  const { tightening, edits, accountAfter } = tightened(input);
  const files = Object.entries(texts).map(([file, text]) => ({ file, text }));
  const { files: changed, unwritten } = withEdits(edits, { files, desired, kinds: KINDS });
  const after = { ...texts, ...Object.fromEntries(changed.map(({ file, text }) => [file, text])) };
  return { ...tightening, after, unwritten, accountAfter: accountAfter() };
}

/** What is proposed in one file, one line each. */
export const proposed = ({ objects }: Pick<ReturnType<typeof tighten>, 'objects'>): string[] =>
  objects.flatMap(({ object, findings }) =>
    findings.map(
      ({ what, edit, state }) =>
        `${object.key}${object.rule ? `/${object.rule}` : ''}: ${edit} ${what}: ${state}`,
    ),
  );
