// Builds the site and opens it in Chromium: the first page shows its pictures and is small, search finds words of the pages, nothing is in
// the console, and no link is dead.
// `npm run test:site -- FOLDER` keeps pictures to look at. It needs the packages of the site: `npm ci --prefix site`.
import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startBrowser, type Tab } from './browser.ts';

const SITE = fileURLToPath(new URL('../../../site', import.meta.url));
const DIST = join(SITE, 'dist');

/** The folder of the server that the site lies in: a site that works below it works at the top too. */
const BASE = '/handbook/';

/** The most bytes that the first page may be, compressed as a server sends them, without pictures. */
const LARGEST_FIRST_PAGE = 100_000;

/** What people look for, and the page that must be among the answers. */
const SEARCHES = [
  ['lifecycle.was', 'desired-state'],
  ['service user', 'tokens-and-roles'],
  ['--undo', 'recovery'],
] as const;

/** Pages with tables, diagrams, long lines and outputs. */
const PICTURED = [
  '',
  'getting-started/',
  'comparison/',
  'kinds/',
  'access/',
  'github/',
  'kubernetes/',
  'drift/',
  'policies/',
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const pictures = process.argv[2];
await promisify(execFile)('npm', ['run', 'build'], {
  cwd: SITE,
  env: { ...process.env, SITE_BASE: BASE },
});
const files = await readdir(DIST, { recursive: true });
const pages = files.filter(name => name.endsWith('index.html'));
await checkLinks();
const server = await serve();
const browser = await startBrowser();
try {
  const tab = await browser.open(`${origin()}${BASE}`);
  await checkPages(tab);
  await checkFirstPage(tab);
  for (const [words, page] of SEARCHES) await checkSearch(tab, words, page);
  if (pictures !== undefined) await takePictures(tab, pictures);
} finally {
  await browser.close();
  server.close();
}

/** Every link of every page leads to a file of the site, and every anchor to an element. */
async function checkLinks(): Promise<void> {
  const texts = new Map<string, string>();
  for (const page of pages) texts.set(addressOf(page), await readFile(join(DIST, page), 'utf8'));
  const known = new Set(files.map(name => `${BASE}${name}`));
  const dead: string[] = [];
  let count = 0;
  for (const [page, html] of texts) {
    for (const [, link = ''] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const url = new URL(link.replaceAll('&amp;', '&'), `http://site${page}`);
      if (url.host !== 'site') continue;
      count += 1;
      const target = texts.get(url.pathname);
      const anchor = decodeURIComponent(url.hash.slice(1));
      const isDead =
        target === undefined
          ? !known.has(url.pathname)
          : anchor !== '' && !target.includes(` id="${anchor}"`);
      if (isDead) dead.push(`${page} → ${link}`);
    }
  }
  assert.deepEqual(dead, []);
  tell(`${count} links of ${pages.length} pages lead somewhere`);
}

function addressOf(page: string): string {
  return `${BASE}${page.replace(/index\.html$/, '')}`;
}

/** Every page opens, shows its title, and leaves nothing in the console. */
async function checkPages(tab: Tab): Promise<void> {
  for (const page of pages) {
    await tab.go(`${origin()}${addressOf(page)}`);
    assert.notEqual(await tab.value(`document.querySelector('h1').textContent`), '');
    assert.equal(await tab.value(`document.body.innerText.includes('<!--')`), false);
    assert.deepEqual(complaintsOf(tab), [], page);
  }
  tell(`${pages.length} pages opened without a complaint`);
}

/** The first page shows its pictures, and without them a server sends little for it. */
async function checkFirstPage(tab: Tab): Promise<void> {
  await tab.go(`${origin()}${BASE}`);
  const shown = await tab.value(
    `[...document.querySelectorAll('main img')].map(({ naturalWidth }) => naturalWidth > 0)`,
  );
  assert.ok(Array.isArray(shown) && shown.length > 0 && shown.every(Boolean), 'pictures are shown');
  const loaded = await tab.value(
    `['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type)).map(({ name }) => new URL(name).pathname)`,
  );
  assert.ok(Array.isArray(loaded));
  const paths = new Set(loaded.map(String).filter(path => !path.endsWith('.svg')));
  let bytes = 0;
  for (const path of paths) {
    const file = join(DIST, path.replace(BASE, '/').replace(/\/$/, '/index.html'));
    bytes += gzipSync(await readFile(file)).length;
  }
  assert.ok(bytes < LARGEST_FIRST_PAGE, `${bytes} bytes in ${[...paths].join(' ')}`);
  tell(
    `the first page shows ${shown.length} pictures, and is ${bytes} bytes compressed without them`,
  );
}

// The list of themes in the header is Starlight's, and has neither an id nor a name.
function complaintsOf({ complaints }: Tab): readonly string[] {
  return complaints.filter(text => !text.includes('FormEmptyIdAndNameAttributesForInputError'));
}

/** Types into the search of the first page, and follows the answer. */
async function checkSearch(tab: Tab, words: string, page: string): Promise<void> {
  await tab.go(`${origin()}${BASE}`);
  await tab.value(`document.querySelector('button[data-open-modal]').click()`);
  await tab.value(until(`document.querySelector('site-search input')`));
  await tab.value(`document.querySelector('site-search input').focus()`);
  await tab.send('Input.insertText', { text: words });
  const result = `[...document.querySelectorAll('site-search a')].find(a => a.href.includes('/${page}/'))`;
  await tab.value(until(result));
  const address = String(await tab.value(`${result}.href`));
  assert.deepEqual(complaintsOf(tab), [], words);
  await tab.go(address);
  assert.equal(
    await tab.value(
      `document.querySelector('main').innerText.toLowerCase().includes(${JSON.stringify(words.toLowerCase())})`,
    ),
    true,
    `${address} has “${words}”`,
  );
  tell(`“${words}” finds ${new URL(address).pathname}`);
}

/** A promise in the page that resolves once an expression is truthy. */
function until(expression: string): string {
  return `new Promise((resolve, reject) => {
    const end = performance.now() + 20000;
    const look = () => {
      if (${expression}) resolve(true);
      else if (performance.now() > end) reject(new Error(${JSON.stringify(`never: ${expression}`)}));
      else setTimeout(look, 50);
    };
    look();
  })`;
}

async function takePictures(tab: Tab, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const page of PICTURED) {
    await tab.go(`${origin()}${BASE}${page}`);
    for (const scheme of ['light', 'dark']) {
      await tab.value(`document.documentElement.dataset.theme = '${scheme}'`);
      for (const width of [1280, 400])
        await picture(
          tab,
          `${folder}/${page.replace('/', '') || 'index'}-${scheme}-${width}.png`,
          width,
        );
    }
  }
}

async function picture(tab: Tab, file: string, width: number): Promise<void> {
  const size = { width, height: 2000, deviceScaleFactor: 1, mobile: width < 600 };
  await tab.send('Emulation.setDeviceMetricsOverride', size);
  const { data } = await tab.send('Page.captureScreenshot');
  await writeFile(file, Buffer.from(String(data), 'base64'));
}

async function serve(): Promise<Server> {
  const created = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const path = join(DIST, decodeURIComponent(pathname.replace(BASE, '/')));
    const file = (await isFolder(path)) ? join(path, 'index.html') : path;
    const body = await readFile(file).catch(() => null);
    response
      .writeHead(body === null ? 404 : 200, {
        'content-type': TYPES[extname(file)] ?? 'text/plain',
      })
      .end(body);
  });
  await new Promise<void>(resolve => created.listen(0, '127.0.0.1', resolve));
  return created;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

function origin(): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
