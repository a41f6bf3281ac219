// The messages of refusals of a plan: it cannot be read or was not approved, or it is for another server or account.
import type { RefusalOf } from '../../apply/refusal.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Sentence } from './sentence.ts';

type OfPlan = RefusalOf<'plan-broken' | 'digest' | 'server' | 'account' | 'traffic'>;

/** The message for a plan that cannot be used here. `isInFleet`: whether the run is for an account of a fleet. */
export function sentenceOfPlan(refusal: OfPlan, isInFleet: boolean): Sentence {
  switch (refusal.refused) {
    case 'plan-broken':
      return sentenceOfBroken(refusal);
    case 'digest':
      return sentenceOfDigest(refusal);
    case 'server':
      return [
        `the plan was made for the server ${quoted(refusal.planned)}, and this run uses ${quoted(refusal.connected)}`,
        isInFleet
          ? 'correct `url` in the credentials; if the server has moved, plan the account again with `meshform fleet plan`'
          : 'create a new plan here with `meshform plan --out FILE`, or add --any-server if both addresses lead to the same server',
      ];
    case 'account':
      return sentenceOfAccount(refusal, isInFleet);
    case 'traffic':
      return [
        `the observed traffic belongs to the account ${quoted(refusal.observed)}, and the plan to ${quoted(refusal.planned)}`,
        'name the store of this account with --store',
      ];
  }
}

// In a fleet, the tenant and the credentials of an entry decide which account is reached, and several accounts may have one token.
function sentenceOfAccount(
  { planned, connected }: RefusalOf<'account'>,
  isInFleet: boolean,
): Sentence {
  const is = connected === undefined ? 'an account that cannot be identified' : quoted(connected);
  return isInFleet
    ? [
        `the plan was made for the account ${quoted(planned)}, and the entry of the fleet now reaches ${is}`,
        'if the entry should reach this account, plan it again with `meshform fleet plan`; otherwise correct its `tenant` or its credentials: `meshform fleet list` shows both',
      ]
    : [
        `the plan was made for the account ${quoted(planned)}, and the token belongs to ${is}`,
        'set MESHFORM_TOKEN to a token of that account, or create a new plan with `meshform plan --out FILE`',
      ];
}

function sentenceOfBroken({ file, why }: RefusalOf<'plan-broken'>): Sentence {
  if (file === undefined)
    return [
      `the plan in the journal cannot be executed: ${why}`,
      'apply the files with `meshform apply PATH`',
    ];
  const hint = 'create a new plan with `meshform plan --out FILE`; do not edit plan files';
  return [`${quoted(file)} is not a plan of this meshform: ${why}`, hint];
}

function sentenceOfDigest(refusal: RefusalOf<'digest'>): Sentence {
  const { file, approved, found, isContentDigest } = refusal;
  if (isContentDigest)
    return [
      `${approved} is the content digest of ${quoted(file)}: it compares plans, and cannot approve one`,
      `approve the digest of this file, ${found}`,
    ];
  return [
    `${quoted(file)} is not the plan that was approved: its digest is ${found}`,
    'apply the approved file, or approve this file',
  ];
}
