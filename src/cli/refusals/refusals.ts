// Turns the refusal of an apply into the end of a command: exit code, message and hint.
import type { Refusal, RefusalOf } from '../../apply/refusal.ts';
import { shortRun } from '../../model/runName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { neededFlags } from '../../report/plan/neededFlags.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOn } from '../findings.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import { sentenceOfBase, sentenceOfUnverified } from './baseRefusals.ts';
import { CHANGED_SINCE_SHOWN, gatesStop } from './gateRefusals.ts';
import { olderBaseHint, olderBaseText } from './olderBase.ts';
import { sentenceOfPlace } from './placeRefusals.ts';
import { sentenceOfPlan } from './planRefusals.ts';
import type { Sentence } from './sentence.ts';
import { sentenceOfStalePlan } from './stalePlanRefusals.ts';

/** The exit code of each refusal. The exit code of findings depends on the errors among them. */
const EXIT_OF: Readonly<Record<Exclude<Refusal['refused'], 'findings' | 'secrets'>, number>> = {
  locked: EXIT.refused,
  'account-locked': EXIT.refused,
  'account-on-hold': EXIT.refused,
  'other-server': EXIT.refused,
  'remote-refuses': EXIT.refused,
  'remote-unreachable': EXIT.refused,
  'not-waited': EXIT.refused,
  'lock-unusable': EXIT.usage,
  'no-journal-folder': EXIT.environment,
  'foreign-folder': EXIT.environment,
  'journal-unwritable': EXIT.usage,
  'journal-unreadable': EXIT.invalid,
  'journal-invalid': EXIT.invalid,
  'journal-unverified': EXIT.refused,
  'journal-unsigned': EXIT.refused,
  'journal-elsewhere': EXIT.refused,
  'journal-closed': EXIT.refused,
  'run-overtaken': EXIT.refused,
  'no-run': EXIT.usage,
  'no-journal': EXIT.usage,
  'journal-gone': EXIT.refused,
  'plan-unreadable': EXIT.invalid,
  'plan-broken': EXIT.invalid,
  digest: EXIT.refused,
  server: EXIT.refused,
  account: EXIT.refused,
  traffic: EXIT.environment,
  access: EXIT.refused,
  hazards: EXIT.refused,
  'secrets-changed': EXIT.stale,
  'changed-since': EXIT.stale,
  'plan-overtaken': EXIT.stale,
  'brought-back': EXIT.refused,
  'ended-since': EXIT.stale,
  'access-since': EXIT.stale,
  'secret-place': EXIT.usage,
  'secret-place-foreign': EXIT.environment,
  'secret-names': EXIT.refused,
  'fingerprint-key': EXIT.usage,
  'fingerprints-unreadable': EXIT.invalid,
  'signing-key': EXIT.usage,
  base: EXIT.refused,
  'base-unverified': EXIT.refused,
  'base-older': EXIT.refused,
  'not-confirmed': EXIT.refused,
};

/**
 * The `Stop` for a refusal. Prints findings. `isShown`: the plan is already on the screen, with
 * every failed test.
 */
export function stopOf(refusal: Refusal, io: Io, isShown = false): Stop {
  return Object.assign(stopFor(refusal, io, isShown), { refused: refusal.refused });
}

function stopFor(refusal: Refusal, io: Io, isShown: boolean): Stop {
  switch (refusal.refused) {
    case 'findings':
    case 'secrets':
      printFindings(refusal.findings, io);
      return stopOn(refusal.findings);
    case 'plan-unreadable':
      printFindings([refusal.finding], io);
      return new Stop(
        EXIT_OF[refusal.refused],
        `${quoted(refusal.file)} cannot be used as a plan`,
        null,
      );
    case 'access':
      return gatesStop(refusal.gates, EXIT_OF[refusal.refused], {
        isShown: isShown && !refusal.isUnseen,
        isUnseen: refusal.isUnseen === true,
      });
    default: {
      const [message, hint, lines] = sentenceOf(refusal, io);
      return new Stop(EXIT_OF[refusal.refused], message, hint, lines);
    }
  }
}

type Spoken = Exclude<
  Refusal,
  { readonly refused: 'findings' | 'secrets' | 'plan-unreadable' | 'access' }
>;

function sentenceOf(refusal: Spoken, io: Io): Sentence {
  switch (refusal.refused) {
    case 'plan-broken':
    case 'digest':
    case 'server':
    case 'account':
    case 'traffic':
      return sentenceOfPlan(refusal, io.projectFiles?.inFleet !== undefined);
    case 'secrets-changed':
    case 'changed-since':
    case 'plan-overtaken':
    case 'ended-since':
    case 'access-since':
      return sentenceOfStalePlan(refusal);
    case 'hazards':
      return sentenceOfHazards(refusal);
    case 'brought-back':
      return sentenceOfBroughtBack(refusal);
    case 'not-confirmed':
      return [
        'not applied: the answer was not "yes"',
        'run it again and type yes to apply the plan',
      ];
    case 'base':
      return sentenceOfBase(refusal);
    case 'base-unverified':
      return sentenceOfUnverified(refusal);
    case 'base-older':
      return [olderBaseText(refusal, io), olderBaseHint(refusal)];
    default:
      return sentenceOfPlace(refusal, io);
  }
}

function sentenceOfHazards({ missing, isUnseen }: RefusalOf<'hazards'>): Sentence {
  const list = missing.map(({ code, message }) => `  ${code}  ${message}`);
  const has = 'the plan has hazards that are not allowed:';
  const message = isUnseen ? `${CHANGED_SINCE_SHOWN}, and ${has}` : has;
  return [message, `add ${neededFlags(missing).join(' ')}`, list];
}

function sentenceOfBroughtBack(refusal: RefusalOf<'brought-back'>): Sentence {
  const run = shortRun(refusal.run);
  const by = shortRun(refusal.by);
  return [
    `the run ${run} was undone, and the run ${by} undid that undo`,
    `undo that run: \`meshform apply ${shellWord(refusal.folder)} --undo ${by}\``,
  ];
}
