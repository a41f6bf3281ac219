// Names: what machines ask for them. Only servers of one dialect have these kinds.
import { describe, expect, onTestFinished, test } from 'vitest';
import { dialectFindings } from '../../src/engine/checks/dialectFindings.ts';
import type { Dialect } from '../../src/kinds/traits.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { endedAt } from '../../src/source/endings/endedAt.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf, KINDS, loadFiles } from '../support/files.ts';
import { gatesFor } from '../support/gates.ts';
import { plan, type ReconcileOptions, reconcile } from '../support/reconcile.ts';

const NAMESERVERS = (servers: string) => `
groups: [{ name: engineers }]
dns:
  nameserver_groups:
    - name: office
      nameservers: [${servers}]
      groups: [engineers]
      domains: [Office.example.com]
`;

async function accountOf(dialect: Dialect) {
  const account = await startAccount({ dialect });
  onTestFinished(() => account.close());
  return account;
}

describe('nameserver groups', () => {
  test('the order of the nameservers is a value: a different order is a change, and is applied', async () => {
    const account = await accountOf('netbird');
    const before = desiredOf(NAMESERVERS('{ ip: 10.0.0.1 }, { ip: 10.0.0.2 }'));
    await reconcile(account, before);
    expect((await plan(account, before)).changes).toEqual([]);
    const after = desiredOf(NAMESERVERS('{ ip: 10.0.0.2 }, { ip: 10.0.0.1 }'));
    const { plan: made, result } = await reconcile(account, after);
    expect(made.changes.map(({ type, address }) => [type, address])).toEqual([
      ['update', 'nameserver_group.office'],
    ]);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['done']);
    expect((await plan(account, after)).changes).toEqual([]);
    const [live] = (await account.call('GET', '/api/dns/nameservers')) as {
      nameservers: { ip: string }[];
    }[];
    expect(live?.nameservers.map(({ ip }) => ip)).toEqual(['10.0.0.2', '10.0.0.1']);
  });
});

