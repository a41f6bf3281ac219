// Faults of expiry times, within an object and between objects. An expiry must be possible, and must not give anybody access.
import { cascadesOf } from '../../kinds/dialect/cascades.ts';
import type { Kind, Shape } from '../../kinds/kind.ts';
import { type FoundRef, refsIn } from '../../kinds/values/refs.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { endOf, endTime, type MemberEnd } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject, type Json, type Path } from '../../model/value.ts';
import type { Declared } from '../objects/declared.ts';
import { quotedBriefly } from '../sentenceWords.ts';
import { endFault } from './times.ts';

/** The faults of the expiry times of one object. */
export function endFindings(object: Declared): Diagnostic[] {
  const { desired, kind, node } = object;
  const { until } = desired.lifecycle;
  const at = node.at(['lifecycle', 'until']);
  const own =
    typeof until !== 'string' || until === ''
      ? []
      : [endFault(until) ?? unendable(kind, desired)].flatMap(fault =>
          fault ? [{ severity: 'error' as const, ...fault, at }] : [],
        );
  return [...own, ...memberFindings(object)];
}

type Fault = Pick<Diagnostic, 'code' | 'message' | 'hint'>;

/** Why an object of the kind cannot expire; null if it can. */
function unendable(kind: Kind, { fields, lifecycle }: Desired): Fault | null {
  const refused = (message: string, hint = 'remove `until`'): Fault => ({
    code: 'END_REFUSED',
    message,
    hint,
  });
  if (!kind.verbs.has('delete'))
    return refused(`the ${kind.noun} cannot expire: the API cannot delete it`);
  const [along] = cascadesOf(kind, false);
  if (along !== undefined)
    return refused(
      `the ${kind.noun} cannot expire: the server would delete other objects with it`,
      `${along.by === undefined ? 'write `until` in the objects that are declared in it instead' : 'remove `until`'}; to delete it, use \`lifecycle: { delete: true }\`: the plan lists the other objects`,
    );
  if (kind.narrows?.itself)
    return refused(`the ${kind.noun} cannot expire: deleting it would allow more than before`);
  if (narrowingItems(kind, fields).length > 0)
    return refused(
      `this ${kind.noun} cannot expire: it denies access, and deleting it would open that access`,
      'remove `until`, or move what denies access into a separate object',
    );
  const excluded = (['protect', 'delete', 'break_glass'] as const).find(
    name => lifecycle[name] === true,
  );
  if (excluded === undefined) return null;
  return {
    code: 'SCHEMA_COMBINATION',
    message: `${quoted(excluded)} and \`until\` exclude each other`,
    hint: 'keep one of the two',
  };
}

function memberFindings({ desired, kind, node }: Declared): Diagnostic[] {
  const { ends = [], lifecycle, fields } = desired;
  if (ends.length === 0) return [];
  const items = narrowingItems(kind, fields).map(path => `${pointer(path)}/`);
  const ignored = new Set(lifecycle.ignore ?? []);
  const refused = ends.flatMap(({ list, at }): Diagnostic[] => {
    if (items.some(item => pointer(list).startsWith(item)))
      return [
        {
          code: 'END_REFUSED',
          severity: 'error',
          message:
            'this member cannot expire: access is denied through it, and removing it would open that access',
          at,
          hint: 'write only the name',
        },
      ];
    const [name = ''] = list;
    if (!ignored.has(name)) return [];
    const message = `the expiry has no effect: ${quoted(name)} is in \`lifecycle.ignore\``;
    const hint = 'remove one of the two';
    return [{ code: 'END_REFUSED', severity: 'error', message, at, hint }];
  });
  return [...refused, ...twice(ends, { fields, at: path => node.at(path) })];
}

interface Places {
  readonly fields: Fields;
  readonly at: (path: Path) => Span;
}

// Errors for a member that has two expiry times, or is listed once with an expiry and once without.
function twice(ends: readonly MemberEnd[], { fields, at }: Places): Diagnostic[] {
  const byMember = Map.groupBy(ends, ({ list, member }) => JSON.stringify([list, member]));
  return [...byMember.values()].flatMap(own => {
    const [first] = own;
    if (first === undefined) return [];
    const members = valueAt(fields, first.list);
    const places = (isList(members) ? members : []).flatMap((member, i) =>
      member === first.member ? [[...first.list, String(i)]] : [],
    );
    const times = new Set(own.map(({ until }) => endOf(until)));
    if (times.size === 1 && places.length === own.length) return [];
    const other = places.map(at).find(place => !isSame(place, first.at));
    return [contradicted(first.member, other ?? first.at)];
  });
}

function contradicted(member: string, at: Span): Diagnostic {
  const message = `${quotedBriefly(member)} is in this list twice, with different expiry`;
  return {
    code: 'MEMBERSHIP_CONTRADICTED',
    severity: 'error',
    message,
    at,
    hint: 'keep one of the two',
  };
}

