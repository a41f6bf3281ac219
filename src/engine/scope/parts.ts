// Splits declared objects into the parts that the server stores as separate objects.
import { namingFields } from '../../kinds/identity/identity.ts';
import { itemKeys, partName, partsIn } from '../../kinds/identity/parts.ts';
import type { Kind, KindTable, Parts } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Span } from '../../model/diagnostic.ts';
import { addressOf, keyOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { isList } from '../../model/value.ts';

/** The objects as the server stores them. Objects that it stores in parts are split. */
export function inParts(
  objects: readonly Desired[],
  kinds: KindTable,
  dialect: Dialect,
): readonly Desired[] {
  const whole = objects.filter(object => !isInSeveral(object, kinds, dialect));
  const names = new Set(whole.map(({ kind, key }) => addressOf(kind, key)));
  // If two objects have the same name, another check reports the second of them.
  return objects.flatMap(object =>
    partsOf(object, kinds, dialect).filter(({ kind, key, part }) => {
      if (part === undefined || key === part.whole) return true;
      const address = addressOf(kind, key);
      const isFree = !names.has(address);
      names.add(address);
      return isFree;
    }),
  );
}

/** Whether the server stores a declared object in more than one part. */
export function isInSeveral(object: Desired, kinds: KindTable, dialect: Dialect): boolean {
  const kind = kinds.get(object.kind);
  return kind !== undefined && partsIn(kind, dialect) !== undefined && countOf(kind, object) > 1;
}

/** Whether a declared object is one of several parts. */
export const isPart = ({ key, part }: Desired): boolean => part !== undefined && key !== part.whole;

const countOf = (kind: Kind, { fields }: Desired): number => itemKeys(kind, fields).length;

function partsOf(object: Desired, kinds: KindTable, dialect: Dialect): readonly Desired[] {
  const kind = kinds.get(object.kind);
  const parts = kind && partsIn(kind, dialect);
  if (!kind || !parts) return [object];
  const { key: whole, lifecycle } = object;
  const formerWhole = lifecycle.was;
  const [first, ...more] = itemKeys(kind, object.fields).map((item, index) => ({ item, index }));
  if (!first) return [object];
  const known = { whole, ...(formerWhole !== undefined && { formerWhole }) };
  if (more.length === 0) return [{ ...object, part: { ...known, item: first.item, leads: true } }];
  const spansOf = spansByItem(object.spans, parts.list);
  return [first, ...more]
    .sort((a, b) => (a.item < b.item ? -1 : 1))
    .map(({ item, index }, position) => ({
      ...partAt(object, index, { kind, parts, item, spansOf }),
      part: { ...known, item, leads: position === 0 },
    }));
}

interface PartOf {
  readonly kind: Kind;
  readonly parts: Parts;
  readonly item: string;
  /** Returns the positions of an item in the files. */
  readonly spansOf: (index: number) => Desired['spans'];
}

function partAt(object: Desired, index: number, { kind, parts, item, spansOf }: PartOf): Desired {
  const { key: whole, fields, lifecycle } = object;
  const { list } = parts;
  const items = fields[list];
  const name = partName(parts, whole, item);
  const { id: _, was, ...rest } = lifecycle;
  return {
    ...object,
    key: keyOf([name]),
    fields: {
      ...fields,
      [namingFields(kind)[0] ?? '']: name,
      [list]: isList(items) ? items.slice(index, index + 1) : [],
    },
    lifecycle: { ...rest, ...(was !== undefined && { was: partName(parts, was, item) }) },
    spans: spansOf(index),
  };
}

// Returns a function that finds the positions of an item in the files. In a part, the item keeps
// its position in the whole object. The positions are split only once for all items.
function spansByItem(spans: Desired['spans'], list: string): (index: number) => Desired['spans'] {
  const prefix = `/${list}/`;
  const shared: Record<string, Span> = {};
  const items = new Map<string, Record<string, Span>>();
  for (const [at, span] of Object.entries(spans)) {
    if (!at.startsWith(prefix)) shared[at] = span;
    else {
      const [index = ''] = at.slice(prefix.length).split('/', 1);
      const own = items.get(index) ?? {};
      own[`${prefix}0${at.slice(prefix.length + index.length)}`] = span;
      items.set(index, own);
    }
  }
  return index => ({ ...shared, ...items.get(String(index)) });
}
