// The messages of refusals about recorded bases that cannot be recorded or are not trusted.
import type { UnrecordableBase, UnverifiedBase } from '../../apply/refusal.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { unsignedBaseHint } from './olderBase.ts';
import type { Sentence } from './sentence.ts';

/** The message for a base that cannot be recorded after the run. */
export function sentenceOfBase(refusal: UnrecordableBase): Sentence {
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

/** The message for a recorded base that is not trusted. */
export function sentenceOfUnverified(refusal: UnverifiedBase): Sentence {
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
