// Every part of a page at three sizes and in two themes: nothing is cut or too small, axe-core finds nothing, keys reach everything.
import { strict as assert } from 'node:assert';
import { join, resolve } from 'node:path';
import type { Tab } from '../browser.ts';
import { assertLegible } from '../legible.ts';
import { accessPage, type Checking, picture, press, SCREENS, show, silent } from '../pageCheck.ts';
import { planPage } from '../planPage.ts';

/** Looks at the page of a plan, which has all three views, and at the pages of two examples. */
export async function check({ browser, folder }: Checking): Promise<void> {
  const exampleIn = (path: string) => resolve(import.meta.dirname, '../../../../examples', path);
  const pages = [
    ['plan', await planPage(folder, 'views-plan')],
    ['company', await accessPage(folder, 'company', [exampleIn('company')])],
    ['offices', await accessPage(folder, 'offices', [exampleIn('offices/production')])],
  ] as const;
  for (const [name, address] of pages) {
    const tab = await browser.open(address);
    for (const screen of SCREENS) {
      await show(tab, screen);
      await checkParts(tab, join(folder, `${name}-${screen.width}-${screen.scheme}`));
    }
    await checkTabs(tab);
    await silent(tab);
  }
}

const TABS = `[...document.querySelectorAll('[role="tab"]')]`;

async function checkParts(tab: Tab, pictures: string): Promise<void> {
  const parts = await tab.value(`${TABS}.map(tab => tab.hash.slice(1))`);
  assert.ok(Array.isArray(parts) && parts.length > 3);
  for (const part of parts) {
    await tab.value(`document.getElementById('${part}-tab').click()`);
    await picture(tab, `${pictures}-${part}.png`);
    await assertLegible(tab, `${pictures} ${part}`);
  }
}

/** Arrow keys move through the tabs, and each shows its part alone. */
async function checkTabs(tab: Tab): Promise<void> {
  await tab.value(`${TABS}[0].focus()`);
  const count = Number(await tab.value(`${TABS}.length`));
  for (let at = 1; at < count; at++) {
    await press(tab, 'ArrowRight');
    assert.equal(await tab.value(`${TABS}.indexOf(document.activeElement)`), at);
    const shown = `[...document.querySelectorAll('[role="tabpanel"]:not([hidden])')].map(one => one.id)`;
    assert.deepEqual(await tab.value(shown), await tab.value(`[${TABS}[${at}].hash.slice(1)]`));
  }
}
