// Faults of a fleet file, of its accounts and of its credentials: all at once, with their places.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveAccounts } from '../../src/fleet/accounts.ts';
import { type DiscoveredEntry, readFleet } from '../../src/fleet/fleetFile.ts';
import { shippedSchema } from '../../src/kinds/registry.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { Tenant } from '../../src/model/fleet.ts';
import { readCredentials } from '../../src/read/fleet/credentials.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';

const read = (text: string) =>
  readFleet({ file: 'fleet.yaml', text }, shippedSchema('fleet.schema.json'));

const shown = ({ code, message, at }: Diagnostic): string =>
  `${at ? `${at.file}:${at.line}:${at.column} ` : ''}${code} ${message}`;

const sentences = (found: readonly Diagnostic[]): string[] => found.map(shown);

describe('a fleet file', () => {
  test.each([
    ['accounts: []', ['fleet.yaml:1:11 SCHEMA_COUNT']],
    ['waves: [{ share: 100% }]', ['fleet.yaml:1:1 SCHEMA_MISSING_FIELD']],
    [
      'accounts: [{ name: a, credentials: a, layers: [b], lables: {} }]',
      ['fleet.yaml:1:52 SCHEMA_UNKNOWN_FIELD'],
    ],
    ['accounts: [{ name: ../a, credentials: a, layers: [b] }]', ['fleet.yaml:1:20 SCHEMA_FORMAT']],
    ['accounts: [{ name: a, credentials: a, layers: [/etc] }]', ['fleet.yaml:1:48 SCHEMA_FORMAT']],
    [
      'accounts: [{ name: a, credentials: a, tenant: "x&account=y", layers: [b] }]',
      ['fleet.yaml:1:47 SCHEMA_FORMAT'],
    ],
    [
      'accounts: [{ name: a, credentials: a, layers: [b] }]\nwaves: [{ share: 110% }]\nrate: { requests: 0 }',
      ['fleet.yaml:2:18 SCHEMA_FORMAT', 'fleet.yaml:3:19 SCHEMA_RANGE'],
    ],
    [
      'accounts: [{ name: a, credentials: a, layers: [b], vars: { X: "${env:TOKEN}" } }]',
      ['fleet.yaml:1:58 FLEET_INVALID'],
    ],
    [
      'accounts: [{ name: a, credentials: a, layers: [b] }]\n---\naccounts: []',
      ['fleet.yaml:3:1 FLEET_INVALID'],
    ],
  ])('%j', (text, expected) => {
    const { fleet, diagnostics } = read(text);
    expect(fleet).toBeUndefined();
    const places = sentences(diagnostics).map(one => one.split(' ').slice(0, 2).join(' '));
    expect(places).toEqual(expected);
  });
});

// A duration that this program cannot read would be none.
test.each(['366d', '2900000d', '99999999999d', '1000000s', '1w'])(
  'a wave is not watched for %s',
  bake => {
    const { fleet, diagnostics } = read(
      `accounts: [{ name: a, credentials: a, layers: [b] }]\nwaves: [{ bake: ${bake} }]`,
    );
    expect(fleet).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'SCHEMA_FORMAT', at: { line: 2 } }]);
  },
);

test.each([
  ['365d', 365 * 86_400_000],
  ['999999s', 999_999_000],
  ['99999m', 99_999 * 60_000],
  ['0s', 0],
])('a wave is watched for %s', (bake, expected) => {
  const { fleet } = read(
    `accounts: [{ name: a, credentials: a, layers: [b] }]\nwaves: [{ bake: ${bake} }]`,
  );
  expect(fleet?.waves).toEqual([{ bake: expected }]);
});

const DISCOVERED = `accounts:
  - from: msp_tenants
    credentials: msp
    layers: [baseline, "customers/\${account.name}"]
`;

