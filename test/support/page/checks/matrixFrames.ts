// A matrix of as many rows and columns as a page may have, of which no two are alike: the script of a frame takes little time when
// somebody scrolls, chooses a cell or filters. `docs/proofs.md` has the figures.
import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pageAssets } from '../../../../src/cli/access/pageOutput.ts';
import type { AccessPicture, MatrixSide } from '../../../../src/model/access/accessPicture.ts';
import { loadSchemas } from '../../../../src/pipeline/schemas.ts';
import { signsOf } from '../../../../src/report/graph/signs.ts';
import { pageText } from '../../../../src/report/page/document.ts';
import { type Actions, frameTime, measureAll, tellHeap } from '../frames.ts';

import { type Checking, picture, show, silent } from '../pageCheck.ts';

const SIGNS = signsOf(loadSchemas().kinds);

const SIZE = 2_000;
/** The number of destinations in networks, and of networks; the others are groups. */
const ROUTED = { resources: 200, networks: 20 };
const POLICIES = 400;
/** One of so many pairs begins a run of cells with access. */
const RARE = 40;
/** The most milliseconds that an order may take for the first time. */
const MOST_MS = 600;

const GRID = `document.getElementById('grid')`;

const ACTIONS: Actions = {
  'scroll down': `${GRID}.scrollTop += 400`,
  'scroll right': `${GRID}.scrollLeft += 400`,
  choose: `(cells => cells[at % cells.length].dispatchEvent(new MouseEvent('click', { bubbles: true })))([...${GRID}.querySelectorAll('.cell')])`,
  filter: `(field => {
    field.value = at % 2 ? '' : 'group-' + at;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })(document.getElementById('from'))`,
};

/** Measures the matrix. */
export async function check({ browser, folder }: Checking): Promise<void> {
  const file = join(folder, 'matrixFrames.html');
  const content = {
    title: 'Access',
    about: 'A drawn account.',
    picture: drawnPicture(),
    signs: SIGNS,
  };
  await writeFile(file, pageText(content, pageAssets()));
  const tab = await browser.open(`${pathToFileURL(file).href}#matrix`);
  await show(tab, { width: 1440, scheme: 'light' });
  const counts = `['row', 'col'].map(side => ${GRID}.querySelector('.grid').getAttribute('aria-' + side + 'count')).join()`;
  assert.equal(await tab.value(counts), `${SIZE + 2},${SIZE + 1}`);
  await measureAll(tab, 'matrix', ACTIONS);
  for (const order of ['reach', 'similarity', 'name']) {
    const act = `(sort => { sort.value = '${order}'; sort.dispatchEvent(new Event('input')); })(document.getElementById('sort'))`;
    const first = await frameTime(tab, act);
    const again = await frameTime(tab, act);
    process.stdout.write(
      `matrix, by ${order}: ${first.toFixed(0)} ms of script, again ${again.toFixed(0)} ms\n`,
    );
    assert.ok(first < MOST_MS, `by ${order}: ${first} ms`);
  }
  await picture(tab, join(folder, 'matrixFrames.png'));
  await tellHeap(tab);
  await silent(tab);
}

/** A picture of a matrix alone. */
function drawnPicture(): AccessPicture {
  const draw = drawing(1);
  const groups = Array.from({ length: SIZE }, (_, at) => `group/group-${at}`);
  const sideOf = (name: string, at: number): MatrixSide => ({ name, members: [at], groups: [] });
  const resources = Array.from({ length: ROUTED.resources }, (_, at): MatrixSide => {
    const network = at % ROUTED.networks;
    const name = `network_resource/network-${network}/resource-${at}`;
    return { name, members: [], groups: [], address: `10.${network}.${at}.0/24` };
  });
  const rows = groups.map(sideOf);
  const verdicts = Array.from({ length: POLICIES }, (_, at) => ({
    status: 'reaches' as const,
    ports: [`tcp/${20 + (at % 400)}`],
    via: [{ policy: `policy-${at}`, rule: 'rule' }],
    via_ids: [`q${at}`],
    checks: [],
  }));
  const cells = rows.map(() => {
    const runs: number[] = [];
    for (let at = draw(RARE); at < SIZE; at += 5 + draw(2 * RARE)) {
      runs.push(at, draw(POLICIES), Math.min(1 + draw(4), SIZE - at));
    }
    return runs;
  });
  return {
    matrix: {
      members: groups,
      member_ids: groups,
      rows,
      columns: [...resources, ...rows.slice(resources.length)],
      verdicts,
      cells,
      left_out: { rows: 0, columns: 0 },
      unexplained: 0,
    },
    policies: [],
    networks: [],
    openings: [],
    unread: [],
  };
}

// A linear congruential generator: the same picture each time.
function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
