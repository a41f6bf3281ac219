// Values that the server refuses together. One of them is declared. The other may come from the
// account, because an update sends it back.
import type { Kind } from '../../kinds/kind.ts';
import { bits, masked, parsePrefix, prefixText } from '../../kinds/values/ip.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, type Json, valueAt } from '../../model/value.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { DraftPlan } from './draftPlan.ts';

/**
 * Errors for objects that the server would refuse because two of their values exclude each other. One of the values may come from
 * the account.
 */
export function refusedTogether({
  changes,
  before,
  after,
  context,
}: Pick<DraftPlan, 'changes' | 'before' | 'after' | 'context'>): Diagnostic[] {
  return changes.flatMap(object => {
    const { change } = object;
    const kind = context.kind(change.kind);
    const fields = after.objects.get(change.address)?.fields;
    if (change.type === 'delete' || fields === undefined) return [];
    return [
      ...kind.requiredTogether.flatMap(rule => togetherFault(rule, fields, object, kind)),
      ...kind.addressRoom.flatMap(rule =>
        before.unread.has(rule.kind)
          ? []
          : roomFault(rule, object, {
              peers: [...before.objects.values()].filter(one => one.kind === rule.kind).length,
              plural: context.kind(rule.kind).plural,
            }),
      ),
    ];
  });
}

function togetherFault(
  { field, with: other, must }: Kind['requiredTogether'][number],
  fields: Fields,
  object: ObjectChange,
  { shape }: Kind,
): Diagnostic[] {
  const isSet = hasValue(at(fields, other));
  if (at(fields, field) !== true || isSet === (must === 'be-set')) return [];
  const owned = object.change.after ?? {};
  const [isOwn, isOtherOwn] = [field, other].map(path => at(owned, path) !== undefined);
  const list = shapeAt(shape, other.split('.'))?.type === 'list';
  const wanted = list ? `entries in ${quoted(other)}` : quoted(`${other}: true`);
  const only = isSet
    ? `without ${wanted}${isOtherOwn ? '' : ', which the account has'}`
    : `with ${wanted}`;
  const remedy = isSet ? quoted(list ? `${other}: []` : `${other}: false`) : wanted;
  return [
    {
      ...faultAt(object, isOtherOwn ? other : field),
      message: `${quoted(field)} of ${object.change.address} is true${isOwn ? '' : ' in the account'}, and the server accepts that only ${only}`,
      hint: `declare ${remedy}, or declare ${quoted(`${field}: false`)}${isOwn ? '' : ' too'}`,
    },
  ];
}

function roomFault(
  { field, percent, least }: Kind['addressRoom'][number],
  object: ObjectChange,
  { peers, plural }: { readonly peers: number; readonly plural: string },
): Diagnostic[] {
  const text = object.change.after?.[field];
  const range = typeof text === 'string' ? parsePrefix(text) : null;
  if (!range) return [];
  const wanted = Math.max(least, Math.ceil((peers * percent) / 100));
  const hosts = hostsIn(bits(range.version) - range.length);
  if (hosts >= wanted) return [];
  const host = Array.from({ length: bits(range.version) }, (_, width) => width);
  const width = host.find(one => hostsIn(one) >= wanted) ?? bits(range.version);
  const larger = prefixText(masked({ ...range, length: bits(range.version) - width }));
  return [
    {
      ...faultAt(object, field),
      message: `${quoted(field)} of ${object.change.address} has ${hosts} addresses for ${plural}, and the server requires ${wanted} for the ${peers} ${plural} of the account`,
      hint: `declare a larger range, such as ${quoted(larger)}`,
    },
  ];
}

// The number of host addresses in a range. The first and the last address do not count.
const hostsIn = (width: number): number => Math.max(0, 2 ** width - 2);

function faultAt({ change, desired }: ObjectChange, path: string) {
  const [name] = path.split('.');
  const position = desired?.spans[`/${name}`] ?? desired?.at ?? change.at;
  return {
    code: 'SCHEMA_COMBINATION',
    severity: 'error',
    ...(position && { at: position }),
  } as const;
}

const at = (fields: Fields, path: string): Json | undefined => valueAt(fields, path.split('.'));

const hasValue = (value: Json | undefined): boolean =>
  value === true || (isList(value) && value.length > 0);
