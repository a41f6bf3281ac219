// The last filter before text is printed. It catches what a command missed: a terminal receives
// only the escape sequences of meshform, and no line begins with a command for a pipeline.
import { visibleLines } from '../model/text/visible.ts';
import { colourMark, colourOf } from './colour.ts';
import type { Io, Sink } from './io.ts';
import { type StatusLine, statusLine } from './statusLine.ts';

const guards = new WeakSet<Sink>();

/** The same effects with filtered streams. An `Io` that is already filtered is returned unchanged. */
export function filteredOutput(io: Io): Io {
  const line = statusLine(io.stderr);
  const own: Pick<Io, 'stdout' | 'stderr' | 'ask'> = {
    stdout: guardedSink(io.stdout, line),
    stderr: guardedSink(io.stderr, line),
    // Checks whether there is a terminal for questions only if a command needs it.
    get ask() {
      const { ask } = io;
      return (
        ask &&
        ((question: string, signal?: AbortSignal) => {
          line.show(null);
          return ask(gate()(question), signal);
        })
      );
    },
  };
  // All properties are own properties, because callers spread the object.
  const properties = [io, own].map(Object.getOwnPropertyDescriptors);
  return Object.create(Object.prototype, Object.assign({}, ...properties));
}

// Both streams may be the terminal that shows the status line.
function guardedSink(sink: Sink, line: StatusLine): Sink {
  if (guards.has(sink)) return sink;
  const pass = gate();
  const put = (text: string): void =>
    sink.isTerminal ? line.above(text, () => sink.write(text)) : sink.write(text);
  const own: Required<Pick<Sink, 'write' | 'control' | 'status'>> = {
    write: text => put(pass(text)),
    control: put,
    status: line.show,
  };
  const made = new Proxy(sink, {
    get: (target, name) => Reflect.get(name in own ? own : target, name),
  });
  guards.add(made);
  return made;
}

/**
 * The sequences of meshform: colours, and the variation selector of emoji. At this point, names
 * cannot contain them.
 */
const OURS = new RegExp(`(${colourMark}\\d+m|(?<=\\p{Extended_Pictographic})\\ufe0f)`, 'u');

const ESCAPE = '\u001b';

/** A workflow command of GitHub: `::` after nothing but blanks and colours. */
const COMMAND = new RegExp(`^((?:\\s|${ESCAPE}\\[\\d+m)*:):`, 'gm');

// Filters the text of one stream. Lines, sequences and commands may arrive in parts.
function gate(): (text: string) => string {
  let begun = '';
  return text => {
    const shown = `${begun}${text}`
      .split(OURS)
      .map((part, i) => (i % 2 === 0 ? visibleLines(part) : colourOf(part)))
      .join('')
      .replaceAll(COMMAND, '$1\\u003a');
    const passed = shown.slice(begun.length);
    begun = armed(shown.slice(shown.lastIndexOf('\n') + 1));
    return passed;
  };
}

// The part of an unfinished line that later text could turn into a command.
function armed(line: string): string {
  if (/^\s*:?$/.test(line)) return line;
  const [tail = ''] = /##?[a-z]*$/i.exec(line) ?? [];
  return `.${tail}`;
}
