// The reasons why servers cannot store a declared object in parts, if the files show them.
import { itemKeys, partName, partsIn } from '../../kinds/identity/parts.ts';
import type { Kind, KindTable, Parts } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { placeText } from '../../model/diagnostic.ts';
import { addressOf, keyOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';

/** The faults of declared objects that servers of a dialect store in several parts. */
export function partFaults(
  desired: readonly Desired[],
  kinds: KindTable,
  dialect: Dialect,
): Diagnostic[] {
  const owners = new Map<Address, Owner>(
    desired.map(object => [addressOf(object.kind, object.key), { object }]),
  );
  return desired.flatMap(object => {
    const kind = kinds.get(object.kind);
    const parts = kind && partsIn(kind, dialect);
    if (!kind || !parts) return [];
    const items = itemKeys(kind, object.fields);
    if (items.length < 2) return [];
    const keeping: Keeping = { object, kind, parts, items };
    return [...boundToOne(keeping), ...unnamed(keeping), ...nameTaken(keeping, owners)];
  });
}

interface Keeping {
  readonly object: Desired;
  readonly kind: Kind;
  readonly parts: Parts;
  /** The keys of the items, in the order in which they are written. */
  readonly items: readonly string[];
}

/** The owner of a name: a declared object, or a part of a declared object. */
interface Owner {
  readonly object: Desired;
  readonly item?: string;
}

// The fault of an `id`. It would identify only one of the parts, and it is unclear which part.
function boundToOne({ object, kind, parts, items }: Keeping): Diagnostic[] {
  if (object.lifecycle.id === undefined) return [];
  const address = addressOf(object.kind, object.key);
  return [
    {
      code: 'DIALECT_UNSUPPORTED',
      severity: 'error',
      message: `${address} has ${items.length} ${parts.list}, which this server stores as separate objects: lifecycle.id can bind only one object`,
      at: object.spans['/lifecycle/id'] ?? object.at,
      hint: `remove lifecycle.id: the ${kind.plural} ${quoted(partName(parts, object.key, '<name>'))} are matched by their names`,
    },
  ];
}

function unnamed({ object, kind, parts, items }: Keeping): Diagnostic[] {
  const index = items.indexOf('');
  if (index < 0) return [];
  const address = addressOf(object.kind, object.key);
  return [
    {
      code: 'DIALECT_UNSUPPORTED',
      severity: 'error',
      message: `member ${index + 1} of the ${parts.list} of ${address} has no name, and this server stores each member as a ${kind.noun} named after it`,
      at: object.spans[`/${parts.list}/${index}`] ?? object.at,
      hint: 'give it a name',
    },
  ];
}

function nameTaken({ object, parts, items }: Keeping, owners: Map<Address, Owner>): Diagnostic[] {
  return items.flatMap((item, index): Diagnostic[] => {
    const name = partName(parts, object.key, item);
    const address = addressOf(object.kind, keyOf([name]));
    const owner = owners.get(address);
    if (!owner) {
      owners.set(address, { object, item });
      return [];
    }
    // If the items are in one list, another check reports their equal names.
    if (owner.object === object) return [];
    const whole = addressOf(object.kind, object.key);
    const what =
      owner.item === undefined
        ? 'is declared too'
        : `is also a part of ${addressOf(owner.object.kind, owner.object.key)}`;
    return [
      {
        code: 'OBJECT_DUPLICATE',
        severity: 'error',
        message: `this server stores ${quoted(item)} of the ${parts.list} of ${whole} as ${address}, which ${what}`,
        at: object.spans[`/${parts.list}/${index}`] ?? object.at,
        hint: `rename one of the two; the other is at ${placeText(owner.object.at)}`,
      },
    ];
  });
}