/** The accounts of a fleet file whose token reaches tenants with these names, and whose folders are there. */
function resolved(
  text: string,
  names: readonly string[],
  folders: readonly string[] = ['baseline'],
) {
  const { fleet } = read(text);
  if (!fleet) throw new Error('faulty');
  const tenants: Tenant[] = names.map((name, i) => ({
    id: `t${i}`,
    name,
    fields: { domain: name, name: `Customer ${i}` },
  }));
  const found = new Map(
    fleet.entries
      .filter((entry): entry is DiscoveredEntry => entry.from !== undefined)
      .map(entry => [entry, tenants] as const),
  );
  return resolveAccounts(fleet, {
    tenants: found,
    isThere: layer => folders.includes(layer),
    fieldsOf: () => ['domain', 'name', 'status'],
  });
}

describe('the accounts of a fleet', () => {
  test.each(['', '..', '.git', '../acme', 'a/b', 'a\\b', 'a\u0000b', 'a\u202eb', 'x'.repeat(201)])(
    'a tenant with the name %j is a fault of that tenant alone: it is listed under its id, without files, and the others take part',
    name => {
      const { accounts, diagnostics } = resolved(DISCOVERED, [name, 'good.example']);
      expect(diagnostics).toEqual([]);
      expect(accounts).toMatchObject([
        { name: 'good.example', absentLayers: ['customers/good.example'] },
        { name: 't0', tenant: 't0', layers: [], fault: { code: 'FLEET_NAME' } },
      ]);
      expect(accounts[0]).not.toHaveProperty('fault');
    },
  );

  test('a tenant whose field in a layer leads out of its folder is a fault of that tenant alone, too', () => {
    const text = DISCOVERED.replace('account.name', 'account.tenant.status');
    const { fleet } = read(text);
    const [entry] = fleet?.entries ?? [];
    if (!fleet || entry?.from === undefined) throw new Error('faulty');
    const tenants = ['active', '../other'].map((status, at) => ({
      id: `t${at}`,
      name: `${at}.example`,
      fields: { status },
    }));
    const around = { tenants: new Map([[entry, tenants]]), isThere: () => true };
    const { accounts, diagnostics } = resolveAccounts(fleet, around);
    expect(diagnostics).toEqual([]);
    expect(accounts).toMatchObject([
      { name: '0.example', layers: ['baseline', 'customers/active'] },
      { name: 't1', layers: [], fault: { code: 'FLEET_NAME' } },
    ]);
  });

  test('a tenant whose name is the id of another tenant is a fault of that tenant alone, because the other tenant may be listed under the id', () => {
    const { accounts, diagnostics } = resolved(DISCOVERED, ['..', 't0', 'good.example']);
    expect(diagnostics).toEqual([]);
    expect(accounts.map(({ name, fault }) => [name, fault?.code])).toEqual([
      ['good.example', undefined],
      ['t0', 'FLEET_NAME'],
      ['t1', 'FLEET_DUPLICATE'],
    ]);
  });

  test('an entry may not have the name under which a faulty one is listed', () => {
    const entry = `${DISCOVERED}  - { name: T0, credentials: acme, layers: [baseline] }\n`;
    const { diagnostics } = resolved(entry, ['..']);
    expect(sentences(diagnostics)[0]).toContain('FLEET_DUPLICATE');
  });

  test.each([[['a.example']], [[]]])(
    'a field to match that they do not have is a fault, with %j and without labels',
    names => {
      const text = `${DISCOVERED}    match: { domian: "*", status: "*" }\n`;
      const { accounts, diagnostics } = resolved(text, names);
      expect(accounts).toEqual([]);
      expect(sentences(diagnostics)).toEqual([
        'fleet.yaml:5:12 FLEET_INVALID `domian` of `match` is not a field of `msp_tenants`',
      ]);
      expect(diagnostics[0]?.hint).toBe('did you mean `domain`?');
    },
  );

  test('two entries with one tenant are a fault, also where their tenant is discovered', () => {
    const entry = (name: string) =>
      `  - { name: ${name}, credentials: msp, tenant: t1, layers: [baseline] }\n`;
    for (const text of [`accounts:\n`, DISCOVERED]) {
      const { accounts, diagnostics } = resolved(text + entry('acme') + entry('bolt'), []);
      expect(accounts).toEqual([]);
      expect(sentences(diagnostics)).toEqual([
        expect.stringContaining(
          'FLEET_DUPLICATE `acme` and `bolt` are the same account: the tenant `t1` of the credentials `msp`',
        ),
      ]);
    }
  });

  test('an entry without a tenant is a fault where its token can access several accounts, unless it names its account', () => {
    const entry = (more: string) =>
      `${DISCOVERED}  - { name: own, credentials: msp, layers: [baseline]${more} }\n`;
    expect(sentences(resolved(entry(''), []).diagnostics)).toEqual([
      'fleet.yaml:5:5 FLEET_INVALID `own` has no `tenant`, and the token of `msp` can access several accounts',
    ]);
    expect(resolved(entry(', account: a1'), []).diagnostics).toEqual([]);
  });

  test.each([
    ['a.example', 'A.example'],
    ['caf\u00e9.example', 'cafe\u0301.example'],
    ['CAF\u00c9.example', 'cafe\u0301.example'],
  ])(
    'two tenants whose names look alike are faults of these tenants alone, and the others take part: %j and %j',
    (one, other) => {
      const { accounts, diagnostics } = resolved(DISCOVERED, [one, other, 'good.example']);
      expect(diagnostics).toEqual([]);
      const [good, ...alike] = accounts;
      expect(good?.name).toBe('good.example');
      expect(good).not.toHaveProperty('fault');
      const called = (name: string, ids: string) =>
        `2 accounts of the fleet are called \`${name}\` (${ids})`;
      expect(alike).toMatchObject([
        { name: 't0', layers: [], fault: { code: 'FLEET_DUPLICATE' } },
        { name: 't1', layers: [], fault: { code: 'FLEET_DUPLICATE' } },
      ]);
      expect(alike.map(({ fault }) => fault?.message)).toEqual([
        called(one, '`t0`, `t1`'),
        called(other, '`t1`, `t0`'),
      ]);
    },
  );

  test('a tenant with the name of an entry is a fault of that tenant alone, and two entries with one name are a fault of the file', () => {
    const entry = (name: string) =>
      `  - { name: ${name}, credentials: acme, layers: [baseline] }\n`;
    const { accounts, diagnostics } = resolved(DISCOVERED + entry('acme'), ['ACME']);
    expect(diagnostics).toEqual([]);
    expect(accounts).toMatchObject([
      { name: 'acme', credentials: 'acme' },
      { name: 't0', fault: { code: 'FLEET_DUPLICATE' } },
    ]);
    expect(accounts[0]).not.toHaveProperty('fault');
    expect(sentences(resolved(DISCOVERED + entry('acme') + entry('Acme'), []).diagnostics)).toEqual(
      [expect.stringContaining('FLEET_DUPLICATE 2 accounts of the fleet are called')],
    );
  });

  test('a layer that an entry names must exist; that of a discovered account need not', () => {
    const own = `${DISCOVERED}  - { name: acme, credentials: acme, layers: [baseline, acme] }\n`;
    const { diagnostics } = resolved(own, ['a.example']);
    expect(sentences(diagnostics)).toEqual([
      'fleet.yaml:5:5 FLEET_LAYER there is no layer `acme` for the account `acme`',
    ]);
    for (const folders of [['baseline'], []]) {
      const { accounts, diagnostics: none } = resolved(DISCOVERED, ['a.example'], folders);
      expect(none).toEqual([]);
      const layers = ['baseline', 'customers/a.example'];
      const absentLayers = layers.filter(layer => !folders.includes(layer));
      expect(accounts).toMatchObject([
        { name: 'a.example', layers, absentLayers, hasNoFiles: true, tenant: 't0' },
      ]);
    }
  });

  test('the layers of an entry for one account must exist even if its tenant is discovered', () => {
    const own = `${DISCOVERED}  - { name: acme, credentials: msp, tenant: t0, layers: [baseline, acme] }\n`;
    expect(sentences(resolved(own, ['a.example']).diagnostics)).toEqual([
      'fleet.yaml:5:5 FLEET_LAYER there is no layer `acme` for the account `acme`',
    ]);
  });

  test('an unknown reference is a fault, and a value cannot lead out of its folder', () => {
    const unknown = DISCOVERED.replace('account.name', 'account.tenant.owner');
    expect(sentences(resolved(unknown, ['a.example']).diagnostics)[0]).toContain('FLEET_INVALID');
    const led = DISCOVERED.replace('account.name', 'account.tenant.name');
    const { diagnostics } = resolved(led, ['a.example']);
    expect(diagnostics).toEqual([]);
  });

  test('labels and variables of an entry and of the same discovered account are joined', () => {
    const text = `${DISCOVERED}    labels: { region: eu, size: "\${account.tenant.name}" }
  - { name: acme, credentials: msp, tenant: t0, layers: [baseline], labels: { size: big } }
`;
    const { accounts } = resolved(text, ['a.example', 'b.example']);
    expect(accounts.map(({ name, labels }) => ({ name, labels }))).toEqual([
      { name: 'acme', labels: { region: 'eu', size: 'big' } },
      { name: 'b.example', labels: { region: 'eu', size: 'Customer 1' } },
    ]);
  });
});

