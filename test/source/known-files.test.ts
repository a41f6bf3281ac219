// A program that reads the same files repeatedly gets what a first reading would give, and what did not change is not read again.
import { expect, test } from 'vitest';
import { readerOf } from '../../src/source/load.ts';
import { cachedParser } from '../../src/source/yaml/cachedParser.ts';
import { KINDS } from '../support/files.ts';

const GROUPS = 'groups: [{ name: staff }, { name: staff }]\n';
const TEAM = 'groups: [{ name: "${var:TEAM}" }]\n';
const WORN = 'groups: [{ extends: plain, name: guests }]\n';
const template = (peers: string) => `templates: [{ name: plain, peers: [${peers}] }]\n`;

const reader = readerOf(KINDS);

/** Reads files by their texts. */
const read = (
  texts: readonly string[],
  { team = 'one', parse }: { readonly team?: string; readonly parse?: Parse } = {},
) => {
  const sources = texts.map((text, at) => ({ file: `${at}.yaml`, text }));
  const inputs = { env: () => undefined, file: () => undefined, vars: new Map([['TEAM', team]]) };
  return reader.read(sources, inputs, parse && { parse });
};

type Parse = ReturnType<typeof cachedParser>['parse'];

test('a second reading is equal to a first one, with other variables, templates and objects in other files', () => {
  const { parse } = cachedParser();
  const edits = [
    { texts: [GROUPS, TEAM, WORN, template('a')] },
    { texts: [GROUPS, TEAM, WORN, template('a')], team: 'two' },
    { texts: [GROUPS, TEAM, WORN, template('b')] },
    { texts: [GROUPS, TEAM, WORN, `${template('b')}groups: [{ name: staff }]\n`] },
    // While a template is missing, an object may be unknown.
    { texts: [GROUPS, TEAM, WORN, 'groups: []\n'] },
    { texts: [GROUPS.replace(', { name: staff }', ''), TEAM, WORN, template('b')] },
  ];
  for (const { texts, team } of edits)
    expect(read(texts, { ...(team && { team }), parse })).toEqual(
      read(texts, { ...(team && { team }) }),
    );
});

test('an object in a file that did not change is the same object, also after an edit of another file', () => {
  const { parse } = cachedParser();
  const groupOf = (texts: readonly string[]) => read(texts, { parse }).desired[0];
  const policies = (name: string) => `groups: [{ name: ${name} }]\n`;
  const first = groupOf(['groups: [{ name: staff }]\n', policies('x')]);
  expect(first?.key).toBe('staff');
  expect(groupOf(['groups: [{ name: staff }]\n', policies('y')])).toBe(first);
  expect(groupOf(['groups: [{ name: staff }]\n # edited', policies('y')])).not.toBe(first);
});
