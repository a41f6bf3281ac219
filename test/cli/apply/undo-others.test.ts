// An undo takes back only what the run did: what others changed since stays, and a value that both changed is a conflict.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

interface Files {
  readonly ports?: string;
  readonly description?: string;
  readonly group?: string;
  readonly metric?: number;
  /** Another policy. */
  readonly second?: string;
  /** Another group, to which the other policy gives access. */
  readonly extra?: string;
  /** Whether two groups have each the name of the other. */
  readonly isExchanged?: boolean;
}

const files = ({
  ports = '"22"',
  description = 'first',
  group = 'a',
  metric = 100,
  second,
  extra,
  isExchanged = false,
}: Files) => `
groups:
  - ${isExchanged ? '{ name: y, lifecycle: { id: ID(x) } }' : '{ name: x }'}
  - ${isExchanged ? '{ name: x, lifecycle: { id: ID(y) } }' : '{ name: y }'}
  - { name: ${group}, lifecycle: { was: a } }
  - { name: z }
${extra === undefined ? '' : `  - { name: ${extra} }`}
policies:
  - name: ssh
    description: ${description}
    rules: [{ name: in, sources: [${group}], destinations: [z], protocol: tcp, ports: [${ports}] }]
${second === undefined ? '' : `  - { name: ${second}, rules: [{ name: in, sources: [z], destinations: [${extra ?? group}], protocol: icmp }] }`}
networks:
  - name: office
    routers: [{ peer_groups: [z], masquerade: true, metric: ${metric} }]
`;

interface Story {
  readonly account: TestAccount;
  readonly undo: (...flags: string[]) => ReturnType<typeof meshform>;
  readonly find: (path: string, name?: string) => Promise<JsonObject>;
  readonly edit: (path: string, name: string | undefined, more: JsonObject) => Promise<Json>;
}

/** Applies the first files and then the second ones; somebody else works; the second apply is undone. */
async function since(
  [first, second]: readonly [Files, Files],
  tell: (story: Story) => Promise<void>,
): Promise<void> {
  const account = await startAccount({ dialect: 'netbird' });
  onTestFinished(() => account.close());
  const find = async (path: string, name?: string) => {
    const all = (await account.call('GET', `/api/${path}`)) as JsonObject[];
    return all.find(one => name === undefined || one.name === name) ?? {};
  };
  await inFolder(async cwd => {
    const run = (...flags: string[]) =>
      meshform(['apply', '.', '--yes', ...flags], { env: environmentOf(account), cwd });
    for (const [index, text] of [files(first), files(second)].entries()) {
      const ids = await idsOf(account);
      const bound = text.replaceAll(/ID\((.)\)/g, (_, name: string) => ids.get(name) ?? '');
      await writeFile(join(cwd, 'network.yaml'), bound);
      const applied = await run('--journal', `${index}.jsonl`);
      expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    }
    const edit = async (path: string, name: string | undefined, more: JsonObject) => {
      const { id, ...rest } = await find(path, name);
      const body = path === 'policies' ? asSent(rest) : path === 'groups' ? {} : rest;
      return account.call('PUT', `/api/${path}/${String(id)}`, { ...body, ...more });
    };
    await tell({ account, find, edit, undo: (...flags) => run('--undo', '1.jsonl', ...flags) });
  });
}

async function idsOf(account: TestAccount): Promise<ReadonlyMap<string, string>> {
  const groups = (await account.call('GET', '/api/groups')) as JsonObject[];
  return new Map(groups.map(({ name, id }) => [String(name), String(id)]));
}

// A policy as it is sent: the groups of its rules by their ids.
function asSent(policy: JsonObject): JsonObject {
  const rules = (policy.rules as JsonObject[]).map(rule => ({
    ...rule,
    sources: (rule.sources as JsonObject[]).map(({ id }) => id as Json),
    destinations: (rule.destinations as JsonObject[]).map(({ id }) => id as Json),
  }));
  return { ...policy, rules };
}

const rulesWith = async ({ find }: Story, more: JsonObject): Promise<JsonObject[]> => {
  const { rules } = asSent(await find('policies', 'ssh'));
  return (rules as JsonObject[]).map(rule => ({ ...rule, ...more }));
};

const portsOf = async ({ find }: Story) =>
  ((await find('policies', 'ssh')).rules as JsonObject[])[0]?.ports;

