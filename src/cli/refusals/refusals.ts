// Turns the refusal of an apply into the end of a command: exit code, message and hint.
import type { Overtaking, Refusal } from '../../apply/refusal.ts';
import { shortRun } from '../../model/runName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted, visible } from '../../model/text/visible.ts';
import { endingText } from '../../report/plan/endingsText.ts';
import { neededFlags } from '../../report/plan/neededFlags.ts';
import { counted } from '../../report/text/summary.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOn } from '../findings.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import { CHANGED_SINCE_SHOWN, gatesStop } from './gates.ts';
import { olderBaseHint, olderBaseText, unsignedBaseHint } from './olderBase.ts';
import { sentenceOfPlace } from './placeRefusals.ts';
import type { Sentence } from './sentence.ts';

/** The exit code of each refusal. The exit code of findings depends on the errors among them. */
const EXIT_OF: Readonly<Record<Exclude<Refusal['refused'], 'findings' | 'secrets'>, number>> = {
  locked: EXIT.refused,
  'account-locked': EXIT.refused,
  'account-on-hold': EXIT.refused,
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

/** The `Stop` for a refusal. Prints findings. `isShown`: the plan, with every failed test, is already on the screen. */
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
      return sentenceOfPlan(refusal);
    case 'hazards': {
      const list = refusal.missing.map(({ code, message }) => `  ${code}  ${message}`);
      const has = 'the plan has hazards that are not allowed:';
      const message = refusal.isUnseen ? `${CHANGED_SINCE_SHOWN}, and ${has}` : has;
      return [message, `add ${neededFlags(refusal.missing).join(' ')}`, list];
    }
    case 'secrets-changed': {
      const [first, ...others] = refusal.messages;
      return [first, LOOK_AGAIN, others];
    }
    case 'changed-since': {
      const { addresses } = refusal;
      const some = `${addresses.slice(0, 5).join(', ')}${addresses.length > 5 ? ', …' : ''}`;
      const changed = counted(addresses.length, 'object');
      return [`this plan was applied already, and ${changed} changed since: ${some}`, LOOK_AGAIN];
    }
    case 'plan-overtaken':
      return [
        `the run ${shortRun(refusal.run)} began this plan, and ${sinceThen(refusal.later)}`,
        LOOK_AGAIN,
      ];
    case 'brought-back': {
      const run = shortRun(refusal.run);
      const by = shortRun(refusal.by);
      return [
        `the run ${run} was undone already, and the run ${by} has brought back what it did`,
        `undo that run: \`meshform apply ${shellWord(refusal.folder)} --undo ${by}\``,
      ];
    }
    case 'ended-since': {
      const { ending, isBack, clock } = refusal;
      const what = endingText(ending);
      const message = isBack
        ? `according to the clock of this machine, the plan removes something that has not ended yet: ${what}`
        : `something has ended since the plan was made at ${clock}: ${what}`;
      return [message, isBack ? 'set the clock of this machine' : LOOK_AGAIN];
    }
    case 'access-since': {
      const { gained, lost, hazards, isUnseen = false } = refusal;
      const told = [
        ...(gained.length > 0 ? ['gives access'] : []),
        ...(lost.length > 0 ? ['takes access'] : []),
        ...(hazards.length > 0 ? ['has hazards'] : []),
      ];
      const what = told.join(' and ');
      const message = `PLAN_STALE: the account changed since the plan was ${isUnseen ? 'shown' : 'made'}, and the plan ${what} that it did not show:`;
      const lines = [
        ...gained.map(text => `  + ${visible(text)}`),
        ...lost.map(text => `  − ${visible(text)}`),
        ...hazards.map(text => `  ${visible(text)}`),
      ];
      return [message, isUnseen ? ASK_AGAIN : LOOK_AGAIN, lines];
    }
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

function sinceThen(later: Overtaking): string {
  if (later.as === 'base') return `an apply recorded ${later.ref} at ${later.recordedAt}, after it`;
  const by = `the run ${shortRun(later.by)}`;
  return {
    undo: `${by} has undone it`,
    'unfinished undo': `${by} began to undo it`,
    apply: `${by}, a later apply of the same files, is complete`,
  }[later.as];
}

const ASK_AGAIN = 'run it again, and review what it shows then';

const LOOK_AGAIN = 'create a new plan with `meshform plan --out FILE` and review it';

type OfPlan = Extract<
  Refusal,
  { readonly refused: 'plan-broken' | 'digest' | 'server' | 'account' | 'traffic' }
>;

function sentenceOfPlan(refusal: OfPlan): Sentence {
  switch (refusal.refused) {
    case 'plan-broken': {
      const { file, why } = refusal;
      if (file === undefined)
        return [
          `the plan in the journal cannot be executed: ${why}`,
          'apply the files with `meshform apply PATH`',
        ];
      const hint = 'create a new plan with `meshform plan --out FILE`; do not edit plan files';
      return [`${quoted(file)} is not a plan of this meshform: ${why}`, hint];
    }
    case 'digest': {
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
    case 'server':
      return [
        `the plan was made at ${quoted(refusal.planned)}, and this is ${quoted(refusal.connected)}`,
        'create a new plan here with `meshform plan --out FILE`, or add --any-server if both addresses lead to the same server',
      ];
    case 'account': {
      const { planned, connected } = refusal;
      const is =
        connected === undefined ? 'an account that cannot be identified' : quoted(connected);
      return [
        `the plan was made for the account ${quoted(planned)}, and the token is of ${is}`,
        'set MESHFORM_TOKEN to a token of that account, or create a new plan with `meshform plan --out FILE`',
      ];
    }
    case 'traffic':
      return [
        `the observed traffic is of the account ${quoted(refusal.observed)}, and the plan is of ${quoted(refusal.planned)}`,
        'name the store of this account with --store',
      ];
  }
}

type OfBase = Extract<Refusal, { readonly refused: 'base' }>;

function sentenceOfBase(refusal: OfBase): Sentence {
  switch (refusal.because) {
    case 'account-unknown':
      return [
        '--record-base needs an account with a group All, which identifies it',
        'remove --record-base',
      ];
    case 'no-content':
      return [
        '--record-base has nothing to record: the plan does not contain the state to record',
        'create the plan again with `meshform plan --record-base --out FILE`',
      ];
    case 'no-revision':
      return [
        `--record-base has nothing to record: ${refusal.why}`,
        refusal.hint ?? 'commit the files, then plan and apply them',
      ];
    case 'unpruned':
      return [
        `--record-base would forget what was removed from the files and stays in the account: ${refusal.objects.join(', ')}`,
        `create the plan with \`meshform plan --record-base\`, and --prune removed or ${refusal.objects.map(name => `--forget ${shellWord(name)}`).join(' ')}`,
      ];
    case 'other-base':
      return [
        `the plan was not compared with the recorded base, ${refusal.ref}`,
        'create the plan with --record-base',
      ];
    case 'not-first':
    case 'not-behind':
      return [refusal.why, refusal.hint ?? 'remove --record-base, or apply files that git tracks'];
  }
}

function sentenceOfUnverified(
  refusal: Extract<Refusal, { readonly refused: 'base-unverified' }>,
): Sentence {
  const base = `the recorded base ${refusal.commit.slice(0, 12)}`;
  switch (refusal.because) {
    case 'missing':
      return [
        `${base}, which the plan was compared with, is not in this clone`,
        'fetch the bases, or create the plan again here',
      ];
    case 'unreadable':
      return [`${base} cannot be read: ${refusal.why}`, 'use the version that recorded it'];
    case 'elsewhere':
      return [
        `${base} belongs to another folder or account than the plan`,
        'create the plan again with `--base auto`, in the folder that is applied',
      ];
    case 'not-signed': {
      const named = shellWord(refusal.folder ?? 'FOLDER');
      return [
        `${base} is not signed with a key of this run: anybody who can push may have written it`,
        `three cases: with another key here, set MESHFORM_SIGNING_KEY to the key that signed the base; after a change of key or token, check the base with \`meshform base show ${named}\`, sign it with \`meshform base sign ${named}\`, and plan again; if somebody else wrote the base, do not sign it, but ${unsignedBaseHint(refusal.folder ?? 'FOLDER', refusal.last)}`,
      ];
    }
  }
}
