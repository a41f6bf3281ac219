// The last step of a plan: what is hidden in it is replaced by where it comes from. No plan holds the value.
import type { Kind, Shape } from '../../kinds/kind.ts';
import { shapeAt } from '../../kinds/schema/shapeAt.ts';
import { hostOf, mapHidden } from '../../kinds/values/hidden.ts';
import type { Change, FieldChange, ShownChange } from '../../model/change.ts';
import type { Address, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Action, ShownAction } from '../../model/plan.ts';
import { hostedSecret, type Mark } from '../../model/secrets/hostedSecret.ts';
import type { Shown, ShownFields } from '../../model/secrets/shown.ts';
import type { Json } from '../../model/value.ts';

/** What sealing needs to know. */
export interface Sealing {
  readonly kind: (name: KindName) => Kind;
  /** By address, what the files declare. */
  readonly declared: ReadonlyMap<Address, Desired>;
  readonly mark: Mark | undefined;
}

/** A value of this shape as a plan may hold it. */
type Seal = (shape: Shape | undefined, value: Json) => Shown;

/** A change without what is hidden. */
export function sealedChange(change: Change, sealing: Sealing): ShownChange {
  const { shape } = sealing.kind(change.kind);
  const { before, after, fields, ...rest } = change;
  const declared = declaredSeal(change.address, sealing);
  return {
    ...rest,
    ...(before && { before: fieldsOf(sealLive(shape, before)) }),
    ...(after && { after: fieldsOf(declared(shape, after)) }),
    fields: fields.map(field => sealedField(shape, field, declared)),
  };
}

/** An action without what is hidden. */
export function sealedAction(action: Action, sealing: Sealing): ShownAction {
  if (action.verb === 'delete') return action;
  const { shape } = sealing.kind(action.kind);
  const seal = declaredSeal(action.address, sealing);
  return { ...action, fields: fieldsOf(seal(shape, action.fields)) };
}

function sealedField(shape: Shape, change: FieldChange, declared: Seal): FieldChange<Shown> {
  const inner = shapeAt(shape, change.path);
  if (change.type === 'value') {
    const { before, after, ...rest } = change;
    return {
      ...rest,
      ...(before !== undefined && { before: sealLive(inner, before) }),
      ...(after !== undefined && { after: declared(inner, after) }),
    };
  }
  const items = inner?.type === 'list' ? inner.items : undefined;
  return {
    ...change,
    added: change.added.map(item => declared(items, item)),
    removed: change.removed.map(item => sealLive(items, item)),
    kept: change.kept.map(item => declared(items, item)),
    foreign: change.foreign.map(item => sealLive(items, item)),
  };
}

/** A value that only the account has: nothing says where it comes from. */
export const sealLive: Seal = (shape, value) =>
  vouched(
    mapHidden(shape, value, text => hostedSecret(text, { $secret: '', $host: hostOf(text) })),
  );

function declaredSeal(address: Address, { declared, mark }: Sealing): Seal {
  const sources = declared.get(address)?.hidden?.sources;
  return (shape, value) =>
    vouched(
      mapHidden(shape, value, text => {
        const source = sources?.get(text);
        return hostedSecret(text, {
          ...{ $secret: source ?? '', $host: hostOf(text) },
          ...(source !== undefined && mark && { $digest: mark(text) }),
        });
      }),
    );
}

// Nothing hidden is left in it, and all other secrets are where they come from since the files were read.
const vouched = (value: Json): Shown => value as Shown;

const fieldsOf = (value: Shown): ShownFields => value as ShownFields;
