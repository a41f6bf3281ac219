// Grants that an apply created which nobody finished: its journal says so, although no base does.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { journalsFolder } from '../../support/journals.ts';
import { someOf } from '../../support/variations.ts';
import { type EndedFolder, namesOf } from './endedFolder.ts';
import { RECORDED, recorded } from './recordedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const NEW =
  'groups: [{ name: temps, peers: [bob], lifecycle: { until: 2026-12-01 } }]\n' +
  'policies: [{ name: new, lifecycle: { until: 2026-12-01 }, rules: [{ name: a, sources: [temps], destinations: [servers], protocol: tcp, ports: ["23"] }] }]\n';

const WITH_ENDS = `
groups:
  - { name: staff, peers: [ada, { name: bob, until: 2026-12-01 }] }
  - { name: servers, peers: [db] }
  - { name: temps }
policies:
  - { name: stays, rules: [{ name: a, sources: [staff, { name: temps, until: 2026-12-01 }], destinations: [servers], protocol: tcp, ports: ["443"] }] }
`;

interface Named {
  readonly id: string;
  readonly name: string;
}

const idsIn = (all: readonly Named[]) => all.map(({ id }) => id);
const namesIn = (all: readonly Named[]) => all.map(({ name }) => name).sort();

async function groupOf({ account }: EndedFolder, name: string) {
  const all = (await account.call('GET', '/api/groups')) as readonly unknown[] as (Named & {
    peers: Named[];
  })[];
  const found = all.find(one => one.name === name);
  return found ?? { id: '', name, peers: [] };
}

async function peerOf({ account }: EndedFolder, name: string): Promise<Named> {
  await account.enrol(name);
  const all = (await account.call('GET', '/api/peers')) as readonly unknown[] as Named[];
  return all.find(one => one.name === name) ?? { id: '', name };
}

async function sourcesOf({ account }: EndedFolder): Promise<string[]> {
  const all = (await account.call('GET', '/api/policies')) as readonly unknown[] as (Named & {
    rules: { sources: Named[] }[];
  })[];
  const rules = all.filter(({ name }) => name === 'stays').flatMap(one => one.rules);
  return rules.flatMap(({ sources }) => namesIn(sources));
}

/** The token of another user. */
async function anotherToken({ account }: EndedFolder): Promise<string> {
  const body = { name: 'robot', role: 'admin', auto_groups: [], is_service_user: true };
  const user = (await account.call('POST', '/api/users', body)) as { readonly id: string };
  const minted = await account.control('POST', '/emulator/tokens', { user_id: user.id });
  return (minted as { readonly token: string }).token;
}

const committed = ({ folder }: EndedFolder) => {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'a change');
};