describe('DNS settings', () => {
  const settings = (groups: string) => `
groups: [{ name: engineers }, { name: servers }]
dns: { settings: { disabled_management_groups: [${groups}] } }
`;

  test('always exist: they are changed, never created, and a group is removed from them before it is deleted', async () => {
    const account = await accountOf('netbird');
    const both = desiredOf(settings('engineers, servers'));
    const { plan: made, result } = await reconcile(account, both);
    expect(made.changes.map(({ type, address }) => `${type} ${address}`)).toEqual([
      'create group.engineers',
      'create group.servers',
      'update dns_settings.account',
    ]);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect((await plan(account, both)).changes).toEqual([]);
    const fewer = desiredOf(settings('engineers').replace(', { name: servers }', ''));
    const next = await reconcile(account, fewer, { base: both, prune: 'removed' });
    expect(next.plan.actions.map(({ id }) => id)).toEqual([
      'update dns_settings.account',
      'delete group.servers',
    ]);
    expect(next.result.outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
  });

  test('DNS settings that are no longer declared stay unchanged, whatever --prune is', async () => {
    const account = await accountOf('netbird');
    const both = desiredOf(settings('engineers'));
    await reconcile(account, both);
    const groups = both.filter(({ kind }) => kind === 'group');
    for (const prune of ['none', 'removed', 'unmanaged'] as const) {
      const made = await plan(account, groups, { base: both, prune });
      expect(made.changes.filter(({ kind }) => kind === 'dns_settings')).toEqual([]);
    }
  });

  test('cannot be deleted: a file that says so is an error', () => {
    const text = settings('engineers').replace('] } }', '], lifecycle: { delete: true } } }');
    expect(loadFiles({ 'a.yaml': text }).diagnostics).toMatchObject([
      {
        severity: 'error',
        message: 'every account has its DNS settings, which cannot be deleted',
      },
    ]);
  });
});

describe('records', () => {
  const zone = (...records: readonly string[]) => `
groups: [{ name: engineers }]
dns:
  zones:
    - domain: corp.example.com
      name: Internal
      distribution_groups: [engineers]
      records: [${records.join(', ')}]
`;
  const record = (name: string, type: string, content: string, more = '') =>
    `{ name: ${name}.corp.example.com, type: ${type}, content: ${content}${more} }`;

  async function changed(before: string, after: string, options: ReconcileOptions = {}) {
    const account = await accountOf('netbird');
    const first = desiredOf(before);
    await reconcile(account, first);
    const { plan: made, result } = await reconcile(account, desiredOf(after), {
      base: first,
      prune: 'removed',
      ...options,
    });
    expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    expect((await plan(account, desiredOf(after))).changes).toEqual([]);
    const writes = account.requests.slice(-9).filter(({ method }) => method !== 'GET');
    const hazards = made.actions.flatMap(action => action.hazards.map(({ code }) => code));
    return { made, account, hazards, writes, actions: made.actions.map(({ id }) => id) };
  }

  test.each([['removed'], ['none']] as const)(
    'one old and one new record of a name and type are one update, with prune %s and without a base',
    async prune => {
      const { actions, hazards } = await changed(
        zone(record('db', 'A', '10.0.0.1'), record('web', 'A', '10.0.0.9')),
        zone(record('db', 'A', '10.0.0.2'), record('web', 'A', '10.0.0.9')),
        { base: [], prune },
      );
      expect(actions).toEqual([
        'update dns_record["corp.example.com/db.corp.example.com A 10.0.0.2"]',
      ]);
      expect(hazards).toEqual([]);
    },
  );

  test('a name that resolves to something else is noted: from what to what, for whom', async () => {
    const account = await accountOf('netbird');
    const before = desiredOf(zone(record('db', 'A', '10.0.0.1'), record('web', 'A', '10.0.0.9')));
    await reconcile(account, before);
    const other = zone(record('db', 'A', '10.0.0.2'), record('web', 'A', '10.0.0.9', ', ttl: 60'));
    const notes = async (text: string) =>
      (await plan(account, desiredOf(text), { base: before, prune: 'removed' })).diagnostics
        .filter(({ code }) => code === 'NAME_MOVES')
        .map(({ severity, message }) => `${severity}: ${message}`);
    expect(await notes(other)).toEqual([
      'note: `db.corp.example.com` leads to 10.0.0.2 instead of 10.0.0.1, for engineers',
    ]);
    expect(
      await notes(
        zone(record('db', 'CNAME', 'web.corp.example.com'), record('web', 'A', '10.0.0.9')),
      ),
    ).toEqual([
      'note: `db.corp.example.com` leads to web.corp.example.com instead of 10.0.0.1, for engineers',
    ]);
  });

  test('an expired record is deleted, and the new target of its name is noted', async () => {
    const account = await accountOf('netbird');
    const ended = ', lifecycle: { until: 2026-01-01 }';
    const other = '{ name: "*.corp.example.com", type: A, content: 10.0.0.9 }';
    const db = (more = '') => record('db', 'A', '10.0.0.1', more);
    const before = desiredOf(zone(db(), other));
    await reconcile(account, before);
    const ends = async (...records: readonly string[]) => {
      const time = Date.parse('2026-01-02T03:04:05Z');
      const { desired } = endedAt(desiredOf(zone(...records)), KINDS, time);
      const access = gatesFor({}, [], []);
      const { actions, diagnostics } = await plan(account, desired, { base: before, access });
      return [
        ...actions.map(({ id }) => id),
        ...diagnostics.flatMap(({ code, message }) => (code === 'NAME_MOVES' ? message : [])),
      ];
    };
    const gone = 'delete dns_record["corp.example.com/db.corp.example.com A 10.0.0.1"]';
    const leads = '`db.corp.example.com` leads to';
    const from = 'instead of 10.0.0.1, for';
    expect(await ends(db(ended), other)).toEqual([
      gone,
      `${leads} 10.0.0.9 ${from} group/engineers`,
    ]);
    // Another record takes its place; the record that has ended is not changed into it.
    const next = record('db', 'A', '10.0.0.2');
    expect(await ends(db(ended), other, next)).toEqual([
      'create dns_record["corp.example.com/db.corp.example.com A 10.0.0.2"]',
      gone,
      `${leads} 10.0.0.2 ${from} engineers`,
    ]);
    await reconcile(account, desiredOf(zone(db())), { base: before, prune: 'removed' });
    expect(await ends(db(ended))).toEqual([
      gone,
      `${leads} what other DNS servers answer ${from} group/engineers`,
    ]);
  });

  describe('a guarded name that resolves to a different target is noted', () => {
    const wiki = 'wiki.corp.example.com';
    const network = (address: string) => `
networks:
  - name: production
    resources: [{ name: db, address: ${address}, groups: [databases] }]
`;
    const zones = (...all: readonly string[]) => `
groups: [{ name: engineers }, { name: admins }, { name: databases }]
dns: { zones: [${all.join(', ')}] }
`;
    const corp = (...records: readonly string[]) =>
      `{ domain: corp.example.com, name: Internal, distribution_groups: [engineers, admins], records: [${records.join(', ')}] }`;
    const nested = (groups: string, more = '') =>
      `{ domain: ${wiki}, name: Wiki, distribution_groups: [${groups}], records: [{ name: ${wiki}, type: A, content: 10.9.9.9 }]${more} }`;
    const anyName = '{ name: "*.corp.example.com", type: A, content: 10.20.0.5 }';

    async function notesOf(before: string, after: string, guarded: string, more = '') {
      const account = await accountOf('netbird');
      const first = desiredOf(before + more);
      await reconcile(account, first);
      const made = await plan(account, desiredOf(after + more), {
        base: first,
        prune: 'removed',
        access: gatesFor({ guarded: [{ to: guarded }] }, [], []),
      });
      return made.diagnostics
        .filter(({ code }) => code === 'NAME_MOVES')
        .map(({ severity, message }) => `${severity}: ${message}`);
    }

    const around = zones(corp(anyName));
    const elsewhere = 'leads to 10.9.9.9 instead of 10.20.0.5';
    const some = ', for some of the machines that ask for it';
    const them = ', for group/admins, group/engineers';

    test.each([
      ['for all who get the zone around it', nested('engineers, admins'), `${elsewhere}${them}`],
      ['for everybody', nested('All'), elsewhere],
      ['for some', nested('engineers'), `${elsewhere}${some}`],
    ])('a zone of its own gives the name a different target, %s', async (_, zone, text) => {
      const after = zones(corp(anyName), zone);
      const note = `note: the guarded name \`${wiki}\` ${text}`;
      expect(await notesOf(around, after, wiki)).toEqual([note]);
      expect(await notesOf(around, after, 'network_resource/production/db', network(wiki))).toEqual(
        [note],
      );
      expect(await notesOf(around, after, '10.20.0.5')).toEqual([
        `note: the name \`${wiki}\` of 10.20.0.5, which is guarded, ${text}`,
      ]);
    });

    test('the opposite change is noted when the zone is disabled, or no longer distributed to some groups', async () => {
      const before = zones(corp(anyName), nested('engineers, admins'));
      const back = `note: the guarded name \`${wiki}\` leads to 10.20.0.5 instead of 10.9.9.9${them}`;
      const disabled = zones(corp(anyName), nested('engineers, admins', ', enabled: false'));
      expect(await notesOf(before, disabled, wiki)).toEqual([back]);
      expect(await notesOf(before, around, wiki)).toEqual([back]);
      const forSome = zones(corp(anyName), nested('engineers'));
      expect(await notesOf(before, forSome, wiki)).toEqual([
        `note: the guarded name \`${wiki}\` leads to 10.20.0.5 as well, for group/admins`,
      ]);
    });

    test('a record beside a wildcard, and the first record of a name, are noted', async () => {
      const own = corp(anyName, record('wiki', 'A', '10.9.9.9'));
      expect(await notesOf(around, zones(own), wiki)).toEqual([
        `note: the guarded name \`${wiki}\` ${elsewhere}${them}`,
      ]);
      const first = zones(corp(record('wiki', 'A', '10.9.9.9')));
      const none = zones(corp(record('other', 'A', '10.9.9.8')));
      expect(await notesOf(none, first, wiki)).toEqual([
        `note: the guarded name \`${wiki}\` leads to 10.9.9.9${them}`,
        `note: \`other.corp.example.com\` leads to nothing instead of 10.9.9.8${them}`,
      ]);
      expect(await notesOf(first, none, wiki)).toEqual([
        `note: the guarded name \`${wiki}\` no longer leads to 10.9.9.9${them}`,
      ]);
    });

    test('a name that is not guarded is noted in the same way, but not a name that still resolves to the same target', async () => {
      const after = zones(corp(anyName), nested('All'));
      const note = `note: \`${wiki}\` ${elsewhere}${them}`;
      expect(await notesOf(around, after, 'other.corp.example.com')).toEqual([note]);
      expect(await notesOf(around, after, 'group/databases')).toEqual([note]);
      const same = zones(corp(anyName, record('wiki', 'A', '10.20.0.5')));
      expect(await notesOf(around, same, wiki)).toEqual([]);
    });

    test('the change is noted once if the records of a zone report it', async () => {
      const [was, is] = ['10.9.9.8', '10.9.9.9'].map(to => zones(corp(record('wiki', 'A', to))));
      expect(await notesOf(was ?? '', is ?? '', wiki)).toEqual([
        `note: \`${wiki}\` leads to 10.9.9.9 instead of 10.9.9.8, for admins, engineers`,
      ]);
    });
  });

  test.each([
    ['the same address', 'A', '10.0.0.1'],
    ['another address', 'A', '10.0.0.2'],
    ['another type', 'AAAA', '"2001:db8::1"'],
  ])(
    'a record of %s is refused if its name differs only in case from one that stays',
    async (_, type, content) => {
      const account = await accountOf('netbird');
      await reconcile(account, desiredOf(zone(record('db', 'A', '10.0.0.1'))));
      const { diagnostics } = await plan(account, desiredOf(zone(record('DB', type, content))));
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
        {
          code: 'OBJECT_NAME_TAKEN',
          hint: expect.stringContaining('write it as the account does, `db.corp.example.com`'),
        },
      ]);
      const replaced = await changed(
        zone(record('db', 'A', '10.0.0.1')),
        zone(record('DB', type, content)),
      );
      expect(replaced.actions).toHaveLength(2);
    },
  );

  test('new records are created before old records are deleted', async () => {
    const { actions } = await changed(
      zone(record('db', 'A', '10.0.0.1'), record('db', 'A', '10.0.0.2')),
      zone(record('db', 'A', '10.0.0.3'), record('db', 'A', '10.0.0.4')),
    );
    expect(actions.map(id => id.split(' ')[0])).toEqual(['create', 'create', 'delete', 'delete']);
  });

  test('the old record is deleted first, and the plan reports a gap, if a CNAME excludes others', async () => {
    const { actions, hazards } = await changed(
      zone(record('db', 'A', '10.0.0.1')),
      zone(record('db', 'CNAME', 'web.example.com')),
    );
    expect(actions.map(id => id.split(' ')[0])).toEqual(['delete', 'create']);
    expect(hazards).toContain('GAP');
    const back = await changed(
      zone(record('db', 'CNAME', 'web.example.com')),
      zone(record('db', 'A', '10.0.0.1'), record('db', 'AAAA', '"2001:db8::1"')),
    );
    expect(back.actions.map(id => id.split(' ')[0])).toEqual(['delete', 'create', 'create']);
    expect(back.hazards).toContain('GAP');
  });

  test('a CNAME beside another record is refused before anything is written', async () => {
    const account = await accountOf('netbird');
    const both = zone(record('db', 'A', '10.0.0.1'), record('db', 'CNAME', 'web.example.com'));
    expect(loadFiles({ 'a.yaml': both }).diagnostics).toMatchObject([
      { code: 'OBJECT_IN_THE_WAY', severity: 'error' },
    ]);
    await reconcile(account, desiredOf(zone(record('db', 'A', '10.0.0.1'))));
    const cname = desiredOf(zone(record('db', 'CNAME', 'web.example.com')));
    const { diagnostics } = await plan(account, cname);
    expect(diagnostics).toMatchObject([{ code: 'OBJECT_IN_THE_WAY', severity: 'error' }]);
  });

  /** The only zone, its records by their content, and a change of one of them by hand. */
  async function byHand(account: Awaited<ReturnType<typeof accountOf>>) {
    const [held] = (await account.call('GET', '/api/dns/zones')) as JsonObject[];
    const path = `/api/dns/zones/${held?.id}/records`;
    const records = (await account.call('GET', path)) as JsonObject[];
    const idOf = (content: string) => records.find(one => one.content === content)?.id;
    return {
      path,
      idOf,
      put: (content: string, change: JsonObject) => {
        const found = records.find(one => one.content === content);
        return account.call('PUT', `${path}/${idOf(content)}`, { ...found, ...change });
      },
    };
  }

  test.each([
    { files: ['CNAME', 'web.example.com'], held: { type: 'A', content: '10.0.0.9' } },
    { files: ['A', '10.0.0.1'], held: { type: 'CNAME', content: 'web.example.com' } },
  ] as const)(
    'a type that somebody changed by hand is restored in one request: $files',
    async ({ files: [type, content], held }) => {
      const account = await accountOf('netbird');
      const files = desiredOf(zone(record('db', type, content)));
      const { plan: first } = await reconcile(account, files);
      expect(first.actions).not.toEqual([]);
      const hand = await byHand(account);
      const id = String(hand.idOf(content));
      await hand.put(content, held);
      const bound = zone(record('db', type, content, `, lifecycle: { id: ${id} }`));
      const { plan: made, result } = await reconcile(account, desiredOf(bound));
      expect(made.changes.map(one => [one.type, one.id])).toEqual([['update', id]]);
      expect(result.outcomes.map(({ status }) => status)).toEqual(['done']);
      expect((await plan(account, files)).changes).toEqual([]);
    },
  );

  test('the hint for a CNAME that somebody replaced by a record of another id works as printed', async () => {
    const account = await accountOf('netbird');
    await reconcile(account, desiredOf(zone(record('db', 'A', '10.0.0.9'))));
    const text = (more = '') => zone(record('db', 'CNAME', 'web.example.com', more));
    const { diagnostics } = await plan(account, desiredOf(text()));
    const [, advice] = diagnostics[0]?.hint?.match(/`(lifecycle: .*?)`/) ?? [];
    const { plan: made } = await reconcile(account, desiredOf(text(`, ${advice}`)));
    expect(made.changes.map(({ type }) => type)).toEqual(['update']);
    expect((await plan(account, desiredOf(text()))).changes).toEqual([]);
  });

  test('a CNAME is refused while one of several records of its name stays, although another is deleted', async () => {
    const account = await accountOf('netbird');
    const one = desiredOf(zone(record('db', 'A', '10.0.0.1')));
    await reconcile(account, one);
    const { path } = await byHand(account);
    const other = { name: 'db.corp.example.com', type: 'A', content: '10.0.0.2', ttl: 300 };
    await account.call('POST', path, other);
    const cname = desiredOf(zone(record('db', 'CNAME', 'web.example.com')));
    const { diagnostics } = await plan(account, cname, { base: one, prune: 'removed' });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'OBJECT_IN_THE_WAY',
        message: expect.stringContaining('A 10.0.0.2'),
      }),
    );
  });

  test('are renamed by their former name', async () => {
    const { actions } = await changed(
      zone(record('db', 'A', '10.0.0.1'), record('web', 'A', '10.0.0.9')),
      zone(
        record('sql', 'A', '10.0.0.1', ', lifecycle: { was: db.corp.example.com A 10.0.0.1 }'),
        record('web', 'A', '10.0.0.9'),
      ),
    );
    expect(actions).toEqual([
      'update dns_record["corp.example.com/sql.corp.example.com A 10.0.0.1"]',
    ]);
  });

  test('are deleted with their zone, in one request', async () => {
    const { actions, account } = await changed(
      zone(record('db', 'A', '10.0.0.1')),
      'groups: [{ name: engineers }]',
    );
    expect(actions).toEqual(['delete dns_zone.corp.example.com']);
    expect(await account.call('GET', '/api/dns/zones')).toEqual([]);
  });

  test('names that differ only in case are an error of the files, and of the plan', async () => {
    const two = zone(record('db', 'A', '10.0.0.1'), record('DB', 'A', '10.0.0.1'));
    expect(loadFiles({ 'a.yaml': two }).diagnostics).toMatchObject([
      {
        code: 'OBJECT_NAME_TAKEN',
        severity: 'error',
        message: expect.stringContaining('only in case'),
      },
    ]);
    const account = await accountOf('netbird');
    await reconcile(account, desiredOf(zone(record('db', 'A', '10.0.0.1'))));
    const other = desiredOf(zone().replace('corp.example.com', 'Corp.example.com'));
    const { diagnostics } = await plan(account, other);
    expect(diagnostics).toMatchObject([{ code: 'OBJECT_NAME_TAKEN', severity: 'error' }]);
  });

  test.each([
    ['with another content', record('DB', 'A', '10.0.0.2'), 'OBJECT_NAME_TAKEN'],
    ['of another type', record('DB', 'AAAA', '"2001:db8::1"'), 'OBJECT_NAME_TAKEN'],
    ['with a CNAME', record('DB', 'CNAME', 'x.example.com'), 'OBJECT_IN_THE_WAY'],
  ])('a name in another case %s is an error of the files', (_, other, code) => {
    const { diagnostics } = loadFiles({ 'a.yaml': zone(record('db', 'A', '10.0.0.1'), other) });
    expect(diagnostics).toContainEqual(expect.objectContaining({ code, severity: 'error' }));
  });

  test.each([
    ['itself', [record('db', 'CNAME', 'DB.corp.example.com')]],
    [
      'each other',
      [record('a', 'CNAME', 'b.corp.example.com'), record('b', 'CNAME', 'a.corp.example.com')],
    ],
  ])('names that resolve to %s are an error', (_, records) => {
    const { diagnostics } = loadFiles({ 'a.yaml': zone(...records) });
    expect(diagnostics.map(({ code }) => code)).toEqual(records.map(() => 'SCHEMA_COMBINATION'));
    expect(diagnostics[0]?.hint).toBe(
      'write a `content` that is an address, or the `name` of another DNS record with an address',
    );
  });

  test('records of two zones cannot form a cycle, because each zone answers for its own names', () => {
    const inner = zone(record('y.a', 'CNAME', 'x.a.corp.example.com'))
      .replace('groups: [{ name: engineers }]', 'groups: [{ name: admins }]')
      .replace('domain: corp', 'domain: a.corp')
      .replace('name: Internal', 'name: Inner')
      .replace('[engineers]', '[admins]');
    const outer = zone(record('x.a', 'CNAME', 'y.a.corp.example.com'));
    const { diagnostics } = loadFiles({ 'a.yaml': outer, 'b.yaml': inner });
    expect(diagnostics).toEqual([]);
  });

  test('a name outside its zone is an error with the intended name', () => {
    const text = zone('{ name: db, type: A, content: 10.0.0.1 }');
    expect(loadFiles({ 'a.yaml': text }).diagnostics).toMatchObject([
      {
        code: 'SCHEMA_FORMAT',
        message: '`name` is neither the `domain` of the dns_zone nor a name that ends in it',
        hint: 'write the whole name, such as `db.example.com` where the `domain` is `example.com`',
      },
    ]);
  });

  test.each([
    ['A', '"2001:db8::1"'],
    ['AAAA', '10.0.0.1'],
    ['CNAME', '"*.example.com"'],
  ])('a record of type %s may not have the content %s', (type, content) => {
    const { diagnostics } = loadFiles({ 'a.yaml': zone(record('db', type, content)) });
    expect(diagnostics).toMatchObject([{ code: 'SCHEMA_FORMAT', severity: 'error' }]);
  });

  test('a zone that somebody disabled is enabled again, and its time to live is sent', async () => {
    const account = await accountOf('netbird');
    const files = desiredOf(zone(record('db', 'A', '10.0.0.1')));
    await reconcile(account, files);
    const [live] = (await account.call('GET', '/api/dns/zones')) as JsonObject[];
    const { id = '', records = [], ...body } = live ?? {};
    expect(records).toMatchObject([{ ttl: 300 }]);
    await account.call('PUT', `/api/dns/zones/${id}`, { ...body, enabled: false });
    const { plan: made } = await reconcile(account, files);
    expect(made.changes.map(({ fields }) => fields.map(({ path }) => path.join()))).toEqual([
      ['enabled'],
    ]);
    expect((await plan(account, files)).changes).toEqual([]);
  });
});

