// Opens pages in Chromium: no complaint, a filter that answers at once, a download without formulas, and pictures to look at.
// `npm run test:page -- FOLDER` keeps the pictures.
import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json } from '../../../src/model/value.ts';
import { largeAccount, type Size } from '../../access/diff/large.ts';
import { type Browser, startBrowser, type Tab } from './browser.ts';
import { meshform } from './meshform.ts';

/** Gives at least 500 rows and 500 columns. */
const LARGE: Size = { machines: 400, groups: 140, policies: 120, resources: 60 };
const MOST_MS = 100;

const HOSTILE = [
  '=cmd|x',
  '</script><script>throw 1</script>',
  '"><img src=x onerror=alert(1)>',
  '<!--',
  '\u202egnp',
];

const given = process.argv[2];
const folder = resolve(given ?? (await mkdtemp(join(tmpdir(), 'meshform-page-'))));
await mkdir(folder, { recursive: true });
const browser = await startBrowser();
try {
  await checkLarge(browser);
  await checkCompany(browser);
  await checkHostile(browser);
} finally {
  await browser.close();
  if (given === undefined) await rm(folder, { recursive: true, force: true });
}

async function pageOf(name: string, account: unknown): Promise<string> {
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ account }));
  const argv = ['access', '--state', `${name}.json`, '--html', `${name}.html`, '--force'];
  assert.equal(await meshform(argv, folder), '');
  return pathToFileURL(join(folder, `${name}.html`)).href;
}

/** Filters a matrix in all its fields; each answer is there, laid out, in time. */
async function checkLarge({ open }: Browser): Promise<void> {
  const tab = await open(await pageOf('large', largeAccount(LARGE, 1)));
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
  // A busy machine may take a turn longer: the best of several counts.
  for (const [field, text] of Array.from({ length: 5 }, () => fields).flat()) {
    const time = await tab.value(`(() => {
      const field = document.getElementById(${JSON.stringify(field)});
      const begin = performance.now();
      field.value = ${JSON.stringify(text)};
      field.dispatchEvent(new Event('input', { bubbles: true }));
      document.body.getBoundingClientRect();
      return performance.now() - begin;
    })()`);
    const name = `${field} ${text}`;
    times.set(name, Math.min(Number(time), times.get(name) ?? Number.POSITIVE_INFINITY));
  }
  const worst = Math.max(...times.values());
  tell(`${rows} × ${columns}: the slowest of ${times.size} filters took ${worst.toFixed(1)} ms`);
  assert.ok(worst < MOST_MS, `${worst} ms`);
  await silent(tab);
}

/** What a page of an example looks like, and that keys and the mouse work in it. */
async function checkCompany({ open }: Browser): Promise<void> {
  const files = resolve(import.meta.dirname, '../../examples/company');
  await meshform(['access', files, '--html', 'company.html', '--force'], folder);
  const tab = await open(pathToFileURL(join(folder, 'company.html')).href);
  const tops = `[...document.querySelectorAll('.row > *')].every(
    cell => cell.getBoundingClientRect().top === cell.parentElement.getBoundingClientRect().top)`;
  assert.equal(await tab.value(tops), true);
  await tab.value(`document.querySelector('[data-row="0"][data-column="0"]').focus()`);
  for (const key of ['ArrowDown', 'ArrowRight', 'End', 'Enter'])
    await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', key });
  assert.match(String(await tab.value(`document.activeElement.dataset.row`)), /^1$/);
  assert.notEqual(await tab.value(`document.getElementById('details').textContent`), '');
  for (const scheme of ['light', 'dark']) {
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await tab.send('Emulation.setEmulatedMedia', { features });
    await picture(tab, `company-${scheme}.png`);
  }
  await tab.send('Emulation.setEmulatedMedia', { features: [] });
  const { data } = await tab.send('Page.printToPDF', { preferCSSPageSize: true });
  await writeFile(join(folder, 'company.pdf'), Buffer.from(String(data), 'base64'));
  assert.ok(Number(await tab.value(`document.querySelectorAll('#pairs tbody tr').length`)) > 10);
  await silent(tab);
}

/** Names that would break out do not, and the CSV has no formula. */
async function checkHostile({ open }: Browser): Promise<void> {
  const peers = HOSTILE.map((name, at) => ({ id: `p${at}`, name, ip: `100.64.0.${at + 1}` }));
  const groups = HOSTILE.map((name, at) => ({ id: `g${at}`, name, peers: [{ id: `p${at}` }] }));
  const rule = { id: 'r', name: '=1+1', enabled: true, action: 'accept', protocol: 'all' };
  const policies = HOSTILE.map((name, at) => ({
    id: `q${at}`,
    name,
    enabled: true,
    source_posture_checks: [],
    rules: [{ ...rule, sources: [{ id: `g${at}` }], destinations: [{ id: `g${(at + 1) % 5}` }] }],
  }));
  const rest = { posture_checks: [], routes: [], networks: [], setup_keys: [], users: [] };
  const tab = await open(await pageOf('hostile', { peers, groups, policies, ...rest }));
  const downloads = join(folder, 'downloads');
  await tab.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: downloads,
    eventsEnabled: false,
  });
  await tab.value(`document.getElementById('csv').click()`);
  const csv = await downloaded(downloads);
  assert.ok(csv.split('\n').length > HOSTILE.length);
  assert.doesNotMatch(csv, /(?:^|,)"?[=+@-]/m);
  assert.equal(await tab.value(`document.querySelectorAll('img, script').length`), 2);
  assert.equal(await tab.value(`document.body.innerText.includes('\\u202e')`), false);
  await silent(tab);
}

async function downloaded(path: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const [name] = await readdir(path).catch(() => []);
    if (name?.endsWith('.csv')) return readFile(join(path, name), 'utf8');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('nothing was downloaded');
}

async function sizeOf(tab: Tab): Promise<readonly [number, number]> {
  const data = `JSON.parse(document.getElementById('data').textContent)`;
  const size: Json = await tab.value(`(d => [d.rows.length, d.columns.length])(${data})`);
  const [rows, columns] = Array.isArray(size) ? size : [];
  return [Number(rows), Number(columns)];
}

async function picture(tab: Tab, name: string): Promise<void> {
  const size = { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false };
  await tab.send('Emulation.setDeviceMetricsOverride', size);
  const { data } = await tab.send('Page.captureScreenshot', { captureBeyondViewport: true });
  await writeFile(join(folder, name), Buffer.from(String(data), 'base64'));
}

/** Nothing is in the console, and the page asked for nothing. */
async function silent(tab: Tab): Promise<void> {
  const loaded = await tab.value(`performance.getEntriesByType('resource').length`);
  assert.equal(loaded, 0);
  assert.deepEqual(tab.complaints, []);
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
