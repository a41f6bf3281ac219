// Secrets into a file that only its owner can read, a line of JSON each.
import type { KeepSecret } from '../../apply/run/port.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { isObject, type Json } from '../../model/value.ts';
import type { Io } from '../io.ts';
import { appendingTo } from './appending.ts';

/** A secret as a line or a document of its own. */
export const secretLine = (secret: Parameters<KeepSecret>[0]): string =>
  jsonLine({ address: secret.address, field: secret.field, value: secret.value });

/** Adds secrets to the file at `path`. Throws a `Stop` where nothing can be added to it. */
export async function toFile(path: string, io: Io): Promise<KeepSecret> {
  const add = await appendingTo(path, isDocument, io);
  return secret => add(secretLine(secret));
}

function isDocument(line: string): boolean {
  try {
    return isObject(JSON.parse(line) as Json);
  } catch {
    return false;
  }
}
