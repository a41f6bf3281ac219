// Somebody changes by hand what an interrupted run has created, and the run is resumed.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

const FILES = `groups: [{ name: devs }, { name: ops }]
policies:
  - name: devs reach ops
    rules: [{ name: web, sources: [devs], destinations: [ops], protocol: tcp, ports: ["443"] }]
`;

let account: TestAccount;

beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
});

/** An apply that ends after both groups; its journal lacks as many of its last lines. */
async function cutOff(folder: string, linesFewer: number): Promise<void> {
  await writeFile(join(folder, 'network.yaml'), FILES);
  let done = 0;
  await meshform(['apply', folder, '--yes', '--concurrency', '1', '--journal', 'run.jsonl'], {
    env: environmentOf(account),
    cwd: folder,
    onTalk: (text, interrupt) => {
      if (!text.includes('created')) return;
      done += 1;
      if (done === 2) interrupt('SIGINT');
    },
  });
  const lines = (await readFile(join(folder, 'run.jsonl'), 'utf8')).split('\n').slice(0, -2);
  const left = lines.slice(0, lines.length - linesFewer);
  await writeFile(join(folder, 'run.jsonl'), `${left.join('\n')}\n`);
}

const resume = (folder: string): Promise<Ended> =>
  meshform(['apply', folder, '--yes', '--resume', 'run.jsonl'], {
    env: environmentOf(account),
    cwd: folder,
  });

async function listed(path: string): Promise<readonly JsonObject[]> {
  return (await account.call('GET', path)) as JsonObject[];
}

const idOf = async (name: string) =>
  (await listed('/api/groups')).find(one => one.name === name)?.id;

const names = async () => (await listed('/api/groups')).map(({ name }) => String(name)).sort();

test.each([0, 1, 2, 3])(
  'a resume does not create a renamed group again: the journal lacks its last %i lines',
  lines =>
    inFolder(async folder => {
      await cutOff(folder, lines);
      const id = await idOf('ops');
      await account.call('PUT', `/api/groups/${id}`, { name: 'operators' });
      expect(await resume(folder)).toMatchObject({ code: 0 });
      expect(await names()).toHaveLength(3);
      const [policy] = (await listed('/api/policies')).filter(({ name }) => name !== 'Default');
      expect(policy).toMatchObject({ rules: [{ destinations: [{ id }] }] });
    }),
);

test.each([0, 1, 2, 3])(
  'a resume creates no object that needs a deleted group: the journal lacks its last %i lines',
  lines =>
    inFolder(async folder => {
      await cutOff(folder, lines);
      await account.call('DELETE', `/api/groups/${await idOf('devs')}`);
      const before = account.requests.length;
      const resumed = await resume(folder);
      expect(resumed.code, resumed.stderr).toBe(4);
      expect(resumed.stderr).toContain('See what is left to do with `meshform plan`.');
      expect(resumed.stderr).not.toMatch(/created group|Continue with/);
      expect(`${resumed.stdout}${resumed.stderr}`.replaceAll(/\s+/g, ' ')).toContain(
        'policy["devs reach ops"] refers to group.devs, which was deleted from the account since the plan was made',
      );
      const writes = account.requests.slice(before).filter(({ method }) => method !== 'GET');
      expect(writes).toEqual([]);
    }),
);

/** An apply that created the group `spare`, which nothing refers to, and whose policy the server refused. */
async function policyRefused(folder: string): Promise<void> {
  await writeFile(
    join(folder, 'network.yaml'),
    FILES.replace('{ name: ops }', '{ name: ops }, { name: spare }'),
  );
  await account.fault({ method: 'POST', path: '/api/policies', effect: 'status', status: 400 });
  const cut = ['apply', folder, '--yes', '--journal', 'run.jsonl'];
  expect(await meshform(cut, { env: environmentOf(account), cwd: folder })).toMatchObject({
    code: 4,
  });
}

test('a resume carries out the rest, names what somebody deleted of the finished part, and ends with exit code 4', () =>
  inFolder(async folder => {
    await policyRefused(folder);
    await account.call('DELETE', `/api/groups/${await idOf('spare')}`);
    const resumed = await resume(folder);
    expect(resumed.code, resumed.stdout).toBe(4);
    expect(`${resumed.stdout}${resumed.stderr}`.replaceAll(/\s+/g, ' ')).toContain(
      'group.spare was deleted from the account since the interrupted run wrote it',
    );
    expect(resumed.stderr).toContain('See what is left to do with `meshform plan`.');
    expect(await names()).toEqual(['All', 'devs', 'ops']);
    expect(await listed('/api/policies')).toHaveLength(2);
    expect(await resume(folder)).toMatchObject({ code: 4 });
    expect(
      await meshform(['apply', folder, '--yes'], { env: environmentOf(account), cwd: folder }),
    ).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['All', 'devs', 'ops', 'spare']);
  }));

test('a run that only lacks its last line does not count as complete if somebody deleted what it created', () =>
  inFolder(async folder => {
    await policyRefused(folder);
    await resume(folder);
    const lines = (await readFile(join(folder, 'run.jsonl'), 'utf8')).split('\n').slice(0, -2);
    await writeFile(join(folder, 'run.jsonl'), `${lines.join('\n')}\n`);
    await account.call('DELETE', `/api/groups/${await idOf('spare')}`);
    expect(await resume(folder)).toMatchObject({ code: 4 });
  }));

test('a saved plan that needs a deleted group is stale, and creates nothing', () =>
  inFolder(async folder => {
    const env = environmentOf(account);
    const [groups = '', policies = ''] = FILES.split('policies:');
    await writeFile(join(folder, 'network.yaml'), groups);
    expect(await meshform(['apply', folder, '--yes'], { env, cwd: folder })).toMatchObject({
      code: 0,
    });
    await writeFile(join(folder, 'network.yaml'), `${groups}policies:${policies}`);
    const planned = await meshform(['plan', folder, '--out', 'plan.json'], { env, cwd: folder });
    expect(planned).toMatchObject({ code: 0 });
    await account.call('DELETE', `/api/groups/${await idOf('devs')}`);
    const applied = await meshform(['apply', 'plan.json', '--yes'], { env, cwd: folder });
    expect(applied.code, applied.stdout + applied.stderr).toBe(5);
    expect(await listed('/api/policies')).toHaveLength(1);
  }));
