// Names that differ from the name of another live object only in case. Looking up such a name
// returns both objects.
import type { Kind } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Fields } from '../../model/value.ts';
import { parentKey } from '../pairing/naming.ts';
import type { DraftPlan } from './draftPlan.ts';

/**
 * An object to be created and another object that stays in the account. Their names differ only in
 * case.
 */
interface Alike {
  readonly desired: Desired;
  readonly other: string;
}

type Planned = Pick<DraftPlan, 'pairing' | 'after' | 'context'>;

/** An error for each object whose name differs from another name only in case. */
export const alikeNames = (plan: Planned): readonly Diagnostic[] =>
  alikeIn(plan).map(({ desired, other }) => fault(desired, plan.context.kind(desired.kind), other));

/** The addresses of these objects. */
export const alikeAddresses = (plan: Planned): ReadonlySet<Address> =>
  new Set(alikeIn(plan).map(({ desired: { kind, key } }) => addressOf(kind, key)));

function alikeIn({ pairing, after, context }: Planned): readonly Alike[] {
  const creates = pairing.creates.filter(({ kind }) => isNamedInParts(context.kind(kind)));
  if (creates.length === 0) return [];
  const there = Map.groupBy(
    after.objects.values().flatMap(({ kind: name, fields, live }) => {
      const kind = context.kind(name);
      const place = live && placeOf(kind, fields, parentKey(kind, live, context.naming));
      return place === undefined ? [] : [{ kind, fields, place }];
    }),
    ({ place }) => place,
  );
  return creates.flatMap((desired): Alike[] => {
    const kind = context.kind(desired.kind);
    const place = placeOf(kind, desired.fields, desired.parent) ?? '';
    const name = nameIn(kind, desired.fields);
    const others = (there.get(place) ?? []).map(one => nameIn(one.kind, one.fields));
    const [other] = others.filter(one => one !== name);
    return other === undefined || others.includes(name) ? [] : [{ desired, other }];
  });
}

// Whether the check is needed for a kind. It is not needed if names that differ only in case are
// refused and the name is the whole identity, because the checks of unique names are enough then.
const isNamedInParts = ({ ignoresCase, identity }: Kind): boolean =>
  ignoresCase && identity.length > 1;

function nameIn({ identity }: Kind, fields: Fields): string | undefined {
  const value = identity[0]?.map(path => fields[path]).find(one => typeof one === 'string');
  return typeof value === 'string' ? value : undefined;
}

function placeOf(kind: Kind, fields: Fields, parent: string | undefined): string | undefined {
  const name = isNamedInParts(kind) ? nameIn(kind, fields) : undefined;
  return name && JSON.stringify([kind.name, parent ?? null, name.toLowerCase()]);
}

function fault({ kind: name, key, at }: Desired, kind: Kind, other: string): Diagnostic {
  return {
    code: 'OBJECT_NAME_TAKEN',
    severity: 'error',
    message: `the name of ${addressOf(name, key)} differs only in case from ${quoted(other)}, which another ${kind.noun} in the account has: both would match the name`,
    at,
    hint: `write it as the account does, ${quoted(other)}: then the plan changes the existing ${kind.noun}, or adds one to it`,
  };
}
