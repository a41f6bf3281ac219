// The candidates for completing a command line at its cursor: commands, flags, values of flags,
// kinds, and names of objects. Pure: names are read through functions that the caller passes.
import type { Argument, Command, Option } from 'commander';

/** Names that are read only if they are needed. */
export interface NameSources {
  readonly kinds: () => readonly string[];
  /** Every dotted name that `explain` accepts. */
  readonly fields: () => Promise<readonly string[]>;
  readonly operations: () => readonly string[];
  readonly hazards: () => readonly string[];
  /** Returns the objects that the files at `paths` (layers) declare, as `kind/name`. */
  readonly objects: (paths: readonly string[]) => Promise<readonly string[]>;
  /**
   * Returns the declared objects that can be the source of an access question. `destinations`
   * returns the possible destinations.
   */
  readonly sources: (paths: readonly string[]) => Promise<readonly string[]>;
  readonly destinations: (paths: readonly string[]) => Promise<readonly string[]>;
}

/** A candidate. */
export interface Candidate {
  readonly text: string;
  readonly about?: string;
}

/**
 * The candidates for `current` after `words`. `words` begin after the name of the program. An empty
 * list means that a path is expected.
 */
export async function candidates(
  program: Command,
  { words, current }: { readonly words: readonly string[]; readonly current: string },
  names: NameSources,
): Promise<readonly Candidate[]> {
  const { command, given, awaited, hasEnded } = read(program, words);
  const at = pathsIn(command, given);
  const [, flag, begun] = (!hasEnded && /^(--[^=]+)=(.*)$/s.exec(current)) || [];
  if (flag !== undefined && begun !== undefined) {
    const option = command.options.find(({ long }) => long === flag);
    const values = option ? await valuesOf(option, { current: begun, at }, names) : [];
    return beginning(
      values.map(text => ({ text: `${flag}=${text}` })),
      current,
    );
  }
  if (awaited) return beginning(plain(await valuesOf(awaited, { current, at }, names)), current);
  if (!hasEnded && current.startsWith('-')) return beginning(flagsOf(command), current);
  const values = argumentValues(command, { given, current, at }, names);
  return beginning(
    [...(given.length === 0 ? verbsOf(command) : []), ...plain(await values)],
    current,
  );
}

// The paths of the files if the line already contains them; otherwise the current directory.
function pathsIn({ registeredArguments }: Command, given: readonly string[]): readonly string[] {
  const [only, ...others] = registeredArguments;
  const isPath = only?.name() === 'path' && others.length === 0;
  return isPath && given.length > 0 ? given : ['.'];
}

interface Position {
  readonly command: Command;
  /** The arguments before the cursor. */
  readonly given: readonly string[];
  /** The flag whose value is at the cursor. */
  readonly awaited: Option | undefined;
  /** Whether the line already contains `--`, so that no later word is a flag. */
  readonly hasEnded: boolean;
}

function read(program: Command, words: readonly string[]): Position {
  let command: Command = program;
  const given: string[] = [];
  let awaited: Option | undefined;
  let hasEnded = false;
  for (const word of words) {
    if (awaited) awaited = undefined;
    else if (!hasEnded && word === '--') hasEnded = true;
    else if (!hasEnded && word.startsWith('-')) {
      const option = command.options.find(({ long, short }) => word === long || word === short);
      awaited = option?.required ? option : undefined;
    } else {
      const inner = given.length === 0 ? subcommand(command, word) : undefined;
      if (inner) command = inner;
      else given.push(word);
    }
  }
  return { command, given, awaited, hasEnded };
}

const subcommand = (command: Command, word: string): Command | undefined =>
  visibleCommands(command).find(one => one.name() === word);

const visibleCommands = (command: Command): readonly Command[] =>
  command.createHelp().visibleCommands(command);

const verbsOf = (command: Command): Candidate[] =>
  visibleCommands(command).map(one => ({ text: one.name(), about: one.description() }));

const flagsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ text: long, about: description }] : []));

const plain = (texts: readonly string[]): Candidate[] => texts.map(text => ({ text }));

const beginning = (found: readonly Candidate[], current: string): Candidate[] =>
  found.filter(({ text }) => text.startsWith(current));

// The candidates for the value of a flag. The placeholder for the value in the help text shows what
// the flag accepts.
async function valuesOf(
  { argChoices, flags }: Option,
  { current, at }: { readonly current: string; readonly at: readonly string[] },
  names: NameSources,
): Promise<readonly string[]> {
  if (argChoices) return argChoices;
  const [, value = ''] = /[<[](.*)[>\]]$/.exec(flags) ?? [];
  if (value === 'kind/name') return names.objects(at);
  if (value === 'names') return listed(current, names.kinds());
  const [first = '', object] = value.split('[=');
  if (object === undefined) return [];
  const before = first === 'code' ? names.hazards() : first.split('|');
  if (!current.includes('=')) return before;
  const head = current.slice(0, current.indexOf('=') + 1);
  return (await names.objects(at)).map(name => `${head}${name}`);
}

// The candidates for a comma-separated list. The text before the last comma is kept.
function listed(current: string, names: readonly string[]): readonly string[] {
  const head = current.slice(0, current.lastIndexOf(',') + 1);
  const chosen = new Set(head.split(','));
  return names.filter(name => !chosen.has(name)).map(name => `${head}${name}`);
}

/** The arguments before the cursor, the word at the cursor, and the paths of the files. */
interface Place {
  readonly given: readonly string[];
  readonly current: string;
  readonly at: readonly string[];
}

async function argumentValues(
  command: Command,
  { given, current, at }: Place,
  names: NameSources,
): Promise<readonly string[]> {
  const { registeredArguments } = command;
  const argument = registeredArguments[given.length] ?? registeredArguments.at(-1);
  if (argument === undefined || (given.length >= registeredArguments.length && !argument.variadic))
    return [];
  return argument.argChoices ?? namedValues(argument, { given, current, at }, names);
}

async function namedValues(
  argument: Argument,
  { given, current, at }: Place,
  names: NameSources,
): Promise<readonly string[]> {
  switch (argument.name()) {
    case 'kind[.field]':
      // Completes one level of a dotted name at a time, as shells complete one folder at a time.
      return (await names.fields()).filter(name => !name.slice(current.length).includes('.'));
    case 'operation':
      return names.operations();
    case 'question': {
      const last = given.at(-1);
      if (last === 'from') return names.sources(at);
      if (last === 'to') return names.destinations(at);
      return ['from', 'to'].filter(word => !given.includes(word));
    }
    default:
      return [];
  }
}
