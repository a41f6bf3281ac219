// An account under other names: every name that people chose is hostile, and all else is as it was. The emulator behind it
// and the files before it know the plain names, so that nothing but the names makes a difference.
import { keyOf } from '../../src/model/key.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';

export interface Disguise {
  /** Plain → hostile; a text that is no name stays as it is. */
  readonly on: (text: string) => string;
  /** Hostile → plain. */
  readonly off: (text: string) => string;
  /** The hostile form of any text, known as such from then on. */
  readonly any: (text: string) => string;
  /** Ids, as the server shows them. */
  readonly id: (id: string) => string;
}

/** Nothing is disguised. */
export const PLAINLY: Disguise = { on: same, off: same, any: same, id: same };

function same(text: string): string {
  return text;
}

/** The longest that a field allows for a name. */
const LONGEST = 40;

/** A disguise of `names` made of hostile texts, each of which gets a number that no other has. */
export function disguiseOf(names: Iterable<string>, texts: readonly string[]): Disguise {
  const on = new Map<string, string>();
  const off = new Map<string, string>();
  const add = (plain: string): string => {
    const known = on.get(plain);
    if (known !== undefined) return known;
    const number = on.size;
    // In files `${` asks for a value from outside, which is another matter.
    const text = (texts[number % texts.length] ?? '').replaceAll('${', '$ {');
    const hostile = `${text.slice(0, LONGEST - 4)}q${number}`;
    on.set(plain, hostile);
    off.set(hostile, plain);
    return hostile;
  };
  for (const name of names) add(name);
  const named = new Set(on.keys());
  // Nothing but an id ends so.
  const ids = `${(texts[0] ?? '').slice(0, 8).toWellFormed()}\u200bid`;
  return {
    on: text => (named.has(text) ? add(text) : text),
    off: text => off.get(text) ?? (text.endsWith(ids) ? text.slice(0, -ids.length) : text),
    any: add,
    id: id => `${id}${ids}`,
  };
}

/** Every string and every key of a value, replaced. */
function replaced(value: Json, text: (text: string, field: string) => string, field = ''): Json {
  if (typeof value === 'string') return text(value, field);
  if (isList(value)) return value.map(item => replaced(item, text, field));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [text(name, ''), replaced(item, text, name)]),
  );
}

/** Fields of answers that machines and other people fill in, and that no file declares. */
const FREE =
  /^(?:hostname|os|kernel_version|ui_version|serial_number|user_agent|activity|initiator_name|reason)$/;

/** Ids that the emulator makes. */
const ID = /^(?:[\da-v]{20}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** An answer as the server shows it. */
export function dressed(answer: Json, disguise: Disguise): Json {
  return replaced(answer, (text, field) => {
    if (FORMED.has(field)) return text;
    if (ID.test(text)) return disguise.id(text);
    return FREE.test(field) && text !== '' ? disguise.any(text) : disguise.on(text);
  });
}

/** A body or a part of a path as the emulator knows it. */
export const undressed = (sent: Json, { off }: Disguise): Json => replaced(sent, off);

/** Every text in a value of a plan, keys and values, as `disguise` has it; sorted, as names change the order of sets. */
export function textsIn(
  value: Json | undefined,
  names: ReadonlySet<string>,
  disguise: Disguise,
): readonly string[] {
  const texts: string[] = [];
  replaced(value ?? null, (text, field) => {
    const parts = partsOf(text, names);
    if (FORMED.has(field)) texts.push(text);
    else texts.push(parts === null ? disguise.on(text) : keyOf(parts.map(disguise.on)));
    return text;
  });
  return texts.sort();
}

/** Fields whose values have a form of their own, whatever word is in them. */
const FORMED = new Set(['prefix', 'city_name', 'tenant_id']);

/** A document of desired state under other names; a path of names becomes a list of them. */
export function dressedFile(
  document: JsonObject,
  names: ReadonlySet<string>,
  disguise: Disguise,
): Json {
  const walk = (value: Json, field = ''): Json => {
    if (typeof value === 'string') {
      const parts = FORMED.has(field) ? null : partsOf(value, names);
      return FORMED.has(field) ? value : (parts?.map(disguise.on) ?? disguise.on(value));
    }
    if (isList(value)) return value.map(item => walk(item, field));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [disguise.on(name), walk(item, name)]),
    );
  };
  return walk(document);
}

function partsOf(text: string, names: ReadonlySet<string>): string[] | null {
  const parts = text.split('/');
  return parts.length > 1 && parts.every(part => names.has(part)) ? parts : null;
}

/** JSON in ASCII alone, which is YAML that says exactly what it says. */
export function asciiJson(value: Json): string {
  return JSON.stringify(value, null, 1).replaceAll(
    /[^\n -~]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
