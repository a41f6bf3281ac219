// What the pages tell to type works, and prints what they show. BLESS=1 writes the shown output again.
import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Block, blocksIn, GENERATED, PAGES, pageAt, textOf } from './blocks.ts';
import { type RunBlock, runPage } from './shell.ts';

const isBlessing = process.env.BLESS === '1';

const written = PAGES.filter(page => !GENERATED.includes(page));
const blocksOf = (page: string): readonly Block[] => blocksIn(page, textOf(page));
const place = ({ page, line }: Block): string => `${page}:${line}`;

/** How many blocks of a page no test runs, in all. A new one needs its reason in the page and this number. */
const NOT_RUN = 52;

test('every block of a page is run, compared, written to a file, or marked with the reason why not', () => {
  const blocks = written.flatMap(blocksOf);
  expect(blocks.filter(({ use }) => use === 'unmarked').map(place)).toEqual([]);
  expect(blocks.filter(({ use }) => use === 'not run')).toHaveLength(NOT_RUN);
});

test('the README leads from nothing to an applied change and a drift report', () => {
  const blocks = blocksOf('README.md');
  const typed = blocks.filter(({ use }) => use === 'run').map(({ text }) => text);
  const steps = [
    'emulator',
    'init',
    'validate',
    'plan',
    'apply',
    'plan',
    'apply',
    'apply',
    'drift',
  ];
  const verbs = [...typed.join('').matchAll(/^meshform ([a-z]+)/gm)].map(([, verb]) => verb);
  expect(verbs.slice(0, steps.length)).toEqual(steps);
  const shown = blocks.filter(({ use }) => use === 'output').map(({ text }) => text);
  expect(shown).toEqual([
    expect.stringContaining('Plan: 0 to add, 1 to change, 0 to destroy.\n'),
    expect.stringContaining('Drift: 1 changed, 0 missing, 0 not removed.\n'),
  ]);
});

describe.concurrent('the commands of a page work, in its order, in an empty folder', () => {
  const running = written.filter(page => blocksOf(page).some(({ use }) => use === 'run'));
  // A page is up to 20 processes, and pages run at the same time.
  test.for(running)('%s', { timeout: 240_000 }, async page => {
    const source = textOf(page);
    const blocks = blocksIn(page, source);
    const runs = await runPage(blocks, page === 'README.md' ? 'clone' : 'folder');
    for (const { block, failed, announced, stderr } of runs)
      expect(failed, `${place(block)}\n${stderr}`).toEqual(announced);
    await compareOutput({ page, source, blocks, runs });
  });
});

/** Compares every shown output with that of the last run block above it. */
async function compareOutput({
  page,
  source,
  blocks,
  runs,
}: {
  readonly page: string;
  readonly source: string;
  readonly blocks: readonly Block[];
  readonly runs: readonly RunBlock[];
}): Promise<void> {
  let fresh = source;
  for (const block of blocks.toReversed()) {
    if (block.use !== 'output' && block.use !== 'messages') continue;
    const run = runs.findLast(({ block: { use, line, text } }) =>
      block.detail === ''
        ? use === 'run' && line < block.line
        : text.split('\n').includes(block.detail),
    );
    expect(run, `${place(block)} shows the output of a block`).toBeDefined();
    const shown = (block.use === 'output' ? run?.stdout : run?.stderr) ?? '';
    fresh = fresh.slice(0, block.span[0]) + shown + fresh.slice(block.span[1]);
  }
  if (isBlessing) await writeFile(pageAt(page), fresh);
  else expect(source).toBe(fresh);
}
