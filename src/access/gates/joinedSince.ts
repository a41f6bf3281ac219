// Finds members that joined groups, and machines that users enrolled, after a plan was shown.
// Whatever the plan showed for future members of these groups and users applies to them.
import type { PlanAccess } from '../../model/access/planAccess.ts';
import { membersByName, type Worlds } from '../plan/shownMembers.ts';

/**
 * Returns the groups and users that a member joined after a plan was shown. The member is named as
 * in changes of access.
 */
export type JoinedSince = (member: string) => readonly string[];

/**
 * Finds the groups and users that a member joined. `shown`: the members of groups and users when
 * the plan was shown. All members of a group that `shown` lacks count as joined: the lines about
 * its future members also name each member that it had then, so this changes nothing.
 */
export function joinedSince(shown: PlanAccess['group_machines'], worlds: Worlds): JoinedSince {
  let found: Map<string, string[]> | undefined;
  const groupsByMember = () => {
    const joined = new Map<string, string[]>();
    for (const [group, members] of membersByName(worlds)) {
      const earlier = new Set(shown?.[group]);
      for (const { listed, id } of members)
        if (!earlier.has(id)) joined.set(listed, [...(joined.get(listed) ?? []), group]);
    }
    return joined;
  };
  return member => {
    found ??= groupsByMember();
    return found.get(member) ?? [];
  };
}
