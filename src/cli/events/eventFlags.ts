// The flags of `events`: flags for every log, and one flag for each parameter of the contract that
// filters a log.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { filtersOf, type LogName } from '../../api/events/logs.ts';
import type { LogQuery } from '../../api/events/pages.ts';
import { operationTable } from '../../api/operations/operationsById.ts';
import { isNodeObject, nodeAt, type Parameter } from '../../contract/index.ts';
import { refuseEmptyFlags } from '../flags/emptyFlags.ts';

/** Adds a flag for each filter of a log, derived from the contract. */
export function addFilters(command: Command, log: LogName): void {
  command.optionsGroup('Filters:');
  for (const parameter of filtersOf(log)) {
    const option = new Option(`${flagOf(parameter)} <${parameter.type}>`, asHelp(parameter));
    const choices = choicesOf(parameter);
    if (choices !== null) option.choices(choices);
    else if (parameter.type === 'integer') option.argParser(integer);
    // A followed log is always printed in order of time.
    if (parameter.name.startsWith('sort_')) option.conflicts('follow');
    command.addOption(option);
  }
  refuseEmptyFlags(command);
}

/** The request for a log, from the flags. */
export function filtersFrom(command: Command, log: LogName): LogQuery {
  const values: Readonly<Record<string, unknown>> = command.opts();
  return Object.fromEntries(
    filtersOf(log).flatMap((parameter): [string, string | number][] => {
      const value = values[new Option(flagOf(parameter)).attributeName()];
      return typeof value === 'string' || typeof value === 'number'
        ? [[parameter.name, value]]
        : [];
    }),
  );
}

// The description of a parameter for the help. The final full stop of the description in the
// contract is removed.
const asHelp = ({ description }: Parameter): string =>
  description.replace(/^\p{Lu}(?=\p{Ll}| )/u, first => first.toLowerCase()).replace(/\.$/, '');

const flagOf = ({ name }: Parameter): string => `--${name.replaceAll('_', '-')}`;

function choicesOf({ schema }: Parameter): readonly string[] | null {
  const node = nodeAt(operationTable().document, schema);
  const words = isNodeObject(node?.node) ? node.node.enum : undefined;
  return Array.isArray(words) ? words.map(String) : null;
}

function integer(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
