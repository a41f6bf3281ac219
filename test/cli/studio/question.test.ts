// Questions on the page of a studio have the answers of `access --why`.
import { expect, test } from 'vitest';
import { stateOfFiles } from '../../../src/access/state/stateOfFiles.ts';
import { serverForm } from '../../../src/cli/files/serverForm.ts';
import { answerTo, offeredNames } from '../../../src/cli/studio/question.ts';
import { desiredOf } from '../../support/files.ts';

const FILES = `
peers: [{ name: alice }, { name: bob }, { name: db }]
groups: [{ name: staff, peers: [alice] }, { name: db, peers: [db] }]
policies:
  - name: postgres
    rules: [{ name: pg, sources: [staff], destinations: [db], protocol: tcp, ports: ["5432"] }]
`;

const judged = {
  state: stateOfFiles(desiredOf(FILES), serverForm()),
  judged: 'the files in network',
};

const ask = (from: string, to: string, port = '') =>
  answerTo(JSON.stringify({ from, to, port, in: 'files' }), () => judged);

test('a question about ping asks for ICMP', () => {
  expect(ask('alice', 'peer/db', 'ping')).toBe(ask('alice', 'peer/db', 'icmp'));
});

test('a question may contain short names and bare ports', () => {
  const answer = ask('alice', 'peer/db', '5432');
  expect(answer).toContain('✓ Reached');
  expect(answer).toContain('policy &quot;postgres&quot;, rule &quot;pg&quot;');
  expect(answer).toContain('Evaluated: the files in network.');
});

test('the answer about a missing access states the reason', () => {
  expect(ask('alice', 'peer/db', 'tcp/22')).toContain(
    'PORT: policy &quot;postgres&quot;, rule &quot;pg&quot;',
  );
  const answer = ask('bob', 'peer/db', '5432');
  expect(answer).toContain('✕ Not reached');
  expect(answer).toContain('NO_RULE');
});

test('the answer is only partly yes if one of several sources has access', () => {
  const both = FILES.replace('peers: [alice]', 'peers: [alice, bob]').replace(
    'sources: [staff]',
    'sources: [other]',
  );
  const state = stateOfFiles(
    desiredOf(
      `${both.trim()}\n`.replace('groups: [', 'groups: [{ name: other, peers: [alice] }, '),
    ),
    serverForm(),
  );
  const body = JSON.stringify({ from: 'group/staff', to: 'peer/db', port: '5432', in: 'files' });
  const answer = answerTo(body, () => ({ ...judged, state }));
  expect(answer).not.toContain('✓');
  expect(answer).toContain(
    '◐ Reached in part. Of group/staff: alice does; bob, future members of group/staff do not',
  );
});

test('the answer is only partly yes if a part of the ports is open', () => {
  expect(ask('alice', 'peer/db', '5430-5432')).toContain('◐ Reached in part: only some');
});

test('a question needs only one of source and destination', () => {
  expect(ask('alice', '')).toContain('✓ Reached');
  expect(ask('', 'peer/db')).toContain('✓ Reached');
});

test.each([
  ['', '', '', 'neither a source nor a destination'],
  ['alice', '', '22', 'a port belongs to a destination'],
  ['alice', 'db', '', 'is the name of 2 objects'],
  ['alice', 'peer/nobody', '', 'matches no destination'],
  ['alicia', 'peer/db', '', 'did you mean `alice`?'],
  ['peer/alicia', 'peer/db', '', 'did you mean'],
  ['alice', 'peer/db', 'tcp/x', 'is not a port'],
])('%j to %j on %j is answered with what is wrong in the question', (from, to, port, why) => {
  expect(ask(from, to, port)).toContain(why);
});

test('a question before the first state is answered with a message', () => {
  const body = JSON.stringify({ from: 'alice', to: '', port: '', in: 'account' });
  expect(answerTo(body, () => undefined)).toContain('the account was not read yet');
});

test('a source is suggested only if it can be a source', () => {
  const { sources, targets } = offeredNames(judged);
  expect(sources).toContain('peer/alice');
  expect(targets).toEqual(expect.arrayContaining(['group/db', 'all']));
  expect(sources).toEqual(expect.not.arrayContaining(['network/office']));
});
