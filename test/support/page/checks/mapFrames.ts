// The map of a large account: it begins with groups, and the script of a frame takes little time when somebody pans, zooms, chooses
// a box or searches. `docs/proofs.md` has the figures.
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { LARGE, largeAccount } from '../../../access/diff/large.ts';
import type { Tab } from '../browser.ts';
import { measureAll, tellHeap } from '../frames.ts';
import { axeFindings, type Checking, pageOf, picture, show, silent } from '../pageCheck.ts';

const SHOWN = `document.querySelector('.map-drawing:not([hidden])')`;

/** By what somebody does, the script that does it once; `at` counts the frames. */
const ACTIONS = {
  pan: `document.getElementById('map-view').scrollBy(at % 2 ? -300 : 300, at % 2 ? -200 : 200)`,
  zoom: `document.getElementById(at % 4 < 2 ? 'map-in' : 'map-out').click()`,
  focus: `(boxes => boxes[at % boxes.length].dispatchEvent(new MouseEvent('click')))([...${SHOWN}.querySelectorAll('.box')])`,
  search: `(field => {
    field.value = 'group-' + at;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })(document.getElementById('map-search'))`,
};

/** Measures the map of an account of 10,000 machines. */
export async function check({ browser, folder }: Checking): Promise<void> {
  const tab = await browser.open(
    `${await pageOf(folder, 'mapFrames', largeAccount(LARGE, 1))}#map`,
  );
  await show(tab, { width: 1440, scheme: 'light' });
  const boxes = Number(await tab.value(`${SHOWN}.querySelectorAll('.box').length`));
  assert.ok(boxes > 20 && boxes < 120, `the map begins with ${boxes} boxes`);
  await measureAll(tab, 'groups', ACTIONS);
  await picture(tab, join(folder, 'mapFrames-groups.png'));
  await openLargestPart(tab);
  await measureAll(tab, 'the largest part', ACTIONS);
  await picture(tab, join(folder, 'mapFrames-part.png'));
  await tellHeap(tab);
  assert.deepEqual(await axeFindings(tab), []);
  await silent(tab);
}

/** Looks inside of the group whose drawing has the most lines. */
async function openLargestPart(tab: Tab): Promise<void> {
  const lines = await tab.value(`(() => {
    const shown = ${SHOWN};
    const parts = [...document.querySelectorAll('.map-drawing[data-part]')]
      .filter(({ dataset }) => dataset.by === shown.dataset.by && dataset.state === shown.dataset.state);
    const linesOf = part => part.querySelectorAll('.lines > .line').length;
    const [largest] = parts.sort((one, other) => linesOf(other) - linesOf(one));
    const box = shown.querySelector('.box[data-id="' + largest.dataset.part + '"]');
    box.dispatchEvent(new MouseEvent('click'));
    [...document.querySelectorAll('#map-details button')].find(one => one.textContent === 'Look inside').click();
    return linesOf(largest);
  })()`);
  assert.ok(Number(lines) > 50, `${lines} lines`);
  assert.equal(await tab.value(`${SHOWN}.dataset.part !== undefined`), true);
}
