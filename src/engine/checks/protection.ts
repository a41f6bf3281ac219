// Protected objects, which are never deleted or replaced, whatever the files and the flags say.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { namesOf } from '../../model/spoken.ts';
import { quoted } from '../../model/text/visible.ts';
import { isOwnUser, OWN_USER } from '../pruning/ownUser.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * Deletes and replacements of protected objects: protected by the kind, by their declaration now or in the base, or by
 * an entry `kind/key` or `kind/id:<id>` of `listed`.
 */
export function protectedFaults(
  objects: readonly ObjectChange[],
  listed: readonly string[],
  context: PlanContext,
): Diagnostic[] {
  const list = new Set(listed);
  return objects.flatMap((object): Diagnostic[] => {
    const { change, desired } = object;
    if (change.type !== 'delete' && change.type !== 'replace') return [];
    const protection = protectionOf(object, list, context);
    if (protection === undefined) return [];
    const { is, hint } = protection;
    const at = (desired ?? object.droppedFrom)?.at;
    return [
      {
        code: 'PROTECTED',
        severity: 'error',
        message: `${change.address} is ${is} and would be ${change.type}d`,
        ...(at && { at }),
        hint,
      },
    ];
  });
}

function protectionOf(
  { change, desired, live, droppedFrom }: ObjectChange,
  list: ReadonlySet<string>,
  context: PlanContext,
): { readonly is: string; readonly hint: string } | undefined {
  const { address, kind } = change;
  if (live && isOwnUser(context.kind(kind), live))
    return { is: OWN_USER, hint: 'use the token of another user for this' };
  const takingAway = (what: string) => ({
    is: 'protected',
    hint: `if this is intended, first remove ${what} in a separate change`,
  });
  if ([desired ?? context.base.get(address), droppedFrom].some(one => one?.lifecycle.protect))
    return takingAway('lifecycle.protect');
  const entry = namesOf(change).find(name => list.has(name));
  return entry === undefined
    ? undefined
    : takingAway(`${quoted(entry)} from the protect list of the project file`);
}
