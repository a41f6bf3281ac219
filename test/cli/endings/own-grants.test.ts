// A file of grants takes over no object of the account: not by its name, and not by its id. What it created itself stays its own.
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { writeTransport } from '../../../src/api/transport/transport.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import type { TestAccount } from '../../support/account.ts';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { type EndedFolder, namesOf, withEndedFolder } from './endedFolder.ts';
import { RECORDED, recorded } from './recordedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const UNTIL = 'until: 2026-12-01';
const RULES =
  'rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["22"] }]';
const policy = (name: string, more = '') =>
  `{ name: ${name}, lifecycle: { ${UNTIL} }, ${more}${RULES} }`;
const temps = `groups: [{ name: temps, peers: [ada], lifecycle: { ${UNTIL} } }]\n`;

const idsIn = async ({ account }: EndedFolder, path: 'groups' | 'peers' | 'policies') => {
  const list = (await account.call('GET', `/api/${path}`)) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  return new Map(list.map(({ id, name }) => [name, id]));
};

/** Somebody makes a policy by hand, as `RULES` has it; returns its id. */
async function policyByHand(own: EndedFolder, name: string, more = {}): Promise<string> {
  const groups = await idsIn(own, 'groups');
  const rule = {
    name: 'a',
    enabled: true,
    action: 'accept',
    bidirectional: false,
    protocol: 'tcp',
    ports: ['22'],
    sources: [groups.get('staff') ?? ''],
    destinations: [groups.get('servers') ?? ''],
    ...more,
  };
  const made = await own.account.call('POST', '/api/policies', {
    name,
    enabled: true,
    rules: [rule],
  });
  return (made as { readonly id: string }).id;
}

/** The body that gives a policy other fields. */
function bodyOf(policy: JsonObject | undefined, more: JsonObject): JsonObject {
  const ids = (list: unknown) => (list as readonly { readonly id: string }[]).map(({ id }) => id);
  const rules = ((policy?.rules ?? []) as readonly JsonObject[]).map(rule =>
    Object.assign({}, rule, {
      sources: ids(rule.sources),
      destinations: ids(rule.destinations),
    }),
  );
  return Object.assign({}, policy, { rules }, more);
}

async function groupByHand(own: EndedFolder, members: readonly string[]): Promise<string> {
  const peers = await idsIn(own, 'peers');
  const body = { name: 'temps', peers: members.map(name => peers.get(name) ?? '') };
  return ((await own.account.call('POST', '/api/groups', body)) as { readonly id: string }).id;
}

/** A service user of the account with its token. */
async function robot({ account }: EndedFolder) {
  const body = { name: 'meshform', role: 'admin', auto_groups: [], is_service_user: true };
  const user = (await account.call('POST', '/api/users', body)) as { readonly id: string };
  const minted = (await account.control('POST', '/emulator/tokens', { user_id: user.id })) as {
    readonly token: string;
  };
  const { token } = minted;
  const own = writeTransport({ ...account.transport, token });
  const call: TestAccount['call'] = (method, path, sent) =>
    method === 'GET' ? own.get(path) : own.write(method, path, sent);
  return { token, call };
}

const committed = ({ folder }: EndedFolder) => {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'a grant');
};

const AUTO = ['--base', 'auto'];
const TAKEN = 'error GRANT_REFUSED';

/** The folder without a base and without a repository. */
const unrecorded = (use: (folder: EndedFolder) => Promise<void>, server = {}) =>
  withEndedFolder(async own => {
    for (const name of ['ada', 'bob', 'db']) await own.account.enrol(name);
    await own.write({
      'a.yaml': 'groups: [{ name: staff, peers: [ada] }, { name: servers, peers: [db] }]\n',
    });
    expect((await own.run(['apply', 'network', '--yes'])).code).toBe(0);
    await use(own);
  }, server);