const isSame = (one: Span, other: Span): boolean =>
  one.file === other.file && one.line === other.line && one.column === other.column;

const valueAt = (value: Json, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(
    (at, step) => (isList(at) ? at[Number(step)] : isObject(at) ? at[step] : undefined),
    value,
  );

/** The paths of the items that deny access. */
function narrowingItems({ narrows }: Kind, fields: Fields): readonly Path[] {
  const { items } = narrows ?? {};
  const [list, field] = items?.field.split('.') ?? [];
  if (!items || list === undefined || field === undefined) return [];
  const all = fields[list];
  return (isList(all) ? all : []).flatMap((item, i) =>
    isObject(item) && items.in.includes(String(item[field])) ? [[list, String(i)]] : [],
  );
}

/** Faults between objects: an expiry that could give access, or that another object prevents. */
export function endsBetween(declared: readonly Declared[]): Diagnostic[] {
  const ending = declared.filter(
    ({ desired: { lifecycle, ends = [] } }) => lifecycle.until !== undefined || ends.length > 0,
  );
  if (ending.length === 0) return [];
  const ends = new Map(ending.map(object => [addressed(object.desired), object]));
  return declared.flatMap(object => {
    const refs = refsIn(object.kind.shape, object.desired.fields);
    return refs.flatMap(ref => {
      const named = ends.get(addressOf(ref.kind, ref.key as Key));
      if (named === undefined) return [];
      return [
        ...narrowed(object, named, ref),
        ...outlives(object, named, ref),
        ...mirrored(object, named, ref),
      ];
    });
  });
}

const addressed = ({ kind, key }: Desired): Address => addressOf(kind, key);

// A list that withholds access from others must not become smaller when something expires.
function narrowed(
  { desired, kind }: Declared,
  { desired: named, node }: Declared,
  { path }: FoundRef,
): Diagnostic[] {
  const isThrough = kind.narrows?.through?.includes(path[0] ?? '') === true;
  const isInItem = narrowingItems(kind, desired.fields).some(item =>
    pointer(path).startsWith(`${pointer(item)}/`),
  );
  if (!isThrough && !isInItem) return [];
  const places = [
    ...(named.lifecycle.until === undefined ? [] : [node.at(['lifecycle', 'until'])]),
    ...(named.ends ?? []).map(({ at }) => at),
  ];
  return places.map(at => ({
    code: 'END_REFUSED',
    severity: 'error',
    message: `this expiry could give access: ${addressed(desired)} uses ${addressed(named)} to withhold access`,
    at,
    hint: 'remove `until`, or use another object there',
  }));
}

// The server does not delete an object to which another object refers.
function outlives(
  { desired, kind }: Declared,
  { desired: named }: Declared,
  { path }: FoundRef,
): Diagnostic[] {
  const until = endTime(named.lifecycle.until);
  const own = endTime(desired.lifecycle.until);
  if (until === undefined || (own !== undefined && own <= until)) return [];
  if (endsWith(kind.shape, path)) return [];
  const at = desired.spans[pointer(path)] ?? desired.at;
  const message = `${addressed(desired)} still refers to ${addressed(named)} when that expires`;
  const hint = `give ${addressed(desired)} an expiry that is not later, or remove one of the two`;
  return [{ code: 'END_REFUSED', severity: 'error', message, at, hint }];
}

// Whether the reference is in a list whose members can expire: it is then removed together with the object that it names.
function endsWith(shape: Shape, path: Path): boolean {
  let at: Shape | undefined = shape;
  let isInside = false;
  for (const step of path) {
    if (at?.type === 'object') {
      const field: { readonly ends?: string; readonly shape: Shape } | undefined =
        at.fields.get(step);
      isInside = field?.ends !== undefined;
      at = field?.shape;
    } else at = at?.type === 'list' ? at.items : undefined;
  }
  return isInside;
}

// The same membership is also declared on the other side, where it has no expiry.
function mirrored(
  { desired, kind, node }: Declared,
  { desired: named }: Declared,
  { path }: FoundRef,
): Diagnostic[] {
  const field = kind.shape.fields.get(path[0] ?? '');
  if (field?.writtenAs === undefined) return [];
  const same = (named.ends ?? []).find(
    ({ list, member }) => list[0] === field.writtenAs && member === desired.key,
  );
  if (same === undefined) return [];
  const message = `${addressed(named)} declares ${quotedBriefly(desired.key)} as a member with an expiry, but here the member has none`;
  const hint = 'remove the member here, or its expiry there';
  return [{ code: 'MEMBERSHIP_CONTRADICTED', severity: 'error', message, at: node.at(path), hint }];
}
