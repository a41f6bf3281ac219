// The groups that still exist. The server lets users delete groups to which services and other
// objects refer.
import type { AccessState } from '../state/accessState.ts';
import { namesOf } from './roster.ts';

/**
 * The existing groups among these. A deleted group admits nobody, even if a user still has it as an
 * auto-group.
 */
export function existingGroups(
  named: readonly string[],
  { groups, unread }: AccessState,
): readonly string[] {
  if (unread.has('groups')) return named;
  const names = new Set(groups.flatMap(namesOf));
  return named.filter(group => names.has(group));
}
