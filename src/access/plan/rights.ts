// Rights that a plan gives. A right opens no port by itself, but its holder can open one: an
// administrator, a user who can sign in, or a machine that joins a guarded group. For settings, the
// kind declares the rights that they give.
import equal from 'fast-deep-equal/es6/index.js';
import type { Grant, Kind, KindTable, ObjectGrant } from '../../kinds/kind.ts';
import { hasMoved } from '../../kinds/values/moves.ts';
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { RightEntry } from '../../model/access/planAccess.ts';
import type { ShownChange } from '../../model/change.ts';
import { nameText } from '../../model/text/visible.ts';
import { isList, type Path } from '../../model/value.ts';
import { selectorOf } from '../ask/selector.ts';
import { type SentSecrets, sentLocks } from './sentSecrets.ts';

type Right = Pick<RightEntry, 'right' | 'message'>;

/** The fields of an object before or after a change; undefined if the object gives no rights then. */
type Side = ShownChange['after'];

/** Finds the rights that a change gives. */
type Finder = (before: Side, after: Side) => readonly Right[];

/** Roles, ordered by what they may write. Roles of the same rank differ only in what they may read. */
const RANKS = [['user'], ['billing_admin', 'auditor'], ['network_admin'], ['admin'], ['owner']];

/**
 * The rights that the changes of a plan give, in the order of the changes. `sent`: the secrets
 * whose value may have changed.
 */
export function rightsOf(
  kinds: KindTable,
  changes: readonly ShownChange[],
  guarded: AccessGuards['guarded'],
  sent: SentSecrets = new Map(),
): readonly RightEntry[] {
  const finders = findersFor(groupsIn(guarded));
  return changes.flatMap(change => {
    const { type, kind, address, before, after } = change;
    const declared = kinds.get(kind);
    const { grants = [], objectGrants = [] } = declared ?? {};
    const secrets = sent.get(address) ?? [];
    const given = objectGrants.flatMap(one => givenBy(one, { type, after }));
    if (type === 'delete') return given.map(one => ({ object: address, ...one }));
    // A new setup key may admit machines that the former key did not admit, so all rights of the
    // new key count.
    const isOther = type === 'replace' && kind === 'setup_key';
    const found = (finders[kind] ?? []).flatMap(rights =>
      rights(isOther ? undefined : inEffect(before), inEffect(after)),
    );
    const granted = grants.flatMap(one => granting(one, change, secrets));
    const unlocked = declared ? unlocking(declared, change, secrets) : [];
    return [...found, ...given, ...granted, ...unlocked].map(one => ({ object: address, ...one }));
  });
}

// The rights that the kind declares for its fields.
function granting(
  grant: Grant,
  { before, after, fields }: ShownChange,
  secrets: readonly Path[],
): Right[] {
  const { field, when, while: condition, right, says } = grant;
  const from = before?.[field];
  const to = after?.[field];
  if (to === undefined || !hasMoved(grant, from, to)) return [];
  // The declared value of a secret can never be compared with the account, so `changes` and the
  // sent secrets determine what changed.
  const changed = [...fields.map(({ path }) => path), ...secrets];
  const isSame = when === 'changes' ? !changed.some(([name]) => name === field) : equal(from, to);
  if (isSame) return [];
  // A new object loosens nothing.
  if (before === undefined && (when === 'changes' || when === 'falls')) return [];
  const isMet =
    condition === undefined || [before, after].every(side => side?.[condition] === true);
  return isMet ? [{ right, message: says }] : [];
}

// The right of people who know the new secret of a lock: they get access from outside the account.
function unlocking(kind: Kind, change: ShownChange, secrets: readonly Path[]): Right[] {
  return sentLocks(kind, change, secrets).map(({ path }) => ({
    right: 'credential',
    message: `the secret in ${nameText(path.join('.'))} is sent, and may differ from the current one: whoever knows the new secret gets access`,
  }));
}

function givenBy(
  { when, right, says }: ObjectGrant,
  { type, after }: { readonly type: ShownChange['type']; readonly after: Side },
): Right[] {
  const isNew = (type === 'create' || type === 'replace') && inEffect(after) !== undefined;
  return (when === 'deleted' ? type === 'delete' : isNew) ? [{ right, message: says }] : [];
}

