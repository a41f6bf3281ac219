// Every limit of the specification that concerns a resource, and what it declares invalid: the last value
// that passes, and the first one that does not.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadContract } from '../../../src/contract/index.ts';
import { type Emulated, refused, standing } from '../emulated.ts';
import { type Fixture, startFixture } from '../fixture.ts';

interface Limit {
  /** As the specification has it. */
  readonly limit: string;
  /** The operations it holds for. */
  readonly of: readonly string[];
  readonly passes: readonly object[];
  readonly fails: readonly object[];
}

const both = (name: string) => [`create${name}`, `update${name}`];
const domains = (count: number) => Array.from({ length: count }, (_, n) => `d${n}.example`);
const byDomains = (count: number) => ({ network: undefined, domains: domains(count) });

const LIMITS: readonly Limit[] = [
  {
    limit: 'Create token: expires_in integer from 1 to 365 (days)',
    of: ['createToken'],
    passes: [{ expires_in: 1 }, { expires_in: 365 }],
    fails: [{ expires_in: 0 }, { expires_in: 366 }],
  },
  {
    limit: 'Create or update route: metric 1 to 9999',
    of: both('Route'),
    passes: [{ metric: 1 }, { metric: 9999 }],
    fails: [{ metric: 0 }, { metric: 10_000 }],
  },
  {
    limit: 'Create or update route: network_id 1 to 40 characters',
    of: both('Route'),
    passes: [{ network_id: 'x' }, { network_id: 'é'.repeat(40) }],
    fails: [{ network_id: '' }, { network_id: 'x'.repeat(41) }],
  },
  {
    limit: 'Create or update route: at most 32 domains per route',
    of: both('Route'),
    passes: [byDomains(1), byDomains(32)],
    fails: [byDomains(33), byDomains(0)],
  },
  {
    limit: 'Create or update network router: metric 1 to 9999',
    of: both('NetworkRouter'),
    passes: [{ metric: 1 }, { metric: 9999 }],
    fails: [{ metric: 0 }, { metric: 10_000 }],
  },
  {
    limit: 'Create setup key: expires_in from 86400 to 31536000 seconds',
    of: ['createSetupKey'],
    passes: [{ expires_in: 86_400 }, { expires_in: 31_536_000 }],
    fails: [{ expires_in: 86_399 }, { expires_in: 31_536_001 }],
  },
  {
    limit: 'Endpoint-detection integrations A to C: last_synced_interval at least 24 (hours)',
    of: ['A', 'B', 'C'].flatMap(letter => both(`EdrProvider${letter}`)),
    passes: [{ last_synced_interval: 24 }],
    fails: [{ last_synced_interval: 23 }, { last_synced_interval: 0 }],
  },
  {
    limit: 'Endpoint-detection integration D: zta_score_threshold from 0 to 100',
    of: both('EdrProviderD'),
    passes: [{ zta_score_threshold: 0 }, { zta_score_threshold: 100 }],
    fails: [{ zta_score_threshold: -1 }, { zta_score_threshold: 101 }],
  },
  {
    limit: 'Directory integrations: sync_interval at least 300 seconds',
    of: [...both('DirectorySyncA'), ...both('DirectorySyncB')],
    passes: [{ sync_interval: 300 }],
    fails: [{ sync_interval: 299 }, { sync_interval: 0 }],
  },
];

/** What excludes each other. `peer` and `network` are what the fixture says already. */
const EXCLUSIONS: readonly Omit<Limit, 'passes'>[] = [
  {
    limit: 'peer and peer_groups both set on a route',
    of: both('Route'),
    fails: [{ peer: 'p', peer_groups: ['g'] }],
  },
  {
    limit: 'peer and peer_groups both set on a network router',
    of: both('NetworkRouter'),
    fails: [{ peer: 'p', peer_groups: ['g'] }],
  },
  {
    limit: 'network and domains both set on a route',
    of: both('Route'),
    fails: [{ network: '10.0.0.0/8', domains: ['a.example'] }],
  },
];

const contract = loadContract();
let api: Emulated;
let fixture: Fixture;
let end: () => Promise<void>;
beforeAll(async () => {
  ({ api, end } = await standing());
  fixture = await startFixture(api);
});
afterAll(() => end());

function cases(limits: readonly Omit<Limit, 'passes'>[]) {
  return limits.flatMap(one => one.of.map(id => ({ ...one, operation: contract.operation(id) })));
}

describe.each(LIMITS)('$limit', ({ of, passes, fails }) => {
  describe.each(of.map(id => contract.operation(id)))('$id', operation => {
    beforeEach(() => fixture.restore(operation));

    it.each(passes)('takes %j', async more => {
      // The route of the fixture would conflict with another route to the same network.
      if (operation.id === 'createRoute')
        await api.remove(fixture.path(contract.operation('deleteRoute')));
      const body = { ...fixture.body(operation), ...more };
      const answer = await api.call(operation.method, fixture.path(operation), body);
      expect(answer, answer.text).toMatchObject({ status: 200 });
    });

    it.each(fails)('refuses %j', async more => {
      const body = { ...fixture.body(operation), ...more };
      const answer = await api.refusal(operation.method, fixture.path(operation), body);
      expect(answer).toEqual(refused(422));
    });
  });
});

describe('declared invalid', () => {
  it.each(cases(EXCLUSIONS))('$limit: $operation.id', async ({ operation, fails }) => {
    await fixture.restore(operation);
    for (const more of fails) {
      const body = { ...fixture.body(operation), ...more };
      const [status] = await api.refusal(operation.method, fixture.path(operation), body);
      expect([400, 422]).toContain(status);
    }
  });
});

it('Create setup key: usage_limit 0 means unlimited', async () => {
  await fixture.restore();
  const operation = contract.operation('createSetupKey');
  const path = fixture.path(operation);
  const body = { ...fixture.body(operation), usage_limit: 0 };
  const { id, key } = Object(await api.post(path, body));
  for (let n = 0; n < 20; n += 1) await api.enrol(`machine-${n}`, { setup_key: key });
  expect(await api.get(`${path}/${id}`)).toMatchObject({ state: 'valid', used_times: 20 });
});

it('User invites: expires_in in seconds, default 259200 (72 hours)', async () => {
  await fixture.restore();
  const operation = contract.operation('createUserInvite');
  const path = fixture.path(operation);
  const lifetime = async (more: object, email: string) => {
    const body = { ...fixture.body(operation), ...more, email };
    const { created_at, expires_at } = Object(await api.post(path, body));
    return (Date.parse(expires_at) - Date.parse(created_at)) / 1000;
  };
  expect(await lifetime({}, 'one@example.com')).toBe(259_200);
  expect(await lifetime({ expires_in: 60 }, 'two@example.com')).toBe(60);
});

it('Directory integrations: default 300 on creation', async () => {
  await fixture.restore();
  for (const letter of ['A', 'B']) {
    const operation = contract.operation(`createDirectorySync${letter}`);
    const made = await api.post(fixture.path(operation), fixture.body(operation));
    expect(made).toMatchObject({ sync_interval: 300 });
  }
});
