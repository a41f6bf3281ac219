// What is said of a rollout that does not begin or go on: which one, its state, and the command that goes on.
import { expect, test } from 'vitest';
import { sentenceOfPlan } from '../../../src/cli/refusals/planRefusals.ts';
import {
  sentenceOfMissingFile,
  sentenceOfRollout,
} from '../../../src/cli/refusals/rolloutRefusals.ts';
import { stop } from '../../../src/fleet/rollout/transitions.ts';
import { fleetOf, ledgerOf, moved } from '../../fleet/rollout/simulation.ts';

const LEDGER = ledgerOf(fleetOf(2, [{ count: 1, bake: 0 }, { bake: 0 }]));

test('the error for a second rollout states the time and state of the open one, and the command that continues it', () => {
  expect(sentenceOfRollout({ refused: 'rollout-open', ledger: LEDGER })).toEqual([
    '`fleet.yaml` has an open rollout, `r1`, since 1970-01-01T00:00:00.000Z, in wave 1 of 2',
    'continue it first: `meshform fleet apply --continue`',
  ]);
  const queued = { refused: 'rollout-open', ledger: LEDGER, isQueued: true } as const;
  expect(sentenceOfRollout(queued)).toEqual([
    '`fleet.yaml` has an open rollout in the queue, `r1`, since 1970-01-01T00:00:00.000Z, in wave 1 of 2',
    'continue it first: `meshform fleet apply --continue --queue`',
  ]);
  const stopped = moved(LEDGER, stop('a hook failed', 0));
  expect(sentenceOfRollout({ refused: 'rollout-open', ledger: stopped })[0]).toMatch(
    /, stopped: a hook failed$/,
  );
});

test('the error for accounts of another open rollout names one of them, the fleet file, and the command that continues it', () => {
  const ledger = { ...LEDGER, fleet: 'a fleet.yaml' };
  const taken = {
    refused: 'accounts-in-rollout',
    ledger,
    accounts: ['acme', 'beta', 'c'],
  } as const;
  expect(sentenceOfRollout(taken)).toEqual([
    '`acme` and 2 other accounts are in the open rollout of `a fleet.yaml`, `r1`, since 1970-01-01T00:00:00.000Z, in wave 1 of 2',
    "continue that rollout first: `meshform fleet apply 'a fleet.yaml' --continue`, or end it with --abandon REASON in place of --continue; if the file was renamed, use a checkout of a commit that has it",
  ]);
  const [queued, hint] = sentenceOfRollout({ ...taken, accounts: ['acme'], isQueued: true });
  expect(queued).toContain('`acme` is in the open rollout of `a fleet.yaml` in the queue');
  expect(hint).toContain('--continue --queue`');
});

test('the note on an open rollout of a file that the checkout lacks says how to continue it under the former name of the file', () => {
  const ledger = { ...LEDGER, fleet: 'a fleet.yaml' };
  expect(sentenceOfMissingFile(ledger)).toEqual([
    'a rollout of `a fleet.yaml`, a file that this checkout does not have, is open: `r1`, since 1970-01-01T00:00:00.000Z, in wave 1 of 2',
    "if the file was renamed, continue in a checkout of a commit that has it: `git log --diff-filter=AM -- ':/a fleet.yaml'` lists them, and there `meshform fleet apply 'a fleet.yaml' --continue` continues the rollout; --abandon REASON in place of --continue ends it",
  ]);
  expect(sentenceOfMissingFile(ledger, true)[1]).toContain('--continue --queue`');
});

test('the error for a running rollout names the run that carries it out, or carries out a shard of it', () => {
  const by = {
    is: 'run',
    id: 'one',
    machine: 'ci-7',
    since: '2026-11-28T00:00:00Z',
    ttl: 180,
    counter: 1,
  } as const;
  const [message, , lines] = sentenceOfRollout({
    refused: 'rollout-busy',
    rollout: 'r1',
    shard: { index: 2, of: 4 },
    by,
  });
  expect(message).toBe('another run applies shard 2/4 of the rollout `r1`:');
  expect(lines?.join('\n')).toContain('ci-7');
});

test('the error for a ledger that no key of the run has signed says which key it needs', () => {
  const ref = 'refs/meshform-fleet/r1';
  expect(sentenceOfRollout({ refused: 'ledger-unverified', ref, because: 'not-signed' })).toEqual([
    'the ledger at refs/meshform-fleet/r1 is not signed with a key of this run',
    'set MESHFORM_SIGNING_KEY to the key that the rollout was started with; if it is that key, somebody else wrote the ledger: remove it with `git push REMOTE --delete refs/meshform-fleet/r1`',
  ]);
  const why = 'its halt lacks `turn`';
  expect(sentenceOfRollout({ refused: 'ledger-unreadable', ref, why })[0]).toBe(
    'the ledger at refs/meshform-fleet/r1 cannot be read: its halt lacks `turn`',
  );
});

test('the error for an entry that reaches another account or server names what a fleet can change, no token and no flag', () => {
  const account = { refused: 'account', planned: 'a', connected: 'b' } as const;
  const server = { refused: 'server', planned: 'http://a', connected: 'http://b' } as const;
  expect(sentenceOfPlan(account, true)).toEqual([
    'the plan was made for the account `a`, and the entry of the fleet now reaches `b`',
    'if the entry should reach this account, plan it again with `meshform fleet plan`; otherwise correct its `tenant` or its credentials: `meshform fleet list` shows both',
  ]);
  expect(sentenceOfPlan(account, false).join()).toContain('MESHFORM_TOKEN');
  expect(sentenceOfPlan(server, true).join()).not.toContain('--any-server');
  expect(sentenceOfPlan(server, false).join()).toContain('--any-server');
});
