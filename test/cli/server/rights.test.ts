// A token that may only read: what it may not read is unknown, and stops only a run that needs it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DIALECTS } from '../../../src/kinds/traits.ts';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

const users = (...tokens: readonly string[]) =>
  `service_users:
  - { name: ci, role: admin }
  - name: audit
    role: auditor
    tokens: [${tokens.map(name => `{ name: ${name}, expires_in: 90 }`).join(', ')}]
`;

const code = (ended: Ended, expected: number) =>
  expect(ended.code, ended.stdout + ended.stderr).toBe(expected);

test.each(DIALECTS)(
  'an auditor’s token suffices to plan files with service users, dialect %s',
  dialect =>
    inFolder(async cwd => {
      const account = await startAccount({ dialect });
      try {
        const env = environmentOf(account);
        const run = (...argv: string[]) => meshform(argv, { env, cwd });
        const write = async (folder: string, text: string) => {
          await mkdir(join(cwd, folder), { recursive: true });
          await writeFile(join(cwd, folder, 'a.yaml'), text);
        };
        await write('net', users('t'));
        code(await run('apply', 'net', '--yes', '--secrets-to', 'file:kept.jsonl'), 0);
        env.MESHFORM_TOKEN = JSON.parse(await readFile(join(cwd, 'kept.jsonl'), 'utf8')).value;
        await write('bare', users());
        await write('old', `${users()}groups: [{ name: former }]\n`);
        await write('gone', 'groups: [{ name: other }]\n');
        const prunes = ['--prune', 'removed', '--base', './old'];

        for (const command of ['plan', 'drift']) {
          const refused = await run(command, 'net');
          code(refused, 3);
          expect(refused.stderr).toContain('net/a.yaml:5:14 error KIND_UNAVAILABLE');
          expect(refused.stderr).toContain("--except 'token/*'");
          code(await run(command, 'net', '--except', 'token/*'), 0);
          code(await run(command, 'bare'), 0);
          const pruned = await run(
            command,
            'bare',
            ...(command === 'plan' ? prunes : prunes.slice(2)),
          );
          code(pruned, 0);
          if (command === 'plan') expect(pruned.stderr).toContain('note KIND_UNAVAILABLE');
        }
        code(await run('plan', 'net', ...prunes, '--except', 'token/*'), 0);
        code(await run('plan', 'bare', '--prune', 'unmanaged'), 0);
        // What a delete takes along must be known.
        const deleting = await run('plan', 'gone', ...prunes);
        code(deleting, 3);
        expect(deleting.stderr).toContain('error KIND_UNAVAILABLE');
        // A base that declares it needs it too.
        await write('old', users('t'));
        code(await run('plan', 'bare', ...prunes), 3);
        code(await run('plan', 'bare', ...prunes, '--except', 'token/*'), 0);
      } finally {
        await account.close();
      }
    }),
);
