// What the programs that a run starts are given: nothing of meshform's, and no secret of the files.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { inRepository } from './repository.ts';

const FILES = `groups: [{ name: a }]
setup_keys: [{ name: key, type: reusable, expires_in: 7776000 }]
identity_providers:
  - { name: staff, type: oidc, issuer: https://id.example.com, client_id: x, client_secret: '\${env:DEPLOY_KEY}' }
`;
const SECRETS = { DEPLOY_KEY: 'a-long-deploy-key', OTHER_COPY: 'token a-long-deploy-key' };

test('ssh for git and a command of --secrets-to get no secret of the job', () =>
  inRepository(async ({ account, cwd, commit, withEnv }) => {
    const { run } = withEnv({ ...SECRETS, PLAIN: 'plain', COPY: `Token ${account.token}` });
    await commit(FILES);
    const seen = (name: string) => join(cwd, '.git', name);
    git(cwd, 'remote', 'add', 'origin', 'ssh://git.invalid/network.git');
    git(cwd, 'config', 'core.sshCommand', `env > '${seen('ssh')}'; false #`);
    const asked = await run('plan', 'net', '--base', 'auto', '--record-base');
    expect(asked.stderr).toContain('it is unknown whether');
    git(cwd, 'remote', 'remove', 'origin');
    const to = `exec:env > '${seen('place')}'`;
    const applied = await run('apply', 'net', '--yes', '--secrets-to', to);
    expect(applied).toMatchObject({ code: 0 });
    expect(existsSync(seen('ssh'))).toBe(true);
    for (const name of ['ssh', 'place']) {
      const text = await readFile(seen(name), 'utf8');
      // git at a remote gets a list of variables, and a command of the user all in which no secret is known.
      expect(text.includes('PLAIN=plain')).toBe(name === 'place');
      expect(text).not.toMatch(/MESHFORM_|a-long-deploy-key/);
      expect(text).not.toContain(account.token);
    }
  }));

test('git gets no secret for a saved plan, whose secrets are not decrypted yet', () =>
  inRepository(async ({ account, cwd, commit, withEnv }) => {
    const { run } = withEnv({ ...SECRETS, PLAIN: 'plain' });
    await commit(FILES);
    const saved = await run('plan', 'net', '--record-base', '--out', '.git/plan.json');
    expect(saved.code).toBe(0);
    const seen = join(cwd, '.git/ssh');
    git(cwd, 'remote', 'add', 'origin', 'ssh://git.invalid/network.git');
    git(cwd, 'config', 'core.sshCommand', `env > '${seen}'; false #`);
    const place = ['--secrets-to', 'file:.git/kept.jsonl'];
    await run('apply', '.git/plan.json', '--record-base', '--yes', ...place);
    const text = await readFile(seen, 'utf8');
    expect(text).not.toContain('PLAIN=plain');
    expect(text).not.toMatch(/MESHFORM_|a-long-deploy-key/);
    expect(text).not.toContain(account.token);
  }));

test.for(['plan', 'apply'])(
  'git gets no secret when it asks the remote for the bases before a %s',
  verb =>
    inRepository(async ({ account, cwd, commit, withEnv }) => {
      const { run } = withEnv({ ...SECRETS, PLAIN: 'plain' });
      await commit(FILES);
      const seen = join(cwd, '.git/ssh');
      git(cwd, 'remote', 'add', 'origin', 'ssh://git.invalid/network.git');
      git(cwd, 'config', 'core.sshCommand', `env > '${seen}'; false #`);
      await run(
        verb,
        'net',
        '--base',
        'auto',
        '--record-base',
        ...(verb === 'apply' ? ['--yes'] : []),
      );
      const text = await readFile(seen, 'utf8');
      expect(text).not.toContain('PLAIN=plain');
      expect(text).not.toMatch(/MESHFORM_|a-long-deploy-key/);
      expect(text).not.toContain(account.token);
    }),
);

test.for(
  someOf(
    [
      ['lock', 'show', 'net'],
      ['lock', 'hold', 'net', '--reason', 'a test'],
      ['lock', 'release', 'net'],
      ['runs', 'net'],
      ['runs', 'show', 'a-run', 'net'],
      ['apply', 'net', '--resume', '--yes'],
      ['apply', 'net', '--undo', '--yes'],
      ['apply', 'net', '--abandon', 'a-run'],
    ],
    3,
  ),
)('git gets no secret when it asks the remote for a lock or a journal: %j', words =>
  inRepository(async ({ cwd, commit, withEnv }) => {
    const { run } = withEnv({ ...SECRETS, PLAIN: 'plain' });
    await commit(FILES);
    const seen = join(cwd, '.git/ssh');
    git(cwd, 'remote', 'add', 'origin', 'ssh://git.invalid/network.git');
    git(cwd, 'config', 'core.sshCommand', `env > '${seen}'; false #`);
    await run(...words);
    const text = await readFile(seen, 'utf8');
    expect(text).not.toContain('PLAIN=plain');
    expect(text).not.toMatch(/MESHFORM_|a-long-deploy-key/);
  }),
);

test('git gets no copy of a token that is in a file', () =>
  inRepository(async ({ account, cwd, commit, withEnv }) => {
    const { run } = withEnv({ MESHFORM_TOKEN: '', COPY: `Token ${account.token}`, PLAIN: 'plain' });
    await commit('groups: [{ name: a }]\n');
    await writeFile(join(cwd, '.git/token'), `${account.token}\n`);
    const seen = join(cwd, '.git/ssh');
    git(cwd, 'remote', 'add', 'origin', 'ssh://git.invalid/network.git');
    git(cwd, 'config', 'core.sshCommand', `env > '${seen}'; false #`);
    await run('plan', 'net', '--base', 'auto', '--record-base', '--token-file', '.git/token');
    const text = await readFile(seen, 'utf8');
    expect(text).not.toContain('PLAIN=plain');
    expect(text).not.toContain(account.token);
  }));
