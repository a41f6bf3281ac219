// The messages of refusals about the rollout of a fleet. A command with such a refusal exits with
// the code of a failed guard.
import type { NotHeld } from '../../apply/fleet/rolloutLease.ts';
import { whyStopped } from '../../fleet/rollout/next.ts';
import { currentWave } from '../../fleet/rollout/progress.ts';
import type { Ledger, Shard } from '../../model/rollout.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { holderText } from '../../report/lockText.ts';
import { counted } from '../../report/text/summary.ts';
import type { Sentence } from './sentence.ts';

const CONTINUE = '`meshform fleet apply --continue`';
const CONTINUE_QUEUED = '`meshform fleet apply --continue --queue`';
const GIVE_UP = '`meshform fleet apply --abandon REASON` gives it up';

/** The message for a rollout that does not begin or continue. */
export function sentenceOfRollout(refusal: NotHeld): Sentence {
  switch (refusal.refused) {
    case 'rollout-open':
      return [
        `${quoted(refusal.ledger.fleet)} has an open rollout${refusal.isQueued ? ' in the queue' : ''}, ${progressText(refusal.ledger)}`,
        `continue it first: ${refusal.isQueued ? CONTINUE_QUEUED : CONTINUE}`,
      ];
    case 'accounts-in-rollout':
      return sentenceOfTaken(refusal);
    case 'no-rollout':
      return [
        `the remote has no rollout ${quoted(refusal.rollout)}`,
        '`meshform fleet status` lists the open one',
      ];
    case 'ledger-gone':
      return [
        `somebody deleted the ledger of the open rollout ${quoted(refusal.rollout)}, ${nameText(refusal.ref)}`,
        `push it again from a clone that has it, or ${GIVE_UP}`,
      ];
    case 'rollout-finished':
      return [
        `the rollout ${quoted(refusal.ledger.rollout)} is ${refusal.ledger.finished?.is ?? 'over'}`,
        'plan the fleet again: `meshform fleet plan --out DIR`',
      ];
    case 'rollout-busy':
      return [
        `another run applies ${partText(refusal.shard)} ${quoted(refusal.rollout)}:`,
        `wait until it ends; if its machine is gone, ${CONTINUE} takes over once its lease has expired`,
        holderText(refusal.by).trimEnd().split('\n'),
      ];
    case 'rollout-not-waited':
      return [
        `interrupted while another run held the rollout ${quoted(refusal.rollout)}`,
        'run the command again',
      ];
    case 'remote-refuses':
      return [
        `the ledger cannot be written to the remote ${quoted(refusal.remote)}: ${refusal.why}`,
        refusal.hint ?? 'give this job the right to push refs/meshform-*',
      ];
    case 'remote-unreachable':
      return [
        `the remote ${quoted(refusal.remote)} does not answer: ${refusal.why}`,
        refusal.hint ?? 'make the remote reachable for git; what was done is in its ledger',
      ];
    default:
      return sentenceOfLedger(refusal);
  }
}

// The message for accounts that belong to an open rollout. Rollouts are found by the path of their
// fleet file. So if the file was renamed, only a checkout that still has the file can continue the
// rollout.
function sentenceOfTaken({
  ledger,
  accounts,
  isQueued,
}: Extract<NotHeld, { refused: 'accounts-in-rollout' }>): Sentence {
  const [first = '', ...others] = accounts;
  const more = others.length > 0 ? ` and ${counted(others.length, 'other account')}` : '';
  return [
    `${quoted(first)}${more} ${others.length > 0 ? 'are' : 'is'} in the open rollout of ${quoted(ledger.fleet)}${isQueued ? ' in the queue' : ''}, ${progressText(ledger)}`,
    `continue that rollout first: ${continueOf(ledger, isQueued)}, or end it with --abandon REASON in place of --continue; if the file was renamed, use a checkout of a commit that has it`,
  ];
}

/**
 * The message for an open rollout whose fleet file is not in the checkout. The file may have been
 * renamed.
 */
export function sentenceOfMissingFile(ledger: Ledger, isQueued?: boolean): Sentence {
  const { fleet } = ledger;
  return [
    `a rollout of ${quoted(fleet)}, a file that this checkout does not have, is open${isQueued ? ' in the queue' : ''}: ${progressText(ledger)}`,
    `if the file was renamed, continue in a checkout of a commit that has it: ${quoted(`git log --diff-filter=AM -- ${shellWord(`:/${fleet}`)}`)} lists them, and there ${continueOf(ledger, isQueued)} continues the rollout; --abandon REASON in place of --continue ends it`,
  ];
}

const continueOf = ({ fleet }: Pick<Ledger, 'fleet'>, isQueued: boolean | undefined): string =>
  quoted(`meshform fleet apply ${shellWord(fleet)} --continue${isQueued ? ' --queue' : ''}`);

function sentenceOfLedger(
  refusal: Extract<NotHeld, { refused: 'ledger-unverified' | 'ledger-unreadable' }>,
): Sentence {
  const ref = nameText(refusal.ref);
  if (refusal.refused === 'ledger-unreadable')
    return [
      `the ledger at ${ref} cannot be read: ${refusal.why}`,
      `find out who pushed it; a newer meshform may have written it; ${GIVE_UP}`,
    ];
  return refusal.because === 'elsewhere'
    ? [
        `the ledger at ${ref} belongs to another rollout or fleet than expected there`,
        `find out who pushed it there; ${GIVE_UP}`,
      ]
    : [
        `the ledger at ${ref} is not signed with a key of this run`,
        `set MESHFORM_SIGNING_KEY to the key that the rollout was started with; if it is that key, somebody else wrote the ledger: remove it with \`git push REMOTE --delete ${ref}\``,
      ];
}

/** A rollout as part of a sentence: its id, when it was opened, and its progress. */
function progressText(ledger: Ledger): string {
  const { rollout, started_at: since, waves } = ledger;
  const why = whyStopped(ledger);
  const of = Math.max(waves.length, 1);
  const state = why === null ? `in wave ${currentWave(ledger) ?? of} of ${of}` : `stopped: ${why}`;
  return `${quoted(rollout)}, since ${since}, ${state}`;
}

const partText = (shard: Shard | undefined): string =>
  shard === undefined ? 'the rollout' : `shard ${shard.index}/${shard.of} of the rollout`;
