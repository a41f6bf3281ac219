// A saved plan is carried out once, exactly as it was approved, or not at all.
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { planDigest } from '../../src/report/plan/planDigest.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';

const NETWORKS = `groups: [{ name: devs }]
networks: [{ name: one }, { name: two }, { name: three }]
policies:
  - name: devs reach devs
    rules: [{ name: web, sources: [devs], destinations: [devs], protocol: tcp, ports: ["443"] }]
`;

interface Setting {
  readonly account: TestAccount;
  readonly folder: string;
  readonly run: (...argv: string[]) => ReturnType<typeof meshform>;
  readonly named: (path: string) => Promise<JsonObject[]>;
}

/** An account, and a folder with a plan of `text` in `plan.json`. */
async function planned(
  text: string,
  use: (setting: Setting) => Promise<void>,
  { flags = [], seed }: { flags?: string[]; seed?: (account: TestAccount) => Promise<void> } = {},
): Promise<void> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await seed?.(account);
  await inFolder(async folder => {
    const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
    const run = (...argv: string[]) => meshform(argv, { env, cwd: folder });
    await mkdir(join(folder, 'network'));
    await writeFile(join(folder, 'network/network.yaml'), text);
    const made = await run('plan', 'network', '--out', 'plan.json', ...flags);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    const named = async (path: string) => (await account.call('GET', path)) as JsonObject[];
    await use({ account, folder, run, named });
  });
}

// A policy reads with groups as objects, and is written with their ids.
const withIds = (rules: Json): Json =>
  (rules as JsonObject[]).map(rule => ({ ...rule, ...idsIn(rule, 'sources', 'destinations') }));
const idsIn = (rule: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(
    names.map(name => [name, (rule[name] as JsonObject[]).map(({ id }) => present(id, 'its id'))]),
  );

const writes = ({ requests }: TestAccount): number =>
  requests.filter(({ method }) => method !== 'GET').length;

describe('applied again', () => {
  test('it is done already: exit 0, and nothing is sent', () =>
    planned(NETWORKS, async ({ account, run, named }) => {
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
      const before = writes(account);
      for (const _ of ['second', 'third']) {
        const again = await run('apply', 'plan.json', '--yes');
        expect(again).toMatchObject({ code: 0 });
        expect(again.stdout).toContain('Already applied');
      }
      expect(writes(account)).toBe(before);
      expect(await named('/api/networks')).toHaveLength(3);
      const json = await run('apply', 'plan.json', '--yes', '--format', 'json');
      expect(JSON.parse(json.stdout)).toMatchObject({ already_applied: true, complete: true });
    }));

  test('a plan whose keys a program has sorted is the same plan', () =>
    planned(NETWORKS, async ({ folder, run }) => {
      const file = join(folder, 'plan.json');
      const sorted = (value: Json): Json => {
        if (isList(value)) return value.map(sorted);
        if (!isObject(value)) return value;
        const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
        return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
      };
      await writeFile(file, JSON.stringify(sorted(JSON.parse(await readFile(file, 'utf8')))));
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
    }));

  test('a new plan that would do the same, because somebody undid it, is carried out', () =>
    planned(NETWORKS, async ({ account, folder, run, named }) => {
      const policy = async () => (await named('/api/policies')).find(one => one.name !== 'Default');
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
      const loosened = async () => {
        const { id, name, rules } = present(await policy(), 'the policy');
        const body = { name, enabled: false, rules: withIds(present(rules, 'its rules')) };
        await account.call('PUT', `/api/policies/${id}`, body as JsonObject);
      };
      const digests: Json[] = [];
      for (const [round, file] of ['p1.json', 'p2.json'].entries()) {
        await loosened();
        const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
        const now = 1_000 * (round + 1);
        const made = await meshform(['plan', 'network', '--out', file], { env, cwd: folder, now });
        expect(made, made.stderr).toMatchObject({ code: 0 });
        const { meshform: ours } = JSON.parse(await readFile(join(folder, file), 'utf8'));
        digests.push(ours.digest);
        expect(await run('apply', file, '--yes')).toMatchObject({ code: 0 });
        expect(await policy()).toMatchObject({ enabled: true });
      }
      expect(new Set(digests).size).toBe(1);
      await loosened();
      for (const file of ['p1.json', 'p2.json'])
        expect(await run('apply', file, '--yes')).toMatchObject({ code: 5 });
    }));

  test('without the journal of the first, it is stale: exit 5, and nothing is doubled', () =>
    planned(NETWORKS, async ({ account, run, named }) => {
      expect(await run('apply', 'plan.json', '--yes', '--journal', 'a.jsonl')).toMatchObject({
        code: 0,
      });
      const before = writes(account);
      const again = await run('apply', 'plan.json', '--yes', '--journal', 'b.jsonl');
      expect(again).toMatchObject({ code: 5 });
      for (const name of ['one', 'two', 'three'])
        expect(again.stdout).toContain(`network.${name} was created in the account by somebody`);
      expect(again.stderr).not.toContain('--resume');
      expect(writes(account)).toBe(before);
      expect(await named('/api/policies')).toHaveLength(2);
    }));

  test('after somebody took a result away, it is stale', () =>
    planned(NETWORKS, async ({ account, run, named }) => {
      await run('apply', 'plan.json', '--yes');
      const [one] = (await named('/api/networks')).filter(({ name }) => name === 'one');
      await account.call('DELETE', `/api/networks/${one?.id}`);
      const before = writes(account);
      const again = await run('apply', 'plan.json', '--yes');
      expect(again).toMatchObject({ code: 5 });
      expect(again.stderr).toContain('network.one');
      expect(writes(account)).toBe(before);
    }));

  test('after it was cut off, it says how to go on', () =>
    planned(NETWORKS, async ({ account, run }) => {
      await account.fault({
        ...{ method: 'POST', path: '/api/policies', effect: 'status', status: 500, times: 1 },
      });
      expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 4 });
      const again = await run('apply', 'plan.json', '--yes');
      expect(again).toMatchObject({ code: 5 });
      expect(again.stderr).toContain('apply --resume network/.meshform/journal/');
      expect(await run('apply', 'network', '--resume', '--yes')).toMatchObject({ code: 0 });
    }));
});

