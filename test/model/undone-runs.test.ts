// An undo holds unless it was undone by an undo that holds.
import { expect, test } from 'vitest';
import { standingUndos } from '../../src/model/undoneRuns.ts';

const undo = (text: string) => {
  const [run = '', undoes = ''] = text.split(' of ');
  return { run, undoes };
};
const standing = (...texts: string[]) => standingUndos(texts.map(undo)).map(({ run }) => run);

test('an undo that was undone does not count, and an undo whose undo was undone counts', () => {
  expect(standing('u1 of run')).toEqual(['u1']);
  expect(standing('u1 of run', 'u2 of u1')).toEqual(['u2']);
  expect(standing('u1 of run', 'u2 of u1', 'u3 of u2')).toEqual(['u1', 'u3']);
});

test('the undo that nobody has undone counts if a run has two undos', () => {
  expect(standing('u1 of run', 'u2 of u1', 'u3 of run')).toEqual(['u2', 'u3']);
});

test('journals that name each other in a cycle do not cause an endless search', () => {
  expect(standing('u1 of u2', 'u2 of u1')).toHaveLength(0);
});
