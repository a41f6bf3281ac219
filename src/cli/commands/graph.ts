// `graph`: draws policies and networks for documentation.
import { type Command, Option } from 'commander';
import { NAMED_GROUPINGS } from '../../access/picture/groupings.ts';
import { GRAPH_FORMATS, type GraphFlags } from '../access/graphFlags.ts';
import type { CommandContext } from '../context.ts';
import { withAccountFlags, withSourceFlags } from '../flags/flags.ts';
import { filesNamed, withPaths } from '../flags/paths.ts';

const EXAMPLES = `
Examples:
  meshform graph network/ > network.mmd
  meshform graph --format svg --out network.svg
  meshform graph --only group/laptops --by network network/
  meshform graph --live --format dot | dot -Tpdf -o network.pdf`;

/** Adds the command. */
export function addGraph(program: Command, { io, finish }: CommandContext): void {
  const command = withPaths(program.command('graph')).description(
    'draw policies, networks and routers for a document',
  );
  withAccountFlags(withSourceFlags(command))
    .optionsGroup('Output:')
    .addOption(
      new Option('--format <name>', 'format of the drawing')
        .choices([...GRAPH_FORMATS])
        .default('mermaid'),
    )
    .option('--only <selector>', 'draw what is at most two hops from an object: group/laptops')
    .addOption(
      new Option('--by <what>', 'group the objects in boxes').choices(Object.keys(NAMED_GROUPINGS)),
    )
    .option('--out <file>', 'write the drawing to a file')
    .option('--force', 'allow --out to replace a file that is not a drawing')
    .optionsGroup('State:')
    .addOption(new Option('--live', 'draw the account instead of the files').conflicts('state'))
    .option('--state <file>', 'draw a saved account (`export --state`); - for stdin')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], given: GraphFlags) => {
      const { drawGraph } = await import('../access/graphing.ts');
      const { path, ...named } = filesNamed(paths);
      const isNamed = paths.length > 0;
      finish(await drawGraph(isNamed ? path : undefined, { ...given, ...named }, io));
    });
}