describe('a server of a dialect that does not have a kind', () => {
  const desired = desiredOf(NAMESERVERS('{ ip: 10.0.0.1 }'));

  test('is not asked for it, and its declarations are errors of the plan', async () => {
    const account = await accountOf('spec');
    const made = await plan(account, desired);
    expect(made.actions).toEqual([]);
    expect(made.diagnostics).toMatchObject([
      {
        code: 'KIND_UNAVAILABLE',
        severity: 'error',
        message:
          'the server does not return its nameserver groups: a server of dialect `spec` does not have them',
        except: ['nameserver_group/*'],
      },
    ]);
    expect(account.requests.filter(({ path }) => path.includes('/dns/'))).toEqual([]);
  });

  test('the missing kind is reported with a detected dialect, too', async () => {
    const account = await accountOf('spec');
    const made = await plan(account, desired, { dialect: 'auto' });
    expect(made.diagnostics.map(({ code }) => code)).toEqual(['KIND_UNAVAILABLE']);
    expect(account.requests.filter(({ path }) => path.includes('/dns/'))).toEqual([]);
  });

  test('everything else is pruned as if the kind did not exist', async () => {
    const account = await accountOf('spec');
    const groups = desiredOf('groups: [{ name: engineers }]');
    await reconcile(account, groups);
    const { result } = await reconcile(account, [], { base: groups, prune: 'removed' });
    expect(result.outcomes.map(({ status }) => status)).toEqual(['done']);
  });

  test('the files alone report it once, if that dialect is chosen', () => {
    const twice = desiredOf(
      `${NAMESERVERS('{ ip: 10.0.0.1 }')}    - { name: all, nameservers: [{ ip: 10.0.0.1 }], groups: [engineers], primary: true }\n`,
    );
    const found = (dialect: Dialect | 'auto') =>
      dialectFindings(KINDS, twice, { dialect, strict: true }).map(
        ({ code, severity, message, at }) => `${at?.line} ${severity} ${code}: ${message}`,
      );
    expect(found('spec')).toEqual([
      '5 error DIALECT_UNSUPPORTED: a server of dialect `spec` has no nameserver groups',
    ]);
    expect(found('netbird')).toEqual([]);
    expect(found('auto')).toEqual([]);
  });
});

