// The objects of an account that a plan identifies by id, with their names for people.
import { identityName, isNameless } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import type { LabelledId } from '../../model/idLabels.ts';
import { idInKey } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { Fields } from '../../model/value.ts';

/** The objects that have a name, but whose key is an id, in a stable order. */
export function labelledIdsIn(
  live: readonly Live[],
  kinds: KindTable,
  keyOf: (one: Live) => Key = ({ key }) => key,
): readonly LabelledId[] {
  const found = live.flatMap((one): LabelledId[] => {
    const kind = kinds.get(one.kind);
    const isById = idInKey(one.key) !== null || idInKey(keyOf(one)) !== null;
    if (kind === undefined || !isById || isNameless(kind)) return [];
    const fields = canonicalFields(kind.shape, one.fields, 'live');
    const name = identityName(kind, fields);
    if (name === null || name === '') return [];
    const address = addressIn(kind, fields);
    return [{ kind: kind.name, id: one.id, name, ...(address !== undefined && { address }) }];
  });
  const byName = ({ kind, id }: LabelledId) => `${kind} ${id}`;
  return found.toSorted((a, b) => compareTexts(byName(a), byName(b)));
}

/** The first address (host or range) among the fields of an object; undefined if there is none. */
function addressIn({ shape }: Kind, fields: Fields): string | undefined {
  for (const { name, shape: own } of shape.fields.values()) {
    const value = fields[name];
    const isAddress = own.type === 'scalar' && own.normalise === 'ip';
    if (isAddress && typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
