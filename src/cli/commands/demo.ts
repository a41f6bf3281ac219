// `demo`: plan, apply and drift from end to end, on an emulator of its own.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

/** Adds the command. */
export function addDemo(program: Command, { io, version, finish, run }: CommandContext): void {
  program
    .command('demo')
    .description('show a plan, an apply, drift and its repair on a temporary emulator')
    .action(async () => {
      const { demo } = await import('../emulator/demo.ts');
      finish(await demo(io, version, run));
    });
}