describe('credentials', () => {
  const found = (text: string | null, env: Readonly<Record<string, string>> = {}) =>
    inFolder(async home => {
      const checkout = join(home, 'checkout');
      await mkdir(checkout);
      git(checkout, 'init', '--quiet');
      await symlink(checkout, join(home, 'link'));
      const path = join(home, 'credentials.yaml');
      if (text !== null) await writeFile(path, text);
      const host = {
        cwd: home,
        env,
        fleet: join(checkout, 'fleet.yaml'),
        forMany: new Set(['acme']),
        onSecret: () => {},
      };
      const { diagnostics } = readCredentials('credentials.yaml', new Set(['acme']), host);
      return sentences(diagnostics);
    });

  test('each fault is a FLEET_CREDENTIALS, without the token', async () => {
    const URL = 'url: "https://mesh.example"';
    const keys = (path: string) => `acme: { ${URL}, token: t, sops_age_key_file: "${path}" }`;
    for (const [text, env, says] of [
      [null, {}, 'cannot be read'],
      [`other: { ${URL}, token: secret-token }`, {}, 'has no entry `acme`'],
      [`acme: { ${URL}, token_env: ACME }`, {}, 'is not set: ACME'],
      [`acme: { ${URL}, token_env: ACME }`, { ACME: 'two words' }, 'cannot contain'],
      [`acme: { ${URL}, token_file: nowhere }`, {}, 'cannot be read from `nowhere`'],
      [
        `acme: { ${URL}, token: t, token_env: ACME }`,
        {},
        '`acme` names several tokens: token, token_env',
      ],
      [`acme: { ${URL} }`, {}, '`acme` names no token'],
      [
        keys('keys/age.txt'),
        {},
        'the files of all accounts of `acme` would be decrypted with the keys in',
      ],
      [keys('keys/${account.tenant.id}'), {}, '`${account.tenant.id}` has no value'],
      [keys('checkout/${account.name}'), {}, 'is in the checkout of the fleet file'],
      [keys('link/${account.name}'), {}, 'is in the checkout of the fleet file'],
      [keys('x/${account.name}", sops: "shared'), {}, '`sops` and `sops_age_key_file`'],
      [
        `acme: { ${URL}, token_file: checkout/token }`,
        {},
        '`checkout/token` of `token_file` of `acme` is in the checkout of the fleet file',
      ],
      [
        `acme: { ${URL}, token: t, ca_file: link/ca.pem }`,
        {},
        '`link/ca.pem` of `ca_file` of `acme` is in the checkout of the fleet file',
      ],
    ] as const) {
      const [sentence = ''] = await found(text, env);
      expect(sentence).toContain('FLEET_CREDENTIALS');
      expect(sentence).toContain(says);
      expect(sentence).not.toContain('two words');
    }
  });
});
