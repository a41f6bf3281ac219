// An apply that ended before it recorded its base leaves objects behind whose secrets may be lost: the next plan says which.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const GROUPS = 'groups: [{ name: servers }]\n';
const keys = (...names: readonly string[]) =>
  `${GROUPS}setup_keys:\n${names.map(name => `  - { name: ${name}, type: reusable, expires_in: 86400, auto_groups: [servers], usage_limit: 0 }\n`).join('')}`;

test('a secret that is shown only once and is missing in the base is noted, until the base has it', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async cwd => {
    const run = (...words: string[]) => meshform(words, { cwd, env: environmentOf(account) });
    const write = async (folder: string, text: string) => {
      await mkdir(join(cwd, folder), { recursive: true });
      await writeFile(join(cwd, folder, 'keys.yaml'), text);
    };
    await write('base', keys('known'));
    await write('network', keys('known', 'new'));
    const kept = ['--secrets-to', 'file:kept.jsonl', '--yes'];
    expect(await run('apply', 'base', ...kept)).toMatchObject({ code: 0 });
    const first = await run('plan', 'network', '--base', 'base');
    expect(first.stderr).not.toContain('SECRET_MAY_BE_LOST');
    // The runner is lost with the secret and the journal.
    expect(await run('apply', 'network', ...kept)).toMatchObject({ code: 0 });
    await rm(join(cwd, 'kept.jsonl'));
    const next = await run('plan', 'network', '--base', 'base');
    expect(next).toMatchObject({ code: 0 });
    expect(next.stderr).toContain('SECRET_MAY_BE_LOST');
    expect(next.stderr).toContain(
      'setup_key.new is in the account, but not in the base: its `key`',
    );
    expect(next.stderr).toContain('--rotate setup_key/new');
    expect(next.stderr).not.toContain('setup_key.known');
    const comment = await run('plan', 'network', '--base', 'base', '--format', 'comment');
    expect(comment.stdout).toContain('# SECRET_MAY_BE_LOST: setup_key.new');
    const rotated = await run('plan', 'network', '--base', 'base', '--rotate', 'setup_key/new');
    expect(rotated.stderr).not.toContain('SECRET_MAY_BE_LOST');
    await write('base', keys('known', 'new'));
    const recorded = await run('plan', 'network', '--base', 'base');
    expect(recorded.stderr).not.toContain('SECRET_MAY_BE_LOST');
    const all = (await account.call('GET', '/api/setup-keys')) as JsonObject[];
    expect(all).toHaveLength(2);
  });
});
