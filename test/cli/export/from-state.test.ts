// `export --from-state`: an account that OpenTofu made moves to files. The state and the account are those of the public server.
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { STATE, startTofuAccount } from '../../export/opentofu/tofuAccount.ts';
import { type CliOptions, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { KINDS } from '../../support/files.ts';
import { someOf } from '../../support/variations.ts';

vi.setConfig({ testTimeout: 60_000 });

let account: Awaited<ReturnType<typeof startTofuAccount>>;
let builtIn: string;
beforeAll(async () => {
  account = await startTofuAccount();
  const groups = (await account.call('GET', '/api/groups')) as readonly {
    id: string;
    name: string;
  }[];
  builtIn = groups.find(({ name }) => name === 'All')?.id ?? '';
});
afterAll(() => account.close());

interface StateText {
  resources: {
    mode: string;
    type: string;
    name: string;
    module?: string;
    provider: string;
    instances: Record<string, unknown>[];
  }[];
  outputs: Record<string, unknown>;
}

const run = (line: readonly string[], options: CliOptions = {}) =>
  meshform(line, {
    now: Date.parse('2026-11-23T02:46:00Z'),
    env: environmentOf(account),
    ...options,
  });

/** Exports the state after a change of it. */
const exported = async (
  cwd: string,
  more: readonly string[] = [],
  change: (state: StateText) => void = () => {},
) => {
  const state = JSON.parse(account.state) as StateText;
  change(state);
  await writeFile(join(cwd, 'terraform.tfstate'), JSON.stringify(state, null, 1));
  return run(['export', '--from-state', 'terraform.tfstate', ...more], { cwd });
};

const addressesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^ {2}from = (.*)$/gm)].map(([, address = '']) => address);

const filesIn = async (folder: string): Promise<string> => {
  const names = (await readdir(folder)).filter(name => name.endsWith('.yaml'));
  return (await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')))).join('\n');
};

/** Kinds of the reverse proxy, which files may not declare yet. */
const isDeclarable = (type: string): boolean =>
  !type.startsWith('netbird_reverse_proxy_') ||
  [...KINDS.keys()].includes(type.replace('netbird_reverse_', '') as never);

const BLOCKS = (JSON.parse(STATE) as StateText).resources.map(({ type, name }) => ({
  type,
  address: `${type}.${name}`,
}));

test('48 objects of the provider become files with an empty plan, and nothing is written to the account', () =>
  inFolder(async cwd => {
    const asked = account.requests.length;
    const ended = await exported(cwd, ['--out', 'net']);
    expect(ended.code).toBe(0);
    const planned = await run(['plan', 'net', '--detailed-exitcode'], { cwd });
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nNo changes\.\n$/) });
    expect(new Set(account.requests.slice(asked).map(({ method }) => method))).toEqual(
      new Set(['GET']),
    );
    const carried = BLOCKS.filter(({ type }) => isDeclarable(type));
    expect(BLOCKS).toHaveLength(48);
    expect(addressesIn(ended.stdout)).toEqual(carried.map(({ address }) => address));
    expect(ended.stderr).toContain(`${carried.length} objects exported: ${carried.length} new.\n`);
    for (const { type, address } of BLOCKS.filter(one => !isDeclarable(one.type)))
      expect(ended.stderr).toContain(
        `\`${address}\` stays in the state: no file can declare objects of type \`${type}\``,
      );
  }));

test('the files of a dialect that was chosen are valid without the account', () =>
  inFolder(async cwd => {
    const ended = await exported(cwd, ['--out', 'net', '--dialect', 'netbird']);
    expect(ended.code).toBe(0);
    expect(await readFile(join(cwd, 'net', 'meshform.yaml'), 'utf8')).toMatch(
      /^dialect: netbird +# /m,
    );
    const { code, stdout, stderr } = await run(['validate', '--strict', 'net'], { cwd });
    expect(code, stdout + stderr).toBe(0);
  }));

test('objects that the state does not have stay undeclared', { tags: 'variation' }, () =>
  inFolder(async cwd => {
    await exported(cwd, ['--out', 'net']);
    const { stdout } = await run(['plan', 'net'], { cwd });
    expect(stdout).toContain('1 peer not declared: pa\n');
    expect(stdout).toContain('1 policy not declared: Default\n');
    expect(stdout).toContain('1 setup key not declared: k\n');
  }),
);

