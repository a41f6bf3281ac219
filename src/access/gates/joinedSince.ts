// Who joined groups since a plan was shown, and which machines users enrolled since: they take part in what the plan showed of the
// future members of these groups and users.
import type { PlanAccess } from '../../model/access/planAccess.ts';
import { membersByName, type Worlds } from '../plan/shownMembers.ts';

/** The groups and users that a member, by its name in changes of access, joined since a plan was shown. */
export type JoinedSince = (member: string) => readonly string[];

/**
 * Finds the groups and users that a member joined. `shown`: their members when the plan was shown. Where it lacks a group, the lines
 * with the future members of the group name each member that was in it.
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
