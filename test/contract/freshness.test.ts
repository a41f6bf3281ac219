// schemas/openapi.json is what schemas/openapi.yaml says, in the form that loads fast. BLESS=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { printed } from './printed.ts';

const WRITTEN = new URL('../../schemas/openapi.yaml', import.meta.url);
const LOADED = new URL('../../schemas/openapi.json', import.meta.url);

it('schemas/openapi.json says what schemas/openapi.yaml says', () => {
  const fresh = printed(parse(readFileSync(WRITTEN, 'utf8')));
  if (process.env.BLESS === '1') writeFileSync(LOADED, fresh);
  else expect(readFileSync(LOADED, 'utf8') === fresh, 'run it again with BLESS=1').toBe(true);
});
