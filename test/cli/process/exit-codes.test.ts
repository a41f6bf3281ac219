// Every exit code, provoked.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type CliOptions, environmentOf, inFolder, meshform } from '../../support/cli.ts';

const GROUP = 'groups:\n  - name: engineers\n';

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

/** Runs a command over one file of this text. */
const over = (text: string, argv: (file: string) => readonly string[], options: CliOptions = {}) =>
  inFolder(async folder => {
    const file = join(folder, 'network.yaml');
    await writeFile(file, text);
    return meshform(argv(file), { env: environmentOf(account), cwd: folder, ...options });
  });

describe('exit code 0 means done, or nothing to do:', () => {
  test('an apply, and the plan after it', async () => {
    expect((await over(GROUP, file => ['apply', file, '--yes'])).code).toBe(0);
    const second = await over(GROUP, file => ['plan', file, '--detailed-exitcode']);
    expect(second.code).toBe(0);
    expect(second.stdout.trimEnd().endsWith('No changes.')).toBe(true);
  });

  test('a plan with changes, without --detailed-exitcode', async () => {
    expect((await over(GROUP, file => ['plan', file])).code).toBe(0);
  });

  test('help and version', async () => {
    expect((await meshform(['--help'])).code).toBe(0);
    expect(await meshform(['--version'])).toEqual({ code: 0, stdout: '0.0.0-test\n', stderr: '' });
  });
});

