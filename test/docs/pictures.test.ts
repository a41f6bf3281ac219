// The pictures of the pages are what the program prints to a terminal. BLESS=1 makes them anew.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { terminalPicture } from '../support/terminalPicture.ts';
import { pageAt } from './blocks.ts';

const COLUMNS = 92;

/** Expects a picture to show what the last of these commands prints in a folder that `init` wrote. */
async function expectPicture(
  path: string,
  title: string,
  story: (folder: string, run: (...words: string[]) => Promise<string>) => Promise<string>,
): Promise<void> {
  const account = await startAccount({ dialect: 'netbird' });
  try {
    const picture = await inFolder(async cwd => {
      let command = '';
      const run = async (...words: string[]) => {
        command = ['meshform', ...words].join(' ');
        const terminal = { isTerminal: true, columns: COLUMNS, answer: 'yes' };
        const ended = await meshform(words, { cwd, env: environmentOf(account), ...terminal });
        expect(ended.code, ended.stderr).toBe(words[0] === 'drift' ? 2 : 0);
        return ended.stdout;
      };
      const printed = await story(cwd, run);
      return terminalPicture(command, printed, { title, columns: COLUMNS });
    });
    if (process.env.BLESS === '1') await writeFile(pageAt(path), picture);
    expect(await readFile(pageAt(path), 'utf8')).toBe(picture);
  } finally {
    await account.close();
  }
}

const edit = async (folder: string, was: string, is: string): Promise<void> => {
  const file = join(folder, 'network/network.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(was, is));
};

test('of a plan', () =>
  expectPicture(
    'docs/plan.svg',
    'A plan in a terminal: a policy gets a port, and what laptops gain by it',
    async (folder, run) => {
      await run('init', 'network');
      await run('apply', 'network', '--yes');
      await edit(folder, '"445"', '"445", "8443"');
      return run('plan', 'network');
    },
  ));

test('of a drift report', () =>
  expectPicture(
    'docs/drift.svg',
    'A drift report in a terminal: a rule that somebody changed, and who it was',
    async (folder, run) => {
      await run('init', 'network');
      await run('apply', 'network', '--yes');
      await edit(folder, 'protocol: icmp', 'protocol: all');
      await run('apply', 'network', '--yes');
      await edit(folder, 'protocol: all', 'protocol: icmp');
      return run('drift', 'network');
    },
  ));
