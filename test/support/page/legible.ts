// Whether somebody can read what a page shows: scripts that find text that is too small or cut, headers, and what is wider than the window.
import { strict as assert } from 'node:assert';
import type { Tab } from './browser.ts';
import { axeFindings } from './pageCheck.ts';

/** The drawing of the map that is in sight. */
export const SHOWN_DRAWING = `document.querySelector('.map-drawing:not([hidden])')`;

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

/** Texts in boxes of the drawing in sight that are smaller on the screen than anybody should have to read, or wider than their box. */
export const SMALL_OR_CUT = `[...${SHOWN_DRAWING}?.querySelectorAll('.box') ?? []].flatMap(box => {
  const right = box.querySelector('rect').getBoundingClientRect().right;
  return [...box.querySelectorAll('text')].filter(text =>
    parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a < 10.99 || text.getBoundingClientRect().right > right
  ).map(text => text.textContent);
})`;

/** Tables that have to be scrolled sideways in a window that is too narrow for columns. */
const SIDEWAYS = `innerWidth > 640 ? [] : [...document.querySelectorAll('table')].flatMap(table => {
  const place = table.parentElement;
  return table.checkVisibility() && place.scrollWidth > place.clientWidth + 1 ? [table.caption?.textContent] : [];
})`;

/** Fails if something in the part of a page that is in sight cannot be read. `what` names the part in the message. */
export async function assertLegible(tab: Tab, what: string): Promise<void> {
  assert.deepEqual(await axeFindings(tab), [], what);
  assert.deepEqual(await tab.value(SMALL), [], `${what}: text under 11 px`);
  assert.deepEqual(await tab.value(CUT), [], `${what}: cut text`);
  assert.deepEqual(await tab.value(SIDEWAYS), [], `${what}: wide tables`);
  if (await tab.value(`document.documentElement.dataset.view === 'map'`))
    assert.deepEqual(await tab.value(SMALL_OR_CUT), [], `${what}: text of boxes`);
  const isWide = await tab.value('document.documentElement.scrollWidth > innerWidth');
  assert.equal(isWide, false, `${what}: wider than the window`);
}