/** The journals of an account, newest first. */
function journalsOf({ account }: EndedFolder): readonly string[] {
  return (
    readdirSync(journalsFolder(), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.jsonl'))
      .map(name => join(journalsFolder(), name))
      // The port of one account may begin that of another.
      .filter(file => readFileSync(file, 'utf8').includes(JSON.stringify(account.url)))
      .sort()
      .toReversed()
  );
}

/** What this machine remembers of the bases that it recorded. */
const rememberedBases = (own: EndedFolder): readonly string[] => {
  const folder = dirname(journalsOf(own)[0] ?? '');
  return readdirSync(folder)
    .filter(name => name.startsWith('base-'))
    .map(name => join(folder, name));
};

/** Applies a new grant; the process is killed after its creates were answered, so that no base has it. Returns the name of the run. */
async function killed(
  own: EndedFolder,
  files: Readonly<Record<string, string>> = { 'grants/new.yaml': NEW },
): Promise<string> {
  const { write, run, folder, at } = own;
  at('2026-11-30T13:00:00Z');
  await write(files);
  committed(own);
  const ref = git(folder, 'for-each-ref', '--format=%(refname)', 'refs/meshform-base').trim();
  const base = git(folder, 'rev-parse', ref).trim();
  const remembered = rememberedBases(own).map(file => [file, readFileSync(file)] as const);
  const { code, stderr } = await run(['apply', 'network', '--yes', ...RECORDED]);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  git(folder, 'update-ref', ref, base);
  for (const [file, content] of remembered) writeFileSync(file, content);
  const [journal = ''] = journalsOf(own);
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const last = lines.findLastIndex(line => line.includes('"type":"answer"'));
  writeFileSync(journal, `${lines.slice(0, last + 1).join('\n')}\n`);
  return (JSON.parse(lines[0] ?? '') as { run: string }).run;
}

const AFTER = '2026-12-02T00:00:00Z';

describe.each(someOf(['spec', 'netbird'] as const, 1))('%s', dialect => {
  test.each(
    someOf(
      [
        ['expire', ['expire', 'network', '--yes']],
        ['apply', ['apply', 'network', '--yes', '--base', 'auto']],
        [
          'apply without pruning',
          ['apply', 'network', '--yes', '--base', 'auto', '--prune', 'none'],
        ],
        ['apply that prunes', ['apply', 'network', '--yes', ...RECORDED]],
        ['expire with a file as its lock', ['expire', 'network', '--yes', '--lock', 'file']],
      ] as const,
      2,
    ),
  )('a grant that an unfinished apply created is removed at its expiry: %s', (_, argv) =>
    recorded(
      async own => {
        await killed(own);
        own.at(AFTER);
        const { code, stderr } = await own.run(argv);
        expect([code, stderr]).toEqual([0, expect.not.stringContaining('END_HELD')]);
        expect(await namesOf(own.account, 'policies')).toEqual(['stays']);
        expect(await namesOf(own.account, 'groups')).not.toContain('temps');
      },
      { dialect },
    ),
  );

  test.each([
    ['expire', ['expire', 'network', '--yes']],
    ['apply', ['apply', 'network', '--yes', '--base', 'auto']],
    ['apply that prunes', ['apply', 'network', '--yes', ...RECORDED]],
  ] as const)(
    'members that an unfinished apply added are removed at their expiry, and others stay: %s',
    { tags: 'variation' },
    (_, argv) =>
      recorded(
        async own => {
          const staff = await groupOf(own, 'staff');
          await own.account.call('PUT', `/api/groups/${staff.id}`, {
            name: 'staff',
            peers: [...idsIn(staff.peers), (await peerOf(own, 'eve')).id],
          });
          await killed(own, { 'a.yaml': WITH_ENDS });
          expect(namesIn((await groupOf(own, 'staff')).peers)).toEqual(['ada', 'bob', 'eve']);
          expect(await sourcesOf(own)).toEqual(['staff', 'temps']);
          own.at(AFTER);
          const { code, stderr } = await own.run(argv);
          expect([code, stderr]).toEqual([0, expect.not.stringContaining('END_HELD')]);
          expect(namesIn((await groupOf(own, 'staff')).peers)).toEqual(['ada', 'eve']);
          expect(await sourcesOf(own)).toEqual(['staff']);
        },
        { dialect },
      ),
  );

  test('an object of an unfinished apply is reported once its file is removed, and undone by the name of the run', () =>
    recorded(
      async own => {
        const run = (await killed(own)).slice(0, 8);
        rmSync(join(own.folder, 'network/grants/new.yaml'));
        committed(own);
        for (const argv of [
          ['plan', 'network', '--base', 'auto', '--prune', 'none'],
          ['plan', 'network', '--base', 'auto', '--prune', 'removed'],
          ['drift', 'network', '--base', 'auto'],
          ['drift', 'network'],
          ['expire', 'network', '--yes'],
        ]) {
          const { stderr } = await own.run(argv);
          expect([argv, stderr]).toEqual([argv, expect.stringContaining('LEFT_BY_RUN')]);
          expect(stderr).toContain(`policy.new was created by the apply ${run}`);
          expect(stderr).toContain(`group.temps was created by the apply ${run}`);
          // The journal is only on this machine: no apply that prunes counts it.
          expect(stderr).not.toContain('--prune removed');
        }
        const undone = await own.run(['apply', 'network', '--undo', run, '--yes', ...ALLOW]);
        expect([undone.code, undone.stderr]).toEqual([0, expect.anything()]);
        expect(await namesOf(own.account, 'policies')).toEqual(['grant', 'stays']);
        const after = await own.run(['plan', 'network', '--base', 'auto']);
        expect(after.stderr).not.toContain('LEFT_BY_RUN');
      },
      { dialect },
    ));
});

const ALLOW = ['--allow', 'DELETES_OBJECT'];

test('a journal signed with another key has no effect, and drift says that objects of an apply may be hidden', () =>
  recorded(async own => {
    await killed(own);
    rmSync(join(own.folder, 'network/grants/new.yaml'));
    committed(own);
    const { code, stderr } = await own.run(['drift', 'network', '--base', 'auto']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('LEFT_BY_RUN')]);
    own.as(await anotherToken(own));
    const [journal = ''] = journalsOf(own);
    for (const [argv, expected] of [
      [['drift', 'network'], 2],
      [['plan', 'network'], 0],
    ] as const) {
      const hidden = await own.run(argv);
      expect([hidden.code, hidden.stderr]).toEqual([
        expected,
        expect.stringContaining('RUNS_NOT_VERIFIED'),
      ]);
      expect(hidden.stderr.replaceAll(/\s+/g, '')).toContain(journal);
      expect(hidden.stderr).not.toContain('LEFT_BY_RUN');
    }
  }));