describe('an account that has moved', () => {
  test('an object of the name that somebody else created: nothing at all is written', () =>
    planned(NETWORKS, async ({ account, run }) => {
      await account.call('POST', '/api/networks', { name: 'two' });
      const before = writes(account);
      const ended = await run('apply', 'plan.json', '--yes');
      expect(ended).toMatchObject({ code: 5 });
      expect(ended.stdout).toContain('network.two was created in the account by somebody else');
      expect(writes(account)).toBe(before);
    }));

  test('a network that gained resources is not deleted with them', () =>
    planned(
      'networks: [{ name: old, lifecycle: { delete: true } }]',
      async ({ account, run, named }) => {
        const [old] = await named('/api/networks');
        for (const name of ['a', 'b', 'c']) {
          const resource = { name, address: `${name}.example.com`, enabled: true, groups: [] };
          await account.call('POST', `/api/networks/${old?.id}/resources`, resource);
        }
        const ended = await run('apply', 'plan.json', '--yes', '--allow', 'DELETES_OBJECT');
        expect(ended).toMatchObject({ code: 5 });
        expect(ended.stdout).toContain('network.old has 3 network resources more than when');
        expect(await named('/api/networks')).toHaveLength(1);
      },
      {
        seed: async account => {
          const { id } = (await account.call('POST', '/api/networks', {
            name: 'old',
          })) as JsonObject;
          const resource = { name: 'x', address: '10.0.0.1', enabled: true, groups: [] };
          await account.call('POST', `/api/networks/${id}/resources`, resource);
        },
      },
    ));

  test('what is gone already needs no delete, and what is there already no update', () =>
    planned(
      `groups: [{ name: gone, lifecycle: { delete: true } }]
networks: [{ name: n, description: new }]`,
      async ({ account, run, named }) => {
        const [group] = (await named('/api/groups')).filter(({ name }) => name === 'gone');
        const [network] = await named('/api/networks');
        await account.call('DELETE', `/api/groups/${group?.id}`);
        await account.call('PUT', `/api/networks/${network?.id}`, {
          name: 'n',
          description: 'new',
        });
        const before = writes(account);
        expect(await run('apply', 'plan.json', '--yes', '--allow', 'DELETES_OBJECT')).toMatchObject(
          {
            code: 0,
          },
        );
        expect(writes(account)).toBe(before);
      },
      {
        seed: async account => {
          await account.call('POST', '/api/groups', { name: 'gone' });
          await account.call('POST', '/api/networks', { name: 'n', description: 'old' });
        },
      },
    ));
});

