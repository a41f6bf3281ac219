// The messages of refusals about the lock that all machines share.
import type { AccountLockRefusal } from '../../apply/refusal.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { holderText } from '../../report/lockText.ts';
import type { Sentence } from './sentence.ts';

/** The message for a lock in a Git remote that was not taken. */
export function sentenceOfLock(refusal: AccountLockRefusal): Sentence {
  switch (refusal.refused) {
    case 'account-locked': {
      const run = refusal.by?.id ?? 'RUN';
      return [
        `another apply holds the lock of the account ${refusal.account}, at the remote ${quoted(refusal.remote)}:`,
        `wait until it ends, or add --wait 10m; if its machine is gone, run \`meshform lock break ${run} FOLDER\``,
        linesOf(refusal.by),
      ];
    }
    case 'account-on-hold':
      return [
        `the account ${refusal.account} is held on purpose, at the remote ${quoted(refusal.remote)}:`,
        'ask who holds it; `meshform lock release FOLDER` ends the hold',
        linesOf(refusal.by),
      ];
    case 'other-server':
      return [
        `at the remote ${quoted(refusal.remote)}, the account ${refusal.account} belongs to the server ${refusal.addresses.map(nameText).join(', ')}, and this run reaches ${nameText(refusal.url)}: a server may report the id of an account of another server`,
        'if these addresses lead to the same server, add --any-server; in a fleet, write the other address as `former_url` into the credentials of the account; the locks, bases and journals of another server need a repository of their own',
      ];
    case 'remote-refuses':
      return [
        `the lock cannot be taken at the remote ${quoted(refusal.remote)}: ${refusal.why}`,
        refusal.hint ??
          'give this job the right to push refs/meshform-*; if no other machine applies to this account, add --lock file',
      ];
    case 'remote-unreachable':
      return [
        `the lock cannot be taken: the remote ${quoted(refusal.remote)} does not answer: ${refusal.why}`,
        refusal.hint ??
          'make the remote reachable for git; if no other machine applies to this account, add --lock file',
      ];
    case 'not-waited':
      return [
        `interrupted before the run had the lock of the account ${refusal.account}: nothing was sent to the account`,
        'run the command again',
      ];
  }
}

const linesOf = (record: Parameters<typeof holderText>[0]): readonly string[] =>
  holderText(record).trimEnd().split('\n');