const shown = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
  `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');

test('an undo keeps a port that somebody added, and removes the port of the run', () =>
  since([{}, { ports: '"22", "24"' }], async story => {
    await story.edit('policies', 'ssh', {
      rules: await rulesWith(story, { ports: ['22', '24', '4444'] }),
    });
    const undone = await story.undo();
    expect(undone.code, shown(undone)).toBe(0);
    expect(await portsOf(story)).toEqual(['22', '4444']);
  }));

test('an undo keeps a field that somebody set and the run did not change', () =>
  since([{}, { ports: '"22", "24"' }], async story => {
    await story.edit('policies', 'ssh', { description: 'by Ada', name: 'ssh of Ada' });
    const undone = await story.undo();
    expect(undone.code, shown(undone)).toBe(0);
    const policy = await story.find('policies', 'ssh of Ada');
    expect(policy).toMatchObject({ description: 'by Ada', rules: [{ ports: ['22'] }] });
  }));

test('an undo of a value that somebody changed since the run is a conflict, until somebody chooses a side', () =>
  since([{}, { description: 'second', ports: '"22", "24"' }], async story => {
    await story.edit('policies', 'ssh', { description: 'by Ada' });
    const refused = await story.undo();
    expect(refused.code, shown(refused)).toBe(6);
    expect(shown(refused)).toContain('CONFLICT');
    expect(shown(refused)).toMatch(
      /`description` of policy.ssh was changed by the run, and by somebody after it/,
    );
    const kept = await story.undo('--resolve', 'live=policy/ssh');
    expect(kept.code, shown(kept)).toBe(0);
    expect(await story.find('policies', 'ssh')).toMatchObject({ description: 'by Ada' });
    expect(await portsOf(story)).toEqual(['22']);
    const undone = await story.undo('--resolve', 'desired');
    expect(undone.code, shown(undone)).toBe(0);
    expect(await story.find('policies', 'ssh')).toMatchObject({ description: 'first' });
  }));

test('an undo of a metric that somebody set after the run is a conflict', () =>
  since([{}, { metric: 200 }], async story => {
    const { id: network } = await story.find('networks', 'office');
    const path = `networks/${String(network)}/routers`;
    await story.edit(path, undefined, { metric: 300 });
    const refused = await story.undo();
    expect(refused.code, shown(refused)).toBe(6);
    expect(await story.find(path)).toMatchObject({ metric: 300 });
  }));

test('an undo keeps names that somebody swapped, and undoes everything else', () =>
  since([{}, { ports: '"22", "24"', group: 'b' }], async story => {
    const b = await story.find('groups', 'b');
    const z = await story.find('groups', 'z');
    await story.account.call('PUT', `/api/groups/${String(b.id)}`, { name: 'between' });
    await story.account.call('PUT', `/api/groups/${String(z.id)}`, { name: 'b' });
    await story.account.call('PUT', `/api/groups/${String(b.id)}`, { name: 'z' });
    const refused = await story.undo();
    expect(refused.code, shown(refused)).toBe(6);
    expect(shown(refused)).toContain('CONFLICT');
    const undone = await story.undo('--resolve', 'live');
    expect(undone.code, shown(undone)).toBe(0);
    expect(await portsOf(story)).toEqual(['22']);
    expect(await story.find('groups', 'z')).toMatchObject({ id: b.id });
    expect(await story.find('groups', 'b')).toMatchObject({ id: z.id });
  }));

test('an undo keeps the name of an object whose former name is taken, and undoes everything else', () =>
  since([{}, { ports: '"22", "24"', group: 'b' }], async story => {
    await story.account.call('POST', '/api/groups', { name: 'a' });
    const undone = await story.undo();
    expect(undone.code, shown(undone)).toBe(0);
    expect(shown(undone)).toContain('group.b keeps its name: another group is called `a`');
    expect(await portsOf(story)).toEqual(['22']);
    expect(await story.find('groups', 'b')).toHaveProperty('id');
  }));

test('an undo deletes an object that somebody changed since the run only with consent', () =>
  since([{}, { second: 'night' }], async story => {
    await story.edit('policies', 'night', { enabled: false });
    const refused = await story.undo('--allow', 'DELETES_OBJECT');
    expect(refused.code, shown(refused)).toBe(6);
    expect(shown(refused)).toContain(
      'CONFLICT policy.night was changed in the account since the run, and is deleted',
    );
    const undone = await story.undo('--allow', 'DELETES_OBJECT', '--resolve', 'desired');
    expect(undone.code, shown(undone)).toBe(0);
    expect(await story.find('policies', 'night')).toEqual({});
  }));

test('an undo can keep an object that somebody changed since the run, with its dependencies, and says so', () =>
  since([{}, { second: 'night', extra: 'guests', ports: '"22", "24"' }], async story => {
    await story.edit('policies', 'night', { enabled: false });
    const undone = await story.undo('--resolve', 'live=policy/night');
    expect(undone.code, shown(undone)).toBe(0);
    for (const said of [
      'policy.night is not deleted: it was changed in the account since the run',
      'group.guests is not deleted: policy.night stays and needs it',
    ])
      expect(shown(undone)).toContain(`CONFLICT_KEPT ${said}`);
    expect(await story.find('policies', 'night')).toMatchObject({ enabled: false });
    expect(await story.find('groups', 'guests')).toHaveProperty('id');
    expect(await portsOf(story)).toEqual(['22']);
  }));

test('an undo swaps back names that the run swapped', () =>
  since([{}, { isExchanged: true }], async story => {
    const { id } = await story.find('groups', 'x');
    const undone = await story.undo();
    expect(undone.code, shown(undone)).toBe(0);
    expect(shown(undone)).not.toContain('keeps its name');
    expect(await story.find('groups', 'y')).toMatchObject({ id });
  }));
