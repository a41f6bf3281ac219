// A studio in Chromium: it follows an edit, answers a question by keyboard, complains of nothing, and tells a page of another
// origin in the same browser nothing.
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Tab } from '../browser.ts';
import { axeFindings, type PageCheck } from '../pageCheck.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../bin/meshform.js', import.meta.url));

/** What no other page may learn, and what would run if it were markup. */
const SECRET = 'acquisition-of-globex';
const HOSTILE = `${SECRET}</script><img src=x onerror=alert(1)>`;

/** Checks a studio, and what a hostile page sees of it. */
export const check: PageCheck = async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), 'meshform-studio-'));
  await writeFile(join(folder, 'a.yaml'), 'groups: [{ name: staff }, { name: servers }]\n');
  const child = spawn(process.execPath, [LAUNCHER, 'studio'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(child.stdout, 'data');
    const [address = ''] = /http:\S+/.exec(String(line)) ?? [];
    const tab = await browser.open(address);
    await checkOwnPage(tab, folder);
    await checkHostilePage(browser, new URL(address));
    assert.deepEqual(await axeFindings(tab), []);
    assert.deepEqual(tab.complaints, []);
    child.kill();
    await shows(tab, '#connection', 'Not connected');
  } finally {
    child.kill();
    await rm(folder, { recursive: true, force: true });
  }
};

async function checkOwnPage(tab: Tab, folder: string): Promise<void> {
  await shows(tab, '#part-status', 'Valid');
  assert.equal(await tab.value('location.hash'), '', 'the token stays out of the address bar');
  await writeFile(
    join(folder, 'b.yaml'),
    `groups: [{ name: '${HOSTILE}' }]
policies:
  - name: ssh
    rules: [{ name: ssh, sources: [staff], destinations: [servers], protocol: tcp, ports: ["22"] }]
`,
  );
  await shows(tab, '#part-difference', ': tcp/22');
  await shows(tab, '#part-difference', 'onerror');
  assert.equal(await tab.value("document.querySelectorAll('img').length"), 0);
  await shows(tab, '#part-views', 'Who reaches what');
  await tab.value("document.querySelector('#ask-from').focus()");
  await typed(tab, 'staff');
  await pressed(tab, 'Tab');
  await typed(tab, 'servers');
  await pressed(tab, 'Enter');
  await shows(tab, '#answer', 'Reached');
  await tab.go(String(await tab.value('location.href')));
  await shows(tab, '#part-status', 'Valid');
}

/** What a page of another origin tries; each result is what it got to know. */
const ATTACK = `(async () => {
  const studio = location.hash.slice(1);
  const tried = async get => { try { return String(await get()); } catch (error) { return 'failed: ' + error; } };
  const textOf = response => response.text();
  const frame = document.createElement('iframe');
  frame.src = studio;
  document.body.append(frame);
  await new Promise(loaded => frame.addEventListener('load', loaded));
  const opened = open(studio);
  const heard = [];
  addEventListener('message', event => heard.push(event.data));
  for (const target of [frame.contentWindow, opened]) target?.postMessage({ ask: 'state' }, '*');
  await new Promise(passed => setTimeout(passed, 500));
  return JSON.stringify({
    plain: await tried(() => fetch(studio + 'updates').then(textOf)),
    opaque: await tried(() => fetch(studio + 'updates', { mode: 'no-cors' }).then(textOf)),
    token: await tried(() => fetch(studio + 'updates', { headers: { authorization: 'Bearer x' } }).then(textOf)),
    post: await tried(() => fetch(studio + 'ask', { method: 'POST', mode: 'no-cors', body: '{}' }).then(textOf)),
    script: await tried(() => new Promise((loaded, failed) => {
      const script = document.createElement('script');
      script.src = studio + 'updates';
      script.onload = () => loaded('loaded');
      script.onerror = () => failed('no script');
      document.body.append(script);
    })),
    framed: await tried(() => frame.contentWindow.document.body.textContent),
    opened: await tried(() => opened.document.body.textContent),
    heard: JSON.stringify(heard),
  });
})()`;

async function checkHostilePage({ open }: Browser, { port, hash }: URL): Promise<void> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><body>hostile');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const own = (server.address() as AddressInfo).port;
    // The last name resolves to this machine, as that of an attacker does after DNS rebinding.
    for (const name of ['127.0.0.1', 'localhost', 'evil.localhost']) {
      const tab = await open(`http://evil.localhost:${own}/#http://${name}:${port}/`);
      const found = JSON.parse(String(await tab.value(ATTACK)));
      assert.equal(found.heard, '[]');
      assert.match(found.plain, /^failed/);
      assert.match(found.token, /^failed/);
      assert.match(found.script, /^failed/);
      assert.match(found.framed, /^failed/);
      assert.ok(!JSON.stringify(found).includes(SECRET), JSON.stringify(found));
    }
    const rebound = await open(`http://evil.localhost:${port}/${hash}`);
    const text = String(await rebound.value('document.documentElement.textContent'));
    assert.equal(text.trim(), 'the request is for another host');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Waits until an element has a text; fails after ten seconds. */
async function shows(tab: Tab, selector: string, text: string): Promise<void> {
  let shown = '';
  for (let look = 0; look < 100; look += 1) {
    const found = `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`;
    shown = String(await tab.value(found));
    if (shown.includes(text)) return;
    await sleep(100);
  }
  assert.fail(`${selector} does not show ${JSON.stringify(text)}, but ${JSON.stringify(shown)}`);
}

async function typed(tab: Tab, text: string): Promise<void> {
  await tab.send('Input.insertText', { text });
}

async function pressed(tab: Tab, key: 'Tab' | 'Enter'): Promise<void> {
  const code = key === 'Tab' ? 9 : 13;
  const pressing = { key, code: key, windowsVirtualKeyCode: code };
  const text = key === 'Enter' ? { text: '\r' } : {};
  await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', ...pressing, ...text });
  await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', ...pressing });
}
