// What checks of pages share: a browser, a folder for what they write, pages of accounts, pictures.
import { strict as assert } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json } from '../../../src/model/value.ts';
import type { Browser, Tab } from './browser.ts';
import { meshform } from './meshform.ts';

/** What a check gets. */
export interface Checking {
  readonly browser: Browser;
  /** For pages and pictures. */
  readonly folder: string;
}

/** A file of `checks/` exports one as `check`. It throws where a page is not as it should be. */
export type PageCheck = (checking: Checking) => Promise<void>;

/** The address of the page of an account. */
export async function pageOf(folder: string, name: string, account: unknown): Promise<string> {
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ account }));
  return accessPage(folder, name, ['--state', `${name}.json`]);
}

/** The address of the page that `meshform access` writes. */
export async function accessPage(
  folder: string,
  name: string,
  argv: readonly string[],
): Promise<string> {
  const all = ['access', ...argv, '--html', `${name}.html`, '--force'];
  assert.equal(await meshform(all, folder), '');
  return pathToFileURL(join(folder, `${name}.html`)).href;
}

/** The size of a window, in pixels. */
export interface Screen {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

/** The sizes and themes in which every view is looked at. */
export const SCREENS: readonly Screen[] = [1440, 1024, 390].flatMap((width): readonly Screen[] => [
  { width, scheme: 'light' },
  { width, scheme: 'dark' },
]);

/** Gives the window of a page a size and a theme. */
export async function show(tab: Tab, { width, scheme }: Screen): Promise<void> {
  const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
  await tab.send('Emulation.setDeviceMetricsOverride', size);
  const features = [{ name: 'prefers-color-scheme', value: scheme }];
  await tab.send('Emulation.setEmulatedMedia', { features });
}

/** A picture of what is in sight. */
export async function picture(tab: Tab, file: string): Promise<void> {
  const { data } = await tab.send('Page.captureScreenshot', {});
  await writeFile(file, Buffer.from(String(data), 'base64'));
}

/** Nothing is in the console, and the page asked for nothing. */
export async function silent(tab: Tab): Promise<void> {
  assert.equal(await tab.value(`performance.getEntriesByType('resource').length`), 0);
  assert.deepEqual(tab.complaints, []);
}

/** What axe-core finds in the page as it is shown: a part behind another tab is looked at when it is in sight. */
export async function axeFindings(tab: Tab): Promise<Json> {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await tab.value(`${await readFile(file, 'utf8')}; true`);
  return tab.value(`axe.run({ exclude: ['main > section[hidden]'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ target, failureSummary }) => [id, target.join(' '), failureSummary].join(': '))))`);
}

/** Presses keys, one after another. */
export async function press(tab: Tab, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const code = { Tab: 9, Enter: 13 }[key];
    const params = { key, ...(code && { windowsVirtualKeyCode: code }) };
    await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', ...params });
    await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', ...params });
  }
}
