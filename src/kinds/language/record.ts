// The forms of objects in schema words: with fixed entries, with one entry for each dialect or kind, or with entries that depend
// on a strategy.
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { isObject, type Json, type JsonObject } from '../../model/value.ts';
import { choiceText, type Form, meant, type SchemaPosition, unfit, type ValueOf } from './form.ts';

type Entries = Readonly<Record<string, Form<unknown>>>;
type Optional = readonly string[];

/** The object type of these entries; the entries named in `O` are optional. */
type RecordOf<E extends Entries, O extends Optional> = {
  readonly [N in keyof E as N extends O[number] ? never : N]: ValueOf<E[N]>;
} & { readonly [N in keyof E as N extends O[number] ? N : never]?: ValueOf<E[N]> };

/** A form of objects with these entries and no others. */
export function record<const E extends Entries, const O extends Optional = readonly []>(
  entries: E,
  optional?: O,
): Form<RecordOf<E, O>> {
  const wants = `an object with ${entryList(entries, optional ?? [])}`;
  return {
    wants,
    faults: (value, position) =>
      isObject(value)
        ? entryFaults(value, { entries, optional: optional ?? [] }, position)
        : [unfit(value, position, wants)],
  };
}

function entryList(entries: Entries, optional: Optional): string {
  return Object.entries(entries)
    .map(
      ([name, { wants }]) =>
        `${quoted(name)}${optional.includes(name) ? ' (optional)' : ''}: ${wants}`,
    )
    .join('; ');
}

/** The faults of an object's entries: unknown, missing and unfit entries. */
export function entryFaults(
  value: JsonObject,
  { entries, optional }: { readonly entries: Entries; readonly optional: Optional },
  position: SchemaPosition,
): readonly string[] {
  const missing = Object.keys(entries).filter(
    name => !optional.includes(name) && value[name] === undefined,
  );
  return [
    ...missing.map(name => `${position.path} must have ${quoted(name)}`),
    ...Object.entries(value).flatMap(([name, entry]) => {
      const form = Object.hasOwn(entries, name) ? entries[name] : undefined;
      return form
        ? form.faults(entry, { ...position, path: `${position.path}/${name}`, beside: value })
        : [unknownEntry(name, Object.keys(entries), position)];
    }),
  ];
}

function unknownEntry(name: string, known: readonly string[], { path }: SchemaPosition): string {
  const hint = didYouMean(name, known) ?? `known are ${known.join(', ')}`;
  return `${path} has no word ${quoted(name)}; ${hint}`;
}

/** A form of non-empty objects, with values of one form under keys of another form. */
export function mapOf<K extends string, V>(
  key: Form<K>,
  item: Form<V>,
): Form<Readonly<Partial<Record<K, V>>>> {
  const wants = `an object, not empty, with ${key.wants} as key, and as value ${item.wants}`;
  return {
    wants,
    faults: (value, position) =>
      isObject(value) && Object.keys(value).length > 0
        ? Object.entries(value).flatMap(([name, entry]) => {
            const at = { ...position, path: `${position.path}/${name}` };
            return [...key.faults(name, at), ...item.faults(entry, { ...at, beside: value })];
          })
        : [unfit(value, position, wants)],
  };
}

/** One strategy of a closed list: its effect, and its entries. */
interface Strategy<E extends Entries = Entries, O extends Optional = Optional> {
  readonly does: string;
  readonly entries: E;
  readonly optional: O;
}

/** A strategy with these entries. */
export function strategy<const E extends Entries, const O extends Optional>(
  does: string,
  entries: E,
  optional: O,
): Strategy<E, O> {
  return { does, entries, optional };
}

type Strategies = Readonly<Record<string, Strategy>>;

type Chosen<S extends Strategies> = {
  [N in keyof S & string]: { readonly type: N } & (S[N] extends Strategy<infer E, infer O>
    ? RecordOf<E, O>
    : never);
}[keyof S & string];

/** A form of objects whose `type` names one of these strategies, with the entries of that strategy. */
export function oneStrategyOf<const S extends Strategies>(strategies: S): Form<Chosen<S>> {
  const names = Object.keys(strategies);
  const wants = `an object whose \`type\` is ${choiceText(names)}`;
  const faults = (value: Json, position: SchemaPosition): readonly string[] => {
    if (!isObject(value)) return [unfit(value, position, wants)];
    const { type = null, ...entries } = value;
    const chosen = Object.entries(strategies).find(([name]) => name === type)?.[1];
    if (chosen) return entryFaults(entries, chosen, position);
    const at = { ...position, path: `${position.path}/type` };
    return [unfit(type, at, choiceText(names), meant(type, names))];
  };
  return { wants, faults, meanings: mapValues(strategies, meaningOf) };
}

function meaningOf({ does, entries, optional }: Strategy): string {
  const needed = entryList(entries, optional);
  return needed === '' ? does : `${does} Entries: ${needed}.`;
}

const mapValues = <A, B>(values: Readonly<Record<string, A>>, as: (value: A) => B) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, as(value)]));
