// What leaves passes a last gate: of all that a terminal or a pipeline obeys, only what is our own.
import { describe, expect, test } from 'vitest';
import { styleFor } from '../../../src/cli/colour.ts';
import { control, type Io } from '../../../src/cli/io.ts';
import { filteredOutput } from '../../../src/cli/outputFilter.ts';
import { KnownSecrets } from '../../../src/model/secrets/knownSecrets.ts';
import { FORBIDDEN, hostileText, WORKFLOW_COMMAND } from '../../support/hostile.ts';
import { fc } from '../../support/seeded.ts';

function world() {
  const written: string[] = [];
  const asked: string[] = [];
  const sink = { write: (text: string) => void written.push(text), isTerminal: true, columns: 77 };
  const io: Io = {
    stdout: sink,
    stderr: sink,
    stdin: async () => '',
    secrets: new KnownSecrets(),
    env: {},
    cwd: '/',
    self: { pid: 1, host: 'test', isAlive: () => true },
    now: () => 0,
    monotonic: () => 0,
    random: () => 0,
    sleep: async () => {},
    onInterrupt: () => () => {},
    ask: async question => {
      asked.push(question);
      return 'yes';
    },
    abort: () => {
      throw new Error('aborted');
    },
  };
  return { io: filteredOutput(io), text: () => written.join(''), asked };
}

function through(...texts: readonly string[]): string {
  const { io, text } = world();
  for (const one of texts) io.stdout.write(one);
  return text();
}

test('output has no control characters of its texts, however they are split, and keeps their lines', () => {
  fc.assert(
    fc.property(fc.array(hostileText, { maxLength: 4 }), texts => {
      const shown = through(...texts);
      // The selector shows an emoji in colour.
      const rest = shown.replaceAll(/\n|(?<=\p{Extended_Pictographic})\ufe0f/gu, '');
      expect(rest).not.toMatch(FORBIDDEN);
      expect(shown).not.toMatch(WORKFLOW_COMMAND);
      expect(shown.split('\n').length).toBe(texts.join('').split('\n').length);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [['::error::x\n'], ':\\u003aerror::x\n'],
  [['  \n  ::error::x'], '  \n  :\\u003aerror::x'],
  [[':', ':error::x'], ':\\u003aerror::x'],
  [['a\n', ' ', ' :', ':x'], 'a\n  :\\u003ax'],
  [['a ::x', '\n::x'], 'a ::x\n:\\u003ax'],
  [['#', '#', 'vso', '[a]'], '##vso\\u005ba]'],
  [['x ##[a] y'], 'x ##\\u005ba] y'],
  [['fd00::1 ## a [b]\n'], 'fd00::1 ## a [b]\n'],
  [['\u001b[31mred\u001b[0m'], '\\u001b[31mred\\u001b[0m'],
  [['| ✏️ update | ️'], '| ✏️ update | \\ufe0f'],
])('%j is printed as %j', (texts, left) => {
  expect(through(...texts)).toBe(left);
});

describe('terminal sequences of meshform itself', () => {
  test('keep their colours, even before a name that contains a sequence', () => {
    const { io, text } = world();
    const { strong, error } = styleFor(io.stdout, io);
    io.stdout.write(`${strong('::x')} ${error('a\u001b[1mb')}\n`);
    expect(text()).toBe('\u001b[1m:\\u003ax\u001b[22m \u001b[31ma\\u001b[1mb\u001b[39m\n');
  });

  test('are written by a separate function', () => {
    const { io, text } = world();
    control(io.stderr, '\r\u001b[2K');
    control(io.stderr, '::add-mask::a\n');
    expect(text()).toBe('\r\u001b[2K::add-mask::a\n');
  });

  test('are not escaped by a stream that is guarded twice', () => {
    const { io, text } = world();
    const again = filteredOutput(io);
    again.stdout.write(styleFor(again.stdout, again).strong('x'));
    expect(text()).toBe('\u001b[1mx\u001b[22m');
    expect([again.stdout.isTerminal, again.stdout.columns]).toEqual([true, 77]);
  });
});

test('a prompt is escaped like any other output', async () => {
  const { io, asked } = world();
  await io.ask?.('\n::error::\u001b[31mx? ');
  expect(asked).toEqual(['\n:\\u003aerror::\\u001b[31mx? ']);
});
