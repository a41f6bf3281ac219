// The files that `init` writes: an example network, the project file, and the schema for editors.
// With --update, it writes only the schema.
import { readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { readKinds, shippedSchema } from '../../kinds/registry.ts';
import { desiredStateSchema } from '../../kinds/schema/desiredStateSchema.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { pathText, quoted } from '../../model/text/visible.ts';
import { isOutOfRoom, readIfThere, reasonOf } from '../../read/files/fileText.ts';
import { writeAll } from '../../read/files/writeFiles.ts';
import { errorOf, folderTargetAt } from '../../read/files/writeTarget.ts';
import { shippedText } from '../../shipped.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { refusedPlace } from '../refusedPlace.ts';
import { Stop } from '../stop.ts';
import { projectText } from './projectText.ts';

const SCHEMA_FILE = '.meshform/desired-state.schema.json';
const SCHEMA_LINE = /^# yaml-language-server:.*$/m;

/** Writes the files into `folder` and returns their names. Existing files are not overwritten. */
export async function beginFolder(folder: string, io: Io): Promise<string[]> {
  const home = resolve(io.cwd, folder);
  refuseUnusable(home, folder);
  await refuseTaken(home, folder);
  const example = shippedText('examples/quickstart/network.yaml');
  const files = {
    'meshform.yaml': projectText(),
    'network.yaml': example.replace(SCHEMA_LINE, `# yaml-language-server: $schema=${SCHEMA_FILE}`),
    [SCHEMA_FILE]: editorSchema(),
  };
  await refuseOtherSchema(join(home, SCHEMA_FILE), folder);
  const all = Object.entries(files).map(([name, text]) => ({ path: join(home, name), text }));
  await writeAll(all).catch((error: unknown) => {
    throw notBegun(folder, error);
  });
  return Object.keys(files).map(name => relative(io.cwd, join(home, name)));
}

/** Updates the schema for editors in a folder if it differs. */
export async function updateFolder(
  folder: string,
  io: Io,
): Promise<{ readonly file: string; readonly isChanged: boolean }> {
  const home = resolve(io.cwd, folder);
  refuseUnusable(home, folder);
  if ((await yamlIn(home, folder)).length === 0) {
    const message = `${quoted(folder)} contains no desired state`;
    const hint = `give the folder of your files, or begin a new one: meshform init ${shellWord(folder)}`;
    throw new Stop(EXIT.usage, message, hint);
  }
  const path = join(home, SCHEMA_FILE);
  const former = await refuseOtherSchema(path, folder);
  const text = editorSchema();
  if (former !== text)
    await writeAll([{ path, text }]).catch((error: unknown) => {
      throw notBegun(folder, error);
    });
  return { file: relative(io.cwd, path), isChanged: former !== text };
}

function editorSchema(): string {
  return jsonText(
    desiredStateSchema(
      readKinds(),
      shippedSchema('lifecycle.schema.json'),
      shippedSchema('access-tests.schema.json'),
    ),
  );
}

async function yamlIn(home: string, folder: string): Promise<string[]> {
  const there = await readdir(home, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw notBegun(folder, error);
  });
  return there.filter(name => /\.ya?ml$/.test(name));
}

function refuseUnusable(home: string, folder: string): void {
  const place = folderTargetAt(home);
  if (place.is === 'unusable') throw notBegun(folder, errorOf(place));
}

async function refuseTaken(home: string, folder: string): Promise<void> {
  const taken = await yamlIn(home, folder);
  if (taken.length === 0) return;
  const message = `the folder already contains desired state: ${taken.slice(0, 3).map(pathText).join(', ')}`;
  throw new Stop(EXIT.refused, message, 'choose an empty folder: meshform init FOLDER');
}

// Returns the text of a schema that an earlier `init` or export wrote and that may be replaced;
// null if there is no schema.
async function refuseOtherSchema(path: string, folder: string): Promise<string | null> {
  const text = await readIfThere(path).catch((error: unknown) => {
    throw notBegun(folder, error);
  });
  if (text === null || text.includes('"title": "meshform desired state"')) return text;
  const message = `${quoted(join(folder, SCHEMA_FILE))} exists and is not a schema of desired state`;
  throw new Stop(EXIT.usage, message, 'choose an empty folder: meshform init FOLDER');
}

function notBegun(folder: string, error: unknown): Stop {
  const message = `\`init\` cannot write to ${quoted(folder)}: ${reasonOf(error)}`;
  const code = isOutOfRoom(error) ? EXIT.failed : EXIT.usage;
  const hint = 'choose an empty folder: meshform init FOLDER';
  return refusedPlace(message, error) ?? new Stop(code, message, hint);
}