test(
  'objects of an unfinished apply with `lock: file` are reported until --keep-left',
  { tags: 'variation' },
  () =>
    recorded(async own => {
      const run = (await killed(own)).slice(0, 8);
      rmSync(join(own.folder, 'network/grants/new.yaml'));
      committed(own);
      const plan = ['plan', 'network', '--base', 'auto'];
      expect((await own.run(plan)).stderr).toContain(`meshform apply --abandon ${run} --keep-left`);
      const kept = await own.run(['apply', 'network', '--abandon', run, '--keep-left', '--yes']);
      expect([kept.code, kept.stderr]).toEqual([
        0,
        expect.stringContaining('stays in the account, and no plan names it'),
      ]);
      expect((await own.run(plan)).stderr).not.toContain('LEFT_BY_RUN');
      expect(await namesOf(own.account, 'policies')).toContain('new');
      const alone = await own.run(['apply', 'network', '--keep-left', '--yes']);
      expect([alone.code, alone.stderr]).toEqual([64, expect.stringContaining('--abandon RUN')]);
    }),
);

const withoutSignature = (line = ''): string => line.replace(/,"hmac":"[^"]*"/, '');

test.each<[string, (lines: readonly string[]) => readonly string[], boolean]>(
  someOf(
    [
      ['a line that was added', lines => [...lines, '{"x":1}'], true],
      [
        'a signature that is none',
        lines => lines.map(one => one.replace('"hmac":"', '"hmac":"z')),
        true,
      ],
      ['no signature at the end', lines => lines.with(-1, withoutSignature(lines.at(-1))), true],
      ['no signature at the beginning', lines => lines.with(0, withoutSignature(lines[0])), true],
      ['no signatures', lines => lines.map(withoutSignature), true],
      ['a first line that is none', lines => lines.with(0, 'broken'), false],
    ],
    2,
  ),
)('a damaged journal is not ignored: %s', (_, damaged, isNamed) =>
  recorded(async own => {
    const run = await killed(own);
    rmSync(join(own.folder, 'network/grants/new.yaml'));
    committed(own);
    const [journal = ''] = journalsOf(own);
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    writeFileSync(journal, `${damaged(lines).join('\n')}\n`);
    const { code, stderr } = await own.run(['drift', 'network', '--base', 'auto']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('RUNS_NOT_VERIFIED')]);
    expect(stderr.replaceAll(/\s+/g, '')).toContain(journal);
    if (!isNamed) return;
    const { stdout } = await own.run(['runs', 'network']);
    expect(stdout).toMatch(new RegExp(`^${run.slice(0, 8)} .*not verified`, 'm'));
  }),
);

