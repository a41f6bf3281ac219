// The request schemas hold what the specification says of bodies: which fields are required, the limits, and what
// excludes each other. The bodies below are written from the specification.
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/index.ts';
import { KINDS, OPERATIONS, RULE } from './bodies.ts';

const contract = loadContract();

const WRITES = [
  ...Object.entries(KINDS).flatMap(([kind, bodies]) => [
    { id: `create${kind}`, ...bodies },
    { id: `update${kind}`, ...bodies },
  ]),
  ...Object.entries(OPERATIONS).map(([id, bodies]) => ({ id, ...bodies })),
];

const violations = (id: string, body: unknown) =>
  contract.checkRequest(contract.operation(id), body).map(({ at, keyword }) => `${keyword} ${at}`);

describe.each(WRITES)('$id', ({ id, required, optional }) => {
  it('accepts the required fields alone, and every field', () => {
    expect(violations(id, required)).toEqual([]);
    expect(violations(id, { ...required, ...optional })).toEqual([]);
  });

  it.each(Object.keys(required))('requires %s', name => {
    const { [name]: _, ...rest } = required as Record<string, unknown>;
    expect(violations(id, rest)).toEqual([`required /${name}`]);
  });

  it.each(Object.entries({ ...required, ...optional }))('checks the type of %s', (name, value) => {
    const wrong = typeof value === 'object' ? 'text' : { an: 'object' };
    expect(violations(id, { ...required, [name]: wrong })).toContain(`type /${name}`);
  });

  it('ignores fields it does not know', () => {
    expect(violations(id, { ...required, unheard_of: 1 })).toEqual([]);
  });
});

it('covers every operation with a body', () => {
  const writing = contract.operations.filter(({ request }) => request !== undefined);
  expect(writing.map(({ id }) => id).toSorted()).toEqual(WRITES.map(({ id }) => id).toSorted());
});

describe('the limits', () => {
  const reported = (id: string, more: object) => {
    const kind = id.replace(/^(create|update)/, '');
    const body = { ...(OPERATIONS[id] ?? KINDS[kind])?.required, ...more };
    return violations(id, body);
  };

  it('the lifetime of a token is limited to 1 to 365 days', () => {
    expect(reported('createToken', { expires_in: 0 })).toEqual(['minimum /expires_in']);
    expect(reported('createToken', { expires_in: 1 })).toEqual([]);
    expect(reported('createToken', { expires_in: 365 })).toEqual([]);
    expect(reported('createToken', { expires_in: 366 })).toEqual(['maximum /expires_in']);
  });

  it('the lifetime of a setup key is limited to a day to a year, and its uses are unlimited', () => {
    expect(reported('createSetupKey', { expires_in: 86_399 })).toEqual(['minimum /expires_in']);
    expect(reported('createSetupKey', { expires_in: 31_536_000 })).toEqual([]);
    expect(reported('createSetupKey', { expires_in: 31_536_001 })).toEqual(['maximum /expires_in']);
    expect(reported('createSetupKey', { usage_limit: 1_000_000 })).toEqual([]);
  });

  it.each(['A', 'B', 'C'])(
    'provider %s requires a sync interval of at least 24 hours',
    provider => {
      for (const verb of ['create', 'update'])
        for (const [hours, expected] of [
          [23, ['minimum /last_synced_interval']],
          [24, []],
        ] as const)
          expect(
            reported(`${verb}EdrProvider${provider}`, { last_synced_interval: hours }),
          ).toEqual(expected);
    },
  );

  it('the threshold of provider D is limited to 0 to 100', () => {
    for (const verb of ['create', 'update'])
      for (const [score, expected] of [
        [-1, ['minimum /zta_score_threshold']],
        [0, []],
        [100, []],
        [101, ['maximum /zta_score_threshold']],
      ] as const)
        expect(reported(`${verb}EdrProviderD`, { zta_score_threshold: score })).toEqual(expected);
  });

  it.each(['A', 'B'])(
    'directory %s requires a sync interval of at least 300 seconds',
    directory => {
      for (const verb of ['create', 'update']) {
        expect(reported(`${verb}DirectorySync${directory}`, { sync_interval: 299 })).toEqual([
          'minimum /sync_interval',
        ]);
        expect(reported(`${verb}DirectorySync${directory}`, { sync_interval: 300 })).toEqual([]);
      }
    },
  );

  it.each([
    ['Sh0rt !', 'minLength'],
    ['no upper case 1', 'pattern'],
    ['No digit here', 'pattern'],
    ['NothingSpecial1', 'pattern'],
  ])('refuse the password %j', (password, keyword) => {
    expect(violations('acceptUserInvite', { password })).toEqual([`${keyword} /password`]);
    expect(violations('changePassword', { old_password: '', new_password: password })).toEqual([
      `${keyword} /new_password`,
    ]);
  });

  it('a password counts a space as special, and letters of any script as letters', () => {
    expect(violations('acceptUserInvite', { password: 'Äpfel 123' })).toEqual([]);
    expect(violations('acceptUserInvite', { password: 'Äpfel12345' })).toEqual([
      'pattern /password',
    ]);
  });

  it('a page of the access log is limited to 100 entries', () => {
    const operation = contract.operation('listProxyAccessLogs');
    const query = (page_size: string) =>
      contract.checkParameters(operation, { query: { page_size } });
    expect(query('100')).toEqual([]);
    expect(query('101')).toMatchObject([{ at: '/page_size', keyword: 'maximum' }]);
    expect(query('many')).toMatchObject([{ at: '/page_size', keyword: 'type' }]);
  });

  const router = KINDS.NetworkRouter?.required;
  const route = KINDS.Route?.required;

  it.each([0, -1, 10_000])('refuse a metric of %d', metric => {
    const reported = metric < 1 ? 'minimum /metric' : 'maximum /metric';
    expect(violations('createNetworkRouter', { ...router, metric })).toEqual([reported]);
    expect(violations('createRoute', { ...route, metric })).toEqual([reported]);
  });

  it('refuse a metric that is not whole', () => {
    expect(violations('createRoute', { ...route, metric: 1.5 })).toEqual(['type /metric']);
  });

  it('network_id is limited to 1 to 40 characters', () => {
    expect(violations('createRoute', { ...route, network_id: '' })).toEqual([
      'minLength /network_id',
    ]);
    expect(violations('createRoute', { ...route, network_id: 'ü'.repeat(40) })).toEqual([]);
    expect(violations('createRoute', { ...route, network_id: 'x'.repeat(41) })).toEqual([
      'maxLength /network_id',
    ]);
  });

  it('a route is limited to 32 domains', () => {
    const domains = Array.from({ length: 33 }, (_, index) => `d${index}.example.com`);
    expect(violations('createRoute', { ...route, domains: domains.slice(1) })).toEqual([]);
    expect(violations('createRoute', { ...route, domains })).toEqual(['maxItems /domains']);
  });
});

