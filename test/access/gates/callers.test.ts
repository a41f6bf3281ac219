// Who gains access by services to one destination: the guards find a gain wherever a person who could not call before can call after,
// by an evaluation of single persons that shares no code with the model's names of callers. Machines join and leave groups as well.
import { expect, test } from 'vitest';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { StateObject } from '../../../src/access/state/stateObject.ts';
import { stateOf } from '../../../src/access/state/stateOf.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import type { Fields } from '../../../src/model/value.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';

const EXTENT: Extent = { slice: 400, full: 20_000 };

/** A person who calls from an address, perhaps with a secret, a sign-in or a machine of the account. */
interface Person {
  readonly secret: string;
  readonly address: string;
  readonly signsInAs: string;
  readonly machineOf: string;
  readonly isBlocked: boolean;
}

interface Service {
  readonly name: 'a' | 'b';
  readonly lock: 'none' | 'pin' | 'password' | 'staff' | 'anybody' | 'private';
  /** The last numbers of the addresses that may call; empty for all. */
  readonly allowed: readonly string[];
}

/** Services, and whether the machine of a guest is in the group that they let in. */
interface Account {
  readonly services: readonly Service[];
  readonly isGuestStaff: boolean;
}

const RANGES: Readonly<Record<string, readonly string[]>> = {
  '192.0.2.0/24': ['192.0.2.1', '192.0.2.200'],
  '192.0.2.0/25': ['192.0.2.1'],
  '198.51.100.0/24': ['198.51.100.1'],
};

const service = (name: 'a' | 'b') =>
  fc.record({
    name: fc.constant(name),
    lock: fc.constantFrom<Service['lock']>(
      'none',
      'pin',
      'password',
      'staff',
      'anybody',
      'private',
    ),
    allowed: fc.subarray(Object.keys(RANGES)),
  });

const services = fc
  .tuple(fc.option(service('a'), { nil: undefined }), fc.option(service('b'), { nil: undefined }))
  .map(both => both.filter(one => one !== undefined));

const account = fc.record({ services, isGuestStaff: fc.boolean() });

const SECRETS = ['', 'a pin', 'b pin', 'a password', 'b password'];
const ADDRESSES = ['192.0.2.1', '192.0.2.200', '198.51.100.1', '203.0.113.9'];

const CALLING_GROUPS = ['staff', 'partners'];

const PEOPLE: readonly Person[] = ADDRESSES.flatMap(address => [
  ...SECRETS.map(secret => ({ secret, address, signsInAs: '', machineOf: '', isBlocked: false })),
  ...CALLING_GROUPS.flatMap(group => [
    { secret: '', address, signsInAs: group, machineOf: '', isBlocked: false },
    { secret: '', address, signsInAs: '', machineOf: group, isBlocked: false },
    { secret: '', address, signsInAs: '', machineOf: group, isBlocked: true },
  ]),
  { secret: '', address, signsInAs: '', machineOf: 'guest', isBlocked: false },
]);

const mayCall = (person: Person, { services: all, isGuestStaff }: Account): boolean =>
  all.some(one =>
    mayCallOne(
      person.machineOf === 'guest' && isGuestStaff ? { ...person, machineOf: 'staff' } : person,
      one,
    ),
  );

function mayCallOne(person: Person, { name, lock, allowed }: Service): boolean {
  const { secret, address, signsInAs, machineOf, isBlocked } = person;
  if (allowed.length > 0 && !allowed.some(range => RANGES[range]?.includes(address))) return false;
  switch (lock) {
    case 'none':
      return true;
    case 'pin':
    case 'password':
      return machineOf !== '' || secret === `${name} ${lock}`;
    case 'staff':
      return signsInAs === 'staff' || machineOf === 'staff';
    case 'anybody':
      return signsInAs !== '' || machineOf !== '';
    case 'private':
      return machineOf === 'staff' && !isBlocked;
  }
}

function fieldsOf({ lock, allowed }: Service): Fields {
  const bearer = (...groups: readonly string[]) => ({
    auth: { bearer_auth: { enabled: true, distribution_groups: groups } },
  });
  const locks: Readonly<Record<Service['lock'], Fields>> = {
    none: {},
    pin: { auth: { pin_auth: { enabled: true } } },
    password: { auth: { password_auth: { enabled: true } } },
    staff: bearer('staff'),
    anybody: bearer(),
    private: { private: true, access_groups: ['staff'] },
  };
  return {
    targets: [{ target: { peer: 'web' }, port: 8080, protocol: 'http' }],
    ...locks[lock],
    ...(allowed.length > 0 && { access_restrictions: { allowed_cidrs: allowed } }),
  };
}

const object = (kind: string, key: string, fields: Fields = {}): StateObject => ({
  kind,
  key,
  id: `${kind}-${key}`,
  fields,
});

function gainOf(was: Account, is: Account): boolean {
  const states = [was, is].map(({ services: list, isGuestStaff }) =>
    stateOf(
      [
        object('peer', 'web', {}),
        object('peer', 'guest', {}),
        object('group', 'All'),
        object('group', 'staff', { peers: isGuestStaff ? ['guest'] : [] }),
        object('group', 'partners'),
        ...list.map(one => object('proxy_service', one.name, fieldsOf(one))),
      ],
      new Map(),
    ),
  );
  const pool = rowPool();
  const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) throw new Error('two worlds');
  return movedAccess({ before, after }, 'gained', { to: checkedSelector('peer/web') }).length > 0;
}

test(
  'a gain is found wherever somebody new may call, and, if there was only one service, nowhere else',
  () => {
    const { count, seed, found } = proof('services: who gains by them', EXTENT);
    let gains = 0;
    let exact = 0;
    const property = fc.property(account, account, (was, is) => {
      const isGain = PEOPLE.some(one => mayCall(one, is) && !mayCall(one, was));
      const named = gainOf(was, is);
      if (isGain) {
        gains++;
        expect(named).toBe(true);
      }
      // Several services may let in together all whom another one lets in: the model compares one with one.
      if (was.services.length > 1) return;
      exact++;
      expect(named).toBe(isGain);
    });
    fc.assert(property, { numRuns: count, seed });
    expect(gains).toBeGreaterThan(count / 8);
    found(`${gains} of ${count} plans let in somebody else; ${exact} with one service before`);
  },
  patience(EXTENT, 20),
);
