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
const NOT_RUN = 24;

test('every block of a page is run, compared, written to a file, or marked with the reason why not', () => {
  const blocks = written.flatMap(blocksOf);
  expect(blocks.filter(({ use }) => use === 'unmarked').map(place)).toEqual([]);
  expect(blocks.filter(({ use }) => use === 'not run')).toHaveLength(NOT_RUN);
});

describe.concurrent('the commands of a page work, in its order, in an empty folder', () => {
  const running = written.filter(page => blocksOf(page).some(({ use }) => use === 'run'));
  test.for(running)('%s', async page => {
    const blocks = blocksOf(page);
    const runs = await runPage(blocks, page === 'README.md' ? 'clone' : 'folder');
    for (const { block, failed, announced, stderr } of runs)
      expect(failed, `${place(block)}\n${stderr}`).toEqual(announced);
    await compareOutput(page, blocks, runs);
  });
});

/** Compares every shown output with that of the last run block above it. */
async function compareOutput(page: string, blocks: readonly Block[], runs: readonly RunBlock[]) {
  const source = textOf(page);
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
