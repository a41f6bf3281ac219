// `drift`: how the account differs from the files. Read-only; exit 2 when it does.
import type { Command } from 'commander';
import type { Selection } from '../../engine/types/selection.ts';
import { DRIFT_FORMATS, type DriftFormat } from '../../report/drift/driftFormats.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import {
  type AccountFlags,
  type SourceFlags,
  withAccountFlags,
  withFormat,
  withSelectionFlags,
  withSourceFlags,
} from '../flags/flags.ts';

interface Flags extends SourceFlags, AccountFlags, Selection {
  readonly format: DriftFormat;
}

const EXAMPLES = `
Examples:
  meshform drift network/
  meshform drift --base main --format json
  meshform drift --format junit > drift.xml`;

/** Adds the command. */
export function addDrift(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('drift')
    .argument('[path]', 'a folder of desired state, or one file', '.')
    .description('report how the account differs from the files; exit 2 when it does');
  const limited = withSelectionFlags(withAccountFlags(withSourceFlags(command)));
  withFormat(limited, Object.keys(DRIFT_FORMATS))
    .option(
      '--base <revision|folder>',
      'the desired state of the last apply, or `auto`: report only what changed in the account since',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: Flags) => {
      const { toolbox } = await import('../../pipeline.ts');
      const { withConnection } = await import('../server/connect.ts');
      const { desiredOrStop, printFindings } = await import('../files/desired.ts');
      const { planOrStop } = await import('../files/planning.ts');
      const { renderDrift } = await import('../files/render.ts');
      const { selected } = await import('../../engine/scope/selection.ts');
      const { accessKinds, driftReport } = await import('../../report/drift/drift.ts');
      const tools = toolbox();
      const state = await desiredOrStop(tools, path, flags, io);
      const isLimited = Boolean(flags.kinds ?? flags.only ?? flags.except);
      const settings = {
        ...{ ...flags, prune: 'none' as const, allow: [] },
        // That somebody moved an object is drift, although a plan would not know what to do about it.
        tolerated: new Set(['OBJECT_IN_THE_WAY'] as const),
        ...(!isLimited && { watch: accessKinds(tools.kinds) }),
      };
      const plan = await withConnection(flags, state.project, io, transport =>
        planOrStop(tools, state, transport, settings, io),
      );
      const report = driftReport(plan, tools.kinds, state.project.acknowledge ?? [], io.now());
      printFindings(report.findings, io);
      const declared = state.desired.filter(selected(flags, tools.kinds));
      io.stdout.write(await renderDrift(report, declared, flags.format, io));
      finish(report.open.length > 0 ? EXIT.changes : EXIT.done);
    });
}
