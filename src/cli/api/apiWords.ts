// The arguments of `api call`: values from `--param`, a body from `--data`.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import type { Json } from '../../model/value.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

const BODY_HINT =
  'give the body as JSON, with double quotes: `meshform api describe OPERATION` has an example';

/** Splits `name=text`. Throws a `Stop` for an argument of another form. */
export function pairOf(word: string): readonly [name: string, text: string] {
  const at = word.indexOf('=');
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  // The text after the name may be a secret.
  const [name = ''] = /^\w*/.exec(word) ?? [];
  const hint = 'write --param NAME=VALUE; `meshform api describe OPERATION` lists the names';
  throw new Stop(EXIT.usage, `--param ${quoted(`${name}…`)} is not in the form name=value`, hint);
}

/** The body that `--data` names: literal JSON, `@file`, or `-` for stdin. Throws a `Stop` for anything else. */
export async function bodyFrom(word: string, io: Io): Promise<Json> {
  const [text, source] = await textFrom(word, io);
  if (text.trim() === '') throw new Stop(EXIT.invalid, `${source} is empty`, BODY_HINT);
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // The message of the parser quotes the text, which may contain a secret.
    const [position = ''] = /\(?line \d+ column \d+\)?/.exec(String(error)) ?? [];
    const hint = word.includes(':') ? BODY_HINT : 'write --data @FILE to read a file';
    throw new Stop(EXIT.invalid, `${source} is not JSON ${position}`.trim(), hint);
  }
}

/**
 * The content of the file in `@file` of a secret, without the final line break. Throws a `Stop` if
 * the file cannot be read.
 */
export async function secretFrom(word: string, io: Io): Promise<string> {
  return word.startsWith('@') ? (await fileText(word.slice(1), '--param', io)).trim() : word;
}

/** Whether an argument is the value itself, not a reference to a file. */
export const isLiteral = (word: string): boolean => word !== '-' && !word.startsWith('@');

async function textFrom(word: string, io: Io): Promise<readonly [text: string, source: string]> {
  if (isLiteral(word)) return [word, 'the text of --data'];
  const file = word.replace(/^@/, '');
  if (file === '-') return [await io.stdin(), 'the standard input of --data'];
  return [await fileText(file, '--data', io), quoted(file)];
}

async function fileText(file: string, flag: string, io: Io): Promise<string> {
  const hint = 'write @ and the path of a file that can be read';
  if (file === '') throw new Stop(EXIT.usage, `${flag} names no file after the @`, hint);
  return readFile(resolve(io.cwd, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${error.message}`;
    throw new Stop(EXIT.usage, `the file ${quoted(file)} of ${flag} ${why}`, hint);
  });
}
