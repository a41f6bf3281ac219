// The last step of a plan: what is hidden in it is replaced by where it comes from. No plan holds the value.
import { hasHidden, hostOf, mapHidden } from '../kinds/hidden.ts';
import type { Kind, Shape } from '../kinds/kind.ts';
import { shapeAt } from '../kinds/shapeAt.ts';
import type { Change, FieldChange } from '../model/change.ts';
import { hostedSecret, type Mark } from '../model/hostedSecret.ts';
import type { Address, KindName } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { Action } from '../model/plan.ts';
import type { Json } from '../model/value.ts';

/** What sealing needs to know. */
export interface Sealing {
  readonly kind: (name: KindName) => Kind;
  /** By address, what the files declare. */
  readonly declared: ReadonlyMap<Address, Desired>;
  readonly mark: Mark | undefined;
}

/** A value of this shape as a plan may hold it. */
export type Seal = <T extends Json>(shape: Shape | undefined, value: T) => T;

/** A change without what is hidden. */
export function sealedChange(change: Change, sealing: Sealing): Change {
  const kind = sealing.kind(change.kind);
  if (!hasHidden(kind)) return change;
  const { before, after, fields } = change;
  const declared = declaredSeal(change.address, sealing);
  return {
    ...change,
    ...(before && { before: sealLive(kind.shape, before) }),
    ...(after && { after: declared(kind.shape, after) }),
    fields: fields.map(field => sealedField(kind.shape, field, declared)),
  };
}

/** An action without what is hidden. */
export function sealedAction(action: Action, sealing: Sealing): Action {
  const kind = sealing.kind(action.kind);
  if (action.verb === 'delete' || !hasHidden(kind)) return action;
  const seal = declaredSeal(action.address, sealing);
  return { ...action, fields: seal(kind.shape, action.fields) };
}

function sealedField(shape: Shape, change: FieldChange, declared: Seal): FieldChange {
  const inner = shapeAt(shape, change.path);
  if (change.type === 'value') {
    const { before, after } = change;
    return {
      ...change,
      ...(before !== undefined && { before: sealLive(inner, before) }),
      ...(after !== undefined && { after: declared(inner, after) }),
    };
  }
  return {
    ...change,
    added: declared(inner, change.added),
    removed: sealLive(inner, change.removed),
    kept: declared(inner, change.kept),
    foreign: sealLive(inner, change.foreign),
  };
}

// Only the form of the hidden parts changes, and whoever reads a value must expect either there.
const as = <T extends Json>(value: Json): T => value as T;

/** A value that only the account has: nothing says where it comes from. */
export const sealLive: Seal = (shape, value) =>
  as(mapHidden(shape, value, text => hostedSecret(text, { $secret: '', $host: hostOf(text) })));

function declaredSeal(address: Address, { declared, mark }: Sealing): Seal {
  const sources = declared.get(address)?.hidden?.sources;
  return (shape, value) =>
    as(
      mapHidden(shape, value, text => {
        const source = sources?.get(text);
        return hostedSecret(text, {
          ...{ $secret: source ?? '', $host: hostOf(text) },
          ...(source !== undefined && mark && { $digest: mark(text) }),
        });
      }),
    );
}
