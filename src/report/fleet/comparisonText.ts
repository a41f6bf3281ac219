// The differences between two desired states as text and as a document.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { jsonString, nameText } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import { type Line, renderLines } from '../text/lines.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';
import { shapeAt, valueText, withoutSecrets } from '../text/values.ts';
import { shortLine } from '../view/shortLine.ts';
import { accountsByMessage, namesLines } from './accountNames.ts';
import {
  type ComparedObject,
  type Comparison,
  type DifferingObject,
  type FieldDifference,
  isSame,
} from './comparison.ts';

/** Two accounts whose desired states are compared. */
export interface ComparedAccounts {
  readonly here: string;
  readonly there: string;
  readonly comparison: Comparison;
}

/**
 * An account whose desired state is compared with the desired state of its shared layers. The shared layers are the side `here`.
 */
export interface ComparedWithBaseline {
  readonly name: string;
  readonly comparison: Comparison;
}

const MOST = 20;

/** The difference for a terminal. */
export function comparisonText(
  { here, there, comparison }: ComparedAccounts,
  kinds: KindTable,
  style: Style,
): string {
  const { onlyHere, onlyThere, differing, same } = comparison;
  const [one, other] = [here, there].map(nameText);
  const parts = [
    part(
      `Only in ${one}`,
      onlyHere.map(object => objectLine('-', object, kinds)),
      style,
    ),
    part(
      `Only in ${other}`,
      onlyThere.map(object => objectLine('+', object, kinds)),
      style,
    ),
    part(
      `${one} -> ${other}`,
      differing.flatMap(object => differenceLines(object, kinds)),
      style,
    ),
  ];
  const counts = [
    `${counted(onlyHere.length, 'object')} only in ${one}`,
    `${onlyThere.length} only in ${other}`,
    `${differing.length} different`,
    `${same} the same`,
  ];
  return [...parts.filter(text => text !== ''), `${counts.join(', ')}.\n`].join('\n\n');
}

/** What accounts override, add and omit compared with their shared layers. Accounts with the same differences are shown once. */
export function baselineText(
  accounts: readonly ComparedWithBaseline[],
  kinds: KindTable,
  style: Style,
): string {
  const texts = accounts.map(({ name, comparison }) => ({
    name,
    text: isSame(comparison) ? '' : baselineLines(comparison, kinds, style),
  }));
  const own = texts.filter(({ text }) => text !== '');
  const plain = texts.length - own.length;
  const parts = accountsByMessage(own, ({ text }) => text).map(({ said, names }) =>
    [style.strong(`${counted(names.length, 'account')}:`), ...namesLines(names, style), said].join(
      '\n',
    ),
  );
  const last = `${counted(texts.length, 'account')}: ${own.length} with differences, ${plain} like their shared layers\n`;
  return [...parts, last].join('\n\n');
}

function baselineLines(comparison: Comparison, kinds: KindTable, style: Style): string {
  const { onlyHere, onlyThere, differing } = comparison;
  return [
    part(
      'Overrides',
      differing.flatMap(object => differenceLines(object, kinds)),
      style,
    ),
    part(
      'Adds',
      onlyThere.map(object => objectLine('+', object, kinds)),
      style,
    ),
    part(
      'Omits',
      onlyHere.map(object => objectLine('-', object, kinds)),
      style,
    ),
  ]
    .filter(text => text !== '')
    .join('\n');
}

const part = (title: string, lines: readonly Line[], style: Style): string =>
  lines.length === 0 ? '' : `${style.strong(title)}\n${renderLines(lines, style)}`;

const titleOf = (kind: Kind | undefined, { kind: name, key }: ComparedObject): string =>
  `${kind?.noun ?? name} ${jsonString(key)}`;

function objectLine(sign: Line['sign'], object: ComparedObject, kinds: KindTable): Line {
  const kind = kinds.get(object.kind);
  const { lifecycle: _, ...fields } = object.fields;
  const { clauses, items } = kind
    ? shortLine(kind, fields, { most: MOST, kinds })
    : { clauses: [], items: [] };
  const said = [clauses, ...items].filter(one => one.length > 0).map(one => one.join('  '));
  const title = titleOf(kind, object);
  return { sign, depth: 0, text: said.length === 0 ? title : `${title}: ${said.join('; ')}` };
}

function differenceLines({ here, fields }: DifferingObject, kinds: KindTable): readonly Line[] {
  const kind = kinds.get(here.kind);
  return [
    { sign: '~', depth: 0, text: titleOf(kind, here) },
    ...fields.map((field): Line => ({ sign: '~', depth: 1, text: fieldText(field, kind, kinds) })),
  ];
}

function fieldText(
  { path, here, there }: FieldDifference,
  kind: Kind | undefined,
  kinds: KindTable,
): string {
  const shape = kind && shapeAt(kind.shape, path);
  const textOf = (value: FieldDifference['here']): string =>
    value === undefined ? 'not declared' : valueText(shape, value, { most: MOST, kinds });
  const [before, after] = [here, there].map(textOf);
  const name = kind ? pathText(kind.shape, path) : path.join('.');
  // Both secrets are shown in the same way.
  if (before === after) return `${name} = ${before}, with another value`;
  return `${name} = ${before} -> ${after}`;
}

const VERSION = '1.0';

/** The difference as a document. */
export const comparisonJson = (
  { here, there, comparison }: ComparedAccounts,
  kinds: KindTable,
): string =>
  jsonText({ format_version: VERSION, here, there, ...comparisonDocument(comparison, kinds) });

/** The document for accounts and their shared layers. The shared layers are the side `here`. */
export const baselineJson = (accounts: readonly ComparedWithBaseline[], kinds: KindTable): string =>
  jsonText({
    format_version: VERSION,
    accounts: accounts.map(({ name, comparison }) => ({
      name,
      ...comparisonDocument(comparison, kinds),
    })),
  });

function comparisonDocument(
  { onlyHere, onlyThere, differing, same }: Comparison,
  kinds: KindTable,
): JsonObject {
  const object = ({ address, kind, fields, at }: ComparedObject): JsonObject => ({
    address,
    at: `${at.file}:${at.line}`,
    fields: withoutSecrets(kinds.get(kind)?.shape, fields),
  });
  return {
    only_here: onlyHere.map(object),
    only_there: onlyThere.map(object),
    differing: differing.map(({ here, there, fields }) => ({
      address: here.address,
      at_here: `${here.at.file}:${here.at.line}`,
      at_there: `${there.at.file}:${there.at.line}`,
      fields: fields.map(field => fieldDocument(field, kinds.get(here.kind))),
    })),
    same,
  };
}

function fieldDocument({ path, here, there }: FieldDifference, kind: Kind | undefined): JsonObject {
  const shape = kind && shapeAt(kind.shape, path);
  return {
    path,
    ...(here !== undefined && { here: withoutSecrets(shape, here) }),
    ...(there !== undefined && { there: withoutSecrets(shape, there) }),
  };
}