describe('the DNS domain of the account and a zone of the same domain', () => {
  const domain = (name: string) => `account_settings: { dns_domain: ${name} }\n`;
  const zone = (name: string, more = '', beside = '') =>
    `groups: [{ name: a }]\ndns: { zones: [{ domain: ${name}, name: x, distribution_groups: [a]${more} }${beside}] }\n`;
  const DELETE = ', lifecycle: { delete: true }';
  const OTHER = ', { domain: old.example, name: y, distribution_groups: [a] }';
  const CODE = 'OBJECT_IN_THE_WAY';

  test('are an error of the files', () => {
    const { diagnostics } = loadFiles({ 'a.yaml': domain('corp.example') + zone('corp.example') });
    expect(diagnostics).toMatchObject([
      {
        code: CODE,
        severity: 'error',
        message: 'the server rejects a `dns_domain` that is the `domain` of dns_zone.corp.example',
        at: { file: 'a.yaml', line: 1 },
      },
    ]);
    // The server compares them byte by byte, and machines do not.
    const other = loadFiles({ 'a.yaml': domain('Corp.example') + zone('corp.example') });
    expect(other.diagnostics).toMatchObject([
      {
        code: CODE,
        severity: 'error',
        message:
          'the `dns_domain` and the `domain` of dns_zone.corp.example differ only in case: both would answer for the same names',
      },
    ]);
  });

  test('a zone cannot expire to make room for the DNS domain, because its records would be deleted with it', () => {
    for (const until of ['2020-01-01', '2036-12-01']) {
      const ending = zone('corp.example', `, lifecycle: { until: ${until} }`);
      const { diagnostics } = loadFiles({ 'a.yaml': domain('corp.example') + ending });
      expect(diagnostics.map(({ code, hint }) => `${code}: ${hint}`)).toEqual([
        'OBJECT_IN_THE_WAY: the other one is at a.yaml:3:26: choose another value for one of the two',
        'END_REFUSED: write `until` in the objects that are declared in it instead; to delete it, use `lifecycle: { delete: true }`: the plan lists the other objects',
      ]);
    }
  });

  test.each([
    [domain('corp.example'), zone('corp.example')],
    [zone('corp.example'), domain('corp.example')],
    [domain('corp.example'), zone('Corp.example'), 'differ only in case'],
    [zone('Corp.example'), domain('corp.example'), 'differ only in case'],
  ])(
    'are an error of the plan, if one of them is only in the account: %j',
    async (before, after, words = 'both have `corp.example`') => {
      const account = await accountOf('netbird');
      await reconcile(account, desiredOf(before));
      const { diagnostics, actions } = await plan(account, desiredOf(after));
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
        { code: CODE, message: expect.stringContaining(words) },
      ]);
      expect(actions).toEqual([]);
    },
  );

  test('domains that already differ only in case in the account do not prevent other changes, nor a change of that case', async () => {
    const account = await accountOf('netbird');
    const base = desiredOf(domain('corp.example'));
    await reconcile(account, base);
    const [all] = (await account.call('GET', '/api/groups')) as { id: string }[];
    await account.call('POST', '/api/dns/zones', {
      name: 'x',
      domain: 'Corp.example',
      enabled: true,
      distribution_groups: [all?.id ?? ''],
    });
    for (const name of ['corp.example', 'cORP.example']) {
      const { diagnostics } = await plan(
        account,
        desiredOf(`${domain(name)}groups: [{ name: b }]\n`),
      );
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    }
  });

  test.each([
    [
      zone('corp.example') + domain('old.example'),
      domain('corp.example'),
      ['delete dns_zone.corp.example', 'update account_settings.account', 'delete group.a'],
    ],
    [
      domain('corp.example'),
      domain('new.example') + zone('corp.example'),
      ['create group.a', 'update account_settings.account', 'create dns_zone.corp.example'],
    ],
    [
      zone('Corp.example') + domain('old.example'),
      domain('corp.example'),
      ['delete dns_zone.Corp.example', 'update account_settings.account', 'delete group.a'],
    ],
    // The files delete the zone by name; the second time, another zone takes the domain that the account had.
    [
      zone('corp.example') + domain('old.example'),
      domain('corp.example') + zone('corp.example', DELETE),
      ['delete dns_zone.corp.example', 'update account_settings.account'],
    ],
    [
      zone('corp.example') + domain('old.example'),
      domain('corp.example') + zone('corp.example', DELETE, OTHER),
      [
        'delete dns_zone.corp.example',
        'update account_settings.account',
        'create dns_zone.old.example',
      ],
    ],
  ])('change in the order that the server needs: from %j to %j', async (before, after, order) => {
    const account = await accountOf('netbird');
    const base = desiredOf(before);
    await reconcile(account, base);
    const { plan: made, result } = await reconcile(account, desiredOf(after), {
      base,
      prune: 'removed',
    });
    expect(made.actions.map(({ id }) => id).filter(id => !/group/.test(id))).toEqual(
      order.filter(id => !/group/.test(id)),
    );
    expect(result.outcomes.map(({ status }) => status)).toEqual(order.map(() => 'done'));
  });
});

