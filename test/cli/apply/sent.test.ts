// An apply that could not read back what it sent says so, is resumed by reading back, and is undone like any other.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isList, isObject, type JsonObject } from '../../../src/model/value.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const RULE =
  'rules: [{ name: r, enabled: true, action: accept, protocol: all, sources: [g], destinations: [g] }]';
const FILES = `groups: [{ name: g }]
policies:
  - { name: one, ${RULE} }
  - { name: two, ${RULE} }
`;

/** Applies two policies whose list cannot be read at the end, and does something with what is left. */
async function withUnread(
  words: readonly string[],
  use: (run: {
    readonly ended: { readonly code: number; readonly stdout: string; readonly stderr: string };
    readonly run: (...more: string[]) => Promise<{ code: number; stdout: string; stderr: string }>;
    readonly writes: () => number;
    readonly journal: string;
    readonly policies: () => Promise<unknown[]>;
  }) => Promise<void>,
): Promise<void> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async folder => {
    await writeFile(join(folder, 'net.yaml'), FILES);
    const run = (...more: string[]) => meshform(more, { cwd: folder, env: environmentOf(account) });
    const what = { method: 'GET', path: '/api/policies', effect: 'status', status: 500 };
    await account.fault({ ...what, nth: 2, times: 1 });
    const ended = await run('apply', '--yes', '--journal', 'run.jsonl', ...words);
    const policies = async () => {
      const listed = await account.call('GET', '/api/policies');
      return (isList(listed) ? listed.filter(isObject) : []).map(({ name }) => name).sort();
    };
    const writes = () => account.requests.filter(({ method }) => method !== 'GET').length;
    await use({ ended, run, writes, policies, journal: join(folder, 'run.jsonl') });
  });
}

test('an apply whose objects were sent but could not be read back ends with exit code 4, and reports them', () =>
  withUnread([], async ({ ended, journal }) => {
    expect(ended.code, ended.stdout + ended.stderr).toBe(4);
    expect(ended.stdout).toContain('Sent: create policy.one: it was sent, but could not be read');
    expect(ended.stdout).toContain('Apply incomplete: 1 done, 2 sent, 0 failed');
    expect(ended.stderr).toContain('sent: create policy.one');
    expect(await readFile(journal, 'utf8')).toContain('"status":"sent"');
  }));

test('the JSON of an apply counts objects that could not be read back as sent, and is not complete', () =>
  withUnread(['--format', 'json'], async ({ ended }) => {
    const document = JSON.parse(ended.stdout) as JsonObject;
    expect(document).toMatchObject({ complete: false, summary: { done: 1, sent: 2, failed: 0 } });
    expect(document.outcomes).toContainEqual(
      expect.objectContaining({ status: 'sent', remote_id: expect.any(String) }),
    );
  }));

test('the events of an apply report each action that could not be read back as sent', () =>
  withUnread(['--format', 'jsonl'], async ({ ended }) => {
    const events = ended.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as JsonObject);
    expect(events.filter(({ type }) => type === 'sent')).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: 'result', complete: false });
  }));

test('--resume of an apply with sent objects reads them back, and sends nothing again', () =>
  withUnread([], async ({ run, writes }) => {
    const before = writes();
    const resumed = await run('apply', '--resume', 'run.jsonl', '--yes');
    expect(resumed.code, resumed.stdout + resumed.stderr).toBe(0);
    expect(resumed.stdout).toContain('Apply complete! 3 added');
    expect(writes()).toBe(before);
  }));

test('--undo of an apply with sent objects deletes these too', () =>
  withUnread([], async ({ run, policies }) => {
    expect(await policies()).toEqual(expect.arrayContaining(['one', 'two']));
    const allow = ['--allow', 'DELETES_OBJECT', '--yes', '--journal', 'undo.jsonl'];
    const undone = await run('apply', '--undo', 'run.jsonl', ...allow);
    expect(undone.code, undone.stdout + undone.stderr).toBe(0);
    expect(await policies()).not.toEqual(expect.arrayContaining(['one']));
  }));
