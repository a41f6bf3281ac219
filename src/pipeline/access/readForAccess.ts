// Reads everything of an account that access depends on: for a plan, for a saved plan, and for the account as it is.

import { kindsOfExposers } from '../../access/gates/exposing.ts';
import { changeAnswers, kindsOfAnswers } from '../../access/gates/nameservers.ts';
import { kindsOfDomains } from '../../access/gates/proxies.ts';
import { changeAddresses } from '../../access/gates/takenAddresses.ts';
import { type Asked, IPV6_KINDS, mayMoveIpv6, movesIpv6 } from '../../access/plan/ipv6Reads.ts';
import {
  INTERNET_KINDS,
  type InternetReads,
  internetReads,
  openKinds,
  SERVING_KINDS,
} from '../../access/state/internet.ts';
import { ACCESS_KINDS } from '../../access/state/ofLive.ts';
import { SERVICE } from '../../access/state/services.ts';
import {
  callNames,
  changeNames,
  changeRecords,
  NAME_KINDS,
  offerDomains,
} from '../../access/state/zones.ts';
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

/** What access is judged by: everything of an account that it depends on. */
export interface AccountForAccess {
  readonly live: readonly Live[];
  /** The kinds that could not be read, and why, as far as they concern the run. */
  readonly unavailable: FetchedAccount['unavailable'];
  readonly requests: number;
}

/** An account of which a part is read, and the rest can be. */
export interface ReadableAccount extends Pick<Widening, 'widen'> {
  readonly kinds: KindTable;
}

/** What a plan is asked about access. */
export interface AskedOfPlan extends Asked {
  /** Whether somebody asks for addresses, which domains lead to. */
  readonly areNames: boolean;
}

/** Reads everything that the access before and after a plan depends on. */
export async function readForPlan(
  { kinds, widen }: ReadableAccount,
  { changes, actions }: Pick<Plan, 'changes' | 'actions'>,
  asked: AskedOfPlan,
): Promise<AccountForAccess> {
  const reads = internetReads(changes);
  const wanted = ACCESS_KINDS.union(kindsReadWhole(reads)).union(propagatorKinds(kinds, actions));
  const first = await widen(kindsNamed(kinds, wanted));
  // The files may declare a machine of which the account has ports, without a change of these.
  const { kinds: serving } = internetReads([], first.objects);
  const calling = kindsOfCallers(first.objects, actions);
  const overlay = (mayMoveIpv6(actions, first.objects, asked) ? IPV6_KINDS : calling).union(
    kindsOfExposers(actions),
  );
  const settled = await more(first, kindsNamed(kinds, overlay), widen);
  const isNamed = dependsOnNames(actions, { first, settled, areNames: asked.areNames });
  const names = isNamed ? NAME_KINDS : NO_KINDS;
  const served = kindsOfDomains(changes).union(kindsOfAnswers(actions, isNamed));
  const domains = asked.guarded.length > 0 ? served : NO_KINDS;
  const left = kindsNamed(kinds, serving.difference(reads.kinds).union(names).union(domains));
  const account = await more(settled, left, widen);
  return {
    live: account.objects,
    unavailable: unreadOf(account, reads.kinds.union(serving).union(names)),
    requests: account.requests,
  };
}

// The kinds to read of which every list is wanted: all but those that nest in a few parents.
function kindsReadWhole(reads: InternetReads): ReadonlySet<string> {
  const nested = new Set(
    [...reads.parents].flatMap(([kind, some]) => (some === 'all' ? kind : [])),
  );
  return new Set([...reads.kinds].filter(kind => !reads.parents.has(kind) || nested.has(kind)));
}

// Whether access depends on the names of machines and domains, by what was read at first and once the settings are known.
function dependsOnNames(
  actions: Plan['actions'],
  {
    first,
    settled,
    areNames,
  }: Pick<AskedOfPlan, 'areNames'> & {
    readonly first: FetchedAccount;
    readonly settled: FetchedAccount;
  },
): boolean {
  const offered = [...first.objects, ...actions];
  return offerDomains(offered)
    ? areNames || callNames(offered) || changeNames(actions) || movesIpv6(actions, settled.objects)
    : (areNames && (changeAnswers(actions) || changeRecords(actions))) || changeAddresses(actions);
}