test.each([
  ['a CNAME in place of an address', '{ name: w.corp.example, type: CNAME, content: v.example }'],
  ['a name in another case', '{ name: W.corp.example, type: A, content: 10.0.0.1, ttl: 60 }'],
])('a record that the files delete makes room for a different record: %s', async (_, record) => {
  const account = await accountOf('netbird');
  const zone = (records: string) =>
    desiredOf(
      `groups: [{ name: a }]\ndns: { zones: [{ domain: corp.example, name: x, distribution_groups: [a], records: [${records}] }] }\n`,
    );
  const old = (more = '') => `{ name: w.corp.example, type: A, content: 10.0.0.1, ttl: 60${more} }`;
  await reconcile(account, zone(old()));
  const files = zone(`${old(', lifecycle: { delete: true }')}, ${record}`);
  const { plan: made, result } = await reconcile(account, files);
  expect(made.actions.map(({ verb }) => verb)).toEqual(['delete', 'create']);
  expect(result.outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
});

test('a CNAME points to a name in ASCII, without a wildcard or a trailing dot', () => {
  const record = (content: string) =>
    loadFiles({
      'a.yaml': `groups: [{ name: a }]\ndns: { zones: [{ domain: corp.example, name: x, distribution_groups: [a], records: [{ name: w.corp.example, type: CNAME, content: "${content}" }] }] }\n`,
    }).diagnostics.map(({ code }) => code);
  for (const refused of ['bücher.example', '*.corp.example', 'db.example.'])
    expect(new Set(record(refused)), refused).toEqual(new Set(['SCHEMA_FORMAT']));
  for (const taken of ['db.example', 'xn--bcher-kva.example', 'label', 'v.corp.example'])
    expect(record(taken), taken).toEqual([]);
});
