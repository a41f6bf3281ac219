// The dependencies of the selected objects, which `--with-dependencies` also selects.
import type { KindTable } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Selection } from '../types/selection.ts';
import { selected } from './selection.ts';

/**
 * The selection. If it asks for dependencies, the result also contains all declared objects to
 * which its objects refer, directly or indirectly, and the parents of these objects.
 */
export function withDependencies(
  selection: Selection,
  desired: readonly Desired[],
  kinds: KindTable,
): Selection {
  if (selection.withDependencies !== true) return selection;
  const declared = new Map(desired.map(object => [addressOf(object.kind, object.key), object]));
  const also = new Set<Address>(selection.also);
  const left = desired.filter(selected(selection, kinds));
  for (let object = left.pop(); object !== undefined; object = left.pop())
    for (const address of neededBy(object, kinds)) {
      const needed = declared.get(address);
      if (needed === undefined || also.has(address)) continue;
      also.add(address);
      left.push(needed);
    }
  return { ...selection, also };
}

function neededBy({ kind: name, parent, fields }: Desired, kinds: KindTable): readonly Address[] {
  const kind = kinds.get(name);
  if (kind === undefined) return [];
  const refs = refsIn(kind.shape, fields).map(ref => addressOf(ref.kind, ref.key as Key));
  const isNested = kind.parent !== undefined && parent !== undefined;
  return isNested ? [addressOf(kind.parent, parent), ...refs] : refs;
}
