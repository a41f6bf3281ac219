// Reads everything in an account on which access depends: for a plan, for a saved plan, or for the
// current state of the account.

import { selectorOf } from '../../access/ask/selector.ts';
import { kindsOfExposers } from '../../access/gates/exposingRights.ts';
import { changeAnswers, kindsOfAnswers } from '../../access/gates/nameservers.ts';
import { kindsOfDomains } from '../../access/gates/proxyRights.ts';
import { kindsOfSentNames } from '../../access/gates/secretPlaces.ts';
import { changeAddresses, kindsWithAddresses } from '../../access/gates/takenAddresses.ts';
import { type Asked, IPV6_KINDS, mayMoveIpv6, movesIpv6 } from '../../access/plan/ipv6Reads.ts';
import { movesMachines } from '../../access/plan/movesMachines.ts';
import {
  INTERNET_KINDS,
  type InternetReads,
  internetReads,
  openKinds,
  SERVING_KINDS,
} from '../../access/state/internetPorts.ts';
import { SERVICE } from '../../access/state/services.ts';
import { ACCESS_KINDS, INVITE_KINDS } from '../../access/state/stateOfLive.ts';
import {
  callNames,
  changeNames,
  changeRecords,
  NAME_KINDS,
  offerDomains,
} from '../../access/state/zones.ts';
import { isDomain } from '../../access/world/address.ts';
import { kindsOfCallers } from '../../access/world/callingMachines.ts';
import {
  type FetchedAccount,
  type FetchOptions,
  fetchAndWiden,
  type Widening,
} from '../../api/account/fetch.ts';
import { propagatorsOf } from '../../kinds/dialect/propagation.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import type { UnreadAccount } from '../unreadAccount.ts';

/** The parts of an account on which its access depends. */
export interface AccountForAccess {
  readonly live: readonly Live[];
  /** The kinds that could not be read although the run needs them, with the reasons. */
  readonly unavailable: FetchedAccount['unavailable'];
  readonly notOffered?: FetchedAccount['notOffered'] | undefined;
  readonly requests: number;
}

/** An account that was read in part, and a function that reads more. */
export interface ReadableAccount extends Pick<Widening, 'widen'> {
  readonly kinds: KindTable;
}

/** The questions about the access of a plan. */
export interface AskedOfPlan extends Asked {
  /** Whether a test or a guard asks who may join the account. */
  readonly areJoinersAsked: boolean;
  /** Whether the addresses to which domain names resolve are needed. */
  readonly areNames: boolean;
  /** The kinds that may withhold access from ended members that a plan removes. */
  readonly narrowing: ReadonlySet<KindName>;
}

/** Reads everything on which the access before and after a plan depends. */
export async function readForPlan(
  { kinds, widen }: ReadableAccount,
  plan: Pick<Plan, 'changes' | 'actions'>,
  asked: AskedOfPlan,
): Promise<AccountForAccess> {
  const wanted = kindsAtFirst(kinds, plan, asked).union(
    kindsReadWhole(internetReads(plan.changes)),
  );
  const first = await widen(kindsNamed(kinds, wanted));
  return readFurther({ kinds, widen }, first, { ...plan, asked });
}

// The kinds on which the access of every plan depends, and the kinds that this plan needs in addition.
const kindsAtFirst = (
  kinds: KindTable,
  { actions }: Pick<Plan, 'actions'>,
  { areJoinersAsked, narrowing }: AskedOfPlan,
): ReadonlySet<string> =>
  ACCESS_KINDS.union(propagatorKinds(kinds, actions))
    .union(areJoinersAsked ? INVITE_KINDS : NO_KINDS)
    .union(narrowing);

/** A plan, and the questions about its access. */
interface JudgedChanges extends Pick<Plan, 'changes' | 'actions'> {
  readonly asked: AskedOfPlan;
}