test(
  'every journal that cannot be verified is named, with commands for this folder, and removing them ends the warning',
  { tags: 'variation' },
  () =>
    recorded(async own => {
      const run = await killed(own);
      rmSync(join(own.folder, 'network/grants/new.yaml'));
      committed(own);
      const [journal = ''] = journalsOf(own);
      const text = readFileSync(journal, 'utf8');
      writeFileSync(journal, `${text}{"x":1}\n`);
      const shown = await own.run(['runs', 'show', run, 'network']);
      expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining('not verified')]);
      writeFileSync(join(dirname(journal), '2030-01-01T00-00-00.000Z.jsonl'), `${text}{"x":2}\n`);
      const files = journalsOf(own).filter(file => readFileSync(file, 'utf8').includes('{"x":'));
      expect(files).toHaveLength(2);
      const { code, stderr } = await own.run(['drift', 'network']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('RUNS_NOT_VERIFIED')]);
      const told = stderr.replaceAll(/\s+/g, '');
      for (const file of files) expect(told).toContain(file);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain('`meshform runs network`');
      expect(stderr).not.toMatch(/ more\b|FOLDER/);
      for (const file of files) rmSync(file);
      expect((await own.run(['drift', 'network'])).stderr).not.toContain('RUNS_NOT_VERIFIED');
    }),
);

test.each([
  ['moved', 'net2'],
  ['in another clone', 'other/network'],
] as const)(
  'objects of an unfinished apply with `lock: file` are reported where its folder is now: %s',
  { tags: 'variation' },
  (how, path) =>
    recorded(async own => {
      const run = (await killed(own)).slice(0, 8);
      rmSync(join(own.folder, 'network/grants/new.yaml'));
      committed(own);
      if (how === 'moved') {
        git(own.folder, 'mv', 'network', 'net2');
        committed(own);
        const first = ['apply', 'net2', '--first', '--yes', ...RECORDED];
        expect((await own.run(first)).code).toBe(0);
      } else git(own.folder, 'clone', '-q', '.', 'other');
      for (const command of ['drift', 'plan']) {
        const { stderr } = await own.run([command, path]);
        expect([command, stderr]).toEqual([command, expect.stringContaining('LEFT_BY_RUN')]);
        expect(stderr).toContain(`policy.new was created by the apply ${run}`);
        if (how === 'moved')
          expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
            'its folder `network` has no files any more',
          );
      }
      const undone = await own.run(['apply', path, '--undo', run, '--yes', ...ALLOW]);
      expect([undone.code, undone.stderr]).toEqual([0, expect.anything()]);
      expect(await namesOf(own.account, 'policies')).not.toContain('new');
      expect((await own.run(['drift', path])).stderr).not.toContain('LEFT_BY_RUN');
    }),
);

test(
  'objects of an unfinished apply that the files still declare are not reported',
  { tags: 'variation' },
  () =>
    recorded(async own => {
      await killed(own, {
        'a.yaml': WITH_ENDS.replace(
          '{ name: temps }',
          '{ name: temps }\n  - { name: more, peers: [db] }',
        ),
        'grants/new.yaml': NEW.split('\n')[1]?.concat('\n') ?? '',
      });
      for (const argv of [
        ['plan', 'network', '--base', 'auto', '--prune', 'none'],
        ['plan', 'network', '--base', 'auto', '--prune', 'removed'],
        ['drift', 'network', '--base', 'auto'],
        ['expire', 'network', '--yes'],
        ['expire', 'network', '--base', 'auto', '--yes'],
      ]) {
        const { stderr } = await own.run(argv);
        expect([argv, stderr]).toEqual([argv, expect.not.stringContaining('LEFT_BY_RUN')]);
      }
    }),
);
