// The matrix of a page: a filter that answers at once, keys, and what paper shows.
import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Json } from '../../../../src/model/value.ts';
import { largeAccount, type Size } from '../../../access/diff/large.ts';
import type { Tab } from '../browser.ts';
import { answerTime } from '../frames.ts';
import { accessPage, type Checking, pageOf, press, show, silent } from '../pageCheck.ts';

/** Gives at least 500 rows and 500 columns. */
const LARGE: Size = { machines: 400, groups: 140, policies: 120, resources: 60 };
const MOST_MS = 100;

/** The checks of the matrix. */
export async function check(checking: Checking): Promise<void> {
  await checkFilters(checking);
  await checkKeys(checking);
}

/** Filters a matrix in all its fields; each answer is there, laid out, in time. */
async function checkFilters({ browser, folder }: Checking): Promise<void> {
  const tab = await browser.open(`${await pageOf(folder, 'large', largeAccount(LARGE, 1))}#matrix`);
  const [rows, columns] = await sizeOf(tab);
  assert.ok(rows >= 500 && columns >= 500, `${rows} × ${columns}`);
  const times = new Map<string, number>();
  const fields = [
    ['from', 'machine-1'],
    ['from', 'm'],
    ['from', 'group-7'],
    ['from', ''],
    ['to', 'resource'],
    ['to', 'e'],
    ['to', ''],
    ['ports', '22'],
    ['ports', ''],
    ['because', 'policy-1'],
    ['because', ''],
    ['status', 'blocked'],
    ['status', ''],
  ];
  // A turn may collect the garbage of others: the best of several counts.
  for (const [field, text] of Array.from({ length: 5 }, () => fields).flat()) {
    const act = `
      const field = document.getElementById(${JSON.stringify(field)});
      field.value = ${JSON.stringify(text)};
      field.dispatchEvent(new Event('input', { bubbles: true }))`;
    const time = await answerTime(tab, act);
    const name = `${field} ${text}`;
    times.set(name, Math.min(time, times.get(name) ?? Number.POSITIVE_INFINITY));
  }
  const worst = Math.max(...times.values());
  process.stdout.write(
    `${rows} × ${columns}: the slowest of ${times.size} filters took ${worst.toFixed(1)} ms of processor time\n`,
  );
  assert.ok(worst < MOST_MS, `${worst} ms`);
  await checkList(tab);
  await silent(tab);
}

/** Below the matrix, its table has all sources and destinations, without anybody scrolling or asking for more. */
async function checkList(tab: Tab): Promise<void> {
  const left = `(() => {
    const data = JSON.parse(document.getElementById('data').textContent).matrix;
    const list = document.getElementById('pairs');
    const listed = new Set([...list.querySelectorAll('tbody th')].map(one => one.textContent));
    const text = list.textContent;
    const targets = new Set(data.cells.flatMap(runs => runs.flatMap((at, place) => place % 3 === 0 ? [at] : [])));
    const rows = data.rows.filter(({ name }, at) => data.cells[at].length > 0 && !listed.has(name));
    const columns = data.columns.filter(({ name }, at) => targets.has(at) && !text.includes(name));
    return [...rows, ...columns].map(({ name }) => name);
  })()`;
  let missing: Json = null;
  for (let look = 0; look < 200; look++) {
    missing = await tab.value(left);
    if (Array.isArray(missing) && missing.length === 0) break;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  assert.deepEqual(missing, [], 'sources and destinations that the table does not have');
  assert.equal(await tab.value(`document.querySelectorAll('#pairs button').length`), 0);
}

/** Keys work in the matrix, and paper has all of it. */
async function checkKeys({ browser, folder }: Checking): Promise<void> {
  const files = resolve(import.meta.dirname, '../../../../examples/company');
  const tab = await browser.open(`${await accessPage(folder, 'company', [files])}#matrix`);
  const tops = `[...document.querySelectorAll('.row > *')].every(
    cell => cell.getBoundingClientRect().top === cell.parentElement.getBoundingClientRect().top)`;
  assert.equal(await tab.value(tops), true);
  await tab.value(`document.querySelector('[data-row="0"][data-column="0"]').focus()`);
  await press(tab, 'ArrowDown', 'ArrowRight', 'End', 'Enter');
  assert.match(String(await tab.value(`document.activeElement.dataset.row`)), /^1$/);
  assert.notEqual(await tab.value(`document.getElementById('details').textContent`), '');
  for (const order of ['reach', 'similarity', 'name']) {
    await tab.value(`(sort => { sort.value = '${order}'; sort.dispatchEvent(new Event('input')); })(
      document.getElementById('sort'))`);
    const sides = `document.querySelectorAll('.grid .side').length`;
    assert.ok(Number(await tab.value(sides)) > 5);
  }
  const over = `[...document.querySelectorAll('.grid .side')].filter(side => side.offsetParent &&
    (side.scrollHeight > side.clientHeight || side.scrollWidth > side.clientWidth)).map(side => side.title)`;
  for (const width of [390, 1024, 1440]) {
    await show(tab, { width, scheme: 'light' });
    assert.deepEqual(await tab.value(over), [], `headers of rows at ${width}`);
  }
  const { data } = await tab.send('Page.printToPDF', { preferCSSPageSize: true });
  await writeFile(join(folder, 'company.pdf'), Buffer.from(String(data), 'base64'));
  assert.ok(Number(await tab.value(`document.querySelectorAll('#pairs tbody tr').length`)) > 10);
  await silent(tab);
}

async function sizeOf(tab: Tab): Promise<readonly [number, number]> {
  const data = `JSON.parse(document.getElementById('data').textContent).matrix`;
  const size: Json = await tab.value(`(d => [d.rows.length, d.columns.length])(${data})`);
  const [rows, columns] = Array.isArray(size) ? size : [];
  return [Number(rows), Number(columns)];
}
