// The map and the matrix of 40 drawn accounts, as odd as the API allows: nothing is cut, too small, or without contrast.
import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { accessPicture } from '../../../../src/access/picture/picture.ts';
import { pageAssets } from '../../../../src/cli/access/pageOutput.ts';
import { loadSchemas } from '../../../../src/pipeline/schemas.ts';
import { signsOf } from '../../../../src/report/graph/signs.ts';
import { pageText } from '../../../../src/report/page/document.ts';
import { drawnStates } from '../../../report/graph/states.ts';
import { assertLegible } from '../legible.ts';

import { type Checking, picture, SCREENS, show, silent } from '../pageCheck.ts';

const SIGNS = signsOf(loadSchemas().kinds);

const ACCOUNTS = 40;

/** Looks at each account in one size and theme after another. */
export async function check({ browser, folder }: Checking): Promise<void> {
  const tab = await browser.open('about:blank');
  let drawings = 0;
  for (const [at, state] of drawnStates(ACCOUNTS).entries()) {
    const content = {
      title: 'Access',
      about: 'A drawn account.',
      picture: accessPicture(state),
      signs: SIGNS,
    };
    const file = join(folder, `drawn-${at}.html`);
    await writeFile(file, pageText(content, pageAssets()));
    await tab.go(pathToFileURL(file).href);
    const screen = SCREENS[at % SCREENS.length] ?? { width: 1440, scheme: 'light' };
    await show(tab, screen);
    for (const part of ['map', 'matrix']) {
      await tab.value(`document.getElementById('${part}-tab').click()`);
      const name = `drawn-${at}-${screen.width}-${screen.scheme}-${part}`;
      await picture(tab, join(folder, `${name}.png`));
      await assertLegible(tab, name);
    }
    drawings += Number(await tab.value(`document.querySelectorAll('.map-drawing').length`));
  }
  assert.ok(drawings > ACCOUNTS, `${drawings} drawings`);
  await silent(tab);
}
