// An undo creates again what its run deleted, and changes no other object that has the name by now.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

interface Story {
  readonly account: TestAccount;
  /** The objects of a path, by what `of` tells of each, sorted. */
  readonly list: (path: string, of: (one: JsonObject) => string) => Promise<string[]>;
  readonly apply: (text: string, ...flags: string[]) => ReturnType<typeof meshform>;
  readonly undo: (...flags: string[]) => ReturnType<typeof meshform>;
}

async function story(tell: (story: Story) => Promise<void>): Promise<void> {
  const account = await startAccount({ dialect: 'netbird' });
  onTestFinished(() => account.close());
  await account.call('POST', '/api/groups', { name: 'g' });
  await inFolder(async cwd => {
    const run = (...flags: string[]) =>
      meshform(['apply', ...flags, '--yes', '--allow', 'DELETES_OBJECT'], {
        env: environmentOf(account),
        cwd,
      });
    await tell({
      account,
      list: async (path, of) => ((await account.call('GET', path)) as JsonObject[]).map(of).sort(),
      apply: async (text, ...flags) => {
        await writeFile(join(cwd, 'network.yaml'), text);
        return run('network.yaml', '--journal', 'run.jsonl', ...flags);
      },
      undo: (...flags) => run('--undo', 'run.jsonl', ...flags),
    });
  });
}

const groupId = async ({ call }: TestAccount, name: string) =>
  String(((await call('GET', '/api/groups')) as JsonObject[]).find(one => one.name === name)?.id);

/** Makes a policy by hand, and returns its id. */
async function policy(account: TestAccount, name: string, port: number): Promise<string> {
  const g = await groupId(account, 'g');
  const rule = { name, enabled: true, action: 'accept', bidirectional: false, protocol: 'tcp' };
  const made = (await account.call('POST', '/api/policies', {
    name,
    enabled: true,
    rules: [{ ...rule, ports: [String(port)], sources: [g], destinations: [g] }],
  })) as JsonObject;
  return String(made.id);
}

const portOf = ({ name, rules }: JsonObject) =>
  `${String(name)} ${String((rules as JsonObject[])[0]?.ports)}`;

const deleting = (name: string, ...ids: string[]) =>
  `policies:\n${ids.map(id => `  - { name: ${name}, lifecycle: { id: ${id}, delete: true } }\n`).join('')}`;

const expectDone = ({ code, stdout, stderr }: Awaited<ReturnType<typeof meshform>>) =>
  expect(code, stdout + stderr).toBe(0);

test('an undo creates a deleted policy again beside another policy of its name, which stays unchanged', () =>
  story(async ({ account, apply, undo, list }) => {
    const one = await policy(account, 'one', 9);
    expectDone(await apply(deleting('one', one)));
    await policy(account, 'one', 7);
    const undone = await undo();
    expectDone(undone);
    expect(undone.stdout).toContain('1 to add, 0 to change, 0 to destroy');
    expect(await list('/api/policies', portOf)).toEqual(expect.arrayContaining(['one 7', 'one 9']));
    const again = await undo();
    expectDone(again);
    expect(again.stdout).toContain('No changes.');
  }));

test('an undo creates two deleted policies of one name again', () =>
  story(async ({ account, apply, undo, list }) => {
    const ids = [await policy(account, 'dup', 1), await policy(account, 'dup', 2)];
    expectDone(await apply(deleting('dup', ...ids)));
    await policy(account, 'dup', 3);
    expectDone(await undo());
    const dups = (await list('/api/policies', portOf)).filter(text => text.startsWith('dup'));
    expect(dups).toEqual(['dup 1', 'dup 2', 'dup 3']);
    expect((await undo()).stdout).toContain('No changes.');
  }));

