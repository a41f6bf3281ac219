// `--rotate` of an object that the API gives a new secret: the object stays, with its id and all that it does.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

const SCIM = 'scim_integrations: [{ provider: generic, prefix: staff }]\n';
const INVITE =
  'user_invites: [{ email: ada@example.com, name: Ada, role: user, expires_in: 7200 }]\n';
const ROTATE = ['--rotate', 'scim_integration/generic staff'];
const KEPT = ['--secrets-to', 'file:kept.jsonl'];

interface Setting {
  readonly run: (...words: string[]) => Promise<Ended>;
  readonly list: (path: string) => Promise<JsonObject[]>;
  readonly sent: () => string[];
  readonly kept: () => Promise<JsonObject[]>;
}

async function inSetting(files: string, use: (setting: Setting) => Promise<void>): Promise<void> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async cwd => {
    await mkdir(join(cwd, 'network'));
    await writeFile(join(cwd, 'network', 'all.yaml'), files);
    const run = (...words: string[]) =>
      meshform(words, { cwd, env: { PATH: '/usr/bin:/bin', ...environmentOf(account) } });
    expect(await run('apply', 'network', '--yes', ...KEPT)).toMatchObject({ code: 0 });
    const first = account.requests.length;
    await use({
      run,
      list: async path => (await account.call('GET', path)) as JsonObject[],
      sent: () =>
        account.requests
          .slice(first)
          .flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`])),
      kept: async () =>
        (await readFile(join(cwd, 'kept.jsonl'), 'utf8'))
          .trim()
          .split('\n')
          .map(line => JSON.parse(line) as JsonObject),
    });
  });
}

test('the token of a SCIM integration is renewed, and nothing is deleted', () =>
  inSetting(SCIM, async ({ run, list, sent, kept }) => {
    const [before] = await list('/api/integrations/scim-idp');
    const plan = await run('plan', 'network', ...ROTATE);
    expect(plan.stdout).toContain('a new `auth_token` was requested');
    expect(plan.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    expect(plan.stdout).not.toContain('REPLACES_OBJECT');
    const refused = await run('apply', 'network', ...ROTATE, '--yes');
    expect(refused).toMatchObject({ code: 6 });
    expect(refused.stderr).toContain('REVEALS_SECRET');
    expect(await run('apply', 'network', ...ROTATE, ...KEPT, '--yes')).toMatchObject({ code: 0 });
    expect(sent()).toEqual([`POST /api/integrations/scim-idp/${before?.id}/token`]);
    const [after] = await list('/api/integrations/scim-idp');
    expect(after?.id).toBe(before?.id);
    expect(after?.auth_token).not.toBe(before?.auth_token);
    const [first, second] = await kept();
    expect(second).toMatchObject({
      address: 'scim_integration["generic staff"]',
      field: 'auth_token',
      value: expect.stringMatching(/^nbs_/),
    });
    expect(second?.value).not.toBe(first?.value);
  }));

test('a saved plan renews the token too', () =>
  inSetting(SCIM, async ({ run, sent, kept }) => {
    expect(await run('plan', 'network', ...ROTATE, '--out', 'plan.json')).toMatchObject({
      code: 0,
    });
    expect(await run('show', 'plan.json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('a new `auth_token` was requested'),
    });
    expect(await run('apply', 'plan.json', ...KEPT, '--yes')).toMatchObject({ code: 0 });
    expect(sent()).toHaveLength(1);
    expect(await kept()).toHaveLength(2);
  }));

test('a token that could not be stored is lost, and the next run of the journal asks for another', () =>
  inSetting(SCIM, async ({ run, sent, kept }) => {
    const flags = ['--secrets-to', 'exec:exit 3', '--journal', 'journal.jsonl'];
    const lost = await run('apply', 'network', ...ROTATE, ...flags, '--yes');
    expect(lost).toMatchObject({ code: 4 });
    expect(lost.stderr + lost.stdout).toContain('which is LOST');
    expect(await run('apply', '--resume', 'journal.jsonl', ...KEPT, '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('a new `auth_token` that the earlier run may have got'),
    });
    expect(sent()).toHaveLength(2);
    expect(await kept()).toHaveLength(2);
  }));

test('an undo says that the former token is not restored', () =>
  inSetting(SCIM, async ({ run, sent }) => {
    const journal = ['--journal', 'journal.jsonl'];
    expect(await run('apply', 'network', ...ROTATE, ...KEPT, ...journal, '--yes')).toMatchObject({
      code: 0,
    });
    const undone = await run('apply', '--undo', 'journal.jsonl', '--yes');
    expect(undone.stdout + undone.stderr).toContain(
      'scim_integration["generic staff"] keeps its new `auth_token`: the former one is no longer valid',
    );
    expect(sent()).toHaveLength(1);
  }));

test('an invite gets a new token and a new expiry, with the lifetime in the files', () =>
  inSetting(INVITE, async ({ run, list, sent }) => {
    const [before] = await list('/api/users/invites');
    expect(
      await run('apply', 'network', '--rotate', 'user_invite/ada@example.com', ...KEPT, '--yes'),
    ).toMatchObject({ code: 0 });
    expect(sent()).toEqual([`POST /api/users/invites/${before?.id}/regenerate`]);
    const [after] = await list('/api/users/invites');
    expect(after?.id).toBe(before?.id);
    expect(Date.parse(String(after?.expires_at))).toBeGreaterThanOrEqual(
      Date.parse(String(before?.expires_at)),
    );
  }));
