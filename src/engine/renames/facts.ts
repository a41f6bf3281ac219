// Facts that two objects can have in common besides their names, for rename detection.
import isEqual from 'fast-deep-equal';
import { identityName, namingFields } from '../../kinds/identity/identity.ts';
import type { Field, Kind } from '../../kinds/kind.ts';
import { canonicalFields, isEmpty } from '../../kinds/values/canonical.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, RemoteId } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import { isCompared } from '../diff/diff.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/** A property of an object. Equal facts have equal strings. */
export interface Fact {
  readonly text: string;
  readonly about: 'name' | 'value' | 'member' | 'child' | 'pointer';
  /** The field, the kind of child, or the object that contains the reference. */
  readonly name: string;
}

/** The facts of objects of one plan. */
export interface Facts {
  readonly ofLive: (kind: Kind, live: Live) => readonly Fact[];
  readonly ofNew: (kind: Kind, object: ObjectChange) => readonly Fact[];
}

/** Returns lookups of facts. */
export function factsOf(
  objects: readonly ObjectChange[],
  live: readonly Live[],
  context: PlanContext,
): Facts {
  // A child that has its own `was` does not show that its parent was renamed.
  const moved = new Set(objects.flatMap(({ live: one, desired }) => (desired && one) || []));
  const liveIn = Map.groupBy(
    live.filter(one => !moved.has(one)),
    ({ parentId }): RemoteId | undefined => parentId,
  );
  const created = objects.filter(({ change }) => change.type === 'create');
  const newIn = Map.groupBy(created, ({ desired }): Key | undefined => desired?.parent);
  const pointers = movedPointers(objects, context);
  const isIn = (kind: Kind, child: Kind) => child.parent === kind.name;
  return {
    ofLive: (kind, one) => {
      const children = (liveIn.get(one.id) ?? []).map(child => {
        const own = context.kind(child.kind);
        return isIn(kind, own) ? childFact(own, context.fieldsOf(child)) : [];
      });
      const fields = context.fieldsOf(one);
      const lost = pointers.lost.get(context.addressOf(one)) ?? [];
      return [...fieldFacts(kind, fields), ...children.flat(), ...lost];
    },
    ofNew: (kind, { change }) => {
      const children = (newIn.get(change.key) ?? []).map(({ change: { kind: name, after } }) => {
        const own = context.kind(name);
        return isIn(kind, own) ? childFact(own, after ?? {}) : [];
      });
      const gained = pointers.gained.get(change.address) ?? [];
      return [...fieldFacts(kind, change.after ?? {}), ...children.flat(), ...gained];
    },
  };
}

// The facts of fields. Defaults, switches and secrets do not identify an object.
function fieldFacts(kind: Kind, fields: Fields): Fact[] {
  const [naming = ''] = namingFields(kind);
  const defaults = canonicalFields(kind.shape, {}, 'desired');
  const own = [...kind.shape.fields.values()].filter(field => {
    const value = fields[field.name];
    const isDistinguishing = !isEmpty(value) && typeof value !== 'boolean';
    return (
      isDistinguishing &&
      isCompared(field) &&
      field.name !== naming &&
      !isEqual(value, defaults[field.name])
    );
  });
  const name = identityName(kind, fields);
  const named: Fact[] =
    kind.parentChangeByDialect && name !== null
      ? [{ text: `name ${name}`, about: 'name', name: naming }]
      : [];
  return [...named, ...own.flatMap(field => valueFacts(field, fields[field.name] ?? null))];
}

function valueFacts({ name, shape }: Field, value: Json): Fact[] {
  if (secretsIn(value).length > 0) return [];
  const text = (part: Json) => `${name} ${JSON.stringify(part)}`;
  if (shape.type === 'list' && shape.set && isList(value))
    return value.map(part => ({ text: text(part), about: 'member', name }));
  const about = typeof value === 'object' ? 'member' : 'value';
  return [{ text: text(value), about, name }];
}

function childFact(kind: Kind, fields: Fields): Fact[] {
  const name = identityName(kind, fields);
  return name === null ? [] : [{ text: `${kind.name} ${name}`, about: 'child', name: kind.plural }];
}

// References that change their target, by the old and by the new target.
function movedPointers(objects: readonly ObjectChange[], context: PlanContext) {
  const lost = new Map<Address, Fact[]>();
  const gained = new Map<Address, Fact[]>();
  const note = (facts: Map<Address, Fact[]>, target: Address, fact: Fact) =>
    facts.set(target, [...(facts.get(target) ?? []), fact]);
  for (const { change, live, desired } of objects) {
    if (!live || !desired || change.type === 'delete') continue;
    const kind = context.kind(change.kind);
    const before = context.fieldsOf(live);
    const after = resultingFields(kind, change.after ?? {}, live, context);
    for (const field of kind.shape.fields.values()) {
      const then = targets(field, before);
      const now = targets(field, after);
      const { address } = change;
      const text = `${address} ${field.name}`;
      const fact: Fact = { text, about: 'pointer', name: address };
      for (const target of then.difference(now)) note(lost, target, fact);
      for (const target of now.difference(then)) note(gained, target, fact);
    }
  }
  return { lost, gained };
}

const targets = ({ name, shape }: Field, fields: Fields): ReadonlySet<Address> =>
  new Set(refsIn(shape, fields[name]).map(({ kind, key }) => addressOf(kind, key as Key)));
