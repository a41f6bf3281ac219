// `lock`: shows and manages the lock of an account that all machines share.
import { type Command, InvalidArgumentError } from 'commander';
import { timeIn } from '../../model/text/calendar.ts';
import type { CommandContext } from '../context.ts';
import { withFormat } from '../flags/flags.ts';
import type { HoldFlags } from '../lock/managing.ts';
import type { ShowFlags } from '../lock/showing.ts';

const PATH = ['[path]', 'a folder of desired state, or one file', '.'] as const;

const EXAMPLES = `
Examples:
  meshform lock show network/
  meshform lock hold network/ --reason "change freeze" --until 2026-12-24T08:00:00Z
  meshform lock release network/
  meshform lock break 7d0c6f1e-… network/`;

/** Adds the command and its subcommands. */
export function addLock(program: Command, context: CommandContext): void {
  const lock = program
    .command('lock')
    .description('show, hold, release or break the lock of an account')
    .addHelpText('after', EXAMPLES);
  addShow(lock, context);
  addHold(lock, context);
  addRelease(lock, context);
  addBreak(lock, context);
}

function addShow(lock: Command, { io, finish }: CommandContext): void {
  const show = lock
    .command('show')
    .argument(...PATH)
    .description('show who holds the lock of the account in the Git remote')
    .option('--check', 'test what the remote allows, with a ref that is then removed');
  withFormat(show, ['text', 'json']).action(async (path: string, flags: ShowFlags) => {
    const { showLock } = await import('../lock/showing.ts');
    finish(await showLock(path, flags, io));
  });
}

function addHold(lock: Command, { io, finish }: CommandContext): void {
  lock
    .command('hold')
    .argument(...PATH)
    .description('hold the lock on purpose: no apply starts until it is released')
    .option('--reason <text>', 'required: why, for everybody whose apply is refused')
    .option('--until <time>', 'when the hold ends by itself, such as 2026-12-24T08:00:00Z', timeOf)
    .action(async (path: string, flags: HoldFlags) => {
      const { hold } = await import('../lock/managing.ts');
      finish(await hold(path, flags, io));
    });
}

function addRelease(lock: Command, { io, finish }: CommandContext): void {
  lock
    .command('release')
    .argument(...PATH)
    .description('end a hold')
    .action(async (path: string) => {
      const { release } = await import('../lock/managing.ts');
      finish(await release(path, io));
    });
}

function addBreak(lock: Command, { io, finish }: CommandContext): void {
  lock
    .command('break')
    .argument('<run>', 'the run, as `lock show` names it')
    .argument(...PATH)
    .description('break the lock of a run that is gone; refused while the run renews it')
    .action(async (run: string, path: string) => {
      const { breakRun } = await import('../lock/managing.ts');
      finish(await breakRun(run, path, io));
    });
}

function timeOf(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text)) {
    const time = timeIn(text);
    if (!Number.isNaN(time)) return new Date(time).toISOString();
  }
  throw new InvalidArgumentError('It takes a time with a zone, such as 2026-12-24T08:00:00Z.');
}
