// The manual page in roff, from the same commands and flags that `--help` prints.
import type { Command, Option } from 'commander';
import { EXIT_MEANING } from '../../../src/cli/exitCodes.ts';
import type { Io, Sink } from '../../../src/cli/io.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { wrap } from '../../../src/report/text/lines.ts';

/** The page. */
export function manPage(version: string): string {
  const written: string[] = [];
  const stdout: Sink = { write: text => void written.push(text), isTerminal: false };
  const io = { stdout, stderr: stdout, env: {} } as Io;
  const program = buildProgram({ io, version, finish: () => {}, run: async () => 0 });
  const helpOf = (command: Command): string => {
    written.length = 0;
    command.outputHelp();
    return written.join('');
  };
  const commands = everyCommand(program).filter(command => command !== program);
  return [
    '.\\" Generated from the help of meshform. Do not edit.',
    `.TH MESHFORM 1 "" "meshform ${version}" "User Commands"`,
    '.SH NAME',
    `meshform \\- ${roff(program.description().replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B meshform',
    '.I command',
    '.RI [ argument \\|.\\|.\\|.]',
    '.RI [ flag \\|.\\|.\\|.]',
    '.SH OPTIONS',
    ...flagsOf(program).flatMap(option =>
      entry(`\\fB${roff(option.flags)}\\fR`, option.description),
    ),
    ...entry('\\fB\\-h, \\-\\-help\\fR', 'show the help of meshform, or of a command'),
    '.SH COMMANDS',
    ...commands.flatMap(command => commandLines(command, helpOf(command))),
    '.SH ENVIRONMENT',
    ...environment(helpOf(program)),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT_MEANING).flatMap(([code, meaning]) => entry(`\\fB${code}\\fR`, meaning)),
    '',
  ].join('\n');
}

const visible = (command: Command): readonly Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter(one => one.name() !== 'help');

/** A command and those below it that help lists. */
export const everyCommand = (command: Command): Command[] => [
  command,
  ...visible(command).flatMap(everyCommand),
];

/** The flags of a command that help lists. */
export const flagsOf = (command: Command): readonly Option[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help');

function commandLines(command: Command, help: string): string[] {
  const help_ = command.createHelp();
  const list = help_.visibleArguments(command);
  const [, examples] = /\nExamples:\n([\s\S]+)$/.exec(help) ?? [];
  const words = help_.commandUsage(command).replace(' [options]', '');
  return [
    `.SS "${roff(words)}"`,
    ...paragraph(command.description()),
    ...list.flatMap(argument => entry(`\\fI${roff(argument.name())}\\fR`, argument.description)),
    ...flagsOf(command).flatMap(option =>
      entry(`\\fB${roff(option.flags)}\\fR`, help_.optionDescription(option)),
    ),
    ...(examples === undefined ? [] : ['.PP', 'Examples:', ...verbatim(examples)]),
  ];
}

function environment(help: string): string[] {
  const [, block = ''] = /\nEnvironment:\n([\s\S]+?)\n\n/.exec(help) ?? [];
  return block
    .trim()
    .split('\n')
    .flatMap(line => {
      const [, name = '', meaning = ''] = /^\s*(\S+)\s+(.*)$/.exec(line) ?? [];
      return entry(`\\fB${roff(name)}\\fR`, meaning);
    });
}

const entry = (head: string, text: string): string[] => ['.TP', head, ...paragraph(text)];

const paragraph = (text: string): string[] => wrap(text, 72).map(line => sentence(line.trim()));

const verbatim = (text: string): string[] => [
  '.PP',
  '.nf',
  '.RS 4',
  ...text
    .trimEnd()
    .split('\n')
    .map(line => sentence(line.trimStart())),
  '.RE',
  '.fi',
];

// A line must not begin with what roff takes for a request.
const sentence = (text: string): string => roff(text).replace(/^(?=[.'])/, '\\&');

const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('"', '\\(dq')
    .replaceAll('…', '\\|.\\|.\\|.');
