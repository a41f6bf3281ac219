// Referrers of replaced objects. A replaced object has a new id, so its referrers must be written
// again, although no name changes.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { ownedFields, resultingFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import { renewalChange, withNotes } from './changes.ts';
import { pointedAt } from './references.ts';

/**
 * The changes, with an update for each referrer of a replaced object, or a note if the referrer
 * must not be written.
 */
export function withRenewals(
  changes: readonly ObjectChange[],
  pairs: readonly Pair[],
  bystanders: readonly Live[],
  context: PlanContext,
): ObjectChange[] {
  const replaced = new Set(
    changes.flatMap(({ change }) => (change.type === 'replace' ? [change.address] : [])),
  );
  if (replaced.size === 0) return [...changes];
  const changing = new Set(changes.map(({ live }) => live));
  const renewed = pairs.flatMap(pair => {
    if (changing.has(pair.live)) return [];
    const targets = renewedPointers(pair, replaced, context);
    return targets.length > 0 ? [renewalChange(pair, targets, context)] : [];
  });
  const left = bystanders.filter(live => !changing.has(live));
  return [...changes.map(object => withBystanders(object, left, context)), ...renewed];
}

/**
 * Errors for objects outside the run that refer to a replaced object. The run cannot write these
 * objects, and their references must not become dangling.
 */
export function strandedFaults(
  objects: readonly ObjectChange[],
  outside: readonly Desired[],
  context: PlanContext,
): Diagnostic[] {
  const pointing = outside.flatMap(object =>
    [...pointedAt(context.kind(object.kind), object.fields)].map(target => ({ target, object })),
  );
  const referrers = Map.groupBy(pointing, ({ target }) => target);
  return objects.flatMap(({ change: { address, type } }) => {
    const found = type === 'replace' ? (referrers.get(address) ?? []) : [];
    return found.map(({ object: { kind, key, at } }): Diagnostic => {
      return {
        code: 'OBJECT_POINTED_AT',
        severity: 'error',
        message: `${address} must be created again, but ${addressOf(kind, key)} refers to it and is not part of this run`,
        at,
        hint: 'include it in the run, so that it is updated too: remove it from --except, or add it with --only',
      };
    });
  });
}

function renewedPointers(
  { desired, live }: Pair,
  replaced: ReadonlySet<Address>,
  context: PlanContext,
): Address[] {
  const kind = context.kind(desired.kind);
  const fields = resultingFields(kind, ownedFields(desired, context), live, context);
  return [...pointedAt(kind, fields).intersection(replaced)].sort();
}

function withBystanders(
  object: ObjectChange,
  bystanders: readonly Live[],
  context: PlanContext,
): ObjectChange {
  const { change } = object;
  if (change.type !== 'replace') return object;
  const stranded = bystanders.filter(live =>
    pointedAt(context.kind(live.kind), context.fieldsOf(live)).has(change.address),
  );
  const notes = stranded.map(
    live => `${context.addressOf(live)} is not declared and will refer to a deleted object`,
  );
  return withNotes(object, ...notes.sort());
}
