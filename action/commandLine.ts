// Converts the inputs of the action to the command line of meshform.
import type { Settings } from './settings.ts';

/** The arguments of meshform; `planFile` is where a plan is saved. */
export function commandLine(settings: Settings, planFile: string): readonly string[] {
  const { command, path, plan, store, args } = settings;
  const base = settings.base === '' || isResumed(settings) ? [] : ['--base', settings.base];
  switch (command) {
    case 'validate':
    case 'test':
      return [command, path, ...args];
    case 'plan':
      return ['plan', path, ...base, '--out', planFile, '--format', 'comment', ...args];
    case 'check':
      return ['plan', 'check', plan || path, ...args];
    case 'apply':
      return plan === ''
        ? ['apply', path, ...base, '--yes', '--format', 'comment', ...args]
        : ['apply', plan, '--yes', '--format', 'comment', ...args];
    case 'drift':
      return ['drift', path, ...base, '--format', 'comment', ...args];
    case 'expire':
      return ['expire', path, ...base, '--yes', ...args];
    case 'observe':
      return ['observe', '--store', store, ...args];
    case 'tighten': {
      const observed = store === '' ? [] : ['--store', store];
      return ['tighten', path, ...observed, '--format', 'comment', ...args];
    }
  }
}

// A run from a journal uses the base in the journal.
const isResumed = ({ args }: Settings): boolean => args.some(word => /^--resume(?:=|$)/.test(word));

/** Whether a run reads recorded bases, which a checkout does not fetch. */
const readsBase = ({ base, args }: Settings): boolean =>
  base === 'auto' || recordsBase({ args }) || args.includes('--base=auto');

/** Whether a run contacts the Git remote, because it reads bases there or takes a lock. */
export const asksRemote = (settings: Settings): boolean =>
  settings.command === 'apply' || settings.command === 'expire' || readsBase(settings);

/**
 * Whether bases must be fetched into the checkout before a run, or may be fetched if there is a remote. If the lock is in the
 * remote, a run reads the bases there itself. A check never contacts the remote, but uses bases of other folders if it has them.
 */
export const fetching = (
  settings: Settings,
  isLockInFile: boolean,
): { readonly mayFetch: boolean; readonly mustFetch: boolean } => ({
  mustFetch: isLockInFile && readsBase(settings),
  mayFetch: settings.command === 'check' || (isLockInFile && settings.command === 'apply'),
});

/** Whether a run updates the recorded base. */
export const recordsBase = ({ args }: Pick<Settings, 'args'>): boolean =>
  args.includes('--record-base');

/** Whether a command succeeded. A plan with changes and drift are results, not failures. */
export const isSuccess = ({ command }: Settings, code: number): boolean =>
  code === 0 || (code === 2 && (command === 'plan' || command === 'drift'));
