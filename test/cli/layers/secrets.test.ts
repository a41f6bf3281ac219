// A file that a layer names is in that layer: neither in the one that is planned, nor in another one.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { expectCode, teams } from '../bases/teams.ts';

vi.setConfig({ testTimeout: 60_000 });

const PROVIDER = (secret: string) =>
  `identity_providers: [{ name: p, type: google, client_id: c, client_secret: '${secret}' }]\n`;
const FILES = {
  'base/idp.yaml': PROVIDER('${file:token.txt}'),
  'base/token.txt': 'of-base\n',
  'prod/token.txt': 'of-prod\n',
  'prod/groups.yaml': 'groups: [{ name: a }]\n',
};
const WEBHOOK = (url: string) => `notification_channels:
  - { type: webhook, event_types: [user.join], target: { url: "${url}" } }
`;

const CHANNELS = '/api/integrations/notifications/channels';

describe.concurrent('a secret file that a layer names', () => {
  test('is read in that layer, by an apply and by an apply of a saved plan', async () => {
    for (const url of ['${file:url.txt}', 'https://hooks.example.com/${file:token.txt}'])
      for (const argv of [
        [['apply', 'prod', '--yes']],
        [['apply', 'base', 'prod', '--yes']],
        [
          ['plan', 'prod', '--out', 'plan.json'],
          ['apply', 'plan.json', '--yes'],
        ],
      ])
        await teams(async ({ commit, run, id, account }) => {
          await commit({
            ...FILES,
            'base/hook.yaml': WEBHOOK(url),
            'base/url.txt': 'https://hooks.example.com/of-base',
            'prod/meshform.yaml': `account: ${id}\nlayers: [../base, .]\n`,
          });
          for (const words of argv) expectCode(await run(words), 0);
          expect(await account.call('GET', CHANNELS)).toMatchObject([
            { target: { url: 'https://hooks.example.com/of-base' } },
          ]);
          expect(await run(['plan', 'prod'])).toMatchObject({
            stdout: expect.stringContaining('No changes'),
          });
        });
  });

  test('is not read for another layer that names it', () =>
    teams(async ({ commit, run, cwd, id }) => {
      const project = { 'prod/meshform.yaml': `account: ${id}\nlayers: [../base, .]\n` };
      for (const path of [
        '../base/token.txt',
        '../base/later.txt',
        'x/../../base/later.txt',
        '/etc/hostname',
      ]) {
        await commit({
          ...FILES,
          ...project,
          'base/idp.yaml': 'groups: [{ name: b }]\n',
          'prod/idp.yaml': PROVIDER(`\${file:${path}}`),
        });
        const planned = await run(['plan', 'prod', '--out', 'plan.json', '--force']);
        expectCode(planned, 3);
        expect(planned.stderr).toContain('INPUT_FORBIDDEN');
        await commit({
          'base/idp.yaml': PROVIDER(`\${file:${path.replace('base', 'prod')}}`),
          'prod/idp.yaml': null,
        });
        expectCode(await run(['plan', 'prod']), 3);
      }
      await writeFile(join(cwd, 'plan.json'), '');
    }));

  test('is named in messages by its path from the planned folder', () =>
    teams(async ({ commit, run, id }) => {
      await commit({ ...FILES, 'prod/meshform.yaml': `account: ${id}\nlayers: [../base, .]\n` });
      const { stdout } = await run(['plan', 'prod', '--format', 'json']);
      const { meshform } = JSON.parse(stdout) as { meshform: JsonObject };
      expect(meshform.layers).toEqual(['../base']);
      expect(stdout).toContain('${file:../base/token.txt}');
      await commit({ 'base/token.txt': null });
      expect((await run(['plan', 'prod'])).stderr).toContain('`token.txt` does not exist here');
      expectCode(await run(['apply', 'prod', '--yes']), 3);
    }));
});
