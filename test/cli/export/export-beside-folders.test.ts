// An export into one of several folders of an account: what another folder declares stays in its files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { expectCode, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const rule = (name: string, port: number) =>
  `{ name: ${name}, sources: [own], destinations: [shared], protocol: tcp, ports: ["${port}"] }`;

const files = (own: string, port: number, more = '') =>
  `groups:
  - { name: ${own} }
  - { name: shared, peers: [${own}-machine] }
networks:
  - name: office
    resources: [{ name: ${own}-server, address: 10.0.0.${port}, groups: [shared] }]
policies:
  - name: ${own} policy
    rules: [${rule('one', port)}, ${rule('two', port + 1)}]
${more}`.replaceAll('[own]', `[${own}]`);

test.each(someOf(['spec', 'netbird'] as const, 1))(
  'an export into one folder writes nothing that only another folder declares: dialect %s',
  dialect =>
    teams(async ({ account, id, cwd, apply, commit, run }) => {
      for (const name of ['net-machine', 'app-machine', 'new-machine']) await account.enrol(name);
      await commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/n.yaml': files('net', 20),
        'app/meshform.yaml': `account: ${id}\n`,
        'app/a.yaml': files('app', 30),
      });
      expectCode(await apply('net'), 0);
      expectCode(await apply('app', ['--first']), 0);
      await account.call('POST', '/api/groups', { name: 'by hand' });
      const only = [
        '--kinds',
        'groups,networks,network_resource,policies',
        '--except',
        'policy/Default',
      ];
      const exported = await run(['export', '--out', 'net', ...only]);
      expectCode(exported, 0);
      const text = await readFile(join(cwd, 'net/n.yaml'), 'utf8');
      expect(text).toContain('by hand');
      expect(text.replace(/^.*by hand.*\n/m, '')).toBe(files('net', 20));
      expect(exported.stderr).toContain('`app` declares it');
      expectCode(await run(['export', '--check', 'net', ...only]), 0);
      const plan = await run(['plan', 'net', '--base', 'auto', '--detailed-exitcode']);
      expectCode(plan, 0);
    }, dialect),
);

test.each(someOf(['with an account', 'without an account', 'that is new'] as const, 1))(
  'a first export into a folder %s leaves out what other folders declare, and says so',
  folder =>
    teams(async ({ account, id, cwd, apply, commit, run }) => {
      await account.enrol('net-machine');
      await commit({ 'net/meshform.yaml': `account: ${id}\n`, 'net/n.yaml': files('net', 20) });
      expectCode(await apply('net'), 0);
      await account.call('POST', '/api/groups', { name: 'by hand' });
      if (folder !== 'that is new') {
        const project = folder === 'with an account' ? `account: ${id}\n` : '{}\n';
        await commit({ 'app/meshform.yaml': project, 'app/own.yaml': 'groups: [{ name: own }]\n' });
      }
      const kinds = ['--kinds', 'groups,networks,network_resource,policies'];
      const exported = await run(['export', '--out', 'app', ...kinds]);
      expect(exported.stderr).toContain('`net` declares it');
      const text = await readFile(join(cwd, 'app/groups.yaml'), 'utf8').catch(() =>
        readFile(join(cwd, 'app/own.yaml'), 'utf8'),
      );
      expect(text).toContain('by hand');
      expect(text).not.toContain('name: shared');
      await commit({ 'app/meshform.yaml': `account: ${id}\n` });
      expectCode(await run(['validate', 'app']), 0);
    }),
);
