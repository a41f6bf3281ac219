// The last gate before text leaves: whatever a command forgot, a terminal obeys our own sequences only, and no line
// begins with a command of a pipeline.
import { visibleLines } from '../model/text/visible.ts';
import { colourMark, colourOf } from './colour.ts';
import type { Io, Sink } from './io.ts';
import { type StatusLine, statusLine } from './statusLine.ts';

const guards = new WeakSet<Sink>();

/** The same world with guarded streams. One that is guarded already stays as it is. */
export function guarded(io: Io): Io {
  const line = statusLine(io.stderr);
  const own: Pick<Io, 'stdout' | 'stderr' | 'ask'> = {
    stdout: guardedSink(io.stdout, line),
    stderr: guardedSink(io.stderr, line),
    // Whether there is somebody to ask is found out only where a command wants to know.
    get ask() {
      const { ask } = io;
      return (
        ask &&
        ((question: string) => {
          line.show(null);
          return ask(gate()(question));
        })
      );
    },
  };
  // All properties are its own, because callers spread it.
  const properties = [io, own].map(Object.getOwnPropertyDescriptors);
  return Object.create(Object.prototype, Object.assign({}, ...properties));
}

// Both streams may lead to the terminal that has the status line.
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

/** What is ours: colours, and the coloured form of an emoji, which names do not get here with. */
const OURS = new RegExp(`(${colourMark}\\d+m|(?<=\\p{Extended_Pictographic})\\ufe0f)`, 'u');

const ESCAPE = '\u001b';

/** How GitHub is spoken to: `::` with nothing but blanks and colours before it. */
const COMMAND = new RegExp(`^((?:\\s|${ESCAPE}\\[\\d+m)*:):`, 'gm');

// Makes the texts of one stream safe. A line may come in parts, and so may what a pipeline would obey.
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

// The part of an unfinished line that what comes next could make a command of.
function armed(line: string): string {
  if (/^\s*:?$/.test(line)) return line;
  const [tail = ''] = /##?[a-z]*$/i.exec(line) ?? [];
  return `.${tail}`;
}
