// Answers the request of a shell for candidates: one per line, ready to insert.
import type { Command } from 'commander';
import { isSourceName, SELECTOR_TYPES } from '../../access/ask/selector.ts';
import { loadContract } from '../../contract/index.ts';
import { fieldNames } from '../../kinds/lookup.ts';
import { readKinds } from '../../kinds/registry.ts';
import { HAZARD_CODES } from '../../model/codes.ts';
import { exactPattern, objectName } from '../../model/objectName.ts';
import { hasHidden } from '../../model/text/visible.ts';
import { filesNamed } from '../flags/paths.ts';
import type { Io } from '../io.ts';
import { bashLine, insertion } from './bashLine.ts';
import { type Candidate, candidates, type NameSources } from './candidates.ts';
import type { Shell } from './scripts.ts';

/**
 * The lines for a shell. bash passes the line up to the cursor and its word-breaking characters,
 * and gets one quoted candidate per line. Other shells pass the words after the name of the
 * program, up to the word at the cursor. They get lines that alternate between a candidate and its
 * description.
 */
export async function completed(
  program: Command,
  shell: Shell,
  given: readonly string[],
  io: Io,
): Promise<readonly string[]> {
  if (shell === 'bash') {
    const [text = '', breaks = ''] = given;
    const line = bashLine(text);
    const { words, current } = line;
    const found = await candidates(program, { words: words.slice(1), current }, namesFor(io));
    return printable(found).flatMap(one => insertion(one.text, line, breaks) ?? []);
  }
  const current = given.at(-1) ?? '';
  const found = await candidates(program, { words: given.slice(0, -1), current }, namesFor(io));
  return printable(found).flatMap(({ text, about = '' }) => [text, about]);
}

// Leaves out names with hidden characters. Such a name looks like another name, and a line feed
// would split it into two candidates.
const printable = (found: readonly Candidate[]): readonly Candidate[] =>
  found.filter(({ text }) => !hasHidden(text));

function namesFor(io: Io): NameSources {
  return {
    kinds: () => [...readKinds().keys()],
    fields: async () => {
      const { wordNames } = await import('../files/explaining.ts');
      return [...fieldNames(readKinds()), ...wordNames()];
    },
    operations: () => loadContract().operations.map(({ id }) => id),
    hazards: () => Object.keys(HAZARD_CODES),
    objects: paths => declaredNames(paths, exactPattern, io),
    sources: async paths => (await declaredNames(paths, objectName, io)).filter(isSourceName),
    destinations: async paths =>
      (await declaredNames(paths, objectName, io)).filter(name =>
        SELECTOR_TYPES.some(type => name.startsWith(`${type}/`)),
      ),
  };
}

// If a file has a mistake, the names of its other objects are still completed.
async function declaredNames(
  paths: readonly string[],
  nameOf: typeof objectName,
  io: Io,
): Promise<readonly string[]> {
  const [{ loadDesired }, { loadSchemas }] = await Promise.all([
    import('../../pipeline/loading/loadDesired.ts'),
    import('../../pipeline/schemas.ts'),
  ]);
  const { loadRequest } = await import('../files/desired.ts');
  const tools = loadSchemas();
  const { path, ...layers } = filesNamed(paths);
  const { desired } = await loadDesired(tools, loadRequest(path, layers, io));
  const names = desired.map(({ kind, key }) =>
    nameOf({ kind, key }, tools.kinds.get(kind)?.depth ?? 1),
  );
  return [...new Set(names)].sort();
}
