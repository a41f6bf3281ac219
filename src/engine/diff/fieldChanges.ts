// The differences of a pair, field by field.
import type { Kind } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import type { FieldChange, Since } from '../../model/change.ts';
import { addressOf } from '../../model/key.ts';
import type { SecretAtPath } from '../../model/secrets/secret.ts';
import type { Fields } from '../../model/value.ts';
import { declaredFields, formerFields, ownedFields, undoneAt } from '../pairing/planContext.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import { newlyOwnedFields, sideThatChanged } from './baseline.ts';
import { diffFields } from './diff.ts';
import { sinceEnds } from './endedLists.ts';
import { endedSets, formerSets } from './formerMembers.ts';
import { secretChanges } from './secretChanges.ts';

/** The differences of a pair: declared fields, and secrets that must be sent again. */
export function fieldChanges(pair: Pair, context: PlanContext): FieldChange[] {
  const { desired, live } = pair;
  const kind = context.kind(desired.kind);
  const { shape } = kind;
  const owned = ownedFields(desired, context);
  const before = context.fieldsOf(live);
  const former = context.base.get(addressOf(desired.kind, desired.key));
  const meant = former ? sinceEnds(formerFields(former, context), pair, context) : [];
  const [base] = meant;
  const { ended } = desired;
  const changes = diffFields(shape, owned, before, {
    written: desired.fields,
    ignore: new Set(desired.lifecycle.ignore ?? []),
    exact: new Set(desired.lifecycle.exact ?? []),
    base: former ? formerSets(desired, former, context) : {},
    ...(ended && { beforeEnds: endedSets(pair, context) }),
  });
  const isRotated = context.rotate.has(`${desired.kind}/${desired.key}`);
  const address = addressOf(desired.kind, desired.key);
  const isOther = ({ path, secret }: SecretAtPath) => context.isOtherSecret(address, path, secret);
  const secrets = secretChanges(kind, owned, { base, live: before, isRotated, isOther }, changes);
  if (!(former && base) || changes.length === 0) return [...changes, ...secrets];
  const taken = newlyOwnedFields(desired, former);
  const sinceWhen = sideThatChanged(shape, { desired: owned, live: before, base, meant, taken });
  const sinceApplied = sinceUndo(pair, owned, before, context);
  const since = (change: FieldChange) =>
    sinceApplied?.(change) === 'drift' ? 'drift' : sinceWhen(change);
  return [...changes.map(change => ({ ...change, since: since(change) })), ...secrets];
}

// Which side changed a value since the last apply, for an object that an undo wrote after that
// apply. If the files still declare the value that the apply wrote, the undo counts as a change in
// the account.
function sinceUndo(
  { desired }: Pair,
  owned: Fields,
  live: Fields,
  context: PlanContext,
): ((change: FieldChange) => Since) | undefined {
  const applied = undoneAt(desired, context)?.applied;
  if (applied === undefined) return undefined;
  const { shape } = context.kind(desired.kind);
  const base = declaredFields(applied, context);
  const taken = newlyOwnedFields(desired, applied);
  return sideThatChanged(shape, { desired: owned, live, base, meant: [base], taken });
}

/**
 * Whether an update would have to remove an item. Some servers never remove items, so the object
 * must be replaced (docs/server-behaviour.md#policies-and-rules).
 */
export function losesItem(kind: Kind, fields: readonly FieldChange[], dialect: Dialect): boolean {
  return fields.some(change => {
    const field = kind.shape.fields.get(change.path[0] ?? '');
    const shape = field?.shape;
    const isSingle = shape?.type === 'list' && shape.set && shape.set.singleIn.includes(dialect);
    const isItem = change.type === 'value' && change.path.length === 2;
    return (isSingle || field?.addOnly) && isItem && change.after === undefined;
  });
}
