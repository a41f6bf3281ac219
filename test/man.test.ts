// The manual page says what the help says. BLESS=1 writes it anew.
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Io } from '../src/cli/io.ts';
import { buildProgram } from '../src/cli/program.ts';
import { everyCommand, flagsOf, manPage } from './support/project/manPage.ts';

const PAGE = new URL('../man/meshform.1', import.meta.url);
const PACKAGE = new URL('../package.json', import.meta.url);

test('man/meshform.1 is generated from the help, and shipped', async () => {
  const { version, man, files } = JSON.parse(await readFile(PACKAGE, 'utf8'));
  const page = manPage(version);
  if (process.env.BLESS === '1') await writeFile(PAGE, page);
  expect(await readFile(PAGE, 'utf8'), 'npm run bless writes it').toBe(page);
  expect(man).toBe('man/meshform.1');
  expect(files).toContain('man');
});

test('the manual has every command and every flag, and nothing that a formatter would read as a request', async () => {
  const page = await readFile(PAGE, 'utf8');
  const program = buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 });
  const plain = page.replaceAll('\\-', '-');
  for (const command of everyCommand(program)) {
    expect(plain).toContain(command.name());
    for (const { long } of flagsOf(command)) expect(plain).toContain(long);
  }
  const requests = page.split('\n').filter(line => /^[.']/.test(line));
  expect(
    requests.filter(line => !/^\.(\\"|TH|SH|SS|TP|PP|B|I|RI|nf|fi|RS|RE)\b/.test(line)),
  ).toEqual(requests.filter(line => line.startsWith('.\\"')));
});
