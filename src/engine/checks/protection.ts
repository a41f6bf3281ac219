// Protected objects, which are never deleted or replaced, whatever the files and the flags say.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { namesOf } from '../../model/spoken.ts';
import { quoted } from '../../model/text/visible.ts';
import { isOwnUser, OWN_USER } from '../pruning/ownUser.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';

/**
 * Deletes and replacements of protected objects: protected by the kind, by their declaration now or in the base, or by
 * an entry `kind/key` or `kind/id:<id>` of `listed`, where the key is a name that the object has in the plan, in the account or in the
 * base. A rename that takes an object off the list is refused too: the next plan could delete it.
 */
export function protectedFaults(
  objects: readonly ObjectChange[],
  listed: readonly string[],
  context: PlanContext,
): Diagnostic[] {
  const list = new Set(listed);
  return objects.flatMap((object): Diagnostic[] => {
    const { change, desired } = object;
    const at = (desired ?? object.droppedFrom)?.at;
    const fault = (sentence: string, hint: string): Diagnostic => ({
      code: 'PROTECTED',
      severity: 'error',
      message: `${change.address} ${sentence}`,
      ...(at && { at }),
      hint,
    });
    if (change.type === 'delete' || change.type === 'replace') {
      const protection = protectionOf(object, list, context);
      return protection === undefined
        ? []
        : [fault(`is ${protection.is} and would be ${change.type}d`, protection.hint)];
    }
    const entry = entryLostBy(object, list);
    if (entry === undefined) return [];
    const added = `${change.kind}/${change.key}`;
    return [
      fault(
        `would be a new name of ${quoted(entry)}, which is protected, and the new name is not`,
        `add ${quoted(added)} to the protect list of the project file`,
      ),
    ];
  });
}

// The entry of the list that names an object by a name which a rename takes away.
function entryLostBy(
  { change, live }: ObjectChange,
  list: ReadonlySet<string>,
): string | undefined {
  if (live === undefined || live.key === change.key) return;
  if (namesOf(change).some(name => list.has(name))) return;
  return namesOf({ kind: change.kind, key: live.key }).find(name => list.has(name));
}

/** The names of an object in the plan, in the account and in the base. */
function allNamesOf(
  { change, desired, live }: ObjectChange,
  { formerNames }: PlanContext,
): readonly string[] {
  const keys = [live?.key, desired?.key, formerNames.get(change.address)];
  const others = keys.flatMap(key =>
    key === undefined ? [] : namesOf({ kind: change.kind, key }),
  );
  return [...namesOf(change), ...others];
}

function protectionOf(
  object: ObjectChange,
  list: ReadonlySet<string>,
  context: PlanContext,
): { readonly is: string; readonly hint: string } | undefined {
  const { change, desired, live, droppedFrom } = object;
  const { address, kind } = change;
  if (live && isOwnUser(context.kind(kind), live))
    return { is: OWN_USER, hint: 'use the token of another user for this' };
  const takingAway = (what: string) => ({
    is: 'protected',
    hint: `if this is intended, first remove ${what} in a separate change`,
  });
  if ([desired ?? context.base.get(address), droppedFrom].some(one => one?.lifecycle.protect))
    return takingAway('lifecycle.protect');
  const entry = allNamesOf(object, context).find(name => list.has(name));
  return entry === undefined
    ? undefined
    : takingAway(`${quoted(entry)} from the protect list of the project file`);
}
