// The file of a journal during its run, and files that only look like one.
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { JournalFile, journalsIn, readJournal } from '../../src/apply/journal/journalFile.ts';
import { pipe } from '../support/specialFiles.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'journal-file-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const lineOf = (entry: object): string => `${JSON.stringify(entry)}\n`;

test('a journal that somebody removes during the run keeps its text for the copy at the remote', async () => {
  const path = join(await folder(), 'a.jsonl');
  const file = await JournalFile.create({ path }, { now: () => 0, lineOf });
  await file.write({ type: 'run' });
  const text = await file.text();
  expect(text).toContain('"type":"run"');
  await rm(path);
  expect(await file.text()).toBe(text);
  await expect(file.write({ type: 'send' })).rejects.toBe('it was removed during the run');
  expect(await file.loss()).toBe('removed');
  await file.close();
  expect(await file.text()).toContain(text);
});

test.each([0, 5])(
  'a journal that is cut to %i bytes during the run keeps its text too, and gets no more',
  async length => {
    const path = join(await folder(), 'a.jsonl');
    const file = await JournalFile.create({ path }, { now: () => 0, lineOf });
    await file.write({ type: 'run' });
    const text = await file.text();
    await truncate(path, length);
    expect(await file.text()).toBe(text);
    await expect(file.write({ type: 'send' })).rejects.toBe(
      'it was emptied or shortened during the run',
    );
    expect(await file.loss()).toBe('emptied or shortened');
    await expect(file.write({ type: 'end' })).rejects.toBe(
      'it was emptied or shortened during the run',
    );
    expect(await readFile(path, 'utf8')).toBe(text.slice(0, length));
    await file.close();
    expect(await file.text()).toMatch(/"run".*\n.*"send".*\n.*"end".*\n$/);
  },
);

test('a journal that is continued is not taken for a shorter one', async () => {
  const path = join(await folder(), 'a.jsonl');
  await writeFile(path, '{"é":1}\n{"half');
  const text = await readJournal(path);
  const file = await JournalFile.continue({ path, text }, { now: () => 0, lineOf });
  await file.write({ type: 'resume' });
  expect(await file.loss()).toBeUndefined();
  expect(await file.text()).toContain(`${text}\n`);
  await file.close();
});

test('a journal that was removed after the run keeps its text too', async () => {
  const path = join(await folder(), 'a.jsonl');
  const file = await JournalFile.create({ path }, { now: () => 0, lineOf });
  await file.write({ type: 'run' });
  await file.close();
  await rm(path);
  expect(await file.text()).toContain('"type":"run"');
});

test('a pipe is not read, whether it is named as a journal or by a note', async () => {
  const path = await folder();
  const named = join(path, 'pipe');
  pipe(named);
  await expect(readJournal(named)).rejects.toThrow('a pipe');
  await writeFile(join(path, 'a.elsewhere'), JSON.stringify({ path: named }));
  pipe(join(path, 'b.elsewhere'));
  expect(await journalsIn(path)).toEqual([]);
});

test('a file of the system without a size has no text, because reading it may never end', async () => {
  if (process.platform === 'linux') expect(await readJournal('/proc/self/status')).toBe('');
});