describe('exit code 1 means that the API failed:', () => {
  test('nobody listens at the address', async () => {
    await account.close();
    const ended = await over(GROUP, file => ['plan', file], {
      env: { ...environmentOf(account), MESHFORM_URL: 'http://127.0.0.1:1' },
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('is the server up?');
    account = await startAccount();
  });

  test('a token that the server does not know', async () => {
    const ended = await over(GROUP, file => ['plan', file], {
      env: { ...environmentOf(account), MESHFORM_TOKEN: 'nbp_wrong' },
    });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('rejects this token');
  });
});

describe('exit code 2 means changes or drift:', () => {
  test('plan --detailed-exitcode with changes', async () => {
    expect((await over(GROUP, file => ['plan', file, '--detailed-exitcode'])).code).toBe(2);
  });

  test('drift, when the account differs', async () => {
    expect((await over(GROUP, file => ['drift', file])).code).toBe(2);
    await over(GROUP, file => ['apply', file, '--yes']);
    expect((await over(GROUP, file => ['drift', file])).code).toBe(0);
  });
});

describe('exit code 3 means invalid input:', () => {
  test('a fault in a file, without any request', async () => {
    const ended = await over('groups:\n  - nam: engineers\n', file => ['plan', file]);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('network.yaml:2:5 error SCHEMA_UNKNOWN_FIELD');
    expect(account.requests).toEqual([]);
  });

  test('a dangling reference, which only the account can show', async () => {
    const text =
      'networks:\n  - name: n\n    resources: [{ name: r, address: 10.0.0.1, groups: [nobody] }]\n';
    const ended = await over(text, file => ['plan', file]);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('REF_UNKNOWN');
  });

  test('a folder without declarations', async () => {
    const ended = await inFolder(folder => meshform(['validate', folder], { cwd: folder }));
    expect(ended.code).toBe(3);
  });

  test('a plan file that is not a plan', async () => {
    const ended = await over('{}', file => ['show', file.replace('.yaml', '.json')]);
    expect(ended.code).toBe(3);
  });
});

describe('exit code 4 means incomplete:', () => {
  test('one action fails, and the report says what was done and what was not', async () => {
    await inFolder(async folder => {
      const env = environmentOf(account);
      const text = `${GROUP}  - name: others\nnetworks:\n  - name: office\n    routers: [{ peer_groups: [engineers], masquerade: true }]\n`;
      await writeFile(join(folder, 'network.yaml'), text);
      await meshform(['plan', folder, '--out', 'plan.json'], { env, cwd: folder });
      await account.fault({
        method: 'POST',
        path: '/api/groups',
        effect: 'status',
        status: 409,
        times: 1,
      });
      const argv = ['apply', 'plan.json', '--yes', '--concurrency', '1'];
      const ended = await meshform(argv, { env, cwd: folder });
      expect(ended.code).toBe(4);
      expect(ended.stdout).toContain(
        'Error: create group.engineers: POST /api/groups returned 409',
      );
      expect(ended.stdout).toContain(
        'Skipped, because `create group.engineers` did not succeed: 1 action: create network_router.office/engineers\n',
      );
      expect(ended.stdout).toContain('Apply incomplete: 2 done, 1 failed, 1 skipped, 0 unknown.');
    });
  });
});

describe('exit code 5 means a stale plan:', () => {
  test('the object changed after the plan was saved', async () => {
    await over(GROUP, file => ['apply', file, '--yes']);
    const renamed = 'groups:\n  - name: developers\n    lifecycle: { was: engineers }\n';
    await inFolder(async folder => {
      const env = environmentOf(account);
      await writeFile(join(folder, 'network.yaml'), renamed);
      expect(
        (await meshform(['plan', folder, '--out', 'plan.json'], { env, cwd: folder })).code,
      ).toBe(0);
      const [group] = (
        (await account.call('GET', '/api/groups')) as { id: string; name: string }[]
      ).filter(({ name }) => name === 'engineers');
      await account.call('PUT', `/api/groups/${group?.id}`, { name: 'somebody was faster' });
      const ended = await meshform(['apply', 'plan.json', '--yes'], { env, cwd: folder });
      expect(ended.code).toBe(5);
      expect(ended.stdout).toContain('changed in the account since the plan was made');
    });
  });
});

describe('exit code 6 means refused by a guard:', () => {
  test('a hazard that nobody accepted, with the flag that accepts it', async () => {
    await over(GROUP, file => ['apply', file, '--yes']);
    const other = 'groups:\n  - name: others\n';
    const ended = await over(other, file => ['apply', file, '--yes', '--prune', 'unmanaged']);
    expect(ended.code).toBe(6);
    expect(ended.stderr).toContain('--allow DELETES_OBJECT');
    const allowed = await over(other, file => [
      'apply',
      file,
      '--yes',
      '--prune',
      'unmanaged',
      '--allow',
      'DELETES_OBJECT=group/engineers',
    ]);
    expect(allowed.code).toBe(0);
  });

  test('a person who does not answer yes', async () => {
    const ended = await over(GROUP, file => ['apply', file], { answer: 'y' });
    expect(ended.code).toBe(6);
    expect(account.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('exit code 64 means a wrong command line:', () => {
  test.each([
    ['a command that is not there', ['plann'], 'did you mean `plan`?'],
    ['a flag that is not there', ['plan', '--dryrun'], "unknown option '--dryrun'"],
    ['a value that is not one of those', ['plan', '--prune', 'all'], 'removed'],
    ['a hazard that is not one', ['plan', '--allow', 'EVERYTHING'], 'DELETES_OBJECT'],
    ['a kind that is not there', ['explain', 'polcy'], 'did you mean `policy`?'],
    ['a field that is not there', ['explain', 'policy.rulse'], 'did you mean `rules`?'],
  ])('%s', async (_, argv, hint) => {
    const ended = await meshform(argv);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain(hint);
  });

  test('no server, no token, no terminal to ask', async () => {
    expect((await over(GROUP, file => ['plan', file], { env: {} })).stderr).toContain(
      'MESHFORM_URL',
    );
    const noToken = { MESHFORM_URL: account.url };
    expect((await over(GROUP, file => ['plan', file], { env: noToken })).stderr).toContain(
      'MESHFORM_TOKEN',
    );
    const unasked = await over(GROUP, file => ['apply', file]);
    expect(unasked.code).toBe(64);
    expect(unasked.stderr).toContain('--yes');
  });
});

describe('exit codes 130 and 143 mean interrupted:', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s: running actions finish, and the other actions are listed',
    async (signal, code) => {
      const text = `groups:\n${Array.from({ length: 9 }, (_, i) => `  - name: group-${i}\n`).join('')}`;
      let isFirst = true;
      const ended = await over(text, file => ['apply', file, '--yes', '--concurrency', '1'], {
        onTalk: (talk, interrupt) => {
          if (talk.includes('created') && isFirst) {
            isFirst = false;
            interrupt(signal);
          }
        },
      });
      expect(ended.code).toBe(code);
      expect(ended.stdout).toContain('the run was interrupted');
      expect(ended.stdout).toMatch(
        /Apply incomplete: \d+ done, 0 failed, \d+ skipped, 0 unknown\./,
      );
    },
  );
});
