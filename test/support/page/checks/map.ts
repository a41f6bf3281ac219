// The map of the example company: a focus by keyboard leaves what leads to a box and where it leads, search finds boxes, axe-core
// finds nothing.
import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { comparedPictures } from '../../../../src/access/picture/picture.ts';
import type { AccessState } from '../../../../src/access/state/accessState.ts';
import { pageAssets } from '../../../../src/cli/access/pageOutput.ts';
import { loadSchemas } from '../../../../src/pipeline/schemas.ts';
import { signsOf } from '../../../../src/report/graph/signs.ts';
import { pageText } from '../../../../src/report/page/document.ts';
import { exampleState } from '../../../report/graph/states.ts';
import type { Tab } from '../browser.ts';
import { SHOWN_DRAWING, SMALL_OR_CUT } from '../legible.ts';

import {
  accessPage,
  axeFindings,
  type Checking,
  picture,
  press,
  show,
  silent,
} from '../pageCheck.ts';

const SIGNS = signsOf(loadSchemas().kinds);

const COMPANY = fileURLToPath(new URL('../../../../examples/company', import.meta.url));

const NEAR = `document.querySelectorAll('.map-drawing:not([hidden]) .box.near').length`;

/** Checks the map of a page. */
export async function check({ browser, folder }: Checking): Promise<void> {
  const tab = await browser.open(await accessPage(folder, 'map', [COMPANY]));
  await show(tab, { width: 1440, scheme: 'light' });
  const boxes = Number(
    await tab.value(`document.querySelectorAll('.map-drawing:not([hidden]) .box').length`),
  );
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
  // A drawing that is too large for a page of paper is printed in parts, and stays as it is on the screen.
  const printed = await tab.value(`(() => {
    dispatchEvent(new Event('beforeprint'));
    const parts = document.querySelectorAll('#map-pages svg').length;
    dispatchEvent(new Event('afterprint'));
    return [parts, document.querySelectorAll('#map-pages').length];
  })()`);
  assert.deepEqual(Array.isArray(printed) && [Number(printed[0]) > 1, printed[1]], [true, 0]);
  await checkCollapsing(tab, join(folder, 'map'));
  assert.deepEqual(await axeFindings(tab), []);
  await silent(tab);
  await checkStates({ browser, folder });
}

/** Each way to collapse the map shows one drawing, in both themes, with text that is large enough and not cut. */
async function checkCollapsing(tab: Tab, pictures: string): Promise<void> {
  for (const by of ['place', 'folder', 'label', 'none']) {
    await tab.value(`(() => {
      const control = document.getElementById('map-by');
      control.value = '${by}';
      control.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    assert.equal(await tab.value(`${SHOWN_DRAWING}.dataset.by`), by);
    assert.equal(
      await tab.value(`document.querySelectorAll('.map-drawing:not([hidden])').length`),
      1,
    );
    assert.deepEqual(await tab.value(SMALL_OR_CUT), [], by);
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [1440, 1024, 390]) {
        await show(tab, { width, scheme });
        await picture(tab, `${pictures}-${by}-${width}-${scheme}.png`);
      }
  }
}

/** The page of a plan: the map shows the difference first, and follows the choice of a state with its list. */
async function checkStates({ browser, folder }: Checking): Promise<void> {
  const tab = await browser.open(await planPage(folder));
  await show(tab, { width: 1440, scheme: 'light' });
  for (const [state, by] of [
    ['difference', 'changes'],
    ['before', 'none'],
    ['after', 'none'],
  ]) {
    await tab.value(`document.querySelector('[name="states"][value="${state}"]').click()`);
    assert.deepEqual(
      await tab.value(`[${SHOWN_DRAWING}.dataset.state, ${SHOWN_DRAWING}.dataset.by]`),
      [state, by],
    );
    const lists = `[...document.querySelectorAll('.map-list:not([hidden])')].map(one => one.dataset.state)`;
    assert.deepEqual(await tab.value(lists), [state]);
    for (const scheme of ['light', 'dark'] as const) {
      await show(tab, { width: 1440, scheme });
      await picture(tab, join(folder, `map-plan-${state}-${scheme}.png`));
      assert.deepEqual(await axeFindings(tab), [], `${state} ${scheme}`);
    }
  }
  await silent(tab);
}

/** The page of a plan that changes some policies of the example company. */
async function planPage(folder: string): Promise<string> {
  const state = await exampleState('company');
  const { after, ...compared } = comparedPictures(state, withOtherPolicies(state));
  const content = {
    title: 'Plan',
    about: 'The example company.',
    picture: after,
    compared,
    signs: SIGNS,
  };
  const file = join(folder, 'map-plan.html');
  await writeFile(file, pageText(content, pageAssets()));
  return pathToFileURL(file).href;
}

// The first policy is deleted, the last one is new, and others are enabled or disabled.
function withOtherPolicies(state: AccessState): AccessState {
  const [, ...kept] = state.policies.map((policy, at) =>
    at % 5 === 0 ? { ...policy, isEnabled: !policy.isEnabled } : policy,
  );
  const last = kept.at(-1);
  return { ...state, policies: last ? [...kept, { ...last, key: 'new policy', id: 'new' }] : kept };
}
