// Appends secrets to a file that only its owner can read, as lines of JSON.
import { jsonLine, jsonOf } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';
import { isRefusal, type PlaceRefusal } from '../refusal.ts';
import type { KeepSecret } from '../run/port.ts';
import { appendingTo } from './appending.ts';
import type { PlaceHost } from './placeHost.ts';

/** A secret as a line or as a document. */
export const secretLine = (secret: Parameters<KeepSecret>[0]): string =>
  jsonLine({ address: secret.address, field: secret.field, value: secret.value });

/** Appends secrets to the file at `path`; returns a refusal if nothing can be appended. */
export async function toFile(path: string, host: PlaceHost): Promise<KeepSecret | PlaceRefusal> {
  const add = await appendingTo(path, isDocument, host);
  return isRefusal(add) ? add : secret => add(secretLine(secret));
}

const isDocument = (line: string): boolean => isObject(jsonOf(line));
