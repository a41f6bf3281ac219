// src/api/operations/operations.generated.ts is what schemas/openapi.yaml says, as types. BLESS=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/index.ts';
import { typescriptOf } from './typescript.ts';

const GENERATED = new URL('../../src/api/operations/operations.generated.ts', import.meta.url);

test('the generated types are those of the contract', () => {
  const { document, operations } = loadContract();
  const fresh = typescriptOf(document, operations);
  if (process.env.BLESS === '1') writeFileSync(GENERATED, fresh);
  else expect(readFileSync(GENERATED, 'utf8') === fresh, 'run it again with BLESS=1').toBe(true);
});