test('keys and tokens that only the state has are named, and never printed', () =>
  inFolder(async cwd => {
    const ended = await exported(cwd, ['--out', 'net']);
    for (const [address, field] of [
      ['netbird_setup_key.forever', 'key'],
      ['netbird_setup_key.oneoff', 'key'],
      ['netbird_setup_key.reusable', 'key'],
      ['netbird_token.ci', 'token'],
    ])
      expect(ended.stderr).toContain(
        `warning STATE_SECRET\n  only the state knows \`${field}\` of \`${address}\``,
      );
    const secrets = [...STATE.matchAll(/"(?:key|token)":"([^"]+)"/g)].map(([, text = '']) => text);
    expect(secrets).toHaveLength(4);
    const printed = `${ended.stdout}${ended.stderr}${await filesIn(join(cwd, 'net'))}`;
    for (const secret of secrets) expect(printed).not.toContain(secret);
  }));

const sensitive = (...path: (string | number)[]) =>
  path.map(value =>
    typeof value === 'string'
      ? { type: 'get_attr', value }
      : { type: 'index', value: { value, type: 'number' } },
  );

const LOCKS = {
  password_auth: { enabled: true, password: 'STATE-PASSWORD' },
  pin_auth: { enabled: true, pin: 'STATE-PIN' },
  header_auths: [
    { enabled: true, header: 'X-Bot', value: 'STATE-HEADER-1' },
    { enabled: true, header: 'x"\u001b[2J', value: 'STATE-HEADER-2' },
  ],
};

test.each<[string, object, unknown[], string?]>(
  someOf(
    [
      ['marks nothing, as those of older versions', LOCKS, []],
      // Then the name of the header is a secret too.
      ['marks the whole', LOCKS, [sensitive('auth')], '(secret)'],
      [
        'marks the values',
        LOCKS,
        [sensitive('auth', 'header_auths', 0, 'value'), sensitive('auth', 'pin_auth', 'pin')],
      ],
      ['has lists of one block', { ...LOCKS, pin_auth: [LOCKS.pin_auth] }, []],
    ],
    2,
  ),
)(
  'a state that %s: each secret is named and never printed, one that it created and the locks of a service',
  (_, auth, marks, shown = 'X-Bot') =>
    inFolder(async cwd => {
      const ended = await exported(cwd, ['--out', 'net'], state => {
        for (const { type, instances } of state.resources)
          for (const instance of instances) {
            instance.sensitive_attributes = marks;
            if (type === 'netbird_reverse_proxy_service')
              Object.assign(Object(instance.attributes), { auth });
          }
      });
      expect(ended.code).toBe(0);
      const named = [...ended.stderr.matchAll(/only the state knows (`.*?` of `.*?`)/g)].map(
        ([, name]) => name,
      );
      expect(named).toEqual([
        '`auth.password_auth.password` of `netbird_reverse_proxy_service.portal`',
        '`auth.pin_auth.pin` of `netbird_reverse_proxy_service.portal`',
        `\`auth.header_auths.${shown}.value\` of \`netbird_reverse_proxy_service.portal\``,
        expect.stringMatching(
          /^`auth\.header_auths.*2.*value` of `netbird_reverse_proxy_service\.portal`$/,
        ),
        '`key` of `netbird_setup_key.forever`',
        '`key` of `netbird_setup_key.oneoff`',
        '`key` of `netbird_setup_key.reusable`',
        '`token` of `netbird_token.ci`',
      ]);
      const secrets = [...STATE.matchAll(/"(?:key|token)":"([^"]+)"/g)].map(
        ([, text = '']) => text,
      );
      const printed = `${ended.stdout}${ended.stderr}${await filesIn(join(cwd, 'net'))}`;
      for (const text of [...secrets, 'STATE-', '\u001b']) expect(printed).not.toContain(text);
    }),
);

