// `api`: lists, describes and calls the operations of the Management API.
import { type Command, Option } from 'commander';
import type { CallFlags } from '../api/apiCall.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { withFormat, withServerFlags } from '../flags/flags.ts';

interface TextFlags {
  readonly format: 'text' | 'json';
}

const EXAMPLES = `
Examples:
  meshform api call listGroups --format table
  meshform api call createGroup --data '{"name":"engineers"}'
  meshform api call updatePolicy --param policyId=ID --data @policy.json
  meshform api call deleteGroup --param groupId=ID --yes`;

/** Adds the command and its subcommands. */
export function addApi(program: Command, context: CommandContext): void {
  const api = program
    .command('api')
    .description('list, describe and call the operations of the Management API');
  addList(api, context);
  addDescribe(api, context);
  addCall(api, context);
}

function addList(api: Command, { io, finish }: CommandContext): void {
  const list = api
    .command('list')
    .argument(
      '[filter...]',
      'words that the operations must contain, such as groups, delete, public',
    )
    .description('list all operations, or the operations that contain these words');
  withFormat(list, ['text', 'json'])
    .option('--specification', 'only the operations of the specification')
    .addHelpText('after', '\nExamples:\n  meshform api list\n  meshform api list setup keys')
    .action(async (filter: string[], flags: TextFlags & { readonly specification?: boolean }) => {
      const { printOperations } = await import('../api/apiList.ts');
      printOperations(filter, flags, io);
      finish(EXIT.done);
    });
}

function addDescribe(api: Command, { io, finish }: CommandContext): void {
  const describe = api
    .command('describe')
    .argument('<operation>', 'such as createGroup')
    .description('show the parameters, body and response of an operation, with an example');
  withFormat(describe, ['text', 'json']).action(async (id: string, flags: TextFlags) => {
    const { printOperation } = await import('../api/apiDescribe.ts');
    printOperation(id, flags, io);
    finish(EXIT.done);
  });
}

function addCall(api: Command, { io, finish }: CommandContext): void {
  const call = api
    .command('call')
    .argument('<operation>', 'such as listGroups')
    .description('call an operation and print the response')
    .optionsGroup('Request:')
    .option('--param <name=value>', 'a parameter of the path or query; may be repeated', collect)
    .option('--data <json>', 'the body: JSON, @FILE, or - for standard input')
    .option('--unchecked', 'send the body even if it violates the API contract')
    .option('--yes', 'do not ask for confirmation before a DELETE; --auto-approve is the same')
    .addOption(new Option('--auto-approve', 'the same as --yes').hideHelp());
  withFormat(withServerFlags(call), ['json', 'table'])
    .option('--reveal', 'show secrets')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, flags: CallFlags) => {
      const { callFromWords } = await import('../api/apiCall.ts');
      await callFromWords(id, flags, io);
      finish(EXIT.done);
    });
}

const collect = (word: string, before: readonly string[] = []): string[] => [...before, word];
