// The last apply of a folder. `--undo` undoes it if no run is named. Somebody else may have made
// this apply, so the user may not mean it.
import { resolve } from 'node:path';
import type { FoundJournal } from '../../apply/earlierRuns/foundJournal.ts';
import { shortRun } from '../../model/runName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, pathText } from '../../model/text/visible.ts';
import { isObject } from '../../model/value.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { personOf } from '../../read/remote/lockAtRemote.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';

/**
 * Reports which apply will be undone. The user must name an undo in order to undo it; otherwise,
 * running the command twice would restore what the first command undid. If another person or
 * machine made the apply, the user is asked; without a terminal, the user must name the run. Throws
 * a `Stop` if the apply should not be undone.
 */
export async function confirmLastRun(journal: FoundJournal, path: string, io: Io): Promise<void> {
  const [head] = journal.lines;
  const by = isObject(head?.by) ? head.by : undefined;
  const run = journal.chain?.run;
  const named = run === undefined ? pathText(nearPath(io.cwd, journal.path)) : shortRun(run);
  const about = `${named} of ${nameText(String(head?.at ?? ''))}${whoText(by)}${revisionText(journal)}`;
  const asked = pathText(nearPath(io.cwd, resolve(io.cwd, path)) || '.');
  refuseUndo(journal, { asked, named, path });
  if (await isOwn(journal, by, path, io)) {
    say(io.stderr, `undoing the last apply of ${asked}: ${about}`);
    return;
  }
  const whose = `the last apply of ${asked} was not made by this user on this machine: it is ${about}`;
  const hint = `name it to undo it: \`meshform apply ${shellWord(path)} --undo ${named}\`; \`meshform runs ${shellWord(path)}\` lists all`;
  if (!io.ask) throw new Stop(EXIT.refused, whose, hint);
  // --yes does not answer this question, because --yes concerns the plan.
  const answer = await io.ask(`${whose}\nUndo this apply? Type "yes" to continue: `);
  if (answer.trim() !== 'yes') throw new Stop(EXIT.refused, `${whose}; it is not undone`, hint);
}

function refuseUndo(
  { lines: [head], ended }: FoundJournal,
  { asked, named, path }: { readonly asked: string; readonly named: string; readonly path: string },
): void {
  if (head?.changes_ends === true)
    throw new Stop(
      EXIT.refused,
      `the last apply of ${asked}, ${named}, wrote nothing to undo: it only changed ends in the recorded base`,
      `change the ends in the files and apply them; to undo an earlier apply, name it: \`meshform runs ${shellWord(path)}\` lists all`,
    );
  const { undoes_run: run, undoes } = head ?? {};
  if (run === undefined && undoes === undefined) return;
  const undone = typeof run === 'string' ? shortRun(run) : pathText(String(undoes));
  const finish =
    ended === 'complete'
      ? ''
      : `finish it with \`meshform apply ${shellWord(path)} --resume ${shellWord(named)}\`, or `;
  throw new Stop(
    EXIT.refused,
    `the last apply of ${asked}, ${named}, is an undo of ${undone}`,
    `${finish}name it to undo the undo: \`meshform apply ${shellWord(path)} --undo ${shellWord(named)}\`; \`meshform runs ${shellWord(path)}\` lists the earlier applies`,
  );
}

type By = Readonly<Record<string, unknown>> | undefined;

// Whether this user made the apply on this machine. If the lock is a file, the journal does not
// name the user, and only this machine has the journal.
async function isOwn(
  { isCopy = false }: FoundJournal,
  by: By,
  path: string,
  io: Io,
): Promise<boolean> {
  if (by === undefined) return !isCopy;
  if (by.machine !== io.self.host) return false;
  return by.person === (await personOf({ folder: folderOf(resolve(io.cwd, path)), host: io }));
}

function whoText(by: By): string {
  const { person, machine } = by ?? {};
  const who = typeof person === 'string' ? ` by ${nameText(person)}` : '';
  return typeof machine === 'string' ? `${who} on ${nameText(machine)}` : who;
}

const revisionText = ({ plan: { revision } }: FoundJournal): string =>
  revision === undefined ? '' : `, of the revision ${nameText(revision.slice(0, 12))}`;
