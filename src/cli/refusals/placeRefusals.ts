// The messages of refusals about places: the lock, the journal, and the place for secrets.

import type { LockOwner } from '../../apply/lockFile.ts';
import type {
  AccountLockRefusal,
  FingerprintsRefusal,
  JournalRefusal,
  KeptJournal,
  LockRefusal,
  PlaceRefusal,
  RefusalOf,
  SigningKeyRefusal,
} from '../../apply/refusal.ts';
import { shortRun } from '../../model/runName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, pathText, quoted } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import type { Io } from '../io.ts';
import { sentenceOfLock } from './lockRefusals.ts';
import type { Sentence } from './sentence.ts';
import { unclearRunText } from './unclearRun.ts';

/** The messages for a place that cannot be used. */
export function sentenceOfPlace(
  refusal: LockRefusal | JournalRefusal | PlaceRefusal | FingerprintsRefusal | SigningKeyRefusal,
  io: Io,
): Sentence {
  switch (refusal.refused) {
    case 'account-locked':
    case 'account-on-hold':
    case 'other-server':
    case 'remote-refuses':
    case 'remote-unreachable':
    case 'not-waited':
      return sentenceOfLock(refusal);
    case 'locked':
    case 'lock-unusable':
      return sentenceOfLockFile(refusal, io);
    case 'no-journal-folder':
    case 'foreign-folder':
    case 'journal-unwritable':
      return sentenceOfUnwritableJournal(refusal);
    case 'journal-unreadable':
    case 'journal-invalid':
    case 'journal-unverified':
    case 'journal-unsigned':
      return sentenceOfUnusableJournal(refusal);
    case 'journal-elsewhere':
    case 'journal-closed':
    case 'run-overtaken':
      return sentenceOfContinuedRun(refusal);
    case 'no-run':
      return unclearRunText(refusal.run, refusal.found);
    case 'no-journal':
      return sentenceOfNoJournal(refusal);
    case 'journal-gone':
      return [
        `the journal of the last apply of ${quoted(refusal.folder)} is gone: ${quoted(refusal.file)}`,
        `restore the file, or name the apply that you mean: by its journal, or in a clone by a run that \`meshform runs ${shellWord(refusal.folder)}\` lists`,
      ];
    case 'secret-place':
    case 'secret-place-foreign':
    case 'secret-names':
      return sentenceOfSecretPlace(refusal);
    case 'fingerprint-key':
    case 'fingerprints-unreadable':
      return sentenceOfFingerprints(refusal);
    case 'signing-key':
      return sentenceOfKey(refusal);
  }
}

function sentenceOfLockFile(refusal: Exclude<LockRefusal, AccountLockRefusal>, io: Io): Sentence {
  switch (refusal.refused) {
    case 'locked': {
      const { owner, path } = refusal;
      const file = pathText(nearPath(io.cwd, path));
      const hint = `wait until it ends; if it is no longer running, its lock expires at ${timeOf(owner.until)}, or delete ${file}`;
      return [`another apply is running: ${ownerText(owner, io)}`, hint];
    }
    case 'lock-unusable':
      return [
        `the lock ${quoted(refusal.path)} cannot be taken: ${refusal.why}`,
        'allow writing in that folder, delete the file if it is no lock, or set MESHFORM_JOURNALS to another folder',
      ];
  }
}

function sentenceOfUnwritableJournal(
  refusal: RefusalOf<'no-journal-folder' | 'foreign-folder' | 'journal-unwritable'>,
): Sentence {
  switch (refusal.refused) {
    case 'no-journal-folder':
      return [
        `journals cannot be written to ${quoted(refusal.path)}: ${refusal.why}`,
        'set MESHFORM_JOURNALS to a folder that can be written',
      ];
    case 'foreign-folder':
      return sentenceOfForeign(refusal.why, refusal.writable);
    case 'journal-unwritable':
      return [
        `no journal can be written at ${quoted(refusal.path)}: ${refusal.why}`,
        'set MESHFORM_JOURNALS to another folder, or choose another file with --journal FILE',
      ];
  }
}

