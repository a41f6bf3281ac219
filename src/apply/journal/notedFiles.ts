// Notes in a folder of journals about journals that are elsewhere, because `--journal` selected their files: without a note, no
// later command would know of their runs.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonLine, jsonOf } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';

const ENDING = '.elsewhere';

/** Notes in `folder` that the file `path` is a journal. Resolves also if the note cannot be written. */
export async function noteFile(folder: string, path: string, now: number): Promise<void> {
  const time = new Date(now).toISOString().replaceAll(':', '-');
  const options = { flag: 'wx', mode: 0o600 };
  for (let number = 1; ; number++) {
    const name = `${time}${number === 1 ? '' : `-${number}`}${ENDING}`;
    try {
      await writeFile(join(folder, name), jsonLine({ path }), options);
      return;
    } catch (error) {
      if (Object(error).code !== 'EEXIST') return;
    }
  }
}

/** The paths in the notes among the files of a folder. */
export async function notedIn(folder: string, names: readonly string[]): Promise<string[]> {
  const notes = names.filter(name => name.endsWith(ENDING));
  const texts = await Promise.all(
    notes.map(name => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  return texts.flatMap(text => {
    const note = jsonOf(text);
    return isObject(note) && typeof note.path === 'string' ? note.path : [];
  });
}