describe.each(someOf(['spec', 'netbird'] as const, 1))('%s: with a base', dialect => {
  test.each(
    someOf(
      [
        ['a group with members', temps, 'group.temps'],
        ['a policy as declared', `policies: [${policy('by hand')}]\n`, 'policy["by hand"]'],
        [
          'a policy that would change',
          `policies: [${policy('by hand', 'description: mine, ')}]\n`,
          'policy["by hand"]',
        ],
      ],
      1,
    ),
  )('a grant file does not take over an object of the account with its name: %s', (_, text, name) =>
    recorded(
      async own => {
        await groupByHand(own, ['ada', 'bob']);
        await policyByHand(own, 'by hand');
        await own.write({ 'grants/b.yaml': text });
        committed(own);
        for (const argv of [
          ['plan', 'network', ...AUTO],
          ['plan', 'network', '--base', 'HEAD~1'],
          ['apply', 'network', '--yes', ...RECORDED],
          ['apply', 'network', '--yes', '--base', 'HEAD~1'],
        ]) {
          const { code, stderr } = await own.run(argv);
          expect([argv, code, stderr]).toEqual([argv, 3, expect.stringContaining(TAKEN)]);
          expect(stderr).toContain(`network/grants/b.yaml:1:`);
          expect(stderr).toContain(name);
        }
        own.at('2026-12-02T00:00:00Z');
        expect((await own.run(['expire', 'network', '--yes'])).code).toBe(4);
        expect(await namesOf(own.account, 'groups')).toContain('temps');
        expect(await namesOf(own.account, 'policies')).toEqual(['by hand', 'stays']);
      },
      { dialect },
    ),
  );

  test(
    'an object that the grant file created expires, also if somebody edited it',
    { tags: 'variation' },
    () =>
      recorded(
        async own => {
          const { run, write, at, account } = own;
          const text = `${temps}policies: [${policy('p', 'description: once, ')}]\n`;
          await write({ 'grants/b.yaml': text });
          committed(own);
          expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
          const asked = ['plan', 'network', ...AUTO, '--detailed-exitcode'];
          expect((await run(asked)).code).toBe(0);
          const groups = await idsIn(own, 'groups');
          const peers = await idsIn(own, 'peers');
          await account.call('PUT', `/api/groups/${groups.get('temps')}`, {
            name: 'temps',
            peers: [...peers.values()],
          });
          expect((await run(asked)).code).toBe(0);
          await write({
            'grants/b.yaml': text.replace('once', 'twice').replace('name: a,', 'name: b,'),
          });
          committed(own);
          expect((await run([...asked.slice(0, 2), '--base', 'HEAD~1'])).code).toBe(0);
          expect((await run(['apply', 'network', '--yes', ...RECORDED])).code).toBe(0);
          at('2026-12-02T00:00:00Z');
          expect((await run(['expire', 'network', '--yes'])).code).toBe(0);
          expect(await namesOf(account, 'groups')).not.toContain('temps');
          expect(await namesOf(account, 'policies')).toEqual(['stays']);
        },
        { dialect },
      ),
  );

  test(
    'an object created by an apply that recorded no base is recognised by the journal',
    { tags: 'variation' },
    () =>
      recorded(
        async own => {
          const { run, write } = own;
          await write({ 'grants/b.yaml': `${temps}policies: [${policy('p')}]\n` });
          committed(own);
          expect((await run(['apply', 'network', '--yes', ...AUTO])).code).toBe(0);
          for (const base of [AUTO, ['--base', 'HEAD~1']]) {
            const { code, stderr } = await run(['plan', 'network', ...base, '--detailed-exitcode']);
            expect([code, stderr]).toEqual([0, expect.not.stringContaining('GRANT_REFUSED')]);
          }
        },
        { dialect },
      ),
  );
});

test('an object that the base has without an expiry cannot be declared as a grant', () =>
  recorded(async own => {
    const { run, write } = own;
    await write({
      'a.yaml': 'groups: [{ name: staff, peers: [ada] }, { name: servers, peers: [db] }]\n',
      'grants/b.yaml': `policies: [${policy('stays')}]\n`,
    });
    committed(own);
    const { code, stderr } = await run(['plan', 'network', ...AUTO]);
    expect([code, stderr]).toEqual([3, expect.stringContaining(TAKEN)]);
  }));

test('a first recorded run accepts a grant that the account has as declared', () =>
  unrecorded(async own => {
    const { run, write, folder, account } = own;
    const [all] = (await account.call('GET', '/api/groups')) as readonly [{ readonly id: string }];
    await write({
      'grants/b.yaml': `policies: [${policy('p')}]\n`,
      'meshform.yaml': `account: ${all.id}\n`,
    });
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    git(folder, 'init', '-q', '-b', 'main');
    committed(own);
    const { code, stderr } = await run(['apply', 'network', '--yes', '--first', ...RECORDED]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('GRANT_REFUSED')]);
    expect((await run(['plan', 'network', ...AUTO, '--detailed-exitcode'])).code).toBe(0);
  }));

