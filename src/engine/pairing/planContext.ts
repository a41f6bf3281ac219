// Builds the context of a plan after declared and live objects are paired. All later stages read it.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { fieldsExcludedBy } from '../../kinds/values/exclusive.ts';
import { withHeldParts } from '../../kinds/values/keptInside.ts';
import { present } from '../../model/errors.ts';
import { addressOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { UndoneDeclaration } from '../../model/undoneDeclaration.ts';
import type { Fields } from '../../model/value.ts';
import type { Wholes } from '../scope/wholes.ts';
import type { Pairing } from '../types/pairing.ts';
import type { OwnMembers, PlanContext } from '../types/planContext.ts';
import type { PlanSettings } from '../types/settings.ts';
import { liveFields, namedFields } from './naming.ts';

/** What a context needs besides the pairing. */
interface ContextInput {
  readonly kinds: KindTable;
  readonly settings: Pick<
    PlanSettings,
    'dialect' | 'now' | 'resolve' | 'rotate' | 'isOtherSecret' | 'isUndo'
  >;
  readonly wholes: Wholes;
  readonly undone?: readonly UndoneDeclaration[] | undefined;
}

/** The context of a plan, from its paired objects. */
export function planContext(
  { kinds, settings, wholes, undone = [] }: ContextInput,
  {
    naming,
    base,
    formerNames,
    fieldsByIds,
    keyOfRecorded,
  }: Pick<Pairing, 'naming' | 'base' | 'formerNames' | 'fieldsByIds' | 'keyOfRecorded'>,
  ownMembers: OwnMembers,
): PlanContext {
  const { dialect, now, resolve = [], rotate = [], isOtherSecret = () => false } = settings;
  const { isUndo = false } = settings;
  const kind = (name: KindName) => present(kinds.get(name), `the kind ${name}`);
  const keyOf = (live: Live) =>
    present(naming.keyOfId(live.kind, live.id), `the key of ${live.kind} ${live.id}`);
  const known = new Map<Live, Fields>();
  const fieldsOf = (live: Live) => {
    const fields = known.get(live) ?? liveFields(kind(live.kind), live, naming);
    known.set(live, fields);
    return fields;
  };
  return {
    dialect,
    now,
    resolve,
    isUndo,
    isOtherSecret,
    naming,
    base,
    formerNames,
    fieldsByIds,
    undone: new Map(undone.map(one => [addressOf(one.kind, one.key), one])),
    keyOfRecorded,
    ownMembers,
    kind,
    fieldsOf,
    keyOf,
    rotate: new Set(rotate),
    addressOf: live => addressOf(live.kind, keyOf(live)),
    wholeOf: object => {
      const whole = wholes.keyOf(object);
      return whole === object.key ? undefined : whole;
    },
    namesOf: object => wholes.keysOf(object).map(key => `${object.kind}/${key}`),
  };
}

/** The fields of a declared object in canonical form, with defaults. */
export function declaredFields(desired: Desired, { kind, naming }: PlanContext): Fields {
  const { shape } = kind(desired.kind);
  return canonicalFields(shape, namedFields(kind(desired.kind), desired.fields, naming), 'desired');
}

/**
 * The possible interpretations of a declaration in the base, in canonical form. References are
 * resolved by name. If other objects have these names now, references are also resolved by the ids
 * in the base.
 */
export function formerFields(former: Desired, context: PlanContext): readonly Fields[] {
  const byIds = context.fieldsByIds.get(addressOf(former.kind, former.key));
  const meanings = byIds ? [former, { ...former, fields: byIds }] : [former];
  return meanings.map(meaning => declaredFields(meaning, context));
}

/**
 * The declaration in the base that an undo replaced, found by the present address of its object;
 * undefined if there is none.
 */
export function undoneAt(
  { kind, key }: Pick<Desired, 'kind' | 'key'>,
  { undone, formerNames, base }: PlanContext,
): UndoneDeclaration | undefined {
  if (undone.size === 0) return undefined;
  const address = addressOf(kind, key);
  const former = formerNames.get(address) ?? key;
  const whole = base.get(address)?.part?.whole;
  const found = undone.get(addressOf(kind, former));
  return found ?? (whole === undefined ? undefined : undone.get(addressOf(kind, whole)));
}

/** The fields that the files own: all fields except those in `lifecycle.ignore`. */
export function ownedFields(desired: Desired, context: PlanContext): Fields {
  const kind = context.kind(desired.kind);
  const left = new Set(desired.lifecycle.ignore ?? []).difference(alwaysSent(kind));
  const fields = Object.entries(declaredFields(desired, context));
  return Object.fromEntries(fields.filter(([name]) => !left.has(name)));
}

// The fields that every update must contain and that no read returns, so that an update can only
// send the declared values.
function alwaysSent({ updateMode, shape }: Kind): ReadonlySet<string> {
  const fields = updateMode === 'partial' ? [] : [...shape.fields.values()];
  return new Set(
    fields.flatMap(({ name, required, writeOnly }) => (required && writeOnly ? name : [])),
  );
}

/**
 * All fields of an object after an update: `owned` and, if the account has the object, its other
 * fields from the account.
 */
export function resultingFields(
  kind: Kind,
  owned: Fields,
  live: Live | undefined,
  { fieldsOf }: PlanContext,
): Fields {
  const displaced = fieldsExcludedBy(kind.shape, owned);
  const held = live ? fieldsOf(live) : {};
  const kept = Object.entries(held).filter(([name]) => !displaced.has(name));
  return { ...Object.fromEntries(kept), ...withHeldParts(kind.shape, owned, held) };
}
