// The witnessed exchanges: what the public server is known to be asked and to answer, written by hand from its sources.
import { readdirSync, readFileSync } from 'node:fs';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';

/** One exchange with the server; `as` is the id that what it makes has in the witness. */
export interface Step {
  /**
   * `settle` is a PUT that follows a create at once; `refused` is a read of what is not there; `find`, `enrol`,
   * `connect` (a cluster of proxies) and `setup` prepare what the others speak of.
   */
  readonly do:
    | 'find'
    | 'refused'
    | 'enrol'
    | 'setup'
    | 'connect'
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
  /** The addresses that what enrols has in the witness. */
  readonly ip?: string;
  readonly ipv6?: string;
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
  /** Who lets people sign in, where it is not the server itself. */
  readonly signIn?: 'external';
  /** Fields of answers whose value nobody can foresee, and those that a server may show or leave out. */
  readonly volatile?: readonly string[];
  readonly optional?: readonly string[];
  /** Texts of chance that have a form: each of their letters and digits stands for any other. */
  readonly formed?: readonly string[];
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
  const folder = new URL('exchanges/', import.meta.url);
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

/** The object in an answer, out of what is wrapped around it. */
export function objectIn(answer: Json | undefined): JsonObject | undefined {
  if (!isObject(answer) || 'id' in answer) return isObject(answer) ? answer : undefined;
  const wrapped = Object.values(answer)
    .filter(isObject)
    .find(item => 'id' in item);
  // Settings have no id, and nothing is wrapped around them.
  return wrapped ?? answer;
}

/** The id of an object, which some servers write as a number. */
export function idIn(body: Json | undefined): string {
  const id = isObject(body) ? body.id : undefined;
  const isId = typeof id === 'string' || typeof id === 'number';
  return present(isId ? String(id) : undefined, `the id in ${JSON.stringify(body)}`);
}

/** What has been learnt to stand for what: ids of the witness, and those of a server of our own. */
export function translation() {
  const ids = new Map<string, string>();
  const owns = new Map<string, string>();
  return {
    learn: (witnessed: string, own: string): void => {
      ids.set(witnessed, own);
      owns.set(own, witnessed);
    },
    toOwn: (value: Json): Json => swapped(value, ids),
    toWitnessed: (value: Json): Json => swapped(value, owns),
  };
}

const isNumeric = (text: string): boolean => /^\d{1,6}$/.test(text);

// A number is an id only where it is called so; in a text it is told from others by its length.
function swapped(value: Json, pairs: ReadonlyMap<string, string>): Json {
  const inText = [...pairs].filter(([from]) => !isNumeric(from));
  const text = (from: string): string => inText.reduce((all, [a, b]) => all.replaceAll(a, b), from);
  if (typeof value === 'string') return text(value);
  if (isList(value)) return value.map(item => swapped(item, pairs));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const number =
        name === 'id' && typeof item === 'number' ? pairs.get(String(item)) : undefined;
      return [text(name), number === undefined ? swapped(item, pairs) : Number(number)];
    }),
  );
}

/** In what an answer differs from the witnessed one: names, types, null for a list, and values that can be foreseen. */
export function differences(
  witnessed: Json | undefined,
  own: Json | undefined,
  leeway: Pick<Case, 'volatile' | 'optional' | 'formed'>,
  path = '',
): string[] {
  const { volatile = [], optional = [], formed = [] } = leeway;
  const name = path.split('/').at(-1) ?? '';
  const at = path === '' ? 'the answer' : path;
  if ((own === undefined || witnessed === undefined) && optional.includes(name)) return [];
  if (typeOf(witnessed) !== typeOf(own))
    return [`${at} is ${typeOf(own)} and not ${typeOf(witnessed)}`];
  if (isObject(witnessed) && isObject(own)) {
    const names = new Set([...Object.keys(witnessed), ...Object.keys(own)]);
    return [...names].flatMap(key =>
      differences(witnessed[key], own[key], leeway, `${path}/${key}`),
    );
  }
  if (isList(witnessed) && isList(own)) {
    if (witnessed.length !== own.length)
      return [`${at} has ${own.length} members and not ${witnessed.length}`];
    const expected = sorted(witnessed);
    const found = sorted(own);
    return expected.flatMap((item, i) => differences(item, found[i], leeway, `${path}/${i}`));
  }
  if (volatile.includes(name) || witnessed === own) return [];
  if (formed.includes(name) && formOf(witnessed) === formOf(own)) return [];
  return [`${at} is ${JSON.stringify(own)} and not ${JSON.stringify(witnessed)}`];
}

const formOf = (value: Json | undefined): string => String(value).replaceAll(/[A-Za-z0-9]/g, 'x');

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
