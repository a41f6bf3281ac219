// The forms that the value of a schema word can have. A form describes the expected value, finds the faults of a value, and
// defines the TypeScript type of the value.
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, type Json, type JsonObject } from '../../model/value.ts';

/** The facts about all schemas. */
export interface SchemaFacts {
  /** The fields of all kinds, each with the kind to which it points. */
  readonly kinds: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>;
  /** The kind whose schema is checked. */
  readonly kind: string;
}

/** The position of a checked value: its path in the file, the object that contains it, and the surrounding meshform keyword. */
export interface SchemaPosition extends SchemaFacts {
  readonly path: string;
  readonly beside: JsonObject;
  readonly keyword: JsonObject;
}

/** A form of values of type `T`. */
export interface Form<T> {
  /** The end of a sentence that begins with "must be …". */
  readonly wants: string;
  /** Returns the faults of a value: one sentence for each fault, with the place and the value. */
  readonly faults: (value: Json, position: SchemaPosition) => readonly string[];
  /** The meaning of each name, if the form is a closed list. */
  readonly meanings?: Meanings;
  /** Never set. It only carries the TypeScript type. */
  readonly type?: T;
}

/** The names of a closed list, each with its meaning. */
export type Meanings = Readonly<Record<string, string>>;

/** The type of the values of a form. */
export type ValueOf<F> = F extends Form<infer T> ? T : never;

/** The sentence about a value that does not fit its form. */
export function unfit(value: Json, position: SchemaPosition, wants: string, hint = ''): string {
  return `${position.path} must be ${wants}, not ${JSON.stringify(value)}${hint}`;
}

/** A hint with the most similar of the known names; empty if none is similar. */
export function meant(value: Json, known: Iterable<string>): string {
  const hint = typeof value === 'string' ? didYouMean(value, known) : undefined;
  return hint === undefined ? '' : `; ${hint}`;
}

/** A form of plain values that pass a test. */
function plain<T>(wants: string, holds: (value: Json) => boolean): Form<T> {
  return {
    wants,
    faults: (value, position) => (holds(value) ? [] : [unfit(value, position, wants)]),
  };
}

/** Any text that is not empty. */
export const text = plain<string>(
  'a text that is not empty',
  value => typeof value === 'string' && value !== '',
);

/** `true`. For false, the word is omitted. */
export const flag = plain<true>('true', value => value === true);

/** `false`, as in JSON Schema for a field that must not be set. */
export const never = plain<false>('false', value => value === false);

/** A whole number. */
export const integer = plain<number>('a whole number', value => Number.isInteger(value));

/** A text or a boolean. */
export const textOrBoolean = plain<string | boolean>(
  'a text or a boolean',
  value => typeof value === 'string' || typeof value === 'boolean',
);

/** A form of texts that match an expression, which `wants` describes in words. */
export function pattern(expression: RegExp, wants: string): Form<string> {
  return plain(wants, value => typeof value === 'string' && expression.test(value));
}

/** The names of a closed list as a choice: `a`, `b` or `c`. */
export function choiceText(names: readonly string[]): string {
  const [last = '', ...others] = names.map(quoted).reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}

/** A form of one name from a closed list. */
export function choice<const M extends Meanings>(meanings: M): Form<keyof M & string> {
  const names = Object.keys(meanings);
  const wants = choiceText(names);
  const holds = (value: Json) => names.some(known => known === value);
  return {
    wants,
    meanings,
    faults: (value, position) =>
      holds(value) ? [] : [unfit(value, position, wants, meant(value, names))],
  };
}

/** Exactly this value. */
export function exactly<const T extends number | boolean>(wanted: T): Form<T> {
  return plain(String(wanted), value => value === wanted);
}

/** The name of a kind. */
export const kindRef: Form<string> = {
  wants: 'the name of a kind',
  faults: (value, position) =>
    typeof value === 'string' && position.kinds.has(value)
      ? []
      : [unfit(value, position, 'the name of a kind', meant(value, position.kinds.keys()))],
};

/** A form of names of fields of one kind, or of dotted paths inside these fields. `kindAt` returns the kind. */
function fieldIn(whose: string, kindAt: (position: SchemaPosition) => string): Form<string> {
  const wants = `the name of a field of ${whose}`;
  return {
    wants,
    faults: (value, position) => {
      const known = position.kinds.get(kindAt(position)) ?? new Map<string, string | undefined>();
      const [first = ''] = typeof value === 'string' ? value.split('.') : [];
      return known.has(first) ? [] : [unfit(value, position, wants, meant(value, known.keys()))];
    },
  };
}

/** A field of the kind itself. */
export const ownField = fieldIn('the kind', ({ kind }) => kind);

/** A field of the kind that the neighbouring entry `kind` names. */
export const fieldOfThat = fieldIn('the kind beside it', ({ beside }) => String(beside.kind));

/** A field of the kind to which `field` refers. */
export const fieldPointedAt = fieldIn(
  'the kind that `field` refers to',
  ({ kinds, kind, beside }) => kinds.get(kind)?.get(String(beside.field)) ?? '',
);

/** A field of the kind that the word `ref` names. */
export const fieldOfReferent = fieldIn('the kind that `ref` names', ({ keyword }) =>
  String(keyword.ref),
);

/** A field of the kind that the word `parent` names. */
export const fieldOfParent = fieldIn('the parent', ({ keyword }) => String(keyword.parent));

/** A form of lists that are not empty. */
export function list<T>(item: Form<T>): Form<readonly T[]> {
  const wants = `a list, not empty, in which each entry is ${item.wants}`;
  return {
    wants,
    ...(item.meanings && { meanings: item.meanings }),
    faults: (value, position) =>
      isList(value) && value.length > 0
        ? itemFaults(value, item, position)
        : [unfit(value, position, wants)],
  };
}

/** A list without repetitions, which may be empty. */
export function distinct<T>(item: Form<T>): Form<readonly T[]> {
  const wants = `a list without repetitions in which each entry is ${item.wants}`;
  return {
    wants,
    ...(item.meanings && { meanings: item.meanings }),
    faults: (value, position) =>
      isList(value) && new Set(value).size === value.length
        ? itemFaults(value, item, position)
        : [unfit(value, position, wants)],
  };
}

function itemFaults<T>(
  items: readonly Json[],
  { faults }: Form<T>,
  position: SchemaPosition,
): readonly string[] {
  return items.flatMap((one, i) => faults(one, { ...position, path: `${position.path}/${i}` }));
}

/**
 * A form of values that have one of two forms. The JSON type of the value decides which: a text, a list, an object, or another
 * value.
 */
export function either<A, B>(first: Form<A>, second: Form<B>): Form<A | B> {
  const wants = `${first.wants}, or ${second.wants}`;
  const meanings = { ...first.meanings, ...second.meanings };
  return {
    wants,
    ...(Object.keys(meanings).length > 0 && { meanings }),
    faults: (value, position) => {
      const tried = [first.faults(value, position), second.faults(value, position)];
      if (tried.some(faults => faults.length === 0)) return [];
      // A fault inside the value is more precise than a sentence about both forms, so it is preferred.
      const inside = tried.find(faults =>
        faults.every(fault => !fault.startsWith(`${position.path} must`)),
      );
      return inside ?? [unfit(value, position, wants)];
    },
  };
}
