// Objects that go by their ids because several have their names: people read the name too, and the address of a machine. What programs
// read, and what a person may copy, has the id alone.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { expectCode } from '../bases/teams.ts';

test('messages show names and addresses instead of ids', async () => {
  const account = await startAccount({ dialect: 'netbird' });
  try {
    for (const name of ['db', 'db', 'web']) await account.enrol(name);
    const peers = (await account.call('GET', '/api/peers')) as JsonObject[];
    const [one, other] = peers.filter(({ name }) => name === 'db') as [JsonObject, JsonObject];
    await inFolder(async cwd => {
      const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
      await mkdir(join(cwd, 'n'));
      const rules = (ports: string) =>
        `policies: [{ name: p, rules: [{ name: p, sources: [staff], destinationResource: { peer: 'id:${one.id}' }, protocol: tcp, bidirectional: false, ports: ["${ports}"] }] }]\n`;
      const groups = `groups: [{ name: servers, peers: ['id:${one.id}'] }, { name: staff, peers: [web] }]\n`;
      await writeFile(join(cwd, 'n/a.yaml'), `${groups}${rules('80')}`);
      expectCode(
        await run('apply', 'n', '--yes', '--prune', 'unmanaged', '--allow', 'DELETES_OBJECT'),
        0,
      );
      const named = `id:${one.id} (db, ${one.ip})`;

      const ambiguous = `groups: [{ name: servers, peers: [db] }, { name: staff, peers: [web] }]\n`;
      await writeFile(join(cwd, 'n/a.yaml'), `${ambiguous}${rules('80')}`);
      const asked = await run('plan', 'n');
      expect(asked.stderr).toContain(`\`${named}\``);
      expect(asked.stderr).toContain(`\`id:${other.id} (db, ${other.ip})\``);

      await writeFile(join(cwd, 'n/a.yaml'), `${groups}${rules('81')}`);
      const planned = await run('plan', 'n', '--out', 'plan.json', '--html', 'plan.html');
      expect(planned.stdout).toContain(`→ peer/${named}`);
      const shown = await run('show', 'plan.json', '--format', 'markdown');
      expect(shown.stdout).toContain(`\`peer/${named}\``);
      const document = await run('show', 'plan.json', '--format', 'json');
      const { meshform: own } = JSON.parse(document.stdout);
      expect(JSON.stringify(own.access_changes)).toContain(`"peer/id:${one.id}"`);
      expect(own.called).toContainEqual({ kind: 'peer', id: one.id, name: 'db', address: one.ip });

      const live = await run('access', 'from', 'group/staff', '--live');
      expect(live.stdout).toContain(`peer/${named}`);
      const csv = await run('access', 'from', 'group/staff', '--live', '--format', 'csv');
      expect(csv.stdout).not.toContain('(db');

      const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
      const [policy] = policies as [JsonObject];
      const ids = (list: unknown) => ((list ?? []) as { id: string }[]).map(({ id }) => id);
      const copies = (policy.rules as JsonObject[]).map(
        ({ id: _, sources, destinations: __, ...rest }) => ({
          ...rest,
          sources: ids(sources),
        }),
      );
      const body = {
        name: 'p',
        enabled: true,
        description: '',
        source_posture_checks: [],
        rules: copies,
      };
      const copy = (await account.call('POST', '/api/policies', body)) as JsonObject;
      const flags = ['--prune', 'unmanaged', '--kinds', 'policies'];
      await writeFile(
        join(cwd, 'n/a.yaml'),
        `${groups}policies: [{ name: q, rules: [{ name: q, sources: [staff], destinations: [staff], protocol: tcp, bidirectional: false, ports: ["1"] }] }]\n`,
      );
      const refused = await run('apply', 'n', '--yes', ...flags);
      expectCode(refused, 6);
      expect(refused.stderr).toContain(`policy.id:${copy.id} (p) is deleted`);
      expect(refused.stdout).toContain(`- policy "id:${copy.id} (p)"`);
      const drifted = await run('drift', 'n');
      expect(drifted.stdout).toContain(`id:${copy.id} (p)`);
      const applied = await run('apply', 'n', '--yes', ...flags, '--allow', 'DELETES_OBJECT');
      expectCode(applied, 0);
      expect(applied.stderr).toContain(`deleted policy.id:${copy.id} (p)`);
    });
  } finally {
    await account.close();
  }
});