// Reads the further parts on which access depends, according to the first read. A plan and its
// saved form follow the same rules.
async function readFurther(
  { kinds, widen }: ReadableAccount,
  first: FetchedAccount,
  { changes, actions, asked }: JudgedChanges,
): Promise<AccountForAccess> {
  const reads = internetReads(changes);
  // The account may have opened ports of a machine that the files declare, even if the plan does
  // not change the ports.
  const { kinds: serving } = internetReads([], first.objects);
  const calling = kindsOfCallers(first.objects, actions);
  const overlay = (
    mayMoveIpv6({ kinds, actions, objects: first.objects }, asked) ? IPV6_KINDS : calling
  ).union(kindsOfExposers(actions));
  const settled = await more(first, kindsNamed(kinds, overlay), widen);
  const isNamed = dependsOnNames(kinds, actions, { first, settled, asked });
  const names = isNamed ? NAME_KINDS : NO_KINDS;
  const isGuarded = asked.guarded.length > 0;
  const answering = isGuarded || changesNames(actions);
  const domains = kindsOfDomains(changes, isGuarded).union(
    answering ? kindsOfAnswers(kinds, actions, isNamed) : NO_KINDS,
  );
  const sent = kindsOfSentNames(kinds, first.objects, actions);
  const wantedNow = serving.difference(reads.kinds).union(names).union(domains).union(sent);
  const told = namesToTell(kinds, actions)
    .union(kindsWithAddresses(kinds, actions))
    .difference(wantedNow);
  const account = await more(settled, kindsNamed(kinds, wantedNow.union(told)), widen);
  const unread = unreadOf(account, reads.kinds.union(serving).union(names));
  return {
    live: account.objects,
    unavailable: new Map([...unread].filter(([kind]) => !told.has(kind))),
    notOffered: account.notOffered,
    requests: account.requests,
  };
}

// Zones and nameservers of groups change the DNS answers for machines that join or leave these
// groups. For a plan, this is only a note. So the access of the plan is known even if zones and
// nameservers cannot be read.
function namesToTell(kinds: KindTable, actions: Plan['actions']): ReadonlySet<string> {
  const moving = actions.filter(({ verb }) => verb === 'update').filter(movesMachines(kinds));
  return moving.length > 0 ? NAME_KINDS.union(kindsOfAnswers(kinds, moving, true)) : NO_KINDS;
}

// The kinds whose lists are read completely: all except nested kinds that are read in only a few parents.
function kindsReadWhole(reads: InternetReads): ReadonlySet<string> {
  const nested = new Set(
    [...reads.parents].flatMap(([kind, some]) => (some === 'all' ? kind : [])),
  );
  return new Set([...reads.kinds].filter(kind => !reads.parents.has(kind) || nested.has(kind)));
}

// Whether access depends on the names of machines and domains. Determined after the first read, and
// after the second read with the settings.
function dependsOnNames(
  kinds: KindTable,
  actions: Plan['actions'],
  {
    first,
    settled,
    asked: { areNames, guarded },
  }: {
    readonly first: FetchedAccount;
    readonly settled: FetchedAccount;
    readonly asked: AskedOfPlan;
  },
): boolean {
  const offered = [...first.objects, ...actions];
  return offerDomains(offered)
    ? areNames ||
        callNames(offered) ||
        changeNames(actions) ||
        movesIpv6({ kinds, actions, objects: settled.objects })
    : changesNames(actions) ||
        (guarded.some(isOfName) && actions.some(movesMachines(kinds))) ||
        changeAddresses(actions);
}

// Whether a plan changes these objects. If it does, it shows where their names resolve afterwards.
const changesNames = (actions: Plan['actions']): boolean =>
  changeAnswers(actions) || changeRecords(actions);

// Whether the guarded destination is a domain. If it is, zones and nameservers may make the name
// resolve differently for machines of some groups.
function isOfName({ to }: Asked['guarded'][number]): boolean {
  const selector = selectorOf(to);
  return !('fault' in selector) && selector.type === 'address' && isDomain(selector.name);
}

/** The remaining actions of a saved plan, and the questions about its access. */
interface SavedPlan extends JudgedChanges {
  /** The kinds on which the hazards of the actions depend. */
  readonly concerned: ReadonlySet<string>;
  /** The declared objects that open ports of machines. */
  readonly ports: Parameters<typeof internetReads>[0];
}

/**
 * Reads everything on which the access before and after a saved plan depends. If the findings contain an error, nothing else may
 * be used.
 */