describe('without a base, only equal objects are taken over:', () => {
  test.each(
    someOf(
      [
        ['a group that has more members', ['ada', 'bob'], temps, 3],
        ['a group of which the file says nothing', ['bob'], temps.replace(', peers: [ada]', ''), 3],
        ['a group as it is declared', ['ada'], temps, 0],
      ],
      1,
    ),
  )('%s', (_, members, text, exit) =>
    unrecorded(async own => {
      await groupByHand(own, members);
      await own.write({ 'grants/b.yaml': text });
      const { code, stderr } = await own.run(['plan', 'network', '--detailed-exitcode']);
      expect([code, stderr.includes(TAKEN)]).toEqual([exit, exit === 3]);
    }),
  );

  test.each(
    someOf(
      [
        ['that would change', policy('by hand', 'description: mine, '), {}],
        ['that has more rules', policy('by hand'), { name: 'b' }],
        [
          'whose rules the file ignores',
          policy('by hand').replace(UNTIL, `${UNTIL}, ignore: [rules]`),
          { ports: ['443'] },
        ],
      ],
      1,
    ),
  )('a different policy is not taken over: a policy %s', (_, declared, more) =>
    unrecorded(async own => {
      await policyByHand(own, 'by hand', more);
      await own.write({ 'grants/b.yaml': `policies: [${declared}]\n` });
      for (const argv of [
        ['plan', 'network'],
        ['apply', 'network', '--yes'],
      ]) {
        const { code, stderr } = await own.run(argv);
        expect([code, stderr]).toEqual([3, expect.stringContaining(TAKEN)]);
      }
    }),
  );

  test(
    'a grant that an apply of this machine created can be changed by an edit of its file',
    { tags: 'variation' },
    () =>
      unrecorded(async own => {
        await own.write({ 'grants/b.yaml': `policies: [${policy('p', 'description: once, ')}]\n` });
        expect((await own.run(['apply', 'network', '--yes'])).code).toBe(0);
        await own.write({
          'grants/b.yaml': `policies: [${policy('p', 'description: twice, ')}]\n`,
        });
        const { code } = await own.run(['plan', 'network', '--detailed-exitcode']);
        expect(code).toBe(2);
      }),
  );

  test('a grant for a group of the account that another object refers to is refused', () =>
    unrecorded(async own => {
      const { run, write, account } = own;
      const group = (await account.call('POST', '/api/groups', { name: 'temps' })) as {
        readonly id: string;
      };
      await write({ 'grants/b.yaml': temps.replace(', peers: [ada]', '') });
      expect((await run(['plan', 'network'])).code).toBe(0);
      const network = (await account.call('POST', '/api/networks', { name: 'prod' })) as {
        readonly id: string;
      };
      await account.call('POST', `/api/networks/${network.id}/resources`, {
        name: 'orders',
        address: '10.20.0.5/32',
        enabled: true,
        groups: [group.id],
      });
      const { code, stderr } = await run(['plan', 'network']);
      expect([code, stderr]).toEqual([3, expect.stringContaining(TAKEN)]);
    }));

  test.each([
    ['apply', ['apply', 'network', '--yes'], 0],
    ['expire', ['expire', 'network', '--yes'], 4],
  ] as const)(
    '%s removes no object that is only named in a grant with a past expiry',
    { tags: 'variation' },
    (_, argv, exit) =>
      unrecorded(async own => {
        await groupByHand(own, ['ada', 'bob']);
        await policyByHand(own, 'by hand', { name: 'b' });
        const text = `${temps}policies: [${policy('by hand')}]\n`;
        await own.write({ 'grants/b.yaml': text.replaceAll('2026-12', '2026-11') });
        const { code, stderr } = await own.run(argv);
        expect([code, stderr.split('END_HELD').length - 1]).toEqual([exit, 2]);
        expect(await namesOf(own.account, 'groups')).toContain('temps');
        expect(await namesOf(own.account, 'policies')).toEqual(['by hand']);
      }),
  );

  test('expire does not fail because somebody edited a grant', () =>
    unrecorded(async own => {
      const groups = await idsIn(own, 'groups');
      const both = ['staff', 'servers'].map(name => groups.get(name) ?? '');
      await policyByHand(own, 'p', { sources: both });
      const ended = 'sources: [servers, { name: staff, until: 2026-11-01 }]';
      const edited = policy('p', 'description: mine, ').replace('sources: [staff]', ended);
      await own.write({ 'grants/b.yaml': `policies: [${edited}]\n` });
      expect((await own.run(['plan', 'network'])).code).toBe(3);
      const { code, stderr } = await own.run(['expire', 'network', '--yes']);
      expect([code, stderr]).toEqual([4, expect.not.stringContaining('GRANT_REFUSED')]);
      expect(stderr).toContain('group.staff has ended in policy.p and stays there');
    }));

  describe('an object that equals its grant', () => {
    const ending = async (own: EndedFolder) => {
      await own.write({ 'grants/b.yaml': `policies: [${policy('p')}]\n` });
      expect((await own.run(['plan', 'network'])).code).toBe(0);
      own.at('2026-12-02T00:00:00Z');
    };
    const HELD = 'no base or journal shows that it was created for the grant';

    test.each(
      someOf(
        [
          ['apply', ['apply', 'network', '--yes'], 0],
          ['expire', ['expire', 'network', '--yes'], 4],
        ] as const,
        1,
      ),
    )('is not removed if a person created it: %s', (_, argv, exit) =>
      unrecorded(async own => {
        await policyByHand(own, 'p');
        await ending(own);
        const { code, stderr } = await own.run(argv);
        expect([code, stderr]).toEqual([exit, expect.stringContaining(HELD)]);
        expect(await namesOf(own.account, 'policies')).toEqual(['p']);
      }),
    );

    test('is not removed if another service user created it', { tags: 'variation' }, () =>
      unrecorded(async own => {
        await policyByHand(own, 'p');
        own.as((await robot(own)).token);
        await ending(own);
        const { code, stderr } = await own.run(['expire', 'network', '--yes']);
        expect([code, stderr]).toEqual([4, expect.stringContaining(HELD)]);
        expect(await namesOf(own.account, 'policies')).toEqual(['p']);
      }),
    );

    test('is removed if the audit log shows that the service user of the run created it', () =>
      unrecorded(async own => {
        const { token, call } = await robot(own);
        own.as(token);
        await policyByHand({ ...own, account: { ...own.account, call } }, 'p');
        await ending(own);
        const { code, stderr } = await own.run(['expire', 'network', '--yes']);
        expect([code, stderr]).toEqual([0, expect.not.stringContaining('END_HELD')]);
        expect(await namesOf(own.account, 'policies')).toEqual([]);
      }));

    test('stays while the audit log cannot be read, and expires once it can be read, whatever else the log says', () =>
      unrecorded(async own => {
        const { token, call } = await robot(own);
        const id = await policyByHand({ ...own, account: { ...own.account, call } }, 'p');
        const [live] = (await own.account.call('GET', '/api/policies')) as readonly JsonObject[];
        // Another user edits it, and takes the edit back: only the log shows that.
        await own.account.call('PUT', `/api/policies/${id}`, bodyOf(live, { description: 'x' }));
        await own.account.call('PUT', `/api/policies/${id}`, bodyOf(live, { description: '' }));
        own.as(token);
        await ending(own);
        const unread = { method: 'GET', path: '/api/events/audit', effect: 'status', status: 403 };
        await own.account.fault({ ...unread, times: 50 });
        const held = await own.run(['expire', 'network', '--yes']);
        expect([held.code, held.stderr]).toEqual([4, expect.stringContaining(HELD)]);
        await own.account.control('DELETE', '/emulator/faults');
        for (let n = 0; n < 2; n++) {
          const { code, stderr } = await own.run(['expire', 'network', '--yes']);
          expect([code, stderr]).toEqual([0, expect.not.stringContaining('END_HELD')]);
          expect(await namesOf(own.account, 'policies')).toEqual([]);
        }
      }));
  });

  test(
    'a group that an apply of this machine created is removed at its expiry with the members that joined it',
    { tags: 'variation' },
    () =>
      unrecorded(async own => {
        await own.write({ 'grants/b.yaml': temps });
        expect((await own.run(['apply', 'network', '--yes'])).code).toBe(0);
        const id = (await idsIn(own, 'groups')).get('temps') ?? '';
        await own.account.enrol('late', [id]);
        own.at('2026-12-02T00:00:00Z');
        expect((await own.run(['expire', 'network', '--yes'])).code).toBe(0);
        expect(await namesOf(own.account, 'groups')).not.toContain('temps');
      }),
  );

  test('drift reports manual changes of a grant', () =>
    unrecorded(async own => {
      await policyByHand(own, 'by hand');
      await own.write({
        'grants/b.yaml': `policies: [${policy('by hand', 'description: mine, ')}]\n`,
      });
      const { code, stdout } = await own.run(['drift', 'network']);
      expect([code, stdout]).toEqual([2, expect.stringContaining('description')]);
    }));
});

test.each(['id: abc', 'was: other'])('`%s` is refused in a grant file', setting =>
  unrecorded(async own => {
    const text = policy('p').replace(UNTIL, `${UNTIL}, ${setting}`);
    await own.write({ 'grants/b.yaml': `policies: [${text}]\n` });
    for (const command of ['validate', 'plan']) {
      const { code, stdout, stderr } = await own.run([command, 'network']);
      expect([code, `${stdout}${stderr}`]).toEqual([3, expect.stringContaining(TAKEN)]);
    }
  }),
);

test('a saved plan does not adopt what somebody created after it', () =>
  unrecorded(async own => {
    const { run, write, folder } = own;
    await write({ 'grants/b.yaml': `policies: [${policy('p')}]\n` });
    const plan = join(folder, 'plan.json');
    expect((await run(['plan', 'network', '--out', plan])).code).toBe(0);
    await policyByHand(own, 'p');
    expect((await run(['plan', 'check', plan])).code).toBe(5);
    expect((await run(['apply', plan, '--yes'])).code).toBe(5);
    expect(await namesOf(own.account, 'policies')).toEqual(['p']);
  }));
