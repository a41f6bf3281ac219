// Every part of a page at three sizes and in two themes: nothing is cut or too small, axe-core finds nothing, keys reach everything.
import { strict as assert } from 'node:assert';
import { join, resolve } from 'node:path';
import type { Tab } from '../browser.ts';
import {
  accessPage,
  axeFindings,
  type Checking,
  picture,
  press,
  type Screen,
  show,
  silent,
} from '../pageCheck.ts';

const SCREENS: readonly Screen[] = [1440, 1024, 390].flatMap((width): readonly Screen[] => [
  { width, scheme: 'light' },
  { width, scheme: 'dark' },
]);

/** Looks at the pages of two examples. */
export async function check({ browser, folder }: Checking): Promise<void> {
  const examples = [
    ['company', 'company'],
    ['offices', 'offices/production'],
  ] as const;
  for (const [name, path] of examples) {
    const files = resolve(import.meta.dirname, '../../../../examples', path);
    const tab = await browser.open(await accessPage(folder, name, [files]));
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
    assert.deepEqual(await axeFindings(tab), [], `${pictures} ${part}`);
    assert.deepEqual(await tab.value(SMALL), [], `${pictures} ${part}: text under 11 px`);
    assert.deepEqual(await tab.value(CUT), [], `${pictures} ${part}: cut text`);
    const isWide = await tab.value(`document.documentElement.scrollWidth > innerWidth`);
    assert.equal(isWide, false, `${pictures} ${part}: wider than the window`);
  }
}

/** Texts in sight that are smaller than anybody should have to read. */
const SMALL = `[...document.querySelectorAll('body *')].filter(one =>
  one.checkVisibility({ contentVisibilityAuto: true }) &&
  [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '') &&
  one.ownerSVGElement == null && parseFloat(getComputedStyle(one).fontSize) < 11
).map(one => one.className + ': ' + one.textContent)`;

/** Headers and chips of the matrix whose text is larger than their box. */
const CUT = `[...document.querySelectorAll('.grid .chip, .grid .column, .grid .side, .grid .within span')]
  .filter(one => one.checkVisibility() &&
    (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline' ||
      one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).display !== 'inline' ||
      one.matches('.chip') && one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right))
  .map(one => one.className + ': ' + one.textContent)`;

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