export async function readForSavedPlan(
  { kinds, transport }: UnreadAccount,
  { concerned, ports, ...plan }: SavedPlan,
  options: FetchOptions,
): Promise<AccountForAccess & Pick<FetchedAccount, 'findings'>> {
  const reads = internetReads([...plan.changes, ...ports]);
  const wanted = kindsNamed(
    kinds,
    kindsAtFirst(kinds, plan, plan.asked).union(reads.kinds).union(concerned),
  );
  const parents = new Map([...wanted].map(name => [name, reads.parents.get(name) ?? 'all']));
  const scope = { kinds: wanted, parents };
  const { snapshot, widen } = await fetchAndWiden(transport, kinds, scope, options);
  const { findings } = snapshot;
  if (hasErrors(findings)) return { ...snapshot, live: snapshot.objects };
  return { ...(await readFurther({ kinds, widen }, snapshot, plan)), findings };
}

/** Reads the part of an account on which access depends, without regard to the files. */
export async function readForState(
  { kinds, transport }: UnreadAccount,
  options: FetchOptions & { readonly dialect: DialectChoice },
): Promise<AccountForAccess & Pick<FetchedAccount, 'findings'>> {
  const wanted = kindsNamed(kinds, ACCESS_KINDS.union(SERVING_KINDS).union(INVITE_KINDS));
  const scope = { kinds: wanted, parents: everywhere(wanted) };
  const { snapshot, widen } = await fetchAndWiden(transport, kinds, scope, options);
  if (hasErrors(snapshot.findings)) return { ...snapshot, live: snapshot.objects };
  // Each machine has a separate list of open ports. These lists are read only if an object of the
  // account opens ports.
  const names = offerDomains(snapshot.objects) ? NAME_KINDS : new Set<string>();
  const calling = kindsOfCallers(snapshot.objects);
  const open = kindsNamed(kinds, openKinds(snapshot.objects).union(names).union(calling));
  const account = open.size === 0 ? snapshot : await widen(open);
  const unavailable = unreadOf(account, INTERNET_KINDS.union(names));
  return { ...account, live: account.objects, unavailable };
}

// Reads more kinds of the account. `requests` counts the requests of both reads.
async function more(
  account: FetchedAccount,
  left: ReadonlySet<KindName>,
  widen: Widening['widen'],
): Promise<FetchedAccount> {
  if (left.size === 0) return account;
  const found = await widen(left);
  return { ...found, requests: account.requests + found.requests };
}

const NO_KINDS: ReadonlySet<string> = new Set();

// The kinds that count as unread. Kinds that open ports to the internet or contain names count only
// if the run needs them. If the server does not offer a kind, there are no objects of this kind. A
// token that may read users may also read invitations, if the server has any.
function unreadOf(
  { unavailable, notOffered }: Pick<FetchedAccount, 'unavailable' | 'notOffered'>,
  concerned: ReadonlySet<string>,
): FetchedAccount['unavailable'] {
  const counts = (kind: KindName) =>
    !INVITE_KINDS.has(kind) &&
    (!(INTERNET_KINDS.has(kind) || NAME_KINDS.has(kind) || kind === SERVICE) ||
      ((concerned.has(kind) || kind === SERVICE) && !notOffered?.has(kind)));
  return new Map([...unavailable].filter(([kind]) => counts(kind)));
}

// The kinds that show whether an update of these objects changes the members of groups.
function propagatorKinds(kinds: KindTable, actions: Plan['actions']): ReadonlySet<string> {
  const moving = actions.filter(
    action =>
      action.verb === 'update' &&
      [...(kinds.get(action.kind)?.shape.fields.values() ?? [])].some(
        ({ name, movesMembers }) => movesMembers && name in action.fields,
      ),
  );
  const found = propagatorsOf(kinds, new Set(moving.map(({ kind }) => kind)));
  return new Set(found.map(({ name }) => name));
}

const everywhere = (names: ReadonlySet<KindName>) =>
  new Map([...names].map(name => [name, 'all' as const]));

const kindsNamed = (kinds: KindTable, names: ReadonlySet<string>): ReadonlySet<KindName> =>
  new Set([...kinds.keys()].filter(name => names.has(name)));
