// Renames the members in the end times of an object.
import type { MemberEnd } from '../../model/ending.ts';
import type { KindName } from '../../model/names.ts';
import type { Kind } from '../kind.ts';
import { shapeAt } from './shapeAt.ts';

/** The end times, in which each member that is a reference has the key that `change` returns. */
export function mapEnds<E extends Pick<MemberEnd, 'list' | 'member'>>(
  { shape }: Kind,
  ends: readonly E[],
  change: (kind: KindName, key: string) => string,
): readonly E[] {
  return ends.map(end => {
    const list = shapeAt(shape, end.list);
    const ref = list?.type === 'list' && list.items.type === 'scalar' ? list.items.ref : undefined;
    return ref === undefined ? end : { ...end, member: change(ref, end.member) };
  });
}