function findersFor(guarded: ReadonlySet<string>): Readonly<Record<string, readonly Finder[]>> {
  const person = [role, groups('with every machine', () => true)];
  return {
    user: person,
    user_invite: [...person, signIn([])],
    service_user: [role, groups('with every machine', group => guarded.has(group))],
    setup_key: [groups('with every machine that enrols', group => guarded.has(group))],
    peer: [ssh],
    policy: [logins],
    identity_provider: [signIn(['type', 'issuer', 'client_id'])],
    scim_integration: [signIn([...SYNCHRONISED, 'provider'])],
    directory_sync_a: [signIn([...SYNCHRONISED, 'tenant_id', 'client_id', 'host'])],
    directory_sync_b: [signIn([...SYNCHRONISED, 'customer_id'])],
  };
}

/** The fields that decide which people of a directory become users. */
const SYNCHRONISED = ['enabled', 'connector_id'];

function groupsIn(guarded: AccessGuards['guarded']): ReadonlySet<string> {
  const selectors = guarded.map(({ to }) => selectorOf(to));
  const named = selectors.flatMap(one =>
    'fault' in one || one.type !== 'group' ? [] : [one.name],
  );
  return new Set(named);
}

// The fields of an object that is in effect. A blocked user and a revoked key give no rights.
function inEffect(fields: Side): Side {
  return fields?.is_blocked === true || fields?.revoked === true ? undefined : fields;
}

const role: Finder = (before, after) => {
  const was = before?.role;
  const is = after?.role;
  if (typeof is !== 'string' || is === was || rankOf(is) < rankOf(was)) return [];
  if (rankOf(is) === 0) return [];
  const former = typeof was === 'string' ? ` (was ${nameText(was)})` : '';
  return [{ right: 'role', message: `role ${nameText(is)}${former}` }];
};

const rankOf = (name: unknown): number => RANKS.findIndex(names => names.some(one => one === name));

const groups =
  (who: string, counts: (group: string) => boolean): Finder =>
  (before, after) => {
    const former = new Set(namesIn(before));
    const joined = namesIn(after).filter(group => !former.has(group) && counts(group));
    if (joined.length === 0) return [];
    const names = joined.map(nameText).join(', ');
    return [{ right: 'membership', message: `joins ${names} ${who}` }];
  };

function namesIn(side: Side): readonly string[] {
  const names = side?.auto_groups;
  return isList(names) ? names.filter(name => typeof name === 'string') : [];
}

const ssh: Finder = (before, after) =>
  after?.ssh_enabled === true && before?.ssh_enabled !== true
    ? [{ right: 'ssh', message: 'SSH to the machine' }]
    : [];

// By source group, the local users as which SSH rules let people log in.
const logins: Finder = (before, after) => {
  const were = loginRules(before);
  return loginRules(after).flatMap(rule => {
    const same = were.filter(({ name }) => name === rule.name);
    const former = same.length > 0 ? same : were;
    // If the group was not a source before, or the rule is new, access is gained, which is not a
    // right.
    return [...rule.users].flatMap(([group, users]): Right[] => {
      const all = former.flatMap(one => one.users.get(group) ?? []);
      if (all.length === 0) return [];
      const isNew = (user: string) => !all.every(some => some.has(ANY) || some.has(user));
      const added = [...users].filter(isNew);
      if (added.length === 0) return [];
      const names = added.map(user => (user === ANY ? 'any user' : nameText(user))).join(', ');
      return [{ right: 'ssh', message: `${nameText(group)} may log in as ${names}` }];
    });
  });
};

const ANY = '';

interface LoginRule {
  readonly name: unknown;
  /** The local users, by source group; `ANY` for any local user. */
  readonly users: ReadonlyMap<string, ReadonlySet<string>>;
}

function loginRules(policy: Side): readonly LoginRule[] {
  const rules: readonly unknown[] =
    policy?.enabled !== false && isList(policy?.rules) ? policy.rules : [];
  return rules.filter(isFields).flatMap(rule => {
    if (rule.enabled === false || rule.protocol !== 'netbird-ssh') return [];
    const limits = isFields(rule.authorized_groups) ? rule.authorized_groups : {};
    const usersOf = (group: string) => {
      const named = textsOf(limits[group]);
      return [group, new Set(named.length === 0 ? [ANY] : named)] as const;
    };
    return [{ name: rule.name, users: new Map(textsOf(rule.sources).map(usersOf)) }];
  });
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(one => typeof one === 'string') : [];

// `fields`: the fields that decide who can sign in.
const signIn =
  (fields: readonly string[]): Finder =>
  (before, after) => {
    if (after === undefined || after.enabled === false) return [];
    if (before === undefined) return [{ right: 'sign_in', message: 'a new way to sign in' }];
    const isOther = fields.some(
      field => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    );
    return isOther ? [{ right: 'sign_in', message: 'another way to sign in' }] : [];
  };