function sentenceOfUnusableJournal(
  refusal: RefusalOf<
    'journal-unreadable' | 'journal-invalid' | 'journal-unverified' | 'journal-unsigned'
  >,
): Sentence {
  switch (refusal.refused) {
    case 'journal-unreadable':
      return [
        `the journal ${quoted(refusal.file)} cannot be read: ${refusal.why}`,
        `name a file, or a run by the beginning of its id in \`meshform runs FOLDER\`; ${NAMED}`,
        keptLines(refusal.kept),
      ];
    case 'journal-invalid':
      return [`${quoted(refusal.file)} is not a usable journal: ${refusal.why}`, PLAN_AGAIN];
    case 'journal-unverified':
      return [
        `line ${refusal.line} of the journal ${quoted(refusal.file)} has no valid signature: the journal was changed, or its run used another key`,
        'use the MESHFORM_SIGNING_KEY of its run, or its token if it had no such key; or apply the files with `meshform apply PATH`',
      ];
    case 'journal-unsigned':
      return [
        `the journal ${quoted(refusal.file)} is from an older version of meshform and has no signature`,
        'run this at a terminal and confirm the journal, or apply the files with `meshform apply PATH`',
      ];
  }
}

function sentenceOfContinuedRun(
  refusal: RefusalOf<'journal-elsewhere' | 'journal-closed' | 'run-overtaken'>,
): Sentence {
  switch (refusal.refused) {
    case 'journal-elsewhere':
      return [
        `the journal of the run ${refusal.run} at the Git remote contains more than the journal on this machine`,
        refusal.isFinished
          ? `the run is finished: see \`meshform runs ${shellWord(refusal.folder)}\`, and apply the files with \`meshform apply ${shellWord(refusal.folder)}\``
          : `continue the run from the Git remote: \`meshform apply --resume ${shortRun(refusal.run)}\``,
      ];
    case 'journal-closed':
      return [
        `the run ${refusal.run} cannot be continued: it was abandoned, or a later apply has done the rest`,
        `apply the files with \`meshform apply ${shellWord(refusal.folder)}\``,
      ];
    case 'run-overtaken':
      return sentenceOfOvertaken(refusal);
  }
}

function sentenceOfOvertaken({ run, folder, later }: RefusalOf<'run-overtaken'>): Sentence {
  const own = shortRun(run);
  const apply = `\`meshform apply ${shellWord(folder)}\``;
  if (later.as === 'base')
    return [
      `the run ${own} cannot be continued: a later apply recorded ${later.ref} at ${later.recordedAt}`,
      `apply the files with ${apply}`,
    ];
  const other = shortRun(later.by);
  switch (later.as) {
    case 'undo':
      return [
        `the run ${own} cannot be continued: it was undone by the run ${other}`,
        `apply the files with ${apply}`,
      ];
    case 'unfinished undo':
      return [
        `the run ${own} cannot be continued: the run ${other} began to undo it`,
        `finish the undo with \`meshform apply ${shellWord(folder)} --resume ${other}\`, or apply the files with ${apply}`,
      ];
    case 'apply':
      return [
        `the run ${own} cannot be continued: the later apply ${other} of the same files is complete`,
        `apply the files with ${apply}`,
      ];
  }
}

function sentenceOfNoJournal({
  folder,
  kept,
  alsoAtRemote: verb,
  toRecord,
}: RefusalOf<'no-journal'>): Sentence {
  const missing = `there is no journal of an apply of ${quoted(folder)} to this server on this machine`;
  if (toRecord)
    return [
      missing,
      `continue it with \`meshform apply ${shellWord(folder)} --resume\`, which also reads the journals at the Git remote, and records the base of a complete apply`,
      keptLines(kept),
    ];
  const hint = 'name the journal: `meshform apply --resume FILE`, or `--undo FILE`';
  if (verb === undefined) return [missing, hint, keptLines(kept)];
  const none = verb === 'resume' ? 'no unfinished one' : 'none';
  return [
    `${missing}, and the Git remote has ${none}`,
    `see the applies of all machines with \`meshform runs ${shellWord(folder)}\`, and name one: \`meshform apply ${shellWord(folder)} --${verb} RUN\`, or \`--${verb} FILE\``,
    keptLines(kept),
  ];
}