describe('a `removed` block is printed only if every object of its address is in the files:', () => {
  const find = (state: StateText, type: string, name: string) =>
    state.resources.find(one => one.type === `netbird_${type}` && one.name === name) ??
    expect.fail();
  const copyOf = (of: StateText['resources'][number], more: object, attributes: object = {}) => ({
    ...of.instances[0],
    attributes: { ...Object(of.instances[0]?.attributes), ...attributes },
    ...more,
  });

  test.each<[string, string, string, (state: StateText) => void]>(
    someOf(
      [
        [
          'an instance that the account does not have',
          'netbird_policy.ssh',
          'the account has no object with the ids of 1 of 2 instances of `netbird_policy.ssh`; the files get no declarations for them, and the block stays in the state',
          state => {
            const policy = find(state, 'policy', 'ssh');
            policy.instances = [
              copyOf(policy, { index_key: 'a' }),
              copyOf(policy, { index_key: 'b' }, { id: 'gone' }),
            ];
          },
        ],
        [
          'an object of another account',
          'netbird_group.other',
          '`netbird_group.other`; the files get no declaration for it, and the block stays in the state',
          state => {
            const group = find(state, 'group', 'dbs');
            const provider = `${group.provider}.b`;
            state.resources.push({
              ...group,
              name: 'other',
              provider,
              instances: [copyOf(group, {}, { id: 'b1' })],
            });
          },
        ],
        [
          'an instance that is left out of the files',
          'netbird_group.dbs',
          '`netbird_group.dbs` stays in the state: the files do not declare 1 of its 2 objects',
          state => {
            const group = find(state, 'group', 'dbs');
            group.instances = [
              copyOf(group, { index_key: 'a' }),
              copyOf(group, { index_key: 'b' }, { id: builtIn }),
            ];
          },
        ],
        [
          'another instance of the module',
          'module.m.netbird_group.dbs',
          '`module.m.netbird_group.dbs`; the files get no declaration for it, and the block stays in the state',
          state => {
            const group = find(state, 'group', 'dbs');
            group.module = 'module.m["a"]';
            state.resources.push({
              ...group,
              module: 'module.m["b"]',
              instances: [copyOf(group, {}, { id: 'gone' })],
            });
          },
        ],
        [
          'a deposed object that the account still has',
          'netbird_policy.ranges',
          '`netbird_policy.ranges` stays in the state: a failed apply replaced its former object and did not delete it, policy `disabled`',
          state => {
            const policy = find(state, 'policy', 'ranges');
            const former = find(state, 'policy', 'disabled');
            policy.instances.push(copyOf(former, { deposed: '0a1b2c3d' }));
            state.resources = state.resources.filter(one => one !== former);
          },
        ],
        [
          'nothing but such an object',
          'netbird_policy.ranges',
          'did not delete it, an object that the account may still have',
          state => {
            const policy = find(state, 'policy', 'ranges');
            policy.instances = [copyOf(policy, { deposed: '0a1b2c3d', attributes: undefined })];
          },
        ],
      ],
      3,
    ),
  )('%s', (_, address, sentence, change) =>
    inFolder(async cwd => {
      const ended = await exported(cwd, ['--out', 'net'], change);
      expect(ended.code).toBe(0);
      expect(ended.stderr).toContain(sentence);
      expect(addressesIn(ended.stdout)).not.toContain(address);
      expect(addressesIn(ended.stdout)).toContain('netbird_group.ops');
    }),
  );

  test('a deposed object that no longer exists does not matter', () =>
    inFolder(async cwd => {
      const ended = await exported(cwd, ['--out', 'net'], state => {
        const policy = find(state, 'policy', 'ranges');
        policy.instances.push(copyOf(policy, { deposed: '0a1b2c3d' }, { id: 'gone' }));
      });
      expect(addressesIn(ended.stdout)).toContain('netbird_policy.ranges');
      expect(ended.stderr).not.toContain('a failed apply');
    }));
});

test('declarations are printed on stdout and Terraform blocks on stderr without --out; `-` is stdin', async () => {
  const ended = await run(['export', '--from-state', '-', '--kinds', 'groups'], {
    stdin: account.state,
  });
  expect(ended.code).toBe(0);
  expect(ended.stdout.match(/^ {2}- name: .*$/gm)).toEqual(
    ['dbs', 'dev', 'empty', 'ops', 'router-machines', 'withpeers'].map(name => `  - name: ${name}`),
  );
  expect(addressesIn(ended.stdout)).toEqual([]);
  expect(addressesIn(ended.stderr)).toEqual(
    BLOCKS.filter(({ type }) => type === 'netbird_group').map(({ address }) => address),
  );
});

test('instances, data sources, outputs and other providers are named, and modules are part of addresses', () =>
  inFolder(async cwd => {
    const ended = await exported(cwd, ['--out', 'net'], state => {
      const [dbs, dev] = state.resources.filter(({ type }) => type === 'netbird_group');
      if (!dbs || !dev) throw new Error('no groups');
      const instance = (key: string, of: typeof dbs) => ({ ...of.instances[0], index_key: key });
      const team = { ...dbs, name: 'team', module: 'module.teams["a\\"]"].module.deep[0]' };
      state.resources = [
        ...state.resources.filter(one => one !== dbs && one !== dev),
        { ...team, instances: [instance('dbs', dbs), instance('dev\u001b[2J', dev)] },
        { ...dbs, mode: 'data', name: 'all' },
        {
          ...dbs,
          type: 'aws_instance',
          name: 'vm',
          provider: 'provider["registry.opentofu.org/hashicorp/aws"]',
        },
      ];
      state.outputs = { key: { value: 'nbp_secretOutput', type: 'string', sensitive: true } };
    });
    expect(ended.code).toBe(0);
    const said = [
      '`for_each` or `count` of `module.teams.module.deep.netbird_group.team` has no counterpart: each of its 2 objects is a declaration',
      '`data.netbird_group.all` has no counterpart, and needs none: files refer to objects by name',
      '`aws_instance.vm` stays in the state: it belongs to another provider',
      'outputs have no counterpart: `key`',
    ];
    for (const sentence of said)
      expect(ended.stderr).toContain(`note STATE_WITHOUT_COUNTERPART\n  ${sentence}`);
    const addresses = addressesIn(ended.stdout);
    expect(addresses).toContain('module.teams.module.deep.netbird_group.team');
    expect(addresses.some(address => /aws|data|dbs/.test(address))).toBe(false);
    for (const text of ['\u001b', 'secretOutput'])
      expect(`${ended.stdout}${ended.stderr}`).not.toContain(text);
    expect((await run(['plan', 'net'], { cwd })).stdout).toMatch(/\nNo changes\.\n$/);
  }));

