// The answer to an access question as CSV, which people open in a spreadsheet.
import { expect, test } from 'vitest';
import type { AccessAnswer } from '../../src/model/access/planAccess.ts';
import { accessCsv } from '../../src/report/access/accessCsv.ts';

function csvOfName(name: string): string {
  const party = { name, machines: [] };
  const flow = { from: party, to: party, ports: [], via: [] };
  return accessCsv({ flows: [flow] } as unknown as AccessAnswer);
}

test.each([
  ['=1+1', "'=1+1"],
  ['a;=1+1', `"a;'=1+1"`],
  ['a; =1+1', `"a; '=1+1"`],
  [';', '";"'],
  ['a;b', '"a;b"'],
  ['a,b', '"a,b"'],
])('the name %s is %s: neither a formula nor two cells', (name, cell) => {
  expect(csvOfName(name).split('\n')[1]).toBe(`reaches,${cell},,${cell},,,,,,,,,`);
});
