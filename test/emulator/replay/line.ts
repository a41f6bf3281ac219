// A recorded line, and the files they are in.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { isObject, type Json } from '../../../src/model/value.ts';

/** A request and what the recorded server answered. `recordings/README.md` describes the fields. */
export interface Exchange {
  readonly label: string;
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tok?: string;
  readonly auth?: string;
  readonly save?: Readonly<Record<string, string>>;
  readonly cleanup?: string;
  readonly compare?: string;
  readonly answer: { readonly status: number | string; readonly type: string; readonly body: Json };
}

/** Something that happened beside the API. */
export type Hook =
  | { readonly hook: 'enrol'; readonly names: readonly string[]; readonly key: string }
  | { readonly hook: 'pat'; readonly user: string; readonly save: string };

export type Line = Exchange | Hook;

export const RECORDINGS = [
  'sequence',
  'mutations',
  'beyond-sequence',
  'beyond-mutations',
  'beyond-cluster',
] as const;

export type Recording = (typeof RECORDINGS)[number];

/** The lines of a recording. */
export function readRecording(name: Recording): readonly Line[] {
  const file = new URL(`../recordings/${name}.ndjson.gz`, import.meta.url);
  const text = gunzipSync(readFileSync(file)).toString('utf8');
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line, keepSpelling) as Line);
}

/** How a number is kept that is not written in digits alone: a text that no recording has, with the number as written. */
const SPELLED = '\u0001';

function keepSpelling(_name: string, value: unknown, context?: { readonly source?: string }) {
  const { source = '' } = context ?? {};
  return typeof value === 'number' && !/^-?\d+$/.test(source) ? `${SPELLED}${source}` : value;
}

/** A body as it was sent: `1.0` is not `1`. */
export function asSent(body: Json): string {
  return JSON.stringify(body).replaceAll(/"\\u0001([^"]*)"/g, '$1');
}

export function isHook(line: Line): line is Hook {
  return 'hook' in line;
}

/** The value at a path such as `personal_access_token.id` or `0.id`; undefined where there is none. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>(
      (at, step) => (Array.isArray(at) ? at[Number(step)] : isObject(at) ? at[step] : undefined),
      value,
    );
}
