// Objects that the server refuses because of the object that would serve them. That object is
// missing, is not in service, or lacks an ability. Without this check, a replacement would delete
// the old object and then fail to create the new one.
import type { Kind } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Fields } from '../../model/value.ts';
import { placesOver } from '../actions/relations.ts';
import type { StateObject } from '../types/accountState.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { DraftPlan } from './draftPlan.ts';

type Planned = Pick<DraftPlan, 'changes' | 'after'> & {
  readonly context: Pick<DraftPlan['context'], 'kind'>;
};

/**
 * A change of an object that another object serves, with the fields of the object after the plan.
 */
interface Served {
  readonly object: ObjectChange;
  readonly kind: Kind;
  readonly fields: Fields;
  /** Whether the server checks this field now. For a new object, the server checks every field. */
  readonly isNew: (field: string) => boolean;
  readonly plan: Planned;
}

/** The kinds of the objects that serve objects of a kind. */
export const servingKinds = ({ identitySuffix, servingReferences }: Kind): readonly KindName[] => [
  ...(identitySuffix?.kinds ?? []),
  ...servingReferences.map(({ kind }) => kind),
];

/**
 * Errors for new objects and new values that the server refuses because of the object that would
 * serve them.
 */
export function servingFaults(plan: Planned): Diagnostic[] {
  const { changes, after, context } = plan;
  return changes.flatMap(object => {
    const { change } = object;
    const kind = context.kind(change.kind);
    const fields = after.objects.get(change.address)?.fields;
    if (change.type === 'delete' || fields === undefined) return [];
    const isNew = (field: string) =>
      change.type !== 'update' || change.fields.some(({ path: [name] }) => name === field);
    const served = { object, kind, fields, isNew, plan };
    return [...referenceFaults(served), ...placeFaults(served), ...abilityFaults(served)];
  });
}

function referenceFaults(served: Served): Diagnostic[] {
  const { kind, fields, isNew, plan } = served;
  return kind.servingReferences.flatMap(({ field, kind: name }) => {
    const key = fields[field];
    if (!isNew(field) || typeof key !== 'string') return [];
    const address = addressOf(name, key as Key);
    // If the object is in neither the files nor the account, another check reports it.
    return plan.after.objects.get(address) && !serves(address, plan)
      ? [offFault(served, { field, address })]
      : [];
  });
}

// The server accepts an update to a name that no place serves, but the object stays in its current
// place, and no later update moves it. A name below no place at all may be intended. A name below a
// place refers to that place.
function placeFaults(served: Served): Diagnostic[] {
  const { object, kind, fields, isNew, plan } = served;
  const { identitySuffix } = kind;
  if (!identitySuffix || isUnread(kind, plan)) return [];
  const { field, onlyBelow } = identitySuffix;
  if (!isNew(field) || isEmpty(fields[field])) return [];
  const { serving, off, naming } = placesOf(kind, fields, plan);
  const [first] = serving;
  if (onlyBelow !== undefined && first !== undefined) {
    const isRefused = (address: Address) =>
      address === addressOf(lastKind(kind), fields[field] as Key) &&
      isTrue(onlyBelow, plan.after.objects.get(address));
    return serving.every(isRefused) ? [belowFault(served, onlyBelow, first)] : [];
  }
  if (first !== undefined || naming.length > 0) return [];
  if (off[0] !== undefined) return [offFault(served, { field, address: off[0] })];
  return object.change.type === 'update' ? [] : [placelessFault(served)];
}

function abilityFaults(served: Served): Diagnostic[] {
  const { kind, fields, isNew, plan } = served;
  return kind.abilities.flatMap(ability => {
    const { field, needs, while: only } = ability;
    const isConcerned = only === undefined || only.in.includes(String(fields[only.field]));
    if (!isNew(field) || isEmpty(fields[field]) || !isConcerned || isUnread(kind, plan)) return [];
    const servers = serversOf(served);
    const isAble = (address: Address) =>
      serves(address, plan) && isTrue(needs, plan.after.objects.get(address));
    const [first] = servers;
    if (first === undefined || servers.some(isAble)) return [];
    const isOff = plan.after.objects.has(first) && !serves(first, plan);
    return isOff
      ? [offFault(served, { field, address: first })]
      : [abilityFault(served, { field, needs, address: first })];
  });
}

/** The objects whose names are suffixes of a name. */
interface Places {
  /** Objects of the last kind that are in service. The server chooses one of them first. */
  readonly serving: readonly Address[];
  /** Objects of the last kind that are not in service. */
  readonly off: readonly Address[];
  /** Objects of the other kinds, with the longest names first. */
  readonly naming: readonly StateObject[];
}

