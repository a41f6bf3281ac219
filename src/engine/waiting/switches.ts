// How an object or one of its items is disabled, and which items deny instead of allow. The kind
// declares both.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { KindName } from '../../model/names.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Fields, Json } from '../../model/value.ts';

/** The values by which a field disables the object or item that contains it. */
const OFF: Readonly<Record<string, Json>> = { enabled: false, revoked: true, is_blocked: true };

/** Whether a field with this name and value disables the object or item that contains it. */
export const isOffValue = (name: string, value: Json | undefined): boolean =>
  value !== undefined && value === OFF[name];

/** The field that disables an object, or an item of its list `list`; undefined if there is no such field. */
export function switchOf({ line }: Kind, list?: string): string | undefined {
  const found = (line?.closes ?? []).find(
    ({ field, in: values }) => isIn(field, list) && values.includes(false),
  );
  return found?.field.split('.').at(-1);
}

/**
 * Words that say how to disable objects of these kinds in files, such as ``switch it off (`enabled: false`)``; undefined if none
 * of the kinds has such a field.
 */
export function switchingOffWords(
  names: readonly KindName[],
  kinds: KindTable,
): string | undefined {
  const fields = [...new Set(names)].map(name => {
    const kind = kinds.get(name);
    return kind && switchOf(kind);
  });
  const known = [...new Set(fields)].filter(field => field !== undefined);
  if (known.length === 0) return undefined;
  const where = fields.includes(undefined) ? ', where it can be' : '';
  return `switch it off${where} (${known.map(field => quoted(`${field}: false`)).join(', ')})`;
}

/**
 * Whether an item of the list `list` denies access: a field other than a switch closes the item.
 */
export function denies({ line }: Kind, list: string, item: Fields): boolean {
  return (line?.closes ?? []).some(({ field, in: values }) => {
    const value: Json | undefined = item[field.split('.').at(-1) ?? ''];
    const isClosing =
      (typeof value === 'string' || typeof value === 'number') && values.includes(value);
    return isIn(field, list) && isClosing;
  });
}

/** The fields that disable an item of the list `list` or make it deny access. */
export const closingFields = ({ line }: Kind, list: string): readonly string[] =>
  (line?.closes ?? []).flatMap(({ field }) =>
    isIn(field, list) ? (field.split('.').at(-1) ?? []) : [],
  );

const isIn = (field: string, list: string | undefined): boolean => {
  const steps = field.split('.');
  return list === undefined ? steps.length === 1 : steps.length === 2 && steps[0] === list;
};