function sentenceOfSecretPlace(refusal: PlaceRefusal): Sentence {
  switch (refusal.refused) {
    case 'secret-place':
      return [`secrets cannot be stored: ${refusal.why}`, refusal.hint ?? OTHER_PLACE];
    case 'secret-place-foreign':
      return [`secrets cannot be stored: ${refusal.why}`, OTHER_PLACE];
    case 'secret-names':
      return [
        `the secrets of ${refusal.addresses.join(', ')} would all have the name ${quoted(refusal.name)}`,
        'use --secrets-to file:PATH or exec:COMMAND, which keep them separate',
      ];
  }
}

function sentenceOfFingerprints(refusal: FingerprintsRefusal): Sentence {
  switch (refusal.refused) {
    case 'fingerprint-key': {
      const { variable, shortest } = refusal;
      const hint = `set ${variable} to at least ${shortest} random characters, the same in every run`;
      return ['--fingerprints needs a key', hint];
    }
    case 'fingerprints-unreadable':
      return [
        `the fingerprints ${quoted(refusal.file)} cannot be read: ${refusal.why}`,
        'without the file, meshform sends every secret again and writes a new file',
      ];
  }
}

/** The message for a folder of journals to which others can write. */
export const sentenceOfForeign = (
  why: string,
  writable: string | undefined,
): readonly [string, string] => [
  `journals are kept only in a folder where nobody else can write: ${why}`,
  writable === undefined
    ? 'set MESHFORM_JOURNALS to a folder of your own'
    : `run \`chmod go-w ${shellWord(writable)}\` and look at what is in it, or set MESHFORM_JOURNALS to a folder of your own`,
];

// The name of a journal is the time at which its run began.
function keptLines(kept: readonly KeptJournal[]): readonly string[] {
  if (kept.length === 0) return ['  this machine has no journals'];
  const lines = kept.map(({ file, ended, folder, server }) => {
    const of = folder === undefined ? '' : `, of ${pathText(folder)}`;
    return `    ${pathText(file)}: ${ENDED[ended]}${of}${server === undefined ? '' : ` at ${server}`}`;
  });
  return ['  the newest journals of this machine:', ...lines];
}

const ENDED: Readonly<Record<KeptJournal['ended'], string>> = {
  complete: 'complete',
  incomplete: 'incomplete',
  'cut off': 'interrupted',
  closed: 'not continued',
  unverified: 'signed with another key, or changed',
};

const NAMED =
  'journals are in the state folder of the user, such as ~/.local/state/meshform/journals/, unless MESHFORM_JOURNALS is set';
const OTHER_PLACE = 'choose another destination with --secrets-to';
const PLAN_AGAIN =
  'name an unchanged journal of an apply, or apply the files with `meshform apply PATH`';

function sentenceOfKey({ variable, shortest, isBlank }: SigningKeyRefusal): Sentence {
  if (isBlank)
    return [
      `${variable} has no key: it contains only commas and spaces`,
      'set it to the key, or remove it: then the API token signs',
    ];
  if (shortest === undefined)
    return ['there is no key to sign with', `set MESHFORM_TOKEN, or ${variable}`];
  return [
    `a key in ${variable} has fewer than ${shortest} characters`,
    `use at least ${shortest} random characters for each key, separated by commas`,
  ];
}

/** The owner of a lock as text, and since when it holds the lock. */
export function ownerText({ pid, host, since }: LockOwner, { now }: Pick<Io, 'now'>): string {
  const minutes = Math.max(0, Math.floor((now() - since) / 60_000));
  const age = minutes === 0 ? 'less than a minute' : `${minutes} min`;
  return `process ${pid} on ${nameText(host)}, since ${timeOf(since)} (${age})`;
}

function timeOf(milliseconds: number): string {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? 'an unknown time' : time.toISOString();
}
