// An `expire` that was killed: a later one that is complete takes its place, and nothing names the killed one any more.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { journalsFolder } from '../../support/journals.ts';
import { cutNewest } from '../lock/cutJournals.ts';
import { expectCode, machines } from '../lock/sharedMachines.ts';
import { withEndedFolder } from './endedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

// The clock of the server reads 03:04:05 in all tests of several machines.
const BEFORE = Date.parse('2026-01-02T03:01:00Z');
const AFTER = Date.parse('2026-01-02T03:03:00Z');
const ENDING = '{ name: x, lifecycle: { until: 2026-01-02T03:02:00Z } }';
const EXPIRE = ['expire', 'network', '--yes'];

test('a complete expire closes the expire that was killed before it, at the remote', () =>
  machines(async all => {
    const lost = await all.machine('lost');
    await lost.write('g.yaml', `groups: [{ name: a }, ${ENDING}]\n`);
    expectCode(await lost.applyAt(BEFORE), 0);
    expectCode(await lost.runAt(AFTER, ...EXPIRE), 0);
    const run = cutNewest(all, 'answer');
    const other = await all.machine('other');
    const first = await other.runAt(AFTER + 60_000, ...EXPIRE);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('was not finished')]);
    const second = await other.runAt(AFTER + 120_000, ...EXPIRE);
    expect([second.code, second.stderr]).toEqual([0, expect.not.stringContaining(run)]);
    const drift = await other.run('drift', 'network', '--base', 'auto');
    expect([drift.code, drift.stderr]).toEqual([0, expect.not.stringContaining(run)]);
    expectCode(await lost.runAt(AFTER + 180_000, 'apply', 'network', '--resume', run, '--yes'), 6);
  }));

test('an expire does not close an apply that was not finished', () =>
  machines(async all => {
    const lost = await all.machine('lost');
    await lost.write('g.yaml', `groups: [{ name: a }, ${ENDING}]\n`);
    expectCode(await lost.applyAt(BEFORE), 0);
    await lost.write('h.yaml', 'groups: [{ name: b }]\n');
    expectCode(await lost.applyAt(BEFORE + 60_000), 0);
    const run = cutNewest(all, 'answer');
    const other = await all.machine('other');
    for (const time of [AFTER, AFTER + 60_000]) {
      const ended = await other.runAt(time, ...EXPIRE);
      expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining(run)]);
    }
  }));

test('a complete expire takes the place of the expire that was killed before it, on this machine', () =>
  withEndedFolder(async ({ run, write, at, account }) => {
    await write({
      'g.yaml': `groups: [{ name: a }, ${ENDING.replace(/2026-01.*Z/, '2026-12-01')}]\n`,
    });
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    at('2026-12-02T00:00:00Z');
    expect((await run(EXPIRE)).code).toBe(0);
    const journal = readdirSync(journalsFolder(), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.jsonl'))
      .map(name => join(journalsFolder(), name))
      .filter(file => readFileSync(file, 'utf8').includes(JSON.stringify(account.url)))
      .sort()
      .at(-1);
    const lines = readFileSync(journal ?? '', 'utf8').split('\n');
    const answer = lines.findIndex(line => line.includes('"type":"answer"'));
    writeFileSync(journal ?? '', `${lines.slice(0, answer).join('\n')}\n`);
    at('2026-12-02T00:01:00Z');
    const first = await run(EXPIRE);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('was interrupted')]);
    at('2026-12-02T00:02:00Z');
    expect(await run(EXPIRE)).toMatchObject({ code: 0, stderr: '' });
  }));
