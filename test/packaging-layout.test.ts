// The shipped layout library is what its packaging script builds from the installed packages, and the bill of materials names it.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { LAYOUT_FILE, LAYOUT_PACKAGES, layoutText } from '../packaging/layout.ts';
import { packageBill } from '../packaging/sbom.ts';

test('the layout library is fresh (`npm run build:layout`), small, and has its licence', async () => {
  const text = await readFile(new URL(`../${LAYOUT_FILE}`, import.meta.url), 'utf8');
  expect(text).toBe(await layoutText());
  expect(text.length).toBeLessThan(150_000);
  expect(text).toContain('Permission is hereby granted, free of charge');
});

test('the bill of materials names the packages in the layout library, with version and licence', () => {
  const listed = packageBill().components.filter(({ name }) => LAYOUT_PACKAGES.includes(name));
  expect(listed.map(({ name }) => name)).toEqual(LAYOUT_PACKAGES);
  for (const { licenses, version } of listed) {
    expect(licenses).toEqual([{ license: { id: 'MIT' } }]);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  }
});
