// Whether the undo of a run was itself undone: then what the run did is in the account again, in part as new objects, and the run
// that brought it back is the one to undo.
import { type LaterRuns, readAll, textsOf, undoingIn } from './overtaken.ts';

/** The run that brought back what a run did, and that nobody has undone since; undefined if there is none. Rejects if git fails. */
export async function broughtBackBy(
  run: string,
  { signer, ...known }: LaterRuns,
): Promise<string | undefined> {
  const all = await textsOf(known);
  const undosOf = (of: string): readonly string[] =>
    readAll(undoingIn(all, of), signer)
      .filter(({ ended, lines }) => ended === 'complete' && lines[0]?.undoes_run === of)
      .toSorted((one, other) => (String(one.lines[0]?.at) < String(other.lines[0]?.at) ? 1 : -1))
      .map(undo => undo.run);
  const standing = (of: string): string | undefined =>
    undosOf(of).find(undo => standing(undo) === undefined);
  const [last] = undosOf(run);
  return last === undefined || standing(run) !== undefined ? undefined : standing(last);
}