function placesOf(kind: Kind, fields: Fields, plan: Planned): Places {
  const last = lastKind(kind);
  const there = placesOver(kind, fields).flatMap(address => {
    const place = plan.after.objects.get(address);
    return place === undefined ? [] : [{ address, place }];
  });
  const own = there.flatMap(({ address, place }) => (place.kind === last ? address : []));
  return {
    serving: own.filter(address => serves(address, plan)),
    off: own.filter(address => !serves(address, plan)),
    naming: there.flatMap(({ place }) => (place.kind === last ? [] : place)),
  };
}

// The objects of the last kind that may serve the object. If there are several, it is unknown which one the server would choose.
function serversOf({ object, kind, fields, isNew, plan }: Served): readonly Address[] {
  const { change, live } = object;
  const { field = '', keeps = '', namedBy = '' } = kind.identitySuffix ?? {};
  const { serving, naming } = placesOf(kind, fields, plan);
  const named = naming[0]?.fields[namedBy];
  const chosen =
    serving.length > 0 || typeof named !== 'string'
      ? serving
      : [addressOf(lastKind(kind), named as Key)];
  const kept = live?.serverFields[keeps];
  const isKept = change.type === 'update' && (!isNew(field) || chosen.length === 0);
  return isKept && typeof kept === 'string' && kept !== ''
    ? [addressOf(lastKind(kind), kept as Key)]
    : chosen;
}

const lastKind = ({ name, identitySuffix }: Kind): KindName => identitySuffix?.kinds.at(-1) ?? name;

const isUnread = ({ identitySuffix }: Kind, { after: { unread } }: Planned): boolean =>
  identitySuffix?.kinds.some(name => unread.has(name)) === true;

// Whether an object is in service, according to the account.
function serves(address: Address, { after, context }: Planned): boolean {
  const found = after.objects.get(address);
  const flag = found && context.kind(found.kind).servesWhile;
  return flag === undefined || valueIn(flag, found) !== false;
}

const isTrue = (field: string, object: StateObject | undefined): boolean =>
  valueIn(field, object) === true;

const valueIn = (field: string, object: StateObject | undefined) =>
  object?.fields[field] ?? object?.live?.serverFields[field];

function faultIn({ object: { change, desired } }: Served, field: string) {
  const position = desired?.spans[`/${field}`] ?? desired?.at ?? change.at;
  return { code: 'OBJECT_NEEDS', severity: 'error', ...(position && { at: position }) } as const;
}

// A clause about what the server would refuse.
function verdict({ object: { change } }: Served): string {
  if (change.type === 'create') return `${change.address} cannot be created`;
  return change.type === 'update'
    ? `${change.address} cannot be updated`
    : `${change.address} cannot be replaced`;
}

const nounsOf = ({ kind, plan }: Served): string =>
  servingKinds(kind)
    .map(name => plan.context.kind(name).noun)
    .join(' or ');

function offFault(
  served: Served,
  { field, address }: { readonly field: string; readonly address: Address },
): Diagnostic {
  const { after, context } = served.plan;
  const found = after.objects.get(address);
  const flag = found ? (context.kind(found.kind).servesWhile ?? '') : '';
  return {
    ...faultIn(served, field),
    message: `${verdict(served)}: ${quoted(flag)} of ${address}, which would serve it, is false`,
    hint: `plan again once it is true, or choose another ${nounsOf(served)}`,
  };
}

function belowFault(served: Served, onlyBelow: string, address: Address): Diagnostic {
  const { fields, kind } = served;
  const { field = '' } = kind.identitySuffix ?? {};
  return {
    ...faultIn(served, field),
    message: `${verdict(served)}: ${address} serves only names below ${quoted(String(fields[field]))}, because its ${quoted(onlyBelow)} is true`,
    hint: `choose a name below it, such as ${quoted(`www.${fields[field]}`)}`,
  };
}

function abilityFault(
  served: Served,
  {
    field,
    needs,
    address,
  }: { readonly field: string; readonly needs: string; readonly address: Address },
): Diagnostic {
  const isOwn = served.object.change.after?.[field] !== undefined;
  const other = `choose a ${nounsOf(served)} with it`;
  return {
    ...faultIn(served, field),
    message: `${verdict(served)}: ${quoted(field)} needs ${quoted(`${needs}: true`)}, and ${address}, which serves it, does not have that`,
    hint: isOwn
      ? `omit ${quoted(field)}, or ${other}`
      : `${other}: the value comes from the account`,
  };
}

function placelessFault(served: Served): Diagnostic {
  const { kind, fields, plan } = served;
  const { field = '', kinds = [] } = kind.identitySuffix ?? {};
  const section = plan.context.kind(kinds[0] ?? kind.name).at.replaceAll('[]', '');
  return {
    ...faultIn(served, field),
    message: `${verdict(served)}: ${quoted(String(fields[field]))} is neither a ${nounsOf(served)} of the account nor a name below one`,
    hint: `choose a name below one, or declare one under ${quoted(section)}`,
  };
}
