// The files that `init` writes: a first network, the project file, the schema for editors.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { desiredStateSchema } from '../kinds/desiredState.ts';
import { readKinds, shippedSchema } from '../kinds/registry.ts';
import { jsonText } from '../model/jsonText.ts';
import { nameText } from '../model/visible.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { Stop } from './stop.ts';

const SCHEMA_FILE = '.meshform/desired-state.schema.json';
const SCHEMA_LINE = /^# yaml-language-server:.*$/m;
const FIRST_NETWORK = new URL('../../examples/quickstart/network.yaml', import.meta.url);

const PROJECT = `# meshform's project file: what holds for this folder and is not desired state.
# url: https://api.example.com        # or MESHFORM_URL
# account: …                          # the id of group All: these files are then for no other account

# How many objects one run may delete before it needs --allow OVER_THRESHOLD.
thresholds:
  default: { share: 0.3 }
`;

/** Writes the files into `folder` and returns their names. Nothing that is there is overwritten. */
export async function beginFolder(folder: string, io: Io): Promise<string[]> {
  const home = resolve(io.cwd, folder);
  const there = await readdir(home, { recursive: true }).catch(() => []);
  const taken = there.filter(name => /\.ya?ml$/.test(name));
  if (taken.length > 0) {
    const hint = 'choose an empty folder: meshform init FOLDER';
    throw new Stop(
      EXIT.refused,
      `there is desired state already: ${taken.slice(0, 3).map(nameText).join(', ')}`,
      hint,
    );
  }
  const example = await readFile(FIRST_NETWORK, 'utf8');
  const files = {
    'meshform.yaml': PROJECT,
    'network.yaml': example.replace(SCHEMA_LINE, `# yaml-language-server: $schema=${SCHEMA_FILE}`),
    [SCHEMA_FILE]: jsonText(
      desiredStateSchema(readKinds(), shippedSchema('lifecycle.schema.json')),
    ),
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text, { flag: 'wx' });
  }
  return Object.keys(files).map(name => relative(io.cwd, join(home, name)));
}
