// Secrets into a file that only its owner can read, a line of JSON each.
import { resolve } from 'node:path';
import type { KeepSecret } from '../../execute/port.ts';
import { appendPrivately } from '../../read/appendFile.ts';
import { reasonOf } from '../../read/fileText.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** A secret as a line or a document of its own. */
export const secretLine = (secret: Parameters<KeepSecret>[0]): string =>
  `${JSON.stringify({ address: secret.address, field: secret.field, value: secret.value })}\n`;

/** Adds secrets to the file at `path`. Throws a `Stop` where nothing can be added to it. */
export async function toFile(path: string, { cwd }: Io): Promise<KeepSecret> {
  const file = resolve(cwd, path);
  const add = (text: string) =>
    appendPrivately(file, text).then(
      () => null,
      (error: unknown) => `\`${path}\` cannot be written: ${reasonOf(error)}`,
    );
  const why = await add('');
  if (why !== null) throw new Stop(EXIT.usage, `no secret can be kept: ${why}`);
  return secret => add(secretLine(secret));
}