test('a missing object is named, and a parent that the state lacks is written with its child', () =>
  inFolder(async cwd => {
    const ended = await exported(cwd, ['--out', 'net'], state => {
      state.resources = state.resources.filter(
        ({ type, name }) => type !== 'netbird_network' && name !== 'printer' && name !== 'host',
      );
      for (const { name, instances } of state.resources)
        if (name === 'empty') Object.assign(Object(instances[0]?.attributes), { id: 'gone' });
    });
    expect(ended.stderr).toContain(
      'the account has no object with the id that the state has for `netbird_group.empty`; the files get no declaration for it',
    );
    expect(ended.stderr).toContain(
      'network `office` is written, although the state does not have it',
    );
    const files = await filesIn(join(cwd, 'net'));
    expect(files).toContain('name: bare');
    expect(files).not.toContain('name: printer');
    expect(files).not.toContain('- name: empty');
    expect((await run(['plan', 'net'], { cwd })).stdout).toMatch(/\nNo changes\.\n$/);
  }));

test('the Terraform block of an unreadable object stays, and the token is named as the reason', () =>
  inFolder(async cwd => {
    await account.fault({ method: 'GET', path: '/api/routes', effect: 'status', status: 403 });
    const ended = await exported(cwd, ['--out', 'net']);
    await account.control('DELETE', '/emulator/faults');
    expect(ended.stderr).toContain(
      '`netbird_route.exit` stays in the state: the server does not return objects of type `netbird_route`',
    );
    expect(addressesIn(ended.stdout).some(address => address.startsWith('netbird_route'))).toBe(
      false,
    );
  }));

test('nothing is written from the state of a different account', () =>
  inFolder(async cwd => {
    const ended = await exported(cwd, ['--out', 'net'], state => {
      for (const { instances } of state.resources)
        for (const { attributes } of instances) Object.assign(Object(attributes), { id: 'other' });
    });
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('the account has no object of the state `terraform.tfstate`');
    expect(await readdir(cwd)).toEqual(['terraform.tfstate']);
  }));

describe('a file that is not a readable state is refused, and the account is not read:', () => {
  test.each([
    ['absent', null, 'the state `bad.tfstate` cannot be read: it does not exist'],
    [
      'encrypted',
      '{"serial":1,"encrypted_data":"c2VjcmV0","encryption_version":"v0"}',
      'bad.tfstate:1:30 error STATE_FILE_INVALID',
    ],
    [
      'of nothing to declare',
      '{"version":4,"resources":[]}',
      'has no object that files can declare',
    ],
  ])('%s', (_, text, words) =>
    inFolder(async cwd => {
      if (text !== null) await writeFile(join(cwd, 'bad.tfstate'), text);
      const asked = account.requests.length;
      const ended = await run(['export', '--from-state', 'bad.tfstate', '--out', 'net'], { cwd });
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(ended.stderr).toContain(words);
      expect(ended.stderr).toContain('hint: ');
      expect(account.requests).toHaveLength(asked);
    }),
  );

  test('a file that is too large for a string is refused before it is read', () =>
    inFolder(async cwd => {
      await writeFile(join(cwd, 'huge.tfstate'), '');
      await truncate(join(cwd, 'huge.tfstate'), 2 ** 31);
      const ended = await run(['export', '--from-state', 'huge.tfstate'], { cwd });
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(ended.stderr).toContain('it is larger than 512 MB');
    }));

  test('--from-state cannot be combined with --state', async () => {
    const ended = await run(['export', '--state', '-', '--from-state', 'x.tfstate']);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain('cannot be combined with `--from-state`');
  });
});
