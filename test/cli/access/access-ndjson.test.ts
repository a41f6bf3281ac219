// `access --format ndjson`: the shared cases through the command line, and lines that are no account.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { readCases } from '../../access/reach/cases.ts';
import { inFolder, meshform } from '../../support/cli.ts';

const NDJSON = ['access', '--state', '-', '--format', 'ndjson'];
const lines = (values: readonly Json[]) =>
  values.map(value => `${JSON.stringify(value)}\n`).join('');
const EMPTY = { peers: [], groups: [], policies: [] };

test('all shared cases agree, one answer per line and in order, wrapped and bare', async () => {
  const cases = readCases();
  const answers = lines(cases.map(({ reach }) => ({ reach })));
  const wrapped = lines(cases.map(({ account, reach }) => ({ reach, account, other: 1 })));
  expect(await meshform(NDJSON, { stdin: wrapped })).toEqual({
    code: 0,
    stdout: answers,
    stderr: '',
  });
  const bare = lines(cases.map(({ account }) => account));
  expect(await meshform(NDJSON, { stdin: bare })).toEqual({ code: 0, stdout: answers, stderr: '' });
});

test('accounts can come from a file too, with any line endings', () =>
  inFolder(async cwd => {
    await writeFile(
      join(cwd, 'accounts.ndjson'),
      `${JSON.stringify(EMPTY)}\r\n\r\n${JSON.stringify(EMPTY)}`,
    );
    const ended = await meshform(['access', '--state', 'accounts.ndjson', '--format', 'ndjson'], {
      cwd,
    });
    expect(ended).toEqual({ code: 0, stdout: '{"reach":[]}\n{"reach":[]}\n', stderr: '' });
  }));

test('every line that is not an account is named, and the others are answered', async () => {
  const policy = { id: 'q', rules: [{ protocol: 'tcp', ports: [22] }] };
  const stdin = [
    JSON.stringify(EMPTY),
    '{"peers": [',
    '[]',
    JSON.stringify({ account: { ...EMPTY, peers: 1 } }),
    JSON.stringify({ ...EMPTY, policies: [policy] }),
    JSON.stringify({ account: EMPTY }),
  ].join('\n');
  expect(await meshform(NDJSON, { stdin })).toEqual({
    code: 3,
    stdout: '{"reach":[]}\n{"reach":[]}\n',
    stderr: `stdin:2: not an account: it is not JSON
stdin:3: not an account: \`.\` is not an object
stdin:4: not an account: \`peers\` is not a list
stdin:5: not an account: \`policies[0].rules[0].ports[0]\` is not a string
`,
  });
});

test('the format needs saved answers and accepts no question', async () => {
  expect((await meshform(['access', '--format', 'ndjson'])).code).toBe(64);
  expect((await meshform([...NDJSON, 'from', 'group/a'], { stdin: '' })).code).toBe(64);
  expect((await meshform(['access', '--state', 'nowhere', '--format', 'ndjson'])).code).toBe(64);
});
