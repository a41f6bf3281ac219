// Guards that stop a command before it writes: the wrong account, and what may never go.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

async function account(seed = 1): Promise<TestAccount> {
  const started = await startAccount({ seed });
  onTestFinished(() => started.close());
  return started;
}

const writes = ({ requests }: TestAccount) => requests.filter(({ method }) => method !== 'GET');

/** A folder with these files, and the command line in it. */
function within(
  files: Readonly<Record<string, string>>,
  story: (
    run: (there: TestAccount, ...argv: string[]) => ReturnType<typeof meshform>,
  ) => Promise<void>,
): Promise<void> {
  return inFolder(async cwd => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    await story((there, ...argv) => meshform(argv, { env: environmentOf(there), cwd }));
  });
}

const GROUP = 'groups: [{ name: engineers }]';

describe('files for one account', () => {
  test('are refused with another account, before anything is written', async () => {
    const ours = await account(1);
    const theirs = await account(2);
    const groups = (await ours.call('GET', '/api/groups')) as { id: string; name: string }[];
    const id = groups.find(({ name }) => name === 'All')?.id ?? '';
    await within({ 'network.yaml': GROUP, 'meshform.yaml': `account: ${id}` }, async run => {
      const refused = await run(theirs, 'apply', '--yes');
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain('ACCOUNT_DIFFERS');
      expect(writes(theirs)).toEqual([]);
      expect((await run(ours, 'apply', '--yes')).code).toBe(0);
    });
  });

  test('a saved plan is refused with another account, too', async () => {
    const ours = await account(1);
    const theirs = await account(2);
    await within({ 'network.yaml': GROUP }, async run => {
      await run(ours, 'plan', '--out', 'plan.json');
      const refused = await run(theirs, 'apply', 'plan.json', '--yes', '--any-server');
      expect(refused.code).toBe(6);
      expect(refused.stderr).toContain('the plan was made for the account');
      expect(writes(theirs)).toEqual([]);
      expect((await run(ours, 'apply', 'plan.json', '--yes')).code).toBe(0);
    });
  });
});

test('a guard for a kind that does not exist is an error', async () => {
  const there = await account();
  const project = 'protect: [teams/engineers]';
  await within({ 'network.yaml': GROUP, 'meshform.yaml': project }, async run => {
    const refused = await run(there, 'plan');
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('meshform.yaml:1:11 error PROJECT_INVALID');
  });
});

test('a saved plan applies only to its server, unless a flag says that another address is the same server', async () => {
  const there = await account();
  const { host, port } = new URL(there.url);
  const otherName = { ...there, url: there.url.replace(host, `localhost:${port}`) };
  await within({ 'network.yaml': GROUP }, async run => {
    const credentials = { ...there, url: there.url.replace('//', '//somebody:secret@') };
    await run(credentials, 'plan', '--out', 'plan.json');
    const refused = await run(otherName, 'apply', 'plan.json', '--yes');
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain(`the plan was made for the server \`${there.url}\``);
    expect(refused.stderr).toContain('--any-server');
    expect(writes(there)).toEqual([]);
    const words = ['apply', 'plan.json', '--yes', '--any-server', '--journal', 'run.jsonl'];
    expect((await run(otherName, ...words)).code).toBe(0);
    // A journal is for the server that was written to.
    const undo = ['apply', '--undo', 'run.jsonl', '--yes', '--allow', 'DELETES_OBJECT'];
    for (const again of [['apply', '--resume', 'run.jsonl', '--yes'], undo]) {
      expect((await run(there, ...again)).code).toBe(6);
      expect((await run(otherName, ...again)).code).toBe(0);
    }
  });
});

test('protected objects are not deleted, although no file declares them any more', async () => {
  const there = await account();
  const project = 'protect: [group/engineers]';
  await within({ 'network.yaml': GROUP, 'meshform.yaml': project }, async run => {
    await run(there, 'apply', '--yes');
    await within(
      { 'network.yaml': 'groups: [{ name: others }]', 'meshform.yaml': project },
      async again => {
        const before = writes(there).length;
        const refused = await again(
          there,
          'apply',
          '--prune',
          'unmanaged',
          '--allow',
          'DELETES_OBJECT',
          '--yes',
        );
        expect(refused.code).toBe(6);
        expect(refused.stderr).toContain('PROTECTED');
        expect(writes(there)).toHaveLength(before);
      },
    );
  });
});

describe('a flag without effect', () => {
  test('is a warning: --allow for an object that neither files nor account have', async () => {
    const there = await account();
    await within({ 'network.yaml': GROUP }, async run => {
      const known = await run(there, 'plan', '--allow', 'DELETES_OBJECT=group/engineers');
      expect(known.code).toBe(0);
      expect(known.stderr).toContain('note ALLOWS_NOTHING');
      expect(known.stderr).not.toContain('OBJECT_UNKNOWN');
      const unknown = await run(there, 'plan', '--allow', 'DELETES_OBJECT=group/engineer');
      expect(unknown.code).toBe(0);
      expect(unknown.stderr).toContain('warning OBJECT_UNKNOWN');
      expect(unknown.stderr).toContain('`group/engineer`, which --allow names');
      expect(unknown.stderr).toContain('did you mean `group/engineers`?');
    });
  });

  test('is refused: --resolve without a base', async () => {
    const there = await account();
    await within({ 'network.yaml': GROUP }, async run => {
      for (const verb of ['plan', 'apply']) {
        const refused = await run(there, verb, '--resolve', 'live');
        expect(refused.code).toBe(64);
        expect(refused.stderr).toContain('`--resolve` has no effect without a base');
      }
      expect(writes(there)).toEqual([]);
    });
  });
});

describe('a limited run', () => {
  const files = {
    'network.yaml': `
groups: [{ name: engineers }, { name: others }]
networks: [{ name: office }]
`,
  };

  test('applies the selected objects, and reports how many are not selected', async () => {
    const there = await account();
    await within(files, async run => {
      const { code, stdout } = await run(there, 'apply', '--only', 'group/eng*', '--yes');
      expect(code).toBe(0);
      expect(stdout).toContain('2 declared objects not part of this run');
      expect(writes(there).map(({ path }) => path)).toEqual(['/api/groups']);
      const rest = await run(
        there,
        'plan',
        '--except',
        'network/office',
        '--kinds',
        'groups,networks',
      );
      expect(rest.stdout).toContain('Plan: 1 to add');
      expect(rest.stdout).toContain('group "others"');
    });
  });

  test('a limited run with a name that matches nothing does nothing at all', async () => {
    const there = await account();
    await within(files, async run => {
      const { code, stderr } = await run(there, 'apply', '--except', 'group/engineer', '--yes');
      expect(code).toBe(3);
      expect(stderr).toContain('did you mean `group/engineers`?');
      expect(writes(there)).toEqual([]);
    });
  });

  test('stays limited as a saved plan', async () => {
    const there = await account();
    await within(files, async run => {
      await run(there, 'plan', '--kinds', 'networks', '--out', 'plan.json');
      const shown = await run(there, 'show', 'plan.json');
      expect(shown.stdout).toContain('2 declared objects not part of this run');
      await run(there, 'apply', 'plan.json', '--yes');
      expect(writes(there).map(({ path }) => path)).toEqual(['/api/networks']);
    });
  });
});
