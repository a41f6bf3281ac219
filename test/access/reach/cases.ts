// The shared cases: accounts with the reach that the public server's own calculation gives them. See README.md.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Json } from '../../../src/model/value.ts';

export interface Case {
  readonly account: Json;
  readonly reach: Json;
}

/** A case that somebody wrote, with what it shows. */
interface Found extends Case {
  readonly says: string;
}

/** All shared cases, in the order of the file. */
export function readCases(): readonly Case[] {
  const packed = readFileSync(new URL('cases.ndjson.gz', import.meta.url));
  return linesOf(gunzipSync(packed).toString());
}

/** The small cases that the shared ones do not decide. */
export function readRegressions(): readonly Found[] {
  return linesOf(readFileSync(new URL('regressions.ndjson', import.meta.url), 'utf8'));
}

function linesOf<T extends Case>(text: string): readonly T[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
}