test('an undo creates two deleted networks of one name beside a third, each with its own objects', () =>
  story(async ({ account, apply, undo, list }) => {
    const network = async (name: string, resource: string) => {
      const { id } = (await account.call('POST', '/api/networks', { name })) as JsonObject;
      const address = `${resource}.example.com`;
      const body = { name: resource, address, enabled: true, groups: [] };
      await account.call('POST', `/api/networks/${String(id)}/resources`, body);
      return String(id);
    };
    const ids = [await network('n', 'r1'), await network('n', 'r2')];
    const files = ids.map(id => `  - { name: n, lifecycle: { id: ${id}, delete: true } }\n`);
    expectDone(await apply(`networks:\n${files.join('')}`));
    const third = await network('n', 'r3');
    expectDone(await undo());
    const resources = async (network: JsonObject) => {
      const path = `/api/networks/${String(network.id)}/resources`;
      const names = ((await account.call('GET', path)) as JsonObject[]).map(one => one.name);
      return `${String(network.name)} ${names.join()}${network.id === third ? ' (third)' : ''}`;
    };
    const all = (await account.call('GET', '/api/networks')) as JsonObject[];
    expect((await Promise.all(all.map(resources))).sort()).toEqual([
      'n r1',
      'n r2',
      'n r3 (third)',
    ]);
    expect((await undo()).stdout).toContain('No changes.');
    expect(await list('/api/networks', ({ name }) => String(name))).toHaveLength(3);
  }));

test('an undo creates a deleted policy beside a policy of its name that the run changed', () =>
  story(async ({ account, apply, undo, list }) => {
    const one = await policy(account, 'dup', 1);
    const other = await policy(account, 'dup', 2);
    const rule = '{ name: dup, sources: [g], destinations: [g], protocol: tcp, ports: ["5"] }';
    const changed = `  - { name: dup, lifecycle: { id: ${other} }, rules: [${rule}] }\n`;
    expectDone(await apply(`groups: [{ name: g }]\n${deleting('dup', one)}${changed}`));
    const undone = await undo();
    expectDone(undone);
    expect(undone.stderr).toContain(`policy.dup is restored with a different id (was ${one})`);
    const dups = (await list('/api/policies', portOf)).filter(text => text.startsWith('dup'));
    expect(dups).toEqual(['dup 1', 'dup 2']);
    expect((await undo()).stdout).toContain('No changes.');
  }));

test('an undo changes nothing while another group has the name of a deleted group', () =>
  story(async ({ account, apply, undo, list }) => {
    const { id } = (await account.call('POST', '/api/groups', { name: 'a' })) as JsonObject;
    const rule = { name: 'p', enabled: true, action: 'accept', protocol: 'icmp' };
    const rules = [{ ...rule, bidirectional: true, sources: [id], destinations: [id] }];
    await account.call('POST', '/api/policies', { name: 'p', enabled: true, rules } as JsonObject);
    const all = `groups: [{ name: a, lifecycle: { delete: true } }]
policies: [{ name: p, lifecycle: { delete: true } }]
`;
    expectDone(await apply(all));
    const mia = String((await account.enrol('mia', [])).id);
    await account.call('POST', '/api/groups', { name: 'a', peers: [mia] });
    const undone = await undo();
    expect([undone.code, undone.stderr]).toEqual([
      3,
      expect.stringContaining('the name of group.a is taken by group.id:'),
    ]);
    expect(undone.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'hint: rename or delete that object in the account, then undo again',
    );
    expect(undone.stderr).not.toContain('OBJECT_DELETED');
    expect(
      await list('/api/groups', one => `${String(one.name)} ${String(one.peers_count)}`),
    ).toEqual(['All 1', 'a 1', 'g 0']);
    expect(await list('/api/policies', ({ name }) => String(name))).toEqual(['Default']);
  }));

test('an undo creates a deleted policy only once beside an equal policy that the run left unchanged', () =>
  story(async ({ account, apply, undo, list }) => {
    const one = await policy(account, 'dup', 1);
    await policy(account, 'dup', 1);
    expectDone(await apply(deleting('dup', one)));
    const dups = async () =>
      (await list('/api/policies', portOf)).filter(text => text.startsWith('dup'));
    expectDone(await undo());
    expect(await dups()).toEqual(['dup 1', 'dup 1']);
    const again = await undo();
    expect(again.stdout).toContain('No changes.');
    expect(again.stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /policy\.dup is not created again: the account has an equal one, id:\S+ \(dup\)/,
    );
    expect(await dups()).toHaveLength(2);
  }));
