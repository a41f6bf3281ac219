// The shared cases: accounts with the reach that the public server's own calculation gives them. See README.md.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Json } from '../../src/model/value.ts';

export interface Case {
  readonly account: Json;
  readonly reach: Json;
}

/** All of them, in the order of the file. */
export function readCases(): readonly Case[] {
  const packed = readFileSync(new URL('cases.ndjson.gz', import.meta.url));
  return gunzipSync(packed)
    .toString()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
}
