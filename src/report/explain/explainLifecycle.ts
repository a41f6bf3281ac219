// `lifecycle`, which every object can have: its settings, from their schema.
import type { Kind } from '../../kinds/kind.ts';
import { LIFECYCLE_SCHEMA, shippedSchema } from '../../kinds/registry.ts';
import { isObject } from '../../model/value.ts';
import { wrap } from '../text/lines.ts';
import { code } from '../text/markdown.ts';
import { readable, type Style } from '../text/style.ts';
import { rowLines } from './rows.ts';

/** One entry of a lifecycle. */
export interface LifecycleSetting {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const TYPES: Readonly<Record<string, string>> = { array: 'list of names', object: 'map' };

/** All entries of a lifecycle. */
export function lifecycleSettings(): readonly LifecycleSetting[] {
  const { properties } = shippedSchema(LIFECYCLE_SCHEMA);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const { type, description } = isObject(schema) ? schema : {};
    return { name, type: TYPES[String(type)] ?? String(type), text: String(description ?? '') };
  });
}

const about = (): string => String(shippedSchema(LIFECYCLE_SCHEMA).description ?? '');

const titleOf = (settings: readonly LifecycleSetting[], kind: Kind | undefined): string => {
  const [only, ...others] = settings;
  return `${kind ? `${kind.name}.` : ''}lifecycle${only && others.length === 0 ? `.${only.name}` : ''}`;
};

/** The entries for a terminal. */
export function lifecycleText(
  settings: readonly LifecycleSetting[],
  kind: Kind | undefined,
  style: Style,
): string {
  const rows = settings.map(({ name, type, text }) => ({ name, what: type, text }));
  return [
    style.strong(titleOf(settings, kind)),
    ...wrap(about(), readable(style)),
    '',
    ...rowLines(rows, style),
    '',
  ].join('\n');
}

/** The entries as a table. */
export function lifecycleMarkdown(
  settings: readonly LifecycleSetting[],
  kind: Kind | undefined,
): string {
  const rows = settings.map(({ name, type, text }) => `| ${code(name)} | ${type} | ${text} |`);
  const head = ['| field | type | what it is |', '|---|---|---|'];
  return [`## ${titleOf(settings, kind)}`, '', about(), '', ...head, ...rows, ''].join('\n');
}
