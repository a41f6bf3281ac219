// The inputs of the action: what is not understood is refused, and the command line has exactly the words that were written.
import { describe, expect, test } from 'vitest';
import { asksRemote, commandLine, fetching, isSuccess } from '../../action/commandLine.ts';
import {
  InputError,
  planNameOf,
  type Settings,
  settingsFrom,
  wordsIn,
} from '../../action/settings.ts';

const asked = (inputs: Readonly<Record<string, string>>): Settings =>
  settingsFrom({ INPUT_COMMAND: 'plan', ...inputs });

describe('inputs', () => {
  test.each([
    [{ INPUT_COMMAND: 'destroy' }, 'command'],
    [{ INPUT_COMMAND: '' }, 'command'],
    [{ INPUT_COMMENT: 'sometimes' }, 'comment'],
    [{ INPUT_LABEL: 'a --> b' }, 'label'],
    [{ INPUT_LABEL: 'a\nb' }, 'label'],
    [{ INPUT_ARGS: "--allow 'x" }, 'args'],
  ])('%j is refused', (inputs, name) => {
    expect(() => asked(inputs)).toThrow(InputError);
    expect(() => asked(inputs)).toThrow(`\`${name}\``);
  });

  test.each([
    ['', []],
    ['--prune removed\n  --strict', ['--prune', 'removed', '--strict']],
    ['--only "group/on call"', ['--only', 'group/on call']],
    ["--allow=DELETES_OBJECT='group/on call'", ['--allow=DELETES_OBJECT=group/on call']],
    ['$(id) `id` $HOME ;', ['$(id)', '`id`', '$HOME', ';']],
    ["''", ['']],
  ])('the text %j is split into the words %j', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });
});

describe('the command line of the action', () => {
  const line = (inputs: Readonly<Record<string, string>>) => commandLine(asked(inputs), 'out.json');

  test.each([
    [
      { INPUT_PATH: 'network', INPUT_BASE: 'auto' },
      'plan network --base auto --out out.json --format comment',
    ],
    [
      { INPUT_COMMAND: 'apply', INPUT_PATH: 'network', INPUT_ARGS: '--record-base' },
      'apply network --yes --format comment --record-base',
    ],
    [
      { INPUT_COMMAND: 'apply', INPUT_PLAN: 'p.json', INPUT_BASE: 'auto' },
      'apply p.json --yes --format comment',
    ],
    [
      { INPUT_COMMAND: 'apply', INPUT_BASE: 'auto', INPUT_ARGS: '--resume' },
      'apply . --yes --format comment --resume',
    ],
    [{ INPUT_COMMAND: 'check', INPUT_PLAN: 'p.json' }, 'plan check p.json'],
    [{ INPUT_COMMAND: 'drift', INPUT_PATH: 'network' }, 'drift network --format comment'],
    [{ INPUT_COMMAND: 'test' }, 'test .'],
  ])('for the inputs %j is %s', (inputs, expected) => {
    expect(line(inputs).join(' ')).toBe(expected);
  });

  test('has an input as one argument, whatever it contains', () => {
    expect(line({ INPUT_PATH: 'a b; $(id)' })[1]).toBe('a b; $(id)');
  });
});

test('a run authenticates to the remote if it reads bases there or takes a lock', () => {
  const plan = { INPUT_COMMAND: 'plan' };
  expect(asksRemote(asked({ ...plan, INPUT_BASE: 'auto' }))).toBe(true);
  expect(asksRemote(asked({ ...plan, INPUT_ARGS: '--record-base' }))).toBe(true);
  expect(asksRemote(asked({ ...plan, INPUT_BASE: 'origin/main' }))).toBe(false);
  expect(asksRemote(asked({ INPUT_COMMAND: 'apply', INPUT_PLAN: 'plan.json' }))).toBe(true);
  expect(asksRemote(asked({ INPUT_COMMAND: 'check', INPUT_PLAN: 'plan.json' }))).toBe(false);
});

test('recorded bases are fetched for a lock file, and for a check', () => {
  const auto = asked({ INPUT_COMMAND: 'drift', INPUT_BASE: 'auto' });
  const recording = asked({ INPUT_COMMAND: 'apply', INPUT_ARGS: '--record-base' });
  const other = asked({ INPUT_COMMAND: 'apply', INPUT_PLAN: 'plan.json' });
  const check = asked({ INPUT_COMMAND: 'check', INPUT_PLAN: 'plan.json' });
  for (const one of [auto, recording]) {
    expect(fetching(one, true).mustFetch).toBe(true);
    expect(fetching(one, false)).toEqual({ mustFetch: false, mayFetch: false });
  }
  expect(fetching(other, true)).toEqual({ mustFetch: false, mayFetch: true });
  expect(fetching(other, false)).toEqual({ mustFetch: false, mayFetch: false });
  expect(fetching(check, false)).toEqual({ mustFetch: false, mayFetch: true });
});

test('exit codes for changes and drift are results, and other exit codes of drift or plan are failures', () => {
  expect(isSuccess(asked({ INPUT_COMMAND: 'drift' }), 2)).toBe(true);
  expect(isSuccess(asked({}), 2)).toBe(true);
  expect(isSuccess(asked({ INPUT_COMMAND: 'apply' }), 2)).toBe(false);
  expect(isSuccess(asked({ INPUT_COMMAND: 'check' }), 5)).toBe(false);
});

describe('the file name of a plan', () => {
  test('differs for different labels', () => {
    const labels = ['', 'a b', 'a-b', 'a/b', 'a--b', 'a /b', 'a//b'];
    const names = labels.map(planNameOf);
    expect(new Set(names).size).toBe(labels.length);
    for (const name of names) expect(name).toMatch(/^plan[\p{L}\p{N}._-]*\.json$/u);
  });

  test('uses a label that is a valid file name unchanged', () => {
    expect(planNameOf('')).toBe('plan.json');
    expect(planNameOf('production')).toBe('plan-production.json');
  });
});
