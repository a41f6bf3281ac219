// Every entry of a journal is on the disk, or whoever wrote it knows that it is not.
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { JournalFile } from '../../src/apply/journal/journalFile.ts';
import { jsonLine } from '../../src/model/text/jsonText.ts';
import { inFolder } from '../support/cli.ts';

const withJournal = (use: (journal: JournalFile, path: string) => Promise<void>) =>
  inFolder(async folder => {
    const path = join(folder, 'run.jsonl');
    await use(await JournalFile.create({ path }, { now: () => 0, lineOf: jsonLine }), path);
  });

const settled = async (writes: readonly Promise<void>[]) =>
  (await Promise.allSettled(writes)).map(({ status }) => status);

test('entries keep their order, however many are written concurrently', () =>
  withJournal(async (journal, path) => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => journal.write({ n })));
    await journal.close();
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    expect(lines.map(line => JSON.parse(line).n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  }));

test('a journal that is read while it is being closed has its text, and nothing fails', () =>
  withJournal(async journal => {
    await journal.write({ text: 'x'.repeat(300_000) });
    // A renewal of the lock reads the journal whenever it is due.
    const readers = Array.from({ length: 30 }, async (_, turns) => {
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      return journal.text();
    });
    await journal.close();
    const texts = new Set(await Promise.all(readers));
    expect([...texts].map(text => JSON.parse(text).text.length)).toEqual([300_000]);
  }));

test('a failed append fails every writer that waits for it, and all later ones', () =>
  withJournal(async journal => {
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const append = vi.spyOn(Object.getPrototypeOf(await handleOf(journal)), 'appendFile');
    append.mockRejectedValueOnce(full);
    expect(await settled([1, 2, 3].map(n => journal.write({ n })))).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
    append.mockRestore();
    await expect(journal.write({ n: 4 })).rejects.toContain('no space');
    await journal.close();
  }));

test('a journal that has changed since it was read is not continued', () =>
  withJournal(async (journal, path) => {
    await journal.write({ n: 1 });
    await journal.close();
    const text = await readFile(path, 'utf8');
    const writing = { now: () => 0, lineOf: jsonLine };
    await appendFile(path, 'x');
    await expect(JournalFile.continue({ path, text }, writing)).rejects.toThrow('has changed');
    const whole = await JournalFile.continue({ path, text: `${text}x` }, writing);
    await whole.write({ n: 2 });
    await whole.close();
    const lines = (await readFile(path, 'utf8')).split('\n');
    expect(lines.map(line => line.includes('"n":'))).toEqual([true, false, true, false]);
  }));

// A handle of the same class: the one in the journal is its own.
async function handleOf({ path }: JournalFile) {
  const { open } = await import('node:fs/promises');
  const handle = await open(path, 'a');
  await handle.close();
  return handle;
}
