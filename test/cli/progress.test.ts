// How far a run has come: a line that is rewritten where a person watches, a line an action elsewhere.
import { expect, test } from 'vitest';
import { progressOn } from '../../src/cli/apply/progress.ts';
import type { Sink } from '../../src/cli/io.ts';
import { keyOf } from '../../src/model/key.ts';
import { type Address, actionId, kindName, remoteId } from '../../src/model/names.ts';
import type { ShownAction } from '../../src/model/plan.ts';

const NAME = 'a name that is longer than the terminal is wide';
const ACTION: ShownAction = {
  ...{ id: actionId(`create group["${NAME}"]`), address: `group["${NAME}"]` as Address },
  ...{ kind: kindName('group'), key: keyOf([NAME]), verb: 'create', fields: {} },
  ...{ after: [], writes: [], hazards: [], requests: 1 },
  precondition: { type: 'absent', except: [] },
};

function watch(sink: Omit<Sink, 'write'>, env: Readonly<Record<string, string>> = {}): string[] {
  const written: string[] = [];
  const stderr: Sink = { ...sink, write: text => written.push(text) };
  const progress = progressOn({ stderr, env }, 1);
  progress.fetching(1, 4);
  progress.running({ type: 'start', action: ACTION });
  const { id: action, address } = ACTION;
  const outcome = { action, address, status: 'done', remoteId: remoteId('g1'), notes: [] } as const;
  progress.running({ type: 'end', action: ACTION, outcome });
  progress.clear();
  return written;
}

test('a status line never wraps: it could not be taken away again', () => {
  const CLEAR = '\r\u001b[2K';
  const written = watch({ isTerminal: true, columns: 40 });
  const status = written.filter(text => text.startsWith(CLEAR) && !text.endsWith('\n'));
  expect(status.map(text => text.length - CLEAR.length)).toEqual([33, 39, 0]);
});

test.each<[string, boolean, Readonly<Record<string, string>>]>([
  ['no terminal', false, {}],
  ['a pipeline', true, { CI: 'true' }],
  ['a dumb terminal', true, { TERM: 'dumb' }],
])('%s: a line an action, and nothing is rewritten', (_, isTerminal, env) => {
  expect(watch({ isTerminal }, env)).toEqual([`[1/1] created group["${NAME}"]\n`]);
});
