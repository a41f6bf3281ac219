// Notes in a folder of journals. A note names a journal elsewhere that the user chose with
// `--journal`. Without the note, no later command would find the run of that journal.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonLine, jsonOf } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';
import { regularText } from './regularText.ts';

const ENDING = '.elsewhere';

/**
 * A journal elsewhere, its run, and the address of its server. Notes of earlier versions contain
 * only the path.
 */
export interface NotedJournal {
  readonly path: string;
  readonly run?: string;
  readonly server?: string;
}

/** Notes in `folder` that a file is a journal. Resolves even if the note cannot be written. */
export async function noteFile(folder: string, journal: NotedJournal, now: number): Promise<void> {
  const time = new Date(now).toISOString().replaceAll(':', '-');
  const options = { flag: 'wx', mode: 0o600 };
  for (let number = 1; ; number++) {
    const name = `${time}${number === 1 ? '' : `-${number}`}${ENDING}`;
    try {
      await writeFile(join(folder, name), jsonLine(journal), options);
      return;
    } catch (error) {
      if (Object(error).code !== 'EEXIST') return;
    }
  }
}

/** The journals that notes in a folder name, each with the path of its note. */
export async function notedIn(
  folder: string,
  names: readonly string[],
): Promise<readonly (NotedJournal & { readonly note: string })[]> {
  const notes = names.filter(name => name.endsWith(ENDING)).map(name => join(folder, name));
  const texts = await Promise.all(notes.map(note => regularText(note).catch(() => '')));
  return texts.flatMap((text, i) => {
    const noted = jsonOf(text);
    if (!isObject(noted) || typeof noted.path !== 'string') return [];
    const { path, run, server } = noted;
    return [
      {
        note: notes[i] ?? '',
        path,
        ...(typeof run === 'string' && { run }),
        ...(typeof server === 'string' && { server }),
      },
    ];
  });
}
