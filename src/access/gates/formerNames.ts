// The names that machines and users had when a plan was saved. They are needed because somebody may
// rename a machine or user before the plan is applied.
import type { AcceptableFinding } from '../../model/access/accessFindings.ts';

type Findings = readonly AcceptableFinding[];

/**
 * The current findings, with the name that each machine and user has in the saved findings. Members
 * are matched by id. A member keeps its current name if its former name now belongs to another
 * member.
 */
export function withFormerNames(found: Findings, saved: Findings): Findings {
  const now = idsIn(found);
  const then = new Map([...idsIn(saved)].map(([name, id]) => [id, name]));
  const former = new Map(
    [...now].flatMap(([name, id]): [string, string][] => {
      const was = then.get(id);
      return was === undefined || was === name || now.has(was) ? [] : [[name, was]];
    }),
  );
  if (former.size === 0) return found;
  const nameOf = (name: string) => former.get(name) ?? name;
  return found.map(one => renamed(one, nameOf));
}

const idsIn = (findings: Findings): ReadonlyMap<string, string> =>
  new Map(findings.flatMap(({ member_ids: ids = {} }) => Object.entries(ids)));

function renamed(
  { who, where, members, member_ids, failing, ...finding }: AcceptableFinding,
  nameOf: (name: string) => string,
): AcceptableFinding {
  // If a side lists machines, its name contains their names, separated by commas.
  const listed = (side: string) => side.split(', ').map(nameOf).join(', ');
  const ids = Object.entries(member_ids ?? {}).map(([name, id]) => [nameOf(name), id] as const);
  return {
    ...finding,
    ...(who !== undefined && { who: listed(who) }),
    ...(where !== undefined && { where: listed(where) }),
    ...(members && { members: members.map(nameOf) }),
    ...(member_ids && { member_ids: Object.fromEntries(ids) }),
    ...(failing && { failing: failing.map(nameOf) }),
  };
}
