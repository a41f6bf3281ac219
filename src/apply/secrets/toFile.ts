// Appends secrets to a file that only its owner can read, as lines of JSON.
import { jsonLine, jsonOf } from '../../model/text/jsonText.ts';
import { isObject } from '../../model/value.ts';
import type { KeepSecret } from '../port.ts';
import { isRefusal } from '../refusal.ts';
import { appendingTo } from './appending.ts';
import type { PlaceKind } from './placeKind.ts';

/** A secret as a line of JSON. */
export const secretLine = (secret: Parameters<KeepSecret>[0]): string =>
  jsonLine({ address: secret.address, field: secret.field, value: secret.value });

/** `file:PATH`: appends secrets to the file. Refused if nothing can be appended. */
export const toFile: PlaceKind<{ readonly to: 'file'; readonly path: string }> = {
  forms: ['file:PATH'],
  parse: path => (path ? { to: 'file', path } : null),
  open: async ({ path }, _, host, state) => {
    const add = await appendingTo(path, isDocument, host, state);
    return isRefusal(add) ? add : secret => add(secretLine(secret));
  },
};

const isDocument = (line: string): boolean => isObject(jsonOf(line));
