// The matrix of a picture says what the model says: each cell agrees with the answer to a question about its members.
import { expect, test } from 'vitest';
import { answerQuestion } from '../../../src/access/ask/answer.ts';
import { selectorOf } from '../../../src/access/ask/selector.ts';
import { accessPicture, pictureOf } from '../../../src/access/picture/picture.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import type { AccessMatrix, MatrixVerdict } from '../../../src/model/access/accessPicture.ts';
import { present } from '../../../src/model/errors.ts';
import type { Json } from '../../../src/model/value.ts';
import { fc } from '../../support/seeded.ts';
import { generatedAccount } from '../generated.ts';
import { posturePair } from '../generatedPosture.ts';

function stateOf(account: unknown): AccessState {
  const answered = stateOfAnswers(account as Json);
  if ('faults' in answered) throw new Error(answered.faults.join());
  return answered.state;
}

/** The verdict of each cell, by row and column. */
function verdictsOf({ rows, columns, cells, verdicts }: AccessMatrix) {
  return rows.map((_, row) => {
    const list = columns.map((): MatrixVerdict | undefined => undefined);
    const runs = cells[row] ?? [];
    for (let at = 0; at < runs.length; at += 3) {
      const [first = 0, number = 0, length = 0] = runs.slice(at, at + 3);
      list.fill(verdicts[number], first, first + length);
    }
    return list;
  });
}

const selector = (text: string) => {
  const found = selectorOf(text);
  if ('fault' in found) throw new Error(found.fault);
  return found;
};

/** `ports|status` that a question answers for one machine to another. */
function asked(state: AccessState, from: string, to: string): readonly string[] {
  const answer = answerQuestion(state, { from: selector(from), to: selector(to), why: false });
  if ('unknown' in answer) throw new Error(answer.unknown.text);
  return answer.flows.map(({ ports, posture, via }) =>
    JSON.stringify([ports, posture && (posture.pass.length > 0 ? 'pass' : 'unknown'), via]),
  );
}

function shown(verdict: MatrixVerdict | undefined): readonly string[] {
  if (verdict === undefined || !('via' in verdict) || verdict.status === 'fail') return [];
  const status = verdict.status === 'reaches' ? undefined : verdict.status;
  return [JSON.stringify([verdict.ports, status, verdict.via])];
}

test('every cell is the answer for each pair of machines in it', () => {
  let compared = 0;
  fc.assert(
    fc.property(generatedAccount, account => {
      const state = stateOf(account);
      const { matrix } = accessPicture(state);
      const cells = verdictsOf(matrix);
      const machines = (members: readonly number[]) =>
        members.map(at => present(matrix.members[at], 'a member')).filter(isMachine);
      for (const [row, side] of matrix.rows.entries())
        for (const [column, target] of matrix.columns.entries())
          for (const from of machines(side.members))
            for (const to of machines(target.members)) {
              if (from === to) continue;
              expect(shown(cells[row]?.[column]), `${from} ${to}`).toEqual(asked(state, from, to));
              compared++;
            }
    }),
    { numRuns: 60 },
  );
  expect(compared).toBeGreaterThan(200);
});

test('a cell of an address has access exactly where a question about the address finds a flow', () => {
  let around = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        generatedAccount,
        posturePair('routed').map(([one]) => one),
      ),
      account => {
        const state = stateOf(account);
        const { matrix } = accessPicture(state);
        const cells = verdictsOf(matrix);
        for (const [row, side] of matrix.rows.entries())
          for (const [column, { name, address }] of matrix.columns.entries()) {
            const [to = ''] = name.replace(/ #\d+$/, '').split(', ');
            if (address === undefined || 'fault' in selectorOf(to)) continue;
            // A route is all the addresses of its network id.
            if (matrix.columns.filter(one => one.name.startsWith(to)).length > 1) continue;
            const verdict = cells[row]?.[column];
            for (const from of side.members.map(at => matrix.members[at] ?? '').filter(isMachine)) {
              const found = answerQuestion(state, {
                from: selector(from),
                to: selector(to),
                why: false,
              });
              if ('unknown' in found) throw new Error(found.unknown.text);
              const hasAccess = shown(verdict).length > 0 || verdict?.around !== undefined;
              expect(hasAccess, `${from} ${to}`).toBe(found.flows.length > 0);
              around += Number(verdict?.around !== undefined);
            }
          }
      },
    ),
    { numRuns: 100 },
  );
  expect(around).toBeGreaterThan(5);
});

const isMachine = (name: string): boolean => name.startsWith('peer/');

test('every machine is in one row and one column', () => {
  fc.assert(
    fc.property(generatedAccount, account => {
      const { matrix } = accessPicture(stateOf(account));
      for (const sides of [matrix.rows, matrix.columns]) {
        const members = sides.flatMap(side => side.members);
        expect(new Set(members).size).toBe(members.length);
        expect(
          members.map(at => matrix.members[at]).filter(name => isMachine(name ?? '')),
        ).toHaveLength(account.peers.length);
      }
    }),
    { numRuns: 100 },
  );
});

const ACCOUNT = {
  peers: ['a', 'b', 'c'].map((name, at) => ({
    id: `p${name}`,
    name,
    ip: `100.64.0.${at + 1}`,
    version: '0.60.0',
    approval_required: name === 'c',
  })),
  groups: [
    { id: 'g1', name: 'staff', peers: [{ id: 'pa' }, { id: 'pb' }] },
    { id: 'g2', name: 'servers', peers: [{ id: 'pc' }] },
  ],
  policies: [
    {
      id: 'q1',
      name: 'ssh',
      enabled: true,
      source_posture_checks: [],
      rules: [
        {
          id: 'r1',
          name: 'ssh',
          enabled: true,
          action: 'accept',
          bidirectional: false,
          protocol: 'tcp',
          ports: ['22'],
          sources: [{ id: 'g1' }],
          destinations: [{ id: 'g2' }],
        },
      ],
    },
  ],
  posture_checks: [],
  routes: [],
  networks: [],
  setup_keys: [],
  users: [],
};

test('a blocked pair has its reason, and a pair without a rule has no reason', () => {
  const { matrix } = accessPicture(stateOf(ACCOUNT));
  const cells = verdictsOf(matrix);
  const row = matrix.rows.findIndex(({ name }) => name.startsWith('group/staff'));
  const column = matrix.columns.findIndex(({ name }) => name === 'peer/c');
  expect(cells[row]?.[column]).toMatchObject({ status: 'blocked', code: 'NOT_APPROVED' });
  const member = matrix.members.indexOf('peer/c');
  const back = matrix.rows.findIndex(({ members }) => members.includes(member));
  expect(cells[back]?.filter(verdict => verdict !== undefined)).toEqual([]);
});

test('a question limits rows and columns', () => {
  const part = pictureOf(stateOf(ACCOUNT), { from: selector('peer/a') });
  if ('unknown' in part) throw new Error('peer/a is unknown');
  expect(part.matrix.rows).toHaveLength(1);
  expect(pictureOf(stateOf(ACCOUNT), { to: selector('group/nobody') })).toMatchObject({
    unknown: { text: 'group/nobody' },
  });
});