/** A saved plan, as far as it is still to be carried out, and what it is asked about access. */
interface SavedPlan extends Pick<Plan, 'changes' | 'actions'> {
  readonly asked: Asked;
}

/** Reads what the access before and after a saved plan depends on; with an error among the findings, the rest must not be used. */
export async function readForSavedPlan(
  { kinds, transport }: UnreadAccount,
  { changes, actions, asked }: SavedPlan,
  options: FetchOptions,
): Promise<AccountForAccess & Pick<FetchedAccount, 'findings'>> {
  const reads = internetReads(changes);
  const settings = propagatorKinds(kinds, actions);
  const wanted = kindsNamed(kinds, ACCESS_KINDS.union(reads.kinds).union(settings));
  const parents = new Map([...wanted].map(name => [name, reads.parents.get(name) ?? 'all']));
  const scope = { kinds: wanted, parents };
  const { snapshot, widen } = await fetchAndWiden(transport, kinds, scope, options);
  if (hasErrors(snapshot.findings)) return { ...snapshot, live: snapshot.objects };
  const isNamed = offerDomains([...snapshot.objects, ...actions]) || changeAnswers(actions);
  const names = isNamed ? NAME_KINDS : NO_KINDS;
  const calling = kindsOfCallers(snapshot.objects, actions);
  const overlay = (mayMoveIpv6(actions, snapshot.objects, asked) ? IPV6_KINDS : calling).union(
    kindsOfExposers(actions),
  );
  const answering = asked.guarded.length > 0 ? kindsOfAnswers(actions) : NO_KINDS;
  const left = kindsNamed(kinds, names.union(overlay).union(answering));
  const account = await more(snapshot, left, widen);
  const unavailable = unreadOf(account, reads.kinds.union(NAME_KINDS));
  return { ...account, live: account.objects, unavailable };
}

/** Reads the part of an account that access depends on, whatever the files declare. */
export async function readForState(
  { kinds, transport }: UnreadAccount,
  options: FetchOptions & { readonly dialect: DialectChoice },
): Promise<AccountForAccess & Pick<FetchedAccount, 'findings'>> {
  const wanted = kindsNamed(kinds, ACCESS_KINDS.union(SERVING_KINDS));
  const scope = { kinds: wanted, parents: everywhere(wanted) };
  const { snapshot, widen } = await fetchAndWiden(transport, kinds, scope, options);
  if (hasErrors(snapshot.findings)) return { ...snapshot, live: snapshot.objects };
  // The ports of each machine are a list of their own: without an object that serves them, none is open.
  const names = offerDomains(snapshot.objects) ? NAME_KINDS : new Set<string>();
  const calling = kindsOfCallers(snapshot.objects);
  const open = kindsNamed(kinds, openKinds(snapshot.objects).union(names).union(calling));
  const account = open.size === 0 ? snapshot : await widen(open);
  const unavailable = unreadOf(account, INTERNET_KINDS.union(names));
  return { ...account, live: account.objects, unavailable };
}

// The account with more kinds; `requests` are those of both.
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

// Of what opens ports to the internet, and of names, only what concerns the run counts as unread. A server that does not offer it has
// none.
function unreadOf(
  { unavailable, notOffered }: Pick<FetchedAccount, 'unavailable' | 'notOffered'>,
  concerned: ReadonlySet<string>,
): FetchedAccount['unavailable'] {
  const counts = (kind: KindName) =>
    !(INTERNET_KINDS.has(kind) || NAME_KINDS.has(kind) || kind === SERVICE) ||
    ((concerned.has(kind) || kind === SERVICE) && !notOffered?.has(kind));
  return new Map([...unavailable].filter(([kind]) => counts(kind)));
}

// The kinds that say whether an update of such an object moves members of groups.
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
