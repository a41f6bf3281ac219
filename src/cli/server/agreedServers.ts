// The servers of project files to which the user has agreed. There is a small file for each of them
// in the state folder of the user.
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stateFolder } from '../../apply/journal/stateFolder.ts';
import { type Span, spanText } from '../../model/diagnostic.ts';
import { jsonLine, jsonOf } from '../../model/text/jsonText.ts';
import { nameText, pathText, quoted } from '../../model/text/visible.ts';
import { isObject } from '../../model/value.ts';
import { readUnlinked, reasonOf } from '../../read/files/fileText.ts';
import { makeFolder } from '../../read/files/makeFolder.ts';
import { isOursAlone, ownerIn } from '../../read/files/owners.ts';
import { realOf } from '../../read/files/projectFilesAbove.ts';
import { writeWhole } from '../../read/files/writeFile.ts';
import { isTracked } from '../../read/git/isTracked.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';

const FORMAT_VERSION = '1.0';

/** The address of a server, and the place of that address in a project file. */
export interface NamedServer {
  readonly address: string;
  readonly at: Span;
}

/**
 * Asks the user whether the token may be sent to a server that only a project file names. Does not
 * ask if the user has already agreed for the folder of that file. Throws a `Stop` if the user does
 * not agree.
 */
export async function agreedOrStop(server: NamedServer, hint: string, io: Io): Promise<void> {
  const { address, at } = server;
  const note = noteOf(server, io);
  if (await isNoted(note, io)) return;
  if (!io.ask || !io.stdout.isTerminal)
    throw new Stop(
      EXIT.usage,
      `nobody has agreed yet that the token may go to ${nameText(address)}, the server that ${quoted(spanText(at))} names`,
      `${hint}; or run a command of this folder whose output goes to the terminal, and agree`,
    );
  const question = `${pathText(spanText(at))} names the server ${nameText(address)}.\nMay this server get the token? You are asked only once. Type "yes" to continue: `;
  if ((await io.ask(question)).trim() !== 'yes')
    throw new Stop(EXIT.refused, 'nothing was sent: the answer was not "yes"', hint);
  await keep(note, io, hint);
}

interface Note {
  readonly file: string;
  readonly fields: { readonly server: string; readonly folder: string };
}

function noteOf({ address, at }: NamedServer, { cwd, env }: Io): Note {
  const fields = { server: address, folder: realOf(dirname(resolve(cwd, at.file))) };
  const digest = createHash('sha256').update(jsonLine(fields)).digest('hex').slice(0, 32);
  return { file: join(stateFolder(env), 'servers', `${digest}.json`), fields };
}

// Whether the user's agreement is stored. The note was created neither by a commit nor by another
// user of the machine: others may be able to move the folder of meshform, but cannot write into it.
async function isNoted({ file, fields }: Note, { env, secrets }: Io): Promise<boolean> {
  const read = readUnlinked(
    file,
    ({ stats }) => isOursAlone(ownerIn(stats)) && isOurs(dirname(file)),
  );
  const found = 'text' in read ? jsonOf(read.text) : null;
  if (!isObject(found) || found.format_version !== FORMAT_VERSION) return false;
  const isThis = found.server === fields.server && found.folder === fields.folder;
  return isThis && (await isTracked(file, { env, secrets })) === false;
}

function isOurs(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOursAlone(ownerIn(stats));
}

async function keep(note: Note, io: Io, hint: string): Promise<void> {
  const { file, fields } = note;
  const line = jsonLine({
    format_version: FORMAT_VERSION,
    ...fields,
    agreed_at: new Date(io.now()).toISOString(),
  });
  const why = await makeFolder(dirname(file), 0o700)
    .then(() => writeWhole(file, line))
    .then(() => null, reasonOf);
  if (why === null && (await isNoted(note, io)))
    return say(io.stderr, `noted in ${pathText(file)}`);
  const reason = why ?? 'other users can write there, or git tracks it';
  throw new Stop(
    EXIT.environment,
    `the answer cannot be noted in ${quoted(file)}: ${reason}`,
    `${hint}; or make the folder yours alone`,
  );
}
