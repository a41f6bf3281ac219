// The map of the example company: a focus by keyboard leaves what leads to a box and where it leads, search finds boxes, axe-core
// finds nothing.
import { strict as assert } from 'node:assert';
import { fileURLToPath } from 'node:url';
import { accessPage, axeFindings, type Checking, press, show, silent } from '../pageCheck.ts';

const COMPANY = fileURLToPath(new URL('../../../../examples/company', import.meta.url));

const NEAR = `document.querySelectorAll('#map-view .box.near').length`;

/** Checks the map of a page. */
export async function check({ browser, folder }: Checking): Promise<void> {
  const tab = await browser.open(await accessPage(folder, 'map', [COMPANY]));
  await show(tab, { width: 1440, scheme: 'light' });
  const boxes = Number(await tab.value(`document.querySelectorAll('#map-view .box').length`));
  assert.ok(boxes > 50, `${boxes} boxes`);
  await tab.value(`document.querySelector('#map-view .box').focus()`);
  await press(tab, 'Enter');
  const near = Number(await tab.value(NEAR));
  assert.ok(near > 1 && near < boxes, `${near} of ${boxes} boxes are near the first one`);
  await press(tab, 'Escape');
  assert.equal(await tab.value(NEAR), 0);
  await tab.value(`(() => {
    const search = document.getElementById('map-search');
    search.value = 'orders-db';
    search.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  assert.match(
    String(await tab.value(`document.getElementById('map-status').textContent`)),
    /^\d+ box/,
  );
  assert.deepEqual(await axeFindings(tab), []);
  await silent(tab);
}
