// The numbers of operations and kinds on the pages are those of the contract and of `schemas/kinds/`. BLESS=1 writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/index.ts';
import { KINDS } from '../support/files.ts';
import { pageAt } from './blocks.ts';

const { operations, netbirdOperations } = loadContract();

/** By file, the places of numbers: what is before each, and the number. */
const COUNTS: Readonly<Record<string, readonly (readonly [before: string, count: number])[]>> = {
  'docs/design.md': [
    ['The specification of the Management API has ', operations.length],
    ['in the same form: ', netbirdOperations.length],
  ],
  'src/README.md': [
    ['as a table of operations with validators: the ', operations.length],
    ['of the specification, and in `x-netbird-paths` ', netbirdOperations.length],
  ],
  'schemas/openapi.yaml': [['they are not among the ', operations.length]],
  'docs/comparison.md': [['| kinds of objects | ', KINDS.size]],
};

test.for(Object.entries(COUNTS))('%s', ([file, counts]) => {
  const page = readFileSync(pageAt(file), 'utf8');
  const fresh = counts.reduce((text, [before, count]) => {
    const at = text.indexOf(before);
    expect(at, before).toBeGreaterThan(0);
    const end = at + before.length;
    return text.slice(0, end) + text.slice(end).replace(/^\d+/, String(count));
  }, page);
  if (process.env.BLESS === '1') writeFileSync(pageAt(file), fresh);
  else expect(page).toBe(fresh);
});
