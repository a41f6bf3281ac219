// The drawing of the rooms on the page about the architecture is what the imports are. BLESS=1 writes it anew.
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { roomsPicture } from '../support/project/roomsPicture.ts';

const PAGE = new URL('../../docs/architecture.md', import.meta.url);

test('the page draws the present imports between rooms', async () => {
  const page = await readFile(PAGE, 'utf8');
  const marked = /(<!-- rooms:begin -->\n)[\s\S]*?(<!-- rooms:end -->)/;
  const fresh = page.replace(
    marked,
    (_, begin: string, end: string) => `${begin}${roomsPicture()}${end}`,
  );
  if (process.env.BLESS === '1') await writeFile(PAGE, fresh);
  else expect(page).toBe(fresh);
});
