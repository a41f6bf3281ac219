// Faults of a plan that was read from a file, because another version created it or somebody edited it.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { ActionId, KindName } from '../../model/names.ts';
import type { Action, Plan } from '../../model/plan.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { sentRefs } from './pins.ts';
import { disagreement } from './planAgreement.ts';

/** The reason why a plan cannot be shown or carried out, as a clause; null if the plan is intact. */
export function planFault(plan: Plan, kinds: KindTable): string | null {
  return (
    unusableFolder(plan) ??
    unknownKind(plan, kinds) ??
    outOfOrder(plan) ??
    firstFault(plan.actions, action => actionFault(action, kinds)) ??
    unknownRef(plan, kinds) ??
    disagreement(plan, kinds)
  );
}

function unusableFolder({ folder, layers = [] }: Plan): string | null {
  return [folder, ...layers].some(path => path.includes('\0'))
    ? 'the path of its folder contains a character that is not allowed'
    : null;
}

function unknownKind({ actions, changes, pins, leftAlone }: Plan, kinds: KindTable): string | null {
  const children = actions.flatMap(({ precondition }) =>
    'children' in precondition ? precondition.children : [],
  );
  const named = [...actions, ...changes, ...pins, ...leftAlone, ...children];
  const unknown = named.find(({ kind }) => !kinds.has(kind));
  return unknown ? `it has objects of the unknown kind ${quoted(unknown.kind)}` : null;
}

// The fault of an action that comes before an action for which it waits; null if there is none. A
// plan without this fault contains no cycle.
function outOfOrder({ actions }: Plan): string | null {
  const earlier = new Set<ActionId>();
  for (const { id, after } of actions) {
    if (earlier.has(id)) return `it has the action ${quoted(id)} twice`;
    const missing = after.find(other => !earlier.has(other));
    if (missing !== undefined)
      return `${quoted(id)} waits for ${quoted(missing)}, which does not come before it`;
    earlier.add(id);
  }
  return null;
}

function actionFault(action: Action, kinds: KindTable): string | null {
  const { id, address, kind: name, key, verb } = action;
  const kind = kinds.get(name);
  if (!kind) return null;
  if (address !== addressOf(name, key))
    return `${quoted(id)} belongs to a different object than ${quoted(address)}`;
  const fault = secretFault(action, kind);
  if (fault !== null) return fault;
  if (!kind.verbs.has(verb) && !isRenewedOnly(action))
    return `the API has no ${verb} for ${quoted(address)}`;
  if ((action.verb === 'create' || kind.parent === undefined) && !hasParent(action, kind))
    return `${quoted(id)} does not match the path of a ${kind.noun}`;
  const written = action.verb === 'delete' ? [] : Object.keys(action.fields);
  const sets = action.verb === 'update' ? Object.keys(action.members) : [];
  const unknown = [...written, ...sets].find(field => {
    const known = kind.shape.fields.get(field);
    return known === undefined || known.readOnly || (sets.includes(field) && !known.shared);
  });
  return unknown === undefined
    ? null
    : `${quoted(id)} writes ${quoted(unknown)}, which is not writable`;
}

// The fault of a request for a new secret; null if there is none. The kind must support the
// request, and its fields must have declared values.
function secretFault(action: Action, { oneTimeSecret, renewedBy }: Kind): string | null {
  if (action.verb !== 'update' || action.renews === undefined) return null;
  const { secret, sends = {} } = action.renews;
  const isKnown = Object.keys(sends).every(name => renewedBy?.sends.includes(name));
  return renewedBy && secret === oneTimeSecret && isKnown
    ? null
    : `${quoted(action.id)} asks for a new secret in a way that the API does not have`;
}

const isRenewedOnly = (action: Action): boolean =>
  action.verb === 'update' &&
  action.renews !== undefined &&
  Object.keys(action.fields).length + Object.keys(action.members).length === 0;

const hasParent = ({ parent }: Action, kind: Kind): boolean =>
  (parent !== undefined) === (kind.parent !== undefined);

// The fault of a reference that a run could not resolve, so that the run would stop before its end;
// null if there is none.
function unknownRef({ actions, pins }: Plan, kinds: KindTable): string | null {
  const known = new Set(pins.map(({ kind, key }) => `${kind} ${key}`));
  for (const { verb, kind, key } of actions) if (verb === 'create') known.add(`${kind} ${key}`);
  const isKnown = (kind: KindName, key: string) =>
    idInKey(key) !== null || known.has(`${kind} ${key}`);
  return firstFault(actions, action => {
    const kind = kinds.get(action.kind);
    if (!kind) return null;
    const home =
      kind.parent && action.parent !== undefined
        ? [{ kind: kind.parent, key: action.parent as string }]
        : [];
    const needed = action.verb === 'delete' ? [] : [...home, ...sentRefs(kind, action)];
    const missing = needed.find(ref => !isKnown(ref.kind, ref.key));
    return missing
      ? `${quoted(action.id)} refers to the ${nameText(missing.kind)} ${quoted(missing.key)} without its id`
      : null;
  });
}

/** The first fault that `faultOf` finds among the items; null if there is none. */
function firstFault<T>(items: readonly T[], faultOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== null) return fault;
  }
  return null;
}