describe('fields that exclude each other', () => {
  it.each([
    ['createNetworkRouter', KINDS.NetworkRouter, { peer: 'p', peer_groups: ['g'] }],
    ['createRoute', KINDS.Route, { peer: 'p', peer_groups: ['g'] }],
    ['createRoute', KINDS.Route, { network: '10.0.0.0/8', domains: ['example.com'] }],
  ])('%s refuses %o', (id, bodies, both) => {
    const [violation] = contract.checkRequest(contract.operation(id), {
      ...bodies?.required,
      ...both,
    });
    const [one, other] = Object.keys(both);
    expect(violation).toMatchObject({
      keyword: 'not',
      sentence: `${one} and ${other} exclude each other`,
    });
  });
});

describe('a violation', () => {
  it('names the field as it is written', () => {
    const body = { name: 'p', enabled: true, rules: [RULE, { ...RULE, action: 'shrug', name: 3 }] };
    expect(contract.checkRequest(contract.operation('createPolicy'), body)).toEqual([
      { at: '/rules/1/name', keyword: 'type', sentence: 'rules[1].name must be a string' },
      {
        at: '/rules/1/action',
        keyword: 'enum',
        sentence: 'rules[1].action must be one of accept, drop',
      },
    ]);
  });

  it('a violation by a value that matches none of several variants says only that', () => {
    const body = { ...KINDS.NotificationChannel?.required, target: {} };
    expect(contract.checkRequest(contract.operation('createNotificationChannel'), body)).toEqual([
      { at: '/target', keyword: 'anyOf', sentence: 'target does not have an allowed form' },
    ]);
  });

  it('a violation by the body as a whole says so', () => {
    expect(contract.checkRequest(contract.operation('createGroup'), [])).toEqual([
      { at: '', keyword: 'type', sentence: 'the body must be an object' },
    ]);
  });
});

describe('parameters and responses', () => {
  it('are checked as well', () => {
    const list = contract.operation('listGroups');
    expect(contract.checkParameters(list, { query: { name: 'g' } })).toEqual([]);
    const get = contract.operation('getGroup');
    expect(contract.checkParameters(get, { path: { groupId: 'g' } })).toEqual([]);
    expect(contract.checkParameters(get, {})).toEqual([
      { at: '/groupId', keyword: 'required', sentence: 'groupId is required' },
    ]);
  });

  it('a response with an undocumented status is checked against the error body', () => {
    const operation = contract.operation('deleteGroup');
    expect(contract.checkResponse(operation, 200, {})).toEqual([]);
    expect(contract.checkResponse(operation, 200, { id: 'g' })).toMatchObject([
      { keyword: 'maxProperties' },
    ]);
    expect(contract.checkResponse(operation, 503, { message: 'm', code: 503 })).toEqual([]);
    expect(contract.checkResponse(operation, 503, { message: 'm' })).toMatchObject([
      { at: '/code' },
    ]);
  });

  it('a text that is not a timestamp is refused as a timestamp', () => {
    const operation = contract.operation('getPeer');
    const reported = (created_at: string) =>
      contract
        .checkResponse(operation, 200, { created_at })
        .filter(({ at }) => at === '/created_at')
        .map(({ keyword }) => keyword);
    expect(reported('2026-01-02T03:04:05.678Z')).toEqual([]);
    expect(reported('0001-01-01T00:00:00Z')).toEqual([]);
    expect(reported('yesterday')).toEqual(['format']);
    expect(reported('2026-13-02T03:04:05Z')).toEqual(['format']);
  });
});
