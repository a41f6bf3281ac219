// GROUP_UNUSED: groups with members to which no other object refers.
import { type FoundRef, refsIn } from '../../../kinds/values/refs.ts';
import type { AccessTest } from '../../../model/access/accessTest.ts';
import type { Desired } from '../../../model/object.ts';
import { quoted } from '../../../model/text/visible.ts';
import { selectorOf } from '../../ask/selector.ts';
import { namesOf } from '../../world/roster.ts';
import type { Lint } from '../lint.ts';
import type { LintContext } from '../lintContext.ts';

/** Finds the declared groups whose membership has no effect on any declared object. */
export const unusedGroups: Lint = context => {
  const used = new Set([
    ...context.objects.flatMap(object => groupsUsedBy(object, context)),
    ...context.accessTests.flatMap(groupsTested),
  ]);
  return context.state.groups.flatMap(group => {
    const { key, isAll } = group;
    const object = context.declared('group', key);
    if (!object || isAll || namesOf(group).some(name => used.has(name))) return [];
    return {
      object,
      path: ['name'],
      message: `group ${quoted(key)} is not used by any declared object: membership in it has no effect`,
      hint: 'use it in a policy, route or router, or remove it',
    };
  });
};

function groupsUsedBy(object: Desired, { kinds }: LintContext): readonly string[] {
  const kind = kinds.get(object.kind);
  if (!kind) return [];
  return refsIn(kind.shape, object.fields)
    .filter(found => found.kind === 'group' && !isMembership(object, found))
    .map(({ key }) => key);
}

// Whether a reference makes the object a member of the group.
function isMembership({ kind }: Desired, { path: [field] }: FoundRef): boolean {
  return (
    field === 'auto_groups' || (field === 'groups' && ['peer', 'network_resource'].includes(kind))
  );
}

function groupsTested({ from, to, allow, deny, onlyFrom, except }: AccessTest): readonly string[] {
  return [from ?? [], to ?? [], allow, deny, onlyFrom, except].flat().flatMap(({ text }) => {
    const selector = selectorOf(text);
    return 'fault' in selector || selector.type !== 'group' ? [] : [selector.name];
  });
}
