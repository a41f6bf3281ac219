// A drawn account with one field of one object changed.
import { canonicalFields, isEmpty } from '../../src/kinds/canonical.ts';
import { present } from '../../src/model/errors.ts';
import { addressOf } from '../../src/model/key.ts';
import type { Address } from '../../src/model/names.ts';
import type { Desired } from '../../src/model/object.ts';
import type { Fields } from '../../src/model/value.ts';
import { KINDS, load } from '../support/files.ts';
import { keysOf } from './drawn.ts';
import type { Tape } from './tape.ts';
import { drawFields } from './values.ts';
import { fileText } from './written.ts';

export interface Moved {
  readonly desired: readonly Desired[];
  readonly address: Address;
  readonly field: string;
}

/** Changes one writable field that does not name its object; null where the tape leads to no valid change. */
export function moveField(desired: readonly Desired[], tape: Tape): Moved | null {
  const [object] = tape.some(desired, 1);
  if (!object) return null;
  const kind = present(KINDS.get(object.kind), `the kind ${object.kind}`);
  const naming = new Set(
    kind.identity.flatMap(part => part.split('|')).map(path => path.split('.')[0]),
  );
  const fixed = Object.fromEntries(
    Object.entries(object.fields).filter(([name]) => naming.has(name)),
  );
  const keys = (name: Desired['kind']) => keysOf(name, desired);
  const drawn = drawFields(kind, fixed, { tape, dialect: 'spec', keys });
  const canonical = (fields: Fields) => canonicalFields(kind.shape, fields, 'desired');
  const [old, fresh] = [canonical(object.fields), canonical(drawn ?? {})];
  const isOther = (name: string) =>
    !(isEmpty(old[name]) && isEmpty(fresh[name])) &&
    JSON.stringify(old[name]) !== JSON.stringify(fresh[name]);
  const [field] = tape.some(
    Object.keys(drawn ?? {}).filter(name => !naming.has(name) && isOther(name)),
    1,
  );
  const value = field === undefined ? undefined : drawn?.[field];
  if (field === undefined || value === undefined) return null;
  const moved = { ...object, fields: { ...object.fields, [field]: value } };
  const all = desired.map(other => (other === object ? moved : other));
  return isValid(all) ? { desired: all, address: addressOf(object.kind, object.key), field } : null;
}

function isValid(desired: readonly Desired[]): boolean {
  const outside = { env: () => 'x', file: () => undefined, allowed: new Set<string>() };
  const { diagnostics } = load(fileText(desired), outside);
  return diagnostics.every(({ severity }) => severity !== 'error');
}
