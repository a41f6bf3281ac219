// Generated accounts in which objects are bound, renamed, ignored in part, owned whole, protected or declared to go.
import { present } from '../../../src/model/errors.ts';
import { keyOf } from '../../../src/model/key.ts';
import type { Desired, Lifecycle, Live } from '../../../src/model/object.ts';
import { KINDS } from '../../support/files.ts';
import { isInRule, isRenamable, NAMES } from './accounts.ts';
import type { RandomSource } from './randomSource.ts';

/** The same objects, about every second one with a lifecycle of some kind. Not every one of them makes sense. */
export function withLifecycles(
  desired: readonly Desired[],
  live: readonly Live[],
  random: RandomSource,
): readonly Desired[] {
  return desired.map(object =>
    random.chance(0.5) ? { ...object, lifecycle: drawLifecycle(object, live, random) } : object,
  );
}

function drawLifecycle(object: Desired, live: readonly Live[], random: RandomSource): Lifecycle {
  const kind = present(KINDS.get(object.kind), `the kind ${object.kind}`);
  const fields = [...kind.shape.fields.values()].filter(({ readOnly }) => !readOnly);
  const naming = new Set(kind.identity.flat().map(path => path.split('.')[0]));
  const shared = fields.filter(field => field.shared).map(({ name }) => name);
  // What another declared field needs cannot be left to somebody else.
  const others = fields
    .map(({ name }) => name)
    .filter(name => !naming.has(name) && !isInRule(name, kind));
  const [id] = random
    .some(
      live.filter(other => other.kind === kind.name),
      1,
    )
    .map(other => other.id);
  const choices: Lifecycle[] = [
    { protect: true },
    ...(kind.neverPruned ? [] : [{ delete: true }]),
    { ignore: random.some(others, 1) },
    ...(isRenamable(kind) ? [{ was: random.pick(NAMES) }] : []),
    ...(kind.parentChangeByDialect
      ? [{ was: keyOf([random.pick(NAMES), random.pick(NAMES)]) }]
      : []),
    ...(id === undefined ? [] : [{ id }]),
    ...(shared.length > 0 ? [{ exact: shared }] : []),
  ];
  return random.some(choices, 1)[0] ?? {};
}
