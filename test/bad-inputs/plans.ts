// Bad saved plans: cut off, edited, made elsewhere, or no plan at all. Each would be carried out as it is.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { resealed } from '../support/resealed.ts';
import { PLACES } from './plans/places.ts';
import type { Row } from './row.ts';

const APPLY = ['apply', 'plan.json', '--yes'];

/** A row whose plan is what `make` makes of the text of a good one. */
const textRow = (
  title: string,
  make: (text: string) => string | Uint8Array,
  says: string,
  help: string,
  more: Partial<Row> = {},
): Row => ({
  title,
  make: ({ cwd, good }) => writeFileSync(join(cwd, 'plan.json'), make(good.plan)),
  argv: APPLY,
  code: 3,
  says,
  help,
  ...more,
});

/** Of a document, the part that only meshform has, and its lists. */
interface Parts {
  readonly document: JsonObject;
  readonly own: JsonObject;
  readonly actions: JsonObject[];
  readonly changes: JsonObject[];
}

function partsOf(text: string): Parts {
  const document = JSON.parse(text) as JsonObject;
  const { meshform } = document;
  if (!isObject(meshform)) throw new Error('no plan');
  const own = meshform as JsonObject & { actions: JsonObject[]; changes: JsonObject[] };
  return { document, own, actions: own.actions, changes: own.changes };
}

type Edit = (parts: Parts) => void;

/** The text after an edit, with the digest that fits it or the one it had. */
function edited(text: string, edit: Edit, isSealed: boolean): string {
  const parts = partsOf(text);
  edit(parts);
  return JSON.stringify(isSealed ? resealed(parts.document) : parts.document);
}

const put = (into: JsonObject | undefined, fields: JsonObject): void =>
  void Object.assign(into ?? {}, fields);

/** Edited by hand, and its digest left as it was. */
const EDITED: readonly (readonly [title: string, edit: Edit])[] = [
  [
    'an action that writes another name',
    ({ actions }) => put(actions[0], { fields: { name: 'evil' } }),
  ],
  ['an action that is gone', ({ actions }) => void actions.pop()],
  ['another digest', ({ own }) => put(own, { digest: `sha256:${'0'.repeat(64)}` })],
  ['another server', ({ own }) => put(own, { server: 'https://evil.example.com' })],
];

/** Edited by somebody who knows how to make the digest fit. */
const SEALED: readonly (readonly [
  title: string,
  edit: Edit,
  says: string,
  help: string,
  code?: number,
])[] = [
  [
    'of a kind that is none',
    ({ actions }) => put(actions[0], { kind: 'spaceship' }),
    'spaceship',
    'new plan',
  ],
  [
    'of a kind that is called like a prototype',
    ({ actions }) => put(actions[0], { kind: '__proto__' }),
    'kind',
    'plan --out',
  ],
  [
    'of a kind that is a constructor',
    ({ changes }) => put(changes[0], { kind: 'constructor' }),
    'constructor',
    'new plan',
  ],
  [
    'with a verb that is none',
    ({ actions }) => put(actions[0], { verb: 'obliterate' }),
    '',
    'plan',
  ],
  [
    'with one action twice',
    ({ actions }) => void actions.push(actions[0] ?? {}),
    'twice',
    'new plan',
  ],
  [
    'whose actions wait in a circle',
    ({ actions }) =>
      actions.forEach((action, i) => {
        put(action, { after: [String(actions[(i + 1) % actions.length]?.id)] });
      }),
    'waits for',
    'new plan',
  ],
  [
    'with an action that waits for none',
    ({ actions }) => put(actions[0], { after: ['nobody'] }),
    'nobody',
    'new plan',
  ],
  [
    'with a field that is none',
    ({ actions }) => put(actions[0], { fields: { name: 'one', colour: 'red' } }),
    'colour',
    'new plan',
  ],
  [
    'with the prototype as a field',
    ({ actions }) =>
      put(actions[0], { fields: JSON.parse('{"name":"one","__proto__":{"x":1}}') as JsonObject }),
    '__proto__',
    'new plan',
  ],
  [
    'with an id that climbs out of its path',
    ({ actions }) =>
      put(actions.find(({ verb }) => verb === 'update') ?? actions[0], {
        remote_id: '../../users/me',
      }),
    '',
    'new plan',
    3,
  ],
  [
    'whose action is about another object',
    ({ actions }) => put(actions[0], { address: 'group.other' }),
    '',
    'new plan',
  ],
  [
    'of another version',
    ({ document }) => put(document, { format_version: '99.0' }),
    '99.0',
    'this version',
  ],
  [
    'of a version that is a number',
    ({ document }) => put(document, { format_version: 1 }),
    'not a plan',
    'plan --out',
  ],
  [
    'that says of itself it has errors',
    ({ document }) => put(document, { applyable: false }),
    'errors',
    'plan --out',
  ],
  ['of a dialect that is none', ({ own }) => put(own, { dialect: 'klingon' }), '', 'plan'],
  [
    'with actions that are a mapping',
    ({ own }) => put(own, { actions: {} }),
    'meshform.actions',
    'plan --out',
  ],
  [
    'with an action that is nothing',
    ({ own }) => put(own, { actions: [null] }),
    'meshform.actions',
    'plan --out',
  ],
  [
    'without what it saw',
    ({ own }) => {
      delete (own as Record<string, Json>).pins;
    },
    'pins',
    'plan --out',
  ],
  ['of another account', ({ own }) => put(own, { account: 'another' }), 'another', '', 6],
  [
    'of another server',
    ({ own }) => put(own, { server: 'https://evil.example.com' }),
    'evil.example.com',
    '--any-server',
    6,
  ],
  ['of a folder with a NUL', ({ own }) => put(own, { folder: 'a\u0000b' }), 'folder', 'new plan'],
];

