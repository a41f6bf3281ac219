// Accounts of a fleet whose plans do the same.
import { createHash } from 'node:crypto';
import type { FleetAccount } from '../../model/fleet.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { stableText } from '../../model/text/stableText.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { SavedPlan } from '../plan/savedPlan.ts';

/** The plan of one account. */
export interface PlannedAccount {
  readonly account: FleetAccount;
  readonly saved: SavedPlan;
}

/** Accounts with the same plan, in the order of their names. */
export interface PlanGroup {
  readonly first: PlannedAccount;
  readonly accounts: readonly FleetAccount[];
}

/** The groups, the largest first. */
export function groupsOfPlans(planned: readonly PlannedAccount[]): readonly PlanGroup[] {
  const byPlan = Map.groupBy(planned, planGroup);
  return [...byPlan.values()]
    .flatMap(([first, ...others]) =>
      first ? { first, accounts: [first, ...others].map(({ account }) => account) } : [],
    )
    .toSorted(
      (one, other) =>
        other.accounts.length - one.accounts.length ||
        compareTexts(one.first.account.name, other.first.account.name),
    );
}

/** Parts of `meshform` in a plan document that are about its account alone, or repeat others. */
const OF_ACCOUNT: ReadonlySet<string> = new Set([
  'digest',
  'content_digest',
  'made_at',
  'account',
  'server',
  'revision',
  'base',
  'folder',
  'layers',
  'declared',
  'requests',
  'origins',
  'counted_runs',
  'secret_sources',
  'pins',
  'left_alone',
]);

/** Parts of an action that name what it met in its account, by ids that the server chose. */
const MET: ReadonlySet<string> = new Set(['precondition', 'requests']);

/** Equal for plans that do the same, the ids of objects and the names of accounts aside. */
function planGroup({ account, saved: { document } }: PlannedAccount): string {
  const { meshform, ...changes } = document;
  const own = Object.entries(isObject(meshform) ? meshform : {})
    .filter(([name]) => !OF_ACCOUNT.has(name))
    .map(([name, part]) => [name, name === 'actions' ? actionsOf(part) : part] as const);
  const content = { ...changes, meshform: Object.fromEntries(own) };
  const ids = idsIn(meshform ?? null);
  const text = stableText(withoutNames(content, { names: namesOf(account), ids }));
  return createHash('sha256').update(text).digest('hex');
}

const actionsOf = (actions: Json): Json =>
  isList(actions)
    ? actions.map(action =>
        isObject(action)
          ? Object.fromEntries(Object.entries(action).filter(([name]) => !MET.has(name)))
          : action,
      )
    : actions;

/** Shorter names are in other words by chance. */
const SHORTEST = 3;

// The name of an account, and what its entry made of it for its files: longer texts first, because one may be in another.
function namesOf({ name, tenant = '', vars }: FleetAccount): readonly string[] {
  const made = Object.values(vars).filter(value => value.includes(name));
  return [name, tenant, ...made]
    .filter(text => text.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length);
}

/** The ids that the server chose for the objects of the account. */
function idsIn(meshform: Json): ReadonlySet<string> {
  const parts = isObject(meshform) ? meshform : {};
  const entries = [parts.changes, parts.actions, parts.pins, parts.left_alone].flatMap(part =>
    isList(part) ? part.filter(isObject) : [],
  );
  // The id of an action is not one of the server: it says what the action does.
  const ids = entries.flatMap(({ id, remote_id, verb }) => [remote_id, verb ? undefined : id]);
  return new Set(ids.filter(id => typeof id === 'string'));
}

/** What is of one account alone. */
interface OfOne {
  readonly names: readonly string[];
  readonly ids: ReadonlySet<string>;
}

/** These stand for the name of an account, and for an id of it. No text of a plan has such a character. */
const NAME = '\0account';
const ID = '\0id';

function withoutNames(value: Json, one: OfOne): Json {
  if (typeof value === 'string') return withoutIn(value, one);
  if (isList(value)) return value.map(part => withoutNames(part, one));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, Json] => [
    withoutIn(key, one),
    withoutNames(part, one),
  ]);
  return Object.fromEntries(entries) satisfies JsonObject;
}

const withoutIn = (text: string, { names, ids }: OfOne): string =>
  ids.has(text) ? ID : names.reduce((rest, name) => rest.replaceAll(name, NAME), text);
