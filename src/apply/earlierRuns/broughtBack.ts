// Determines whether the undo of a run was itself undone. If it was, the changes of the run are in
// the account again, partly as new objects. The user must then undo the run that restored them.
import { compareTexts } from '../../model/text/compareTexts.ts';
import { standingUndos } from '../../model/undoneRuns.ts';
import { isOfUndo, type LaterRuns, readAll, textsOf, undosAmong } from './overtaken.ts';

/**
 * The run that restored the changes of another run, if nobody has undone it since; otherwise
 * undefined. Rejects if git fails.
 */
export async function broughtBackBy(
  run: string,
  { signer, ...known }: LaterRuns,
): Promise<string | undefined> {
  const texts = (await textsOf(known)).filter(isOfUndo);
  const undos = undosAmong(readAll(texts, signer)).filter(({ ended }) => ended === 'complete');
  const standing = standingUndos(undos);
  const isUndone = standing.some(({ undoes }) => undoes === run);
  const [last] = undos
    .filter(({ undoes }) => undoes === run)
    .toSorted((one, other) => compareTexts(begun(other), begun(one)));
  if (isUndone || last === undefined) return undefined;
  return standing.find(({ undoes }) => undoes === last.run)?.run;
}

const begun = ({ lines }: ReturnType<typeof undosAmong>[number]): string => String(lines[0]?.at);
