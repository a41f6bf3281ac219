// Carries an `access` out: finds the state that is asked about, and answers in the format that was asked for.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../read/fileText.ts';
import { answerLines } from './accessLines.ts';
import { EXIT } from './exitCodes.ts';
import type { AccountFlags, SourceFlags } from './flags.ts';
import type { Io } from './io.ts';
import { Stop } from './stop.ts';

export interface AccessFlags extends AccountFlags, SourceFlags {
  readonly state?: string;
  readonly format: 'text' | 'json' | 'markdown' | 'csv' | 'ndjson';
}

/** Answers a question about access; returns the exit code. */
export async function showAccess(
  words: readonly string[],
  flags: AccessFlags,
  io: Io,
): Promise<number> {
  if (flags.format === 'ndjson') return everyReach(words, flags, io);
  throw new Stop(EXIT.usage, 'nothing is asked', 'add --state FILE --format ndjson');
}

async function everyReach(
  words: readonly string[],
  { state }: AccessFlags,
  io: Io,
): Promise<number> {
  if (state === undefined || words.length > 0) {
    const message = '`--format ndjson` prints the whole reach of the accounts in --state';
    throw new Stop(EXIT.usage, message, 'meshform access --state FILE --format ndjson');
  }
  return answerLines(await savedText(state, io), state === '-' ? 'stdin' : state, io);
}

async function savedText(file: string, io: Io): Promise<string> {
  if (file === '-') return io.stdin();
  try {
    return await readFile(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new Stop(EXIT.usage, `\`${file}\` of --state cannot be read: ${reasonOf(error)}`);
  }
}
