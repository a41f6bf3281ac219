// Removes from the texts of a plan the values that are specific to its account: the account's name and the ids of its objects.
// Different texts stay different, because no text can contain the placeholder of a name or an id.
import type { Field, KindTable, Shape } from '../../kinds/kind.ts';
import type { Plan } from '../../model/plan.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import { innerShape } from '../text/values.ts';

/** Replaces names and ids of an account in the parts of a plan. */
export interface Neutral {
  /** Replaces the name of the account and the ids of objects in a key, an address or a sentence. */
  readonly name: (text: string) => string;
  /** Replaces the same in all texts of a value that is not made of fields of a kind. */
  readonly names: (value: unknown) => Json;
  /**
   * Replaces the same in a value of this shape, or in the part of such a value at `path`. The value of a list may contain only
   * some of its members. Only ids in references are replaced. In fields whose words the kind defines, the name of the account is
   * not replaced.
   */
  readonly value: (shape: Shape | undefined, value: Json, path?: Path) => Json;
}

/** Marks a placeholder, because no text of a plan can contain this character unescaped. */
const SIGN = '\uffff';

/** An id as it is written in keys and addresses. */
const MENTION = /\bid:([\w-]+(?:[.:/@][\w-]+)*)/g;

/** The minimum length of a name: a shorter name could be a word in any text. */
const SHORTEST = 3;

/** Returns functions that replace the name of the account, where it is a whole word, and the ids of live objects in the plan. */
export function neutralFor(plan: Plan, kinds: KindTable, account: string): Neutral {
  const text = withoutName(account, kinds);
  const called = new Map(
    (plan.called ?? []).map(({ id, kind, name }) => [`${id}`, `${kind} ${name}`]),
  );
  const known = new Set(idsIn(plan).map(text));
  // Numbers the ids in the order in which the plan mentions them. Accounts whose objects have other ids have the same order.
  const numbers = new Map<string, string>();
  const numbered = (id: string): string => {
    const found = numbers.get(id) ?? `${SIGN}2${numbers.size} ${text(called.get(id) ?? '')}${SIGN}`;
    numbers.set(id, found);
    return found;
  };
  const name = (written: string): string => {
    const own = text(written);
    if (!own.includes('id:')) return own;
    return own.replaceAll(MENTION, (mention: string, id: string) =>
      known.has(id) ? `id:${numbered(id)}` : mention,
    );
  };
  const names = (value: unknown): Json => mapTexts(value as Json, name);
  return { name, names, value: valueWith({ text, name, escaped }) };
}

function idsIn({ called = [], pins, changes, leftAlone }: Plan): readonly string[] {
  return [...called, ...pins, ...changes, ...leftAlone].flatMap(({ id }) =>
    id === undefined ? [] : [`${id}`],
  );
}

const escaped = (text: string): string =>
  text.includes(SIGN) ? text.replaceAll(SIGN, `${SIGN}0`) : text;

/** Whether the name of an account is distinct enough to be recognised in a text. */
export const isName = (account: string): boolean =>
  account.length >= SHORTEST && /\p{L}/u.test(account);

function withoutName(account: string, kinds: KindTable): (text: string) => string {
  const isWord =
    account.length >= SHORTEST && /\p{L}/u.test(account) && !isReserved(account, kinds);
  if (!isWord) return escaped;
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}])${account.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`,
    'gu',
  );
  return text => {
    const own = escaped(text);
    return own.includes(account) ? own.replaceAll(word, `${SIGN}1`) : own;
  };
}

// Whether the account has the same name as a built-in object of every account. Such a name must not be replaced, because the
// object means the same in each account.
const isReserved = (account: string, kinds: KindTable): boolean =>
  [...kinds.values()].some(({ reserved }) =>
    reserved.some(({ equals }) => `${equals}`.toLowerCase() === account.toLowerCase()),
  );

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (isList(value)) return value.map(item => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, Json][] =>
      item === undefined ? [] : [[key, mapTexts(item, change)]],
    ),
  );
}

type Change = (text: string) => string;

function valueWith({ text, name, escaped }: Record<'text' | 'name' | 'escaped', Change>) {
  const walk = (shape: Shape | undefined, value: Json, isFree = true): Json => {
    if (typeof value === 'string') {
      if (shape?.type === 'scalar' && shape.ref) return name(value);
      return isFree ? text(value) : escaped(value);
    }
    if (isList(value)) {
      // A list in place of a reference contains the name of an object after the names of its parents.
      const items = shape?.type === 'list' ? shape.items : shape;
      return value.map(item => walk(items, item, isFree));
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, item]): [string, Json] => {
      if (shape?.type === 'dict')
        return [shape.keyRef ? name(key) : text(key), walk(shape.values, item)];
      if (shape?.type === 'choice') return [key, typeof item === 'string' ? name(item) : item];
      const field = shape?.type === 'object' ? shape.fields.get(key) : undefined;
      return [key, walk(field?.shape, item, isFree && !(field && isNarrow(field)))];
    });
    return Object.fromEntries(entries);
  };
  return (shape: Shape | undefined, value: Json, path: Path = []): Json => {
    let inner = shape;
    let isFree = true;
    for (const step of path) {
      const field = inner?.type === 'object' ? inner.fields.get(step) : undefined;
      isFree &&= !(field && isNarrow(field));
      inner = innerShape(inner, step);
    }
    return walk(inner, value, isFree);
  };
}

// Remembers which fields are narrow, because the schema of a field never changes.
const narrow = new WeakMap<Field, boolean>();

/**
 * Whether a field accepts only words or forms of text that its schema defines. In such a field, the name of the account has the
 * same meaning in any account.
 */
function isNarrow(field: Field): boolean {
  const known = narrow.get(field);
  if (known !== undefined) return known;
  const { schema } = field;
  const items = isObject(schema.items) ? schema.items : {};
  const found = [schema, items].some(one => NARROWS.some(word => one[word] !== undefined));
  narrow.set(field, found);
  return found;
}

const NARROWS = ['enum', 'const', 'pattern', 'anyOf', 'oneOf'];
