// What is remembered of the secrets that were sent: what the account is known to hold, and nothing else.
import { expect, test } from 'vitest';
import type { SentSecrets } from '../../src/apply/port.ts';
import type { Action } from '../../src/model/plan.ts';
import { secretFrom } from '../../src/model/secrets/secret.ts';
import { pointer } from '../../src/model/text/pointer.ts';
import { apiError, lost, type Mischief, memory } from './memory.ts';
import { createOf, deleteOf, planOf, run, updateOf } from './plans.ts';

const shown = { id: 'i1', type: 'oidc', name: 'staff', client_id: 'x', client_secret: '' };
const fields = { name: 'staff', client_secret: secretFrom('${env:HUSH}') };
const made = createOf('identity_provider', 'staff', { ...fields, type: 'oidc', client_id: 'x' });
const changed = updateOf('identity_provider', 'staff', shown, fields);
const gone = deleteOf('identity_provider', 'staff', shown);
const plain = createOf('group', 'g', { name: 'g' });

/** What a run of these actions has remembered, and the outcomes. */
async function remembered(
  actions: readonly Action[],
  mischief: Mischief = {},
  why: string | null = null,
) {
  const reported: string[] = [];
  const memorised: SentSecrets = {
    sent: async (address, secrets) => {
      reported.push(`sent ${address} ${secrets.map(({ path }) => pointer(path)).join()}`);
      return why;
    },
    forget: async (address, paths) => {
      reported.push(`forget ${address} ${paths?.map(pointer).join() ?? 'all'}`);
      return why;
    },
  };
  const account = memory([shown], mischief);
  const options = { openSecret: () => 'hush', memory: memorised };
  const { outcomes } = await run(planOf(actions), account, options);
  return { reported, outcomes };
}

test('a secret that was sent is recorded', async () => {
  expect((await remembered([made])).reported).toEqual([
    'sent identity_provider.staff /client_secret',
  ]);
  expect((await remembered([changed])).reported).toEqual([
    'sent identity_provider.staff /client_secret',
  ]);
});

test('the record of the former secret is removed if it is unknown whether the new secret was stored', async () => {
  const after: Mischief['after'] = call => {
    if (call.verb === 'update') throw lost(call);
    return undefined;
  };
  expect((await remembered([changed], { after })).reported).toEqual([
    'forget identity_provider.staff /client_secret',
  ]);
});

test('the record of the former secret is removed if an update was refused, because a part may be stored', async () => {
  const after: Mischief['after'] = call => {
    if (call.verb === 'update') throw apiError('API_INVALID', call);
    return undefined;
  };
  expect((await remembered([changed], { after })).reported).toEqual([
    'forget identity_provider.staff /client_secret',
  ]);
});

test('nothing is known of a deleted object, unless another object with its name was created', async () => {
  expect((await remembered([gone])).reported).toEqual(['forget identity_provider.staff all']);
  const anew = { ...made, fields: { ...made.fields } };
  expect((await remembered([anew, { ...gone, after: [anew.id] }])).reported).toEqual([
    'sent identity_provider.staff /client_secret',
  ]);
});

test('an object without a secret has nothing to remember', async () => {
  expect((await remembered([plain])).reported).toEqual([]);
});

test('a failure to remember it is reported, and undoes nothing', async () => {
  const { outcomes } = await remembered([changed], {}, 'no space is left on the device');
  expect(outcomes).toMatchObject([
    { status: 'done', notes: ['its fingerprints were not stored: no space is left on the device'] },
  ]);
});
