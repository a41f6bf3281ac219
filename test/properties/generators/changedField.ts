// A generated account with one field of one object changed. Objects that the server keeps in several parts have laws of their own:
// see `parts.test.ts`.
import { isCompared } from '../../../src/engine/diff/diff.ts';
import { isInSeveral } from '../../../src/engine/scope/parts.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import { canonicalFields, isEmpty } from '../../../src/kinds/values/canonical.ts';
import { present } from '../../../src/model/errors.ts';
import { addressOf } from '../../../src/model/key.ts';
import type { Address } from '../../../src/model/names.ts';
import type { Desired } from '../../../src/model/object.ts';
import { type Fields, isObject, type Json } from '../../../src/model/value.ts';
import { KINDS, load } from '../../support/files.ts';
import { offeredFields, type Server } from '../../support/servers/servers.ts';
import { drawable, keysOf } from './accounts.ts';
import { fileText } from './fileText.ts';
import type { RandomSource } from './randomSource.ts';
import { drawFields } from './values.ts';

export interface ChangedField {
  readonly desired: readonly Desired[];
  readonly address: Address;
  readonly field: string;
  /** What a field can change by: an update, or another object in the place of this one. */
  readonly type: 'update' | 'replace';
}

/** Changes one writable field that does not name its object; null if the random source leads to no valid change. */
export function changeField(
  desired: readonly Desired[],
  random: RandomSource,
  { dialect, edition }: Server,
): ChangedField | null {
  const isWhole = (one: Desired) => !isInSeveral(one, KINDS, dialect);
  const [object] = random.some(desired.filter(isWhole), 1);
  if (!object) return null;
  const kind = present(KINDS.get(object.kind), `the kind ${object.kind}`);
  const naming = new Set(kind.identity.flat().map(path => path.split('.')[0]));
  const fixed = Object.fromEntries(
    Object.entries(object.fields).filter(([name]) => naming.has(name)),
  );
  const keys = (name: Desired['kind']) => keysOf(name, desired);
  const whole = drawFields(kind, fixed, { random, dialect, keys });
  const generated = whole && offeredFields(edition, kind.name, drawable(kind, whole));
  const canonical = (fields: Fields) => canonicalFields(kind.shape, fields, 'desired');
  const old = canonical(object.fields);
  const fresh = canonical(generated ?? {});
  const isOther = (name: string) =>
    !(isEmpty(old[name]) && isEmpty(fresh[name])) &&
    JSON.stringify(old[name]) !== JSON.stringify(fresh[name]);
  const [field] = random.some(
    Object.keys(generated ?? {}).filter(
      // An object that files cannot create has fields of its own: only those that it declares can change.
      name =>
        !naming.has(name) &&
        isOther(name) &&
        isSeen(kind, name) &&
        (name in object.fields || (kind.verbs.has('create') && !isServers(kind, name))),
    ),
    1,
  );
  const value = field === undefined ? undefined : generated?.[field];
  if (field === undefined || value === undefined) return null;
  const moved = { ...object, fields: { ...object.fields, [field]: value } };
  const all = desired.map(other => (other === object ? moved : other));
  if (!isWhole(moved) || !isValid(all)) return null;
  const type = typeOfChange(kind, field, old[field], fresh[field]);
  return { desired: all, address: addressOf(object.kind, object.key), field, type };
}

/** Whether a field has a value of the server's own where it is not declared: either of two may be that. */
function isServers(kind: Kind, name: string): boolean {
  const field = kind.shape.fields.get(name);
  return (
    field?.default === undefined && field?.shape.type === 'scalar' && field.shape.json === 'boolean'
  );
}

/** Whether an account gives a field back. */
function isSeen(kind: Kind, name: string): boolean {
  const field = kind.shape.fields.get(name);
  return field !== undefined && isCompared(field);
}

function typeOfChange(
  { shape }: Kind,
  name: string,
  old: Json | undefined,
  fresh: Json | undefined,
): ChangedField['type'] {
  const { immutable, irreversible, addOnly } = present(shape.fields.get(name), name);
  const isLosing =
    addOnly && isObject(old) && isObject(fresh) && Object.keys(old).some(key => !(key in fresh));
  return immutable || (irreversible && old === true) || isLosing ? 'replace' : 'update';
}

function isValid(desired: readonly Desired[]): boolean {
  const outside = { env: () => 'x', file: () => undefined, vars: new Map<string, string>() };
  const { diagnostics } = load(fileText(desired), outside);
  return diagnostics.every(({ severity }) => severity !== 'error');
}
