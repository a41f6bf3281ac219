// The hazards and errors of a plan's actions in the account as it was read for access. More of the
// account is read for access than for the plan itself, and a saved plan is judged in the account at
// the time of the apply.

import type { Draft } from '../../access/plan/draft.ts';
import { draftsOf, type MapReferences } from '../../access/plan/drafts.ts';
import { movesMachines } from '../../access/plan/movesMachines.ts';
import { concernsNoOthers } from '../../engine/checks/fewerAffected.ts';
import { type Acceptance, accepted } from '../../engine/checks/hazards.ts';
import { hazardsInAccount } from '../../engine/checks/hazardsInAccount.ts';
import { servingFaults, servingKinds } from '../../engine/checks/servingObjects.ts';
import type { AccountState, StateObject } from '../../engine/types/accountState.ts';
import type { FoundHazard } from '../../engine/types/hazard.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import { idLabeller } from '../../model/idLabels.ts';
import { addressOf, idInKey, idKey } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import { kindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { AccountForAccess } from './readForAccess.ts';

type Actions = Pick<Plan, 'actions' | 'changes' | 'pins'>;
type Read = Pick<AccountForAccess, 'live' | 'unavailable'> & { readonly kinds: KindTable };

/**
 * The kinds on which the hazards of actions depend: kinds that the actions write, and kinds that
 * their hazards count or name.
 */
export function kindsOfHazards(kinds: KindTable, actions: Plan['actions']): ReadonlySet<string> {
  const written = new Set(actions.map(({ kind }) => kind));
  const isMoving = actions.some(movesMachines(kinds));
  const settings = [...kinds.values()].filter(({ name, dangers }) =>
    dangers.some(({ counts }) => written.has(name) || (isMoving && counts.through !== undefined)),
  );
  const counted = settings.flatMap(({ name, dangers }) => [
    name,
    ...dangers.map(({ counts }) => counts.kind),
  ]);
  const callers = [...kinds.values()].filter(({ principal }) => principal !== undefined);
  const isOfCaller = callers.some(({ name }) =>
    [...written].some(one => one === name || kinds.get(one)?.parent === name),
  );
  return new Set([...counted, ...(isOfCaller ? callers.map(({ name }) => name) : [])]);
}

/** The kinds of the objects without which the written objects would not work. */
export function kindsOfServing(kinds: KindTable, actions: Plan['actions']): ReadonlySet<string> {
  const written = actions.filter(({ verb }) => verb !== 'delete').map(({ kind }) => kind);
  return new Set(written.map(kindIn(kinds)).flatMap(servingKinds));
}

/**
 * Errors for actions that the server would refuse now, because an object that the written object needs is missing or disabled.
 */
export function servingFaultsNow(account: Read, plan: Actions): readonly Diagnostic[] {
  const serving = kindsOfServing(account.kinds, plan.actions);
  if (serving.size === 0) return [];
  const there = new Set(account.live.map(({ kind }) => kind));
  const unread = new Set([...serving].map(kindName).filter(name => !there.has(name)));
  const { before, after } = statesOf(account, plan, unread);
  const changes = writtenChanges(plan).map(change => {
    const live = before.objects.get(change.address)?.live;
    return { change, ...(live && { live }) };
  });
  return servingFaults({ changes, after, context: { kind: kindIn(account.kinds) } });
}

/** What a plan opens in the account as it was read for access. */
interface Opened {
  readonly rights: readonly RightEntry[];
  /** What actions open by changing the targets of names, by the addresses of the actions. */
  readonly redirected: ReadonlyMap<Address, readonly string[]>;
}

/** The actions, with the hazards that only the account as it was read for access shows. */
export function withAccountHazards(
  plan: Plan,
  account: Read,
  { rights, redirected, ...acceptance }: Acceptance & Opened,
): Plan['actions'] {
  const found = hazardsOf(account, plan);
  const exposed = Map.groupBy(
    rights.filter(({ right }) => right === 'exposure'),
    ({ object }) => object,
  );
  return plan.actions.map((action, index) => {
    const { address, hazards: known } = action;
    // If a change has two steps, only the first step has the hazards.
    if (plan.actions.findIndex(one => one.address === address) < index) return action;
    // An object that is open to callers outside the account has a separate hazard for that.
    const isOpening = account.kinds.get(action.kind)?.exposes !== undefined;
    const exposing = (isOpening ? [] : (exposed.get(address) ?? [])).map(
      ({ message }): FoundHazard => ({
        code: 'EXPOSES_WITHOUT_FILES',
        message: `${address}: ${message}`,
      }),
    );
    const leading = (redirected.get(address) ?? []).map(
      (says): FoundHazard => ({ code: 'SERVICE_PUBLIC', message: `${address} ${says}` }),
    );
    const more = unknownIn(known, [
      ...(action.verb === 'create' ? [] : (found.get(address) ?? [])),
      ...exposing,
      ...leading,
    ]);
    if (more.length === 0) return action;
    const hazards = [...known, ...more.map(one => ({ ...one, allowed: false }))];
    return accepted({ ...action, hazards }, acceptance);
  });
}

// The hazards whose codes are not among the known hazards. Each code is included once.
function unknownIn(
  known: readonly Pick<FoundHazard, 'code'>[],
  found: readonly FoundHazard[],
): readonly FoundHazard[] {
  const first = new Map(found.toReversed().map(one => [one.code, one]));
  return [...new Set(found.map(({ code }) => code))]
    .filter(code => !known.some(one => one.code === code))
    .flatMap(code => first.get(code) ?? []);
}

/**
 * The hazards of a saved plan in the current account that the plan did not show, or that it showed
 * for other or fewer objects. As strings: `LOCKS_OUT  …`.
 */
export function hazardsSince(plan: Plan, account: Read): readonly string[] {
  const withLabels = idLabeller(plan.called ?? []);
  const shown = plan.actions.flatMap(({ address, hazards }) =>
    hazards.map(hazard => ({ ...hazard, address })),
  );
  const written = new Map(plan.actions.map(({ address, verb }) => [address, verb]));
  const now = [...hazardsOf(account, plan)].flatMap(([address, hazards]) =>
    hazards
      .filter(({ code }) => code === 'SERVICE_PUBLIC' || written.get(address) !== 'create')
      .map(({ says, ...hazard }) => ({
        ...hazard,
        address,
        message: withLabels(hazard.message),
        ...(says !== undefined && { says: withLabels(says) }),
      })),
  );
  // If the plan showed more objects than are affected now, it need not be reviewed again.
  const more = now.filter(
    one =>
      !shown.some(
        ({ address, code, ...other }) =>
          address === one.address && code === one.code && concernsNoOthers(one, other),
      ),
  );
  return [...new Set(more.map(({ code, message }) => `${code}  ${message}`))].sort(compareTexts);
}

function hazardsOf(account: Read, plan: Actions): ReadonlyMap<Address, readonly FoundHazard[]> {
  const { kinds, unavailable } = account;
  const changes = writtenChanges(plan).map(change => ({ change }));
  const unread = new Set(unavailable.keys());
  const { before, after } = statesOf(account, plan, unread);
  return hazardsInAccount({ changes, before, after, context: { kind: kindIn(kinds) } });
}

// The changes that the actions make.
function writtenChanges({ actions, changes }: Actions): Plan['changes'] {
  const written = new Set(actions.map(({ address }) => address));
  return changes.filter(({ address }) => written.has(address));
}

const kindIn = (kinds: KindTable) => (name: KindName) =>
  present(kinds.get(name), `the kind ${name}`);

// The account before and after the actions. Objects that the plan writes or names have their names
// from the plan. Other objects that share a name are identified by ids.
function statesOf(
  { kinds, live }: Read,
  plan: Actions,
  unread: AccountState['unread'],
): { readonly before: AccountState; readonly after: AccountState } {
  const canonical = live.map(one => {
    const shape = kinds.get(one.kind)?.shape;
    return shape ? { ...one, fields: canonicalFields(shape, one.fields, 'live') } : one;
  });
  const { all, mapped, carryOut } = draftsOf(kinds, canonical, plan);
  const written = [
    ...plan.changes,
    ...plan.actions.map(one => ({ ...one, id: one.verb === 'create' ? undefined : one.remoteId })),
  ];
  const ids = Map.groupBy([...live, ...written], ({ kind, key }) => `${kind} ${key}`);
  const isOnly = ({ kind, key, id }: Live) =>
    (ids.get(`${kind} ${key}`) ?? []).every(one => one.id === id);
  const others = live.map(one => ({ ...one, key: isOnly(one) ? one.key : (idKey(one.id) as Key) }));
  const named = new Map(
    [...others, ...plan.pins, ...written].flatMap(({ kind, id, key }) =>
      id === undefined ? [] : [[`${kind} ${id}`, key]],
    ),
  );
  const byId = new Map(live.map(one => [`${one.kind} ${one.id}`, one]));
  const state = (): AccountState => ({
    objects: new Map([...all.values()].map(draft => stated(draft, { named, byId, mapped }))),
    unread,
  });
  const before = state();
  for (const action of plan.actions) carryOut(action);
  return { before, after: state() };
}

interface Named {
  /** The keys in the plan, by kind and id. */
  readonly named: ReadonlyMap<string, Key>;
  readonly byId: ReadonlyMap<string, Live>;
  readonly mapped: MapReferences;
}

function stated(
  { object: { kind, key, fields }, id }: Draft,
  { named, byId, mapped }: Named,
): [Address, StateObject] {
  const name = kindName(kind);
  const live = id === undefined ? undefined : byId.get(`${kind} ${id}`);
  const own = (id === undefined ? undefined : named.get(`${kind} ${id}`)) ?? (key as Key);
  const current = (of: string, ref: string) => {
    const found = idInKey(ref);
    return found === null ? ref : (named.get(`${of} ${found}`) ?? ref);
  };
  const resolved = mapped(kind, fields, current);
  return [addressOf(name, own), { kind: name, fields: resolved, ...(live && { live }) }];
}
