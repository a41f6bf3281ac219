// The witnessed exchanges: what the public server is known to be asked and to answer, written by hand from its sources.
import { readdirSync, readFileSync } from 'node:fs';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';

/** One exchange with the server; `as` is the id that what it makes has in the witness. */
export interface Step {
  /** `settle` is a PUT that follows a create at once; `find`, `enrol` and `setup` prepare what the others speak of. */
  readonly do:
    | 'find'
    | 'enrol'
    | 'setup'
    | 'create'
    | 'settle'
    | 'read'
    | 'list'
    | 'update'
    | 'delete';
  readonly request?: string;
  readonly body?: JsonObject;
  readonly status?: number;
  readonly answer?: Json;
  readonly name?: string;
  readonly more?: JsonObject;
  readonly as?: string;
}

/** The life of one object. */
export interface Case {
  readonly title: string;
  readonly steps: readonly Step[];
  /** What the server lists besides the object, by path. */
  readonly lists?: Readonly<Record<string, Json>>;
  /** Desired states in which the object is to be made, to be changed, and no longer to be. */
  readonly desired?: {
    readonly created: JsonObject;
    readonly updated?: JsonObject;
    readonly deleted?: JsonObject;
  };
  /** Values of secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Fields of answers whose value nobody can foresee, and those that a server may leave out. */
  readonly volatile?: readonly string[];
  readonly optional?: readonly string[];
}

export interface Witness {
  readonly kind: string;
  /** Where each shape comes from. */
  readonly source: readonly string[];
  /** What no source shows. */
  readonly unwitnessed: readonly string[];
  readonly cases: readonly Case[];
}

/** The witnesses of this folder, one for each kind. */
export function readWitnesses(): readonly Witness[] {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter(name => name.endsWith('.json'));
  return files.sort().map(name => {
    const { cases, ...witness } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    const titled = Object.entries(cases as Record<string, Omit<Case, 'title'>>);
    return { ...witness, cases: titled.map(([title, one]) => ({ ...one, title })) } as Witness;
  });
}

/** The step of a case that does this, where it has one. */
export const stepOf = (one: Case, what: Step['do']): Step | undefined =>
  one.steps.find(step => step.do === what);

/** Method and path of a step. */
export function lineOf(step: Step): { method: string; path: string } {
  const [method = '', path = ''] = present(step.request, `the request of ${step.do}`).split(' ');
  return { method, path };
}

/** What has been learnt to stand for what: ids of the witness, and those of a server of our own. */
export function translation() {
  const ids = new Map<string, string>();
  const swapped = (text: string, pairs: Iterable<readonly [string, string]>): string =>
    [...pairs].reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return {
    learn: (witnessed: string, own: string) => ids.set(witnessed, own),
    toOwn: <T>(value: T): T => JSON.parse(swapped(JSON.stringify(value), ids)),
    toWitnessed: <T>(value: T): T =>
      JSON.parse(
        swapped(
          JSON.stringify(value),
          [...ids].map(([a, b]) => [b, a] as const),
        ),
      ),
  };
}

/** In what an answer differs from the witnessed one: names, types, null for a list, and values that can be foreseen. */
export function differences(
  witnessed: Json | undefined,
  own: Json | undefined,
  { volatile = [], optional = [] }: Pick<Case, 'volatile' | 'optional'>,
  path = '',
): string[] {
  const name = path.split('/').at(-1) ?? '';
  const at = path === '' ? 'the answer' : path;
  if (own === undefined && optional.includes(name)) return [];
  if (typeOf(witnessed) !== typeOf(own))
    return [`${at} is ${typeOf(own)} and not ${typeOf(witnessed)}`];
  if (isObject(witnessed) && isObject(own)) {
    const names = new Set([...Object.keys(witnessed), ...Object.keys(own)]);
    return [...names].flatMap(key =>
      differences(witnessed[key], own[key], { volatile, optional }, `${path}/${key}`),
    );
  }
  if (isList(witnessed) && isList(own)) {
    if (witnessed.length !== own.length)
      return [`${at} has ${own.length} members and not ${witnessed.length}`];
    const [expected, found] = [sorted(witnessed), sorted(own)];
    return expected.flatMap((item, i) =>
      differences(item, found[i], { volatile, optional }, `${path}/${i}`),
    );
  }
  if (volatile.includes(name) || witnessed === own) return [];
  return [`${at} is ${JSON.stringify(own)} and not ${JSON.stringify(witnessed)}`];
}

// The order of a list is no part of an answer.
function sorted(list: readonly Json[]): Json[] {
  const textOf = (item: Json) => (isObject(item) ? String(item.id ?? JSON.stringify(item)) : item);
  return [...list].sort((a, b) => (String(textOf(a)) < String(textOf(b)) ? -1 : 1));
}

function typeOf(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return isList(value) ? 'a list' : `a ${typeof value}`;
}