describe('its digest', () => {
  const DIGEST = /sha256:[0-9a-f]{64}/;

  test('is the same in text, Markdown, JSON and what `show` prints', () =>
    planned(NETWORKS, async ({ run, folder }) => {
      const saved = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
      const { digest } = saved.meshform;
      for (const format of ['text', 'markdown', 'json']) {
        expect((await run('plan', 'network', '--format', format)).stdout).toContain(digest);
        expect((await run('show', 'plan.json', '--format', format)).stdout).toContain(digest);
      }
      expect(digest).toMatch(DIGEST);
    }));

  test('given by --digest, no other plan is taken', () =>
    planned(NETWORKS, async ({ account, run, folder }) => {
      const { meshform: own } = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
      const other = `sha256:${'0'.repeat(64)}`;
      const refused = await run('apply', 'plan.json', '--yes', '--digest', other);
      expect(refused).toMatchObject({ code: 6 });
      expect(refused.stderr).toContain(own.digest);
      expect(account.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(await run('apply', 'plan.json', '--yes', '--digest', 'sha256:12')).toMatchObject({
        code: 64,
      });
      expect(await run('apply', 'plan.json', '--yes', '--digest', own.digest)).toMatchObject({
        code: 0,
      });
    }));
});

/** The same document with something else in it, and a digest that fits. */
function forged(document: JsonObject, change: (own: Record<string, Json>) => void): string {
  const copy = structuredClone(document) as { meshform: Record<string, Json> };
  change(copy.meshform);
  copy.meshform.digest = planDigest(copy as unknown as JsonObject);
  return JSON.stringify(copy);
}

type Plain = Record<string, Json>;
const listOf = (own: Plain, name: string) => own[name] as unknown as Plain[];
const fieldsOf = (object: Plain | undefined) => object?.fields as unknown as Plain;

describe('a file that is no plan of ours', () => {
  const CASES: [string, (text: string, document: JsonObject) => string, string][] = [
    ['cut short', text => text.slice(0, text.length / 2), 'incomplete'],
    ['empty', () => '', 'not JSON'],
    ['edited', text => text.replace('"443"', '"22"'), 'its digest does not match'],
    [
      'edited where it is carried out, with a new digest',
      (_, document) =>
        forged(document, own => {
          const action = listOf(own, 'actions').find(({ kind }) => kind === 'network');
          fieldsOf(action).name = 'other';
        }),
      'shows of `network.',
    ],
    [
      'edited where it is shown, with a new digest',
      (_, document) =>
        forged(document, own => {
          const change = listOf(own, 'changes').find(({ kind }) => kind === 'policy');
          (change?.after as unknown as Plain).enabled = false;
        }),
      'shows of `policy["devs reach devs"]` differs from what it does',
    ],
    [
      'an action that it does not show',
      (_, document) =>
        forged(document, own => {
          own.changes = listOf(own, 'changes').slice(1) as unknown as Json;
        }),
      'it does not show',
    ],
    [
      'actions that wait in a circle',
      (_, document) =>
        forged(document, own => {
          const [first, second] = listOf(own, 'actions');
          if (first && second) first.after = [String(second.id)];
        }),
      'which does not come before it',
    ],
    [
      'an unknown kind',
      (_, document) =>
        forged(document, own => {
          for (const object of [...listOf(own, 'actions'), ...listOf(own, 'changes')])
            if (object.kind === 'network') object.kind = 'gateway';
        }),
      'unknown kind `gateway`',
    ],
    [
      'a pointer at an id that nobody approved',
      (_, document) =>
        forged(document, own => {
          const action = listOf(own, 'actions').find(({ kind }) => kind === 'policy');
          const after = listOf(own, 'changes').find(({ kind }) => kind === 'policy')?.after;
          for (const fields of [fieldsOf(action), after as unknown as Plain])
            for (const rule of fields.rules as unknown as Plain[]) rule.sources = ['admins'];
        }),
      'refers to the group `admins` without its id',
    ],
  ];

  test.each(CASES)('%s: one sentence, exit 3, and nothing is written', (_, change, why) =>
    planned(NETWORKS, async ({ account, run, folder }) => {
      const text = await readFile(join(folder, 'plan.json'), 'utf8');
      const document: Json = JSON.parse(text);
      await writeFile(join(folder, 'bad.json'), change(text, isObject(document) ? document : {}));
      for (const argv of [
        ['show', 'bad.json'],
        ['apply', 'bad.json', '--yes'],
      ]) {
        const before = account.requests.length;
        const ended = await run(...argv);
        expect(ended, argv.join(' ')).toMatchObject({ code: 3, stdout: '' });
        expect(ended.stderr).toContain(why);
        expect(ended.stderr).not.toMatch(/\n\s+at /);
        expect(account.requests.length).toBe(before);
      }
    }),
  );
});

describe('where it is read from', () => {
  test('a plan is known by its content, whatever it is called', () =>
    planned(NETWORKS, async ({ run, folder }) => {
      const text = await readFile(join(folder, 'plan.json'), 'utf8');
      await writeFile(join(folder, 'approved.yaml'), text);
      expect((await run('show', 'approved.yaml')).stdout).toContain('network "one"');
      expect(await run('apply', 'approved.yaml', '--yes')).toMatchObject({ code: 0 });
    }));

  test('standard input, with --yes alone', () =>
    planned(NETWORKS, async ({ account, folder }) => {
      const stdin = await readFile(join(folder, 'plan.json'), 'utf8');
      const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
      const options = { env, cwd: folder, stdin };
      expect(await meshform(['apply', '-'], options)).toMatchObject({ code: 64 });
      expect(await meshform(['apply', '-'], { ...options, answer: 'yes' })).toMatchObject({
        code: 64,
      });
      expect(await meshform(['apply', '-', '--yes'], options)).toMatchObject({ code: 0 });
    }));

  test('a pipe, which is read once', () =>
    planned(NETWORKS, async ({ folder, run }) => {
      await new Promise(resolve =>
        spawn('sh', ['-c', 'mkfifo pipe'], { cwd: folder }).on('close', resolve),
      );
      const feeding = spawn('sh', ['-c', 'cat plan.json > pipe'], { cwd: folder });
      onTestFinished(() => void feeding.kill());
      expect(await run('apply', 'pipe', '--yes')).toMatchObject({ code: 0 });
    }));
});

test('flags that the plan has settled already are refused, not ignored', () =>
  planned(NETWORKS, async ({ account, run }) => {
    for (const flags of [
      ['--only', 'group/devs'],
      ['--except', 'group/devs'],
      ['--kinds', 'groups'],
      ['--prune', 'none'],
      ['--base', 'HEAD'],
      ['--resolve', 'live'],
      ['--rotate', 'group/devs'],
      ['--strict'],
      ['--dialect', 'spec'],
      ['--var', 'X=1'],
    ]) {
      const ended = await run('apply', 'plan.json', '--yes', ...flags);
      expect(ended, flags.join(' ')).toMatchObject({ code: 64 });
      expect(ended.stderr).toContain(`\`${flags[0]}\``);
    }
    expect(writes(account)).toBe(0);
    expect(await run('apply', 'network', '--resume', '--prune', 'none')).toMatchObject({
      code: 64,
    });
    const ended = await run('apply', 'network', '--yes', '--digest', `sha256:${'0'.repeat(64)}`);
    expect(ended).toMatchObject({ code: 64 });
  }));

test('what a person is asked about is the whole plan', () =>
  planned(NETWORKS, async ({ account, folder }) => {
    const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
    const ended = await meshform(['apply', 'plan.json'], { env, cwd: folder, answer: 'yes' });
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('+ network "one"');
  }));

test('a plan that is refused leaves no journal to resume', () =>
  planned(NETWORKS, async ({ account, run, folder }) => {
    await account.call('POST', '/api/networks', { name: 'two' });
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 5 });
    const names = await readdir(join(folder, 'network/.meshform/journal'));
    expect(names).toEqual(['.gitignore']);
  }));
