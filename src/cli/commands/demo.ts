// `demo`: shows plan, apply and drift from start to finish, or finds access that nobody used, on
// its own emulator.
import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

interface DemoFlags {
  readonly tighten?: boolean;
}

/** Adds the command. */
export function addDemo(program: Command, { io, version, finish, run }: CommandContext): void {
  program
    .command('demo')
    .description('show a plan, an apply, drift and its repair on a temporary emulator')
    .option(
      '--tighten',
      'show instead which access nobody used in ninety days of generated traffic (`meshform tighten`)',
    )
    .action(async ({ tighten }: DemoFlags) => {
      const shown = tighten
        ? (await import('../emulator/demoTighten.ts')).demoTighten
        : (await import('../emulator/demo.ts')).demo;
      finish(await shown(io, { version, run }));
    });
}