const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

const TEXTS: readonly Row[] = [
  textRow(
    'cut off in the middle',
    text => text.slice(0, text.length / 2),
    'incomplete',
    'plan --out',
  ),
  textRow(
    'without its last character',
    text => text.trimEnd().slice(0, -1),
    'incomplete',
    'plan --out',
  ),
  textRow('with more after its end', text => `${text}{}`, 'incomplete', 'plan --out'),
  textRow('empty', () => '', 'not JSON', 'plan --out'),
  textRow('of blanks', () => ' \n\n', 'not JSON', 'plan --out'),
  textRow('of binary', () => Buffer.from([0x7b, 0xff, 0x00, 0xfe, 0x89]), '', 'plan --out'),
  textRow('in UTF-16', text => Buffer.from(`\ufeff${text}`, 'utf16le'), '', 'plan --out'),
  textRow('in YAML', () => 'format_version: "1.0"\nactions: []\n', 'not JSON', 'plan --out'),
  textRow('a list', () => '[]', 'a JSON list', 'plan --out'),
  textRow('null', () => 'null', 'the JSON value `null`', 'plan --out'),
  textRow(
    'another document',
    () => '{"format_version":"1.2","terraform_version":"1.9"}',
    'not a plan',
    'plan --out',
  ),
  textRow('of twenty thousand levels', () => deep(20_000), '', 'plan --out'),
  textRow(
    'a plan with twenty thousand levels in it',
    text => text.replace('"actions":', `"x":${deep(20_000)},"actions":`),
    '',
    'plan',
  ),
  textRow(
    'only the prototype',
    () => '{"__proto__":{"format_version":"2.0","meshform":{}}}',
    'not a plan',
    'plan --out',
  ),
  textRow(
    'not the one that was approved',
    text => text,
    'not the plan that was approved',
    'approve',
    { argv: [...APPLY, '--digest', `sha256:${'0'.repeat(64)}`], code: 6 },
  ),
  textRow('with a flag that planning has', text => text, '--prune', 'plan --out', {
    argv: [...APPLY, '--prune', 'unmanaged'],
    code: 64,
  }),
  textRow('with a dialect that it does not have', text => text, '--dialect', 'plan --out', {
    argv: [...APPLY, '--dialect', 'netbird'],
    code: 64,
  }),
  textRow('with a part of it', text => text, '--only', 'plan --out', {
    argv: [...APPLY, '--only', 'network/one', '--base', 'HEAD'],
    code: 64,
  }),
  textRow('where nobody answers', text => text, '', '--yes', {
    argv: ['apply', 'plan.json'],
    code: 64,
  }),
  textRow('cut off, and shown', text => text.slice(0, 500), 'incomplete', 'plan --out', {
    argv: ['show', 'plan.json'],
  }),
  textRow('cut off, under another name', text => text.slice(0, 500), 'incomplete', 'plan --out', {
    make: ({ cwd, good }) => writeFileSync(join(cwd, 'approved'), good.plan.slice(0, 500)),
    argv: ['apply', 'approved', '--yes'],
  }),
];

export const PLANS: readonly Row[] = [
  ...EDITED.map(([title, edit]) =>
    textRow(`edited: ${title}`, text => edited(text, edit, false), 'digest', 'new plan'),
  ),
  ...SEALED.map(([title, edit, says, help, code = 3]) =>
    textRow(title, text => edited(text, edit, true), says, help, { code }),
  ),
  ...TEXTS,
  ...PLACES,
];
